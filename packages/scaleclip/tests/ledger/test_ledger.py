"""The ledger against its definition, on every model and placement."""

from __future__ import annotations

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ledger.ledger_reference import flat, reference

from scaleclip.ledger import PLACEMENTS, ledger, unroll_losses
from scaleclip.ops import clip_gradient

K = 3
SCALES = [0.0, 0.5, 1.0, 1.5, -1.0]
UNEQUAL = [1.0, -0.3, 2.0]
TREES = ("state_cotangent", "step_total", "total")


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def linear(params, h, x):
    return params["a"] @ h + x * params["b"]


def squared(params, h, x):
    return (params["c"] @ h - x) ** 2


def gated(params, state, inputs):
    h, c = state
    c = jax.nn.sigmoid(params["a"] @ h) * c + jnp.tanh(params["b"] * h + inputs[0])
    return jnp.tanh(c - params["b"] * h), c


def classified(params, state, inputs):
    return -jax.nn.log_softmax(params["c"] * state[0])[inputs[1]]


PARAMS = {"a": normal(3, 3) / 2, "b": normal(3, seed=1), "c": normal(3, seed=2)}
MODELS = {
    "linear": (linear, squared, PARAMS, normal(3, seed=3), normal(K, seed=4)),
    "gated": (
        gated, classified, PARAMS, (normal(3, seed=3), normal(3, seed=4)),
        (normal(K, 3, seed=5), np.array([0, 2, 1])),
    ),
}  # fmt: skip
"""What ``ledger`` takes: step, head, params, state, inputs."""
CASES = [
    *(("linear", placement) for placement in PLACEMENTS),
    ("gated", "before_heads"),
    *(pytest.param("gated", at, marks=pytest.mark.exhaustive) for at in PLACEMENTS[:2]),
]


def assert_like(found, expected, rtol=1e-10, atol=1e-10):
    assert float(found.sum_error) < 1e-12 * (1 + np.linalg.norm(found.norms))
    np.testing.assert_allclose(found.sum_norm, np.linalg.norm(flat(found.step_total)), rtol, atol)
    for field, value in expected.items():
        weighted = field == "weighted losses"
        mine = found.weights * found.losses if weighted else getattr(found, field)
        mine = flat(mine) if field in TREES else np.asarray(mine, float)
        np.testing.assert_allclose(mine, value, rtol=rtol, atol=atol, err_msg=field)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "placement"), CASES)
def test_it_is_what_copies_of_the_parameters_say(name, placement):
    arguments = MODELS[name]
    for weights in (None, UNEQUAL):
        for scale in SCALES:  # the last one is not 0
            options = {"scale": scale, "placement": placement, "weights": weights}
            found = ledger(*arguments, **options)
            assert_like(found, reference(*arguments, **options))
    assert np.min(found.norms[np.tril_indices(K)]) > 1e-3  # every lag is seen
    np.testing.assert_allclose(
        found.shares, found.inner_products / np.sum(flat(found.step_total) ** 2)
    )


@pytest.mark.slow
def test_with_64_bits_off_it_has_32():
    with jax.enable_x64(False):
        found, expected = (f(*MODELS["linear"], scale=0.5) for f in (ledger, reference))
    assert found.norms.dtype == found.total["a"].dtype == np.float32
    np.testing.assert_allclose(found.norms, expected["norms"], rtol=1e-5)
    np.testing.assert_allclose(flat(found.total), expected["total"], rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 100])
def test_groups_of_losses_make_no_difference(rows, monkeypatch):
    """With 0 there is no room for the gradients of one loss: they are taken one at a time."""
    step, head, params, state, inputs = MODELS["linear"]
    long = jnp.resize(inputs, 7)
    size = sum(leaf.size for leaf in jax.tree.leaves(params))
    module = importlib.import_module("scaleclip.ledger._measure")
    monkeypatch.setattr(module, "ROWS_AT_ONCE", rows * size + 1)
    found = ledger(lambda *a: step(*a), head, params, state, long, scale=0.7)  # compiled anew
    assert_like(found, reference(step, head, params, state, long, scale=0.7))


def value(params, h, x):
    return h


# Transformations of JAX


@pytest.mark.slow
def test_it_runs_under_jit_and_vmap_with_traced_arguments():
    scales, rates = np.array([0.0, 0.5, 1.5]), np.array([0.3, 1.0, -2.0])
    inputs = np.full(K, 0.7)
    small = lambda p, s: ledger(
        lambda p, h, x: x * h + p, lambda p, h, x: p * h**2, p, 1.0, inputs, scale=s
    )
    found = jax.jit(jax.vmap(small))(rates, scales)
    assert repr(found) == "Ledger(placement='after_heads', norms (3, 3, 3))"
    for n, (rate, scale) in enumerate(zip(rates, scales, strict=True)):
        alone = small(rate, scale)
        assert found.placement == alone.placement
        for mine, expected in zip(jax.tree.leaves(found), jax.tree.leaves(alone), strict=True):
            np.testing.assert_allclose(mine[n], expected, rtol=1e-12, atol=1e-13)


@pytest.mark.slow
def test_a_backward_pass_that_is_not_linear_is_shown_loss_by_loss():
    limit = 0.3
    step = lambda p, h, x: clip_gradient(h + p, -limit, limit)
    params, weights = 0.0, np.ones(3)
    found = ledger(step, value, params, 0.0, jnp.zeros(3), weights=weights)
    np.testing.assert_allclose(found.norms, limit * np.tril(np.ones((3, 3))))

    def whole(p):
        return jnp.sum(unroll_losses(step, value, p, 0.0, jnp.zeros(3))[1])

    assert float(found.total) == pytest.approx(float(jax.grad(whole)(params)))
    assert float(found.total) == pytest.approx(3 * limit)  # of the stream, not 6 of its parts
    assert float(found.sum_norm) == pytest.approx(6 * limit)
    assert "add up to 1.8, not to the total through step, 0.9 (0.9 apart)" in repr(found)
