"""The steps that are timed beside each other do the same work."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from benchmarks.probe.run import CLIPS, network, optimizer, stepper


@pytest.mark.slow
def test_all_ways_take_the_same_steps() -> None:
    loss, params = network(8, 2, 4)
    after = {}
    for name in CLIPS:
        call = stepper(optimizer(name), loss, params)
        for _ in range(4):
            found = call()
        after[name] = jax.tree.leaves(found)
    for name in CLIPS:
        for one, other, first in zip(
            after[name], after["Optax's clip"], jax.tree.leaves(params), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
            assert np.max(np.abs(one - first)) > 1e-3
