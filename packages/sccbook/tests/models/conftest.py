"""Fixtures of the tests of unrolls: 64 bits, and short compilations."""

import jax
import pytest


@pytest.fixture(scope="module")
def x64(compile_module_quickly):
    """Let arrays be float64, and compile quickly: programs are run a few times only."""
    with jax.enable_x64(True):
        yield
