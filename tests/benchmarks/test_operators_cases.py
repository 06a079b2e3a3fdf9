"""What is timed does what it is said to do."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.operators.cases import CLIPS, FALLS, OPERATORS, called, cubes, descent, inside
from benchmarks.operators.times import by_turns, compared
from benchmarks.operators.trees import tree


@pytest.mark.parametrize("share", [0.5, 1000.0])
def test_both_clips_return_the_same(share: float) -> None:
    grads = tree(1000)
    limit = share * operators.norm(grads)
    ours, theirs = (called(CLIPS[name], grads, limit)() for name in ("gradlab", "optax"))
    assert operators.norm(ours) == pytest.approx(min(share, 1) * operators.norm(grads), rel=1e-6)
    for name in grads:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-6)


def test_the_floor_writes_every_leaf_almost_as_it_was() -> None:
    grads = tree(1000)
    written = called(CLIPS["floor"], grads, 1.0)()
    for name in grads:
        np.testing.assert_allclose(written[name], grads[name], rtol=1.1e-3)


def test_a_program_goes_on_where_it_ended_and_always_has_something_to_clip() -> None:
    grads = tree(1000)
    whole = operators.norm(grads)
    call = inside(CLIPS["gradlab"], grads, 0.5 * whole, 10)
    lengths = []
    for _ in range(3):
        clipped, limit = call()
        lengths.append(operators.norm(clipped) / whole)
        # the last step was taken with the limit before its last fall
        assert float(limit) * (1 + FALLS) == pytest.approx(lengths[-1] * whole, rel=1e-6)
    assert lengths[0] == pytest.approx(0.5 * (1 - FALLS) ** 9, rel=1e-5)
    assert lengths[0] > lengths[1] > lengths[2]
    assert operators.norm(grads) == whole, "what was given is not given up"


@pytest.mark.parametrize("name", ["gradlab", "optax"])
def test_a_descent_is_scaled_by_the_operator_and_its_function_is_not(name: str) -> None:
    x = tree(100)
    rate = jnp.float32(0.1)
    plain, scaled = (descent(OPERATORS[operator])(x, rate) for operator in ("without", name))
    for leaf in x:
        np.testing.assert_allclose(x[leaf] - scaled[leaf], 0.5 * (x[leaf] - plain[leaf]), atol=1e-6)
    assert cubes(OPERATORS[name])(x) == cubes(OPERATORS["without"])(x)


def test_all_programs_are_called_equally_often_and_by_turns() -> None:
    order: list[str] = []
    rounds = by_turns({name: lambda name=name: order.append(name) for name in "ab"}, 3, 0.0)
    assert "".join(order) == "aabb" + 3 * "abba"
    assert {name: len(times) for name, times in rounds.items()} == {"a": 3, "b": 3}


def test_a_time_is_divided_by_the_steps_of_a_call() -> None:
    pause = jax.jit(lambda: jnp.zeros(()))
    calls = {"call": lambda: jax.block_until_ready(pause())}
    whole, share = (by_turns(calls, 3, 0.01, steps)["call"] for steps in (1, 1000))
    assert max(share) < min(whole) / 10


def test_a_ratio_is_that_of_one_round_and_its_median_and_ends_are_those_of_the_rounds() -> None:
    found = compared({"a": [2.0, 30.0, 8.0], "b": [1.0, 10.0, 8.0]}, [("a", "b")])
    assert found["times"] == {"a": 8.0, "b": 8.0}
    assert found["best"] == {"a": 2.0, "b": 1.0}
    assert found["ratios"] == {"a / b": {"median": 2.0, "low": 1.0, "high": 3.0}}


def test_norms_after_show_what_optax_makes_of_squares_that_overflow_or_underflow() -> None:
    ordinary, large, small = operators.norms_after(1000)
    for row in (ordinary, large, small):
        assert row["before"] == pytest.approx(2.0)
        assert row["gradlab"] == pytest.approx(1.0, rel=1e-6)
    assert [row["optax"] for row in (ordinary, large, small)] == pytest.approx([1.0, 0.0, 2.0])
