"""The ledger is compared with what says the same, and called as often."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks.ledger.programs import MODELS, SCALE, Unroll, apart, compiled, entries
from benchmarks.ledger.run import growth

EACH_MODEL = pytest.mark.parametrize("model", MODELS)


@cache
def found_by(name: str, model: str) -> Any:
    """Run a program on a model's three steps, once."""
    return compiled(name, MODELS[model](3)).call()


@pytest.mark.exhaustive
@EACH_MODEL
def test_all_ways_lead_to_the_same_entries(model: str) -> None:
    found, passes, copies = (found_by(name, model) for name in ("ledger", "passes", "copies"))
    assert apart(found, copies) < 1e-5
    assert apart(passes, copies) < 1e-5
    norms = np.asarray(entries(copies)[0])
    assert (norms[np.tril_indices(3)] > 0).all()
    assert (norms[np.triu_indices(3, 1)] == 0).all()


@pytest.mark.slow
def test_the_entries_of_a_linear_unroll_are_the_powers_of_the_scale() -> None:
    # h_j = h_{j-1} + theta, loss_k = h_k: entry (k, j) is s^(k - j) / K
    unroll = Unroll(
        lambda p, h, x: h + p, lambda p, h, x: h, jnp.ones(()), jnp.ones(()), jnp.ones(4)
    )
    lags = np.arange(4)[:, None] - np.arange(4)[None, :]
    expected = np.where(lags >= 0, SCALE ** np.maximum(lags, 0), 0) / 4
    for name in ("ledger", "passes", "copies"):
        norms, products = entries(compiled(name, unroll).call())
        np.testing.assert_allclose(norms, expected, rtol=1e-6)
        np.testing.assert_allclose(products, expected * expected.sum(), rtol=1e-6)


@pytest.mark.exhaustive
@EACH_MODEL
def test_the_floor_is_the_gradient_of_the_same_loss(model: str) -> None:
    of_params, of_state = found_by("gradient", model)
    found = found_by("ledger", model)
    alone, held = (of_params, of_state), (found.total, found.state_cotangent)
    for a, b in zip(jax.tree.leaves(alone), jax.tree.leaves(held), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_results_are_as_far_apart_as_the_worst_entry_in_units_of_its_row() -> None:
    expected = jnp.array([[1.0, 0.0], [100.0, 50.0]]), jnp.ones((2, 2))
    assert apart((expected[0].at[1, 1].set(51.0), expected[1]), expected) == pytest.approx(0.01)
    assert apart((expected[0].at[0, 1].set(0.5), expected[1]), expected) == pytest.approx(0.5)
    assert apart((expected[0], 3 * expected[1]), expected) == pytest.approx(2.0)


@pytest.mark.exhaustive
def test_copies_want_the_memory_of_all_gradients_and_the_ledger_that_of_a_few() -> None:
    short, long = (MODELS["tanh"](steps) for steps in (20, 40))
    parameters = sum(leaf.size for leaf in jax.tree.leaves(long.params))
    assert compiled("copies", long).temporary >= 4 * 40**2 * parameters
    wanted = [compiled("ledger", unroll).temporary for unroll in (short, long)]
    assert wanted[1] < 4 * 40**2 * parameters / 20
    assert wanted[1] < 2 * wanted[0]


def test_growth_is_the_power_of_one_model_and_program_from_a_hundred_steps_on() -> None:
    rows = [
        {"model": model, "K": k, "ledger, ms": (2.0 if model == "tanh" else 5.0) * k**power}
        for model, power in (("tanh", 1.5), ("LSTM", 2.0))
        for k in (100, 300, 1000)
    ]
    rows += [
        {"model": "tanh", "K": 10, "ledger, ms": 1e9},
        {"model": "tanh", "K": 100, "copies, ms": 1.0},
    ]
    found = growth("tanh", "time", rows)
    assert found == {"model": "tanh", "of": "time", "ledger": pytest.approx(1.5)}
