"""The steps that are timed beside each other do the same work."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from benchmarks.probe.run import CLIPS, network, ten_steps


@pytest.mark.exhaustive
def test_all_alternatives_take_the_same_steps() -> None:
    loss, params = network(8, 2, 4)
    after = {name: jax.tree.leaves(ten_steps(name, loss, params)()) for name in CLIPS}
    for found in after.values():
        for one, other, first in zip(
            found, after["Optax's clip"], jax.tree.leaves(params), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
            assert np.max(np.abs(one - first)) > 1e-3
