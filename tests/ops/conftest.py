"""What the tests of the operators share: 64 bits, and references to compare with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import pytest

os.environ["KERAS_BACKEND"] = "jax"  # Keras reads it when it is imported

# for ops_reference; last, so that it hides no package of the same name
sys.path.append(str(Path(__file__).parent))


@pytest.fixture(autouse=True, scope="module")
def x64() -> Iterator[None]:
    """Lets arrays be float64."""
    with jax.enable_x64(True):
        yield
