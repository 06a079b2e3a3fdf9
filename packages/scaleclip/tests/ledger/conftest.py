"""Fixtures of the ledger's tests: 64 bits, and short compilations."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import pytest


@pytest.fixture(autouse=True, scope="module")
def x64(compile_module_quickly: None) -> Iterator[None]:
    """Let arrays be float64, and compile quickly: programs are run a few times only."""
    with jax.enable_x64(True):
        yield
