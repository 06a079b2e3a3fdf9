"""Short compilations, for all tests of the figures."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def _short(compile_module_quickly: None) -> None:
    """Figures are compiled for JAX to be compared with, and run a few times."""
