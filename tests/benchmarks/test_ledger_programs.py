"""The ledger is compared with what says the same, and called as often."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.ledger import run
from benchmarks.ledger.models import MODELS, Unroll
from benchmarks.ledger.programs import PROGRAMS, SCALE, apart, compiled, entries

quickly = pytest.mark.usefixtures("compile_quickly")  # entries are compared, and nothing timed


@cache
def found_by(name: str, model: str) -> Any:
    """What a program says of a model's three steps, computed once."""
    return run(name, MODELS[model](3))


def run(name: str, unroll: Unroll) -> Any:
    return jax.jit(lambda *given: PROGRAMS[name](unroll, *given))(
        unroll.params, unroll.state, unroll.inputs
    )


@quickly
@pytest.mark.parametrize("model", MODELS)
def test_all_ways_lead_to_the_same_entries(model: str) -> None:
    found, passes, copies = (found_by(name, model) for name in ("ledger", "passes", "copies"))
    assert apart(found, copies) < 1e-5
    assert apart(passes, copies) < 1e-5
    norms = np.asarray(entries(copies)[0])
    assert (norms[np.tril_indices(3)] > 0).all()
    assert (norms[np.triu_indices(3, 1)] == 0).all()


@quickly
def test_the_entries_of_a_linear_unroll_are_the_powers_of_the_scale() -> None:
    # h_j = h_{j-1} + theta, loss_k = h_k: entry (k, j) is s^(k - j) / K
    unroll = Unroll(
        lambda p, h, x: h + p, lambda p, h, x: h, jnp.ones(()), jnp.ones(()), jnp.ones(4)
    )
    lags = np.arange(4)[:, None] - np.arange(4)[None, :]
    expected = np.where(lags >= 0, SCALE ** np.maximum(lags, 0), 0) / 4
    for name in ("ledger", "passes", "copies"):
        norms, products = entries(run(name, unroll))
        np.testing.assert_allclose(norms, expected, rtol=1e-6)
        np.testing.assert_allclose(products, expected * expected.sum(), rtol=1e-6)


@quickly
@pytest.mark.parametrize("model", MODELS)
def test_the_floor_is_the_gradient_of_the_same_loss(model: str) -> None:
    unroll = MODELS[model](3)
    of_params, of_state = run("gradient", unroll)
    found = found_by("ledger", model)
    for one, other in ((of_params, found.total), (of_state, found.state_cotangent)):
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_results_are_as_far_apart_as_the_worst_entry_in_units_of_its_row() -> None:
    expected = jnp.array([[1.0, 0.0], [100.0, 50.0]]), jnp.ones((2, 2))
    assert apart((expected[0].at[1, 1].set(51.0), expected[1]), expected) == pytest.approx(0.01)
    assert apart((expected[0].at[0, 1].set(0.5), expected[1]), expected) == pytest.approx(0.5)
    assert apart((expected[0], 3 * expected[1]), expected) == pytest.approx(2.0)


@pytest.mark.slow
def test_copies_want_the_memory_of_all_gradients_and_the_ledger_that_of_a_few() -> None:
    short, long = (MODELS["tanh"](steps) for steps in (20, 40))
    every = 4 * 40**2 * long.parameters
    assert compiled("copies", long).temporary >= every
    wanted = [compiled("ledger", one).temporary for one in (short, long)]
    assert wanted[1] < every / 20
    assert wanted[1] < 2 * wanted[0]


def test_all_programs_are_called_equally_often_and_there_and_back() -> None:
    order: list[str] = []
    found = ledger.by_turns({name: lambda name=name: order.append(name) for name in "ab"}, 3, 0.0)
    assert "".join(order) == "abbaab"
    assert {name: len(times) for name, times in found.items()} == {"a": 3, "b": 3}


def test_a_time_is_in_milliseconds() -> None:
    moments = iter([1.0, 1.25])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.time, "perf_counter", lambda: next(moments))
        assert ledger.timed(lambda: "found") == ("found", 250.0)
