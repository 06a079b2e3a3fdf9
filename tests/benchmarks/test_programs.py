"""What is measured: programs that do the same work, by XLA's own counts."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from benchmarks.ledger import run as ledger
from benchmarks.operators.run import CLIPS, compiled, costs, cubes, outline, outlined, scaling
from benchmarks.probe import run as probe
from scaleclip.ops import scale_gradient


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "traced"),
    [([], [outlined()]), ([0.5], []), ([0.0], []), ([1.0], []), ([-2.0], [])],
)
def test_scale_gradient_adds_nothing_to_a_function(scale: list[float], traced: list[Any]) -> None:
    def function(x: Any, *traced: Any) -> Any:
        return cubes(lambda leaves: scale_gradient(leaves, *scale, *traced))(x)

    operated = costs(function, outline(1000), *traced)
    assert operated.tolist() == costs(cubes(lambda x: x), outline(1000)).tolist()


@pytest.mark.exhaustive
def test_scale_gradient_adds_one_multiplication_for_each_parameter_to_a_gradient() -> None:
    row = scaling(1000)
    assert row["gradient: operations"] == row["parameters"]
    assert row["gradient: bytes"] == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("donate", [(), (0,)], ids=["kept", "donated"])
def test_the_safe_norm_needs_less_than_a_page_more_than_optax(donate: tuple[int, ...]) -> None:
    ours, theirs = (
        compiled(CLIPS[name], outline(10**8), outlined(), donate=donate)
        .memory_analysis()
        .temp_size_in_bytes
        for name in ("scaleclip", "optax")
    )
    assert ours - theirs < 4096
    assert ours < 4096 or donate


@pytest.mark.exhaustive
def test_copies_need_the_memory_of_all_gradients_and_the_ledger_that_of_a_few() -> None:
    short, long = ledger.tanh(20), ledger.tanh(40)
    parameters = sum(leaf.size for leaf in jax.tree.leaves(long.params))
    assert ledger.compiled(ledger.PROGRAMS["copies"], long)[1] >= 4 * 40**2 * parameters
    few, more = (ledger.compiled(ledger.PROGRAMS["ledger"], unroll)[1] for unroll in (short, long))
    assert more < 4 * 40**2 * parameters / 20
    assert more < 2 * few


@pytest.mark.exhaustive
def test_all_alternatives_take_the_same_steps() -> None:
    loss, params = probe.network(8, 2, 4)
    after = {name: jax.tree.leaves(probe.ten_steps(name, loss, params)()) for name in probe.CLIPS}
    for found in after.values():
        for one, other, first in zip(
            found, after["Optax's clip"], jax.tree.leaves(params), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
            assert np.max(np.abs(one - first)) > 1e-3
