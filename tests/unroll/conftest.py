"""What many tests of unrolls share: 64 bits, and short compilations."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import pytest


@pytest.fixture(scope="module")
def x64() -> Iterator[None]:
    """Lets arrays be float64. Programs are run a few times only: XLA need not optimise them."""
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    with jax.enable_x64(True):
        yield
    jax.config.update("jax_disable_most_optimizations", before)
