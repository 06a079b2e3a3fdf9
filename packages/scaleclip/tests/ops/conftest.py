"""Fixtures of the operators' tests: 64 bits, and short compilations."""

from __future__ import annotations

import os

import pytest

os.environ["KERAS_BACKEND"] = "jax"  # Keras reads it when it is imported


@pytest.fixture(autouse=True, scope="module")
def _wide(x64: None) -> None:
    """Let arrays be float64, and compile quickly."""
