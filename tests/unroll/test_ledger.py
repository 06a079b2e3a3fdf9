"""The ledger against its definition, on every model and placement, and its identities."""

from __future__ import annotations

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradlab.ops import clip_gradient, scale_gradient
from gradlab.unroll import PLACEMENTS, coefficients, ledger, unroll_losses
from tests.unroll.ledger_reference import flat, reference
from tests.unroll.unroll_models import NAMES, K, model

pytestmark = pytest.mark.usefixtures("x64")

SCALES = [0.0, 0.5, 1.0, 1.5, -1.0]
UNEQUAL = [1.0, -0.3, 2.0]
TREES = ("state_cotangent", "step_total", "total")
CASES = [
    pytest.param(name, at, marks=pytest.mark.slow if name != "linear" and at in PLACEMENTS[1::2] else ())
    for name in NAMES
    for at in PLACEMENTS
    if name != NAMES[-1] or at == "after_heads"
]  # fmt: skip


def assert_like(found, expected, rtol=1e-10, atol=1e-10):
    for field, value in expected.items():
        weighted = field == "weighted losses"
        mine = found.weights * found.losses if weighted else getattr(found, field)
        mine = flat(mine) if field in TREES else np.asarray(mine, float)
        np.testing.assert_allclose(mine, value, rtol=rtol, atol=atol, err_msg=field)


# Against copies of the parameters


@pytest.mark.parametrize(("name", "placement"), CASES)
def test_it_is_what_copies_of_the_parameters_say(name, placement):
    one = model(name)
    for weights in (None, UNEQUAL):
        for scale in SCALES:  # the last one is not 0
            options = {"scale": scale, "placement": placement, "weights": weights}
            found = ledger(*one, **options)
            assert_like(found, reference(*one, **options))
    assert np.min(found.norms[np.tril_indices(K)]) > 1e-3  # every lag is seen


@pytest.mark.parametrize("name", ["linear", "muzero"])
def test_the_total_is_the_gradient_of_the_scaled_weighted_loss(name):
    step, head, params, state, inputs = model(name)

    @jax.jit
    @jax.grad
    def expected(params, scale, weights):
        h, total = state, 0.0
        for j in range(K):  # the pseudocode's placement, line by line
            x = jax.tree.map(lambda leaf, j=j: leaf[j], inputs)
            h = step(params, h, x)
            total += weights[j] * head(params, h, x)
            h = scale_gradient(h, scale)
        return total

    for scale in SCALES:
        for weights in (None, UNEQUAL):
            found = ledger(step, head, params, state, inputs, scale=scale, weights=weights)
            mine = expected(params, scale, found.weights)
            assert jax.tree.structure(found.total) == jax.tree.structure(mine)
            np.testing.assert_allclose(flat(found.total), flat(mine), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_groups_of_losses_make_no_difference(rows, monkeypatch):
    step, head, params, state, inputs = model("linear")
    long = jnp.resize(inputs, 7)
    size = sum(leaf.size for leaf in jax.tree.leaves(params))
    module = importlib.import_module("gradlab.unroll.ledger")
    monkeypatch.setattr(module, "ROWS_AT_ONCE", rows * size + 1)
    found = ledger(lambda *a: step(*a), head, params, state, long, scale=0.7)  # compiled anew
    assert_like(found, reference(step, head, params, state, long, scale=0.7))


def test_more_parameters_than_are_held_at_once_are_pulled_back_one_loss_at_a_time(monkeypatch):
    module = importlib.import_module("gradlab.unroll.ledger")
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 2)
    step, head, *rest = model("linear")
    assert_like(ledger(lambda *a: step(*a), head, *rest), reference(step, head, *rest))


# Identities


@pytest.mark.parametrize("name", NAMES)
def test_shares_add_up_to_one(name):
    found = ledger(*model(name), scale=0.5)
    assert float(jnp.sum(found.shares)) == pytest.approx(1, abs=1e-12)
    size = np.sum(flat(found.step_total) ** 2)
    assert float(jnp.sum(found.inner_products)) == pytest.approx(size, rel=1e-12)
    assert not np.any(np.triu(found.shares, 1))


@pytest.mark.parametrize("name", ["linear", "tanh", "lstm", "muzero"])
def test_before_the_heads_is_s_times_after_them(name):
    for s in (0.5, -1.5):
        after = ledger(*model(name), scale=s)
        before = ledger(*model(name), scale=s, placement="before_heads")
        for field in ("norms", "own", "root", "coefficients"):
            factor = s if field == "coefficients" else abs(s)
            np.testing.assert_allclose(
                getattr(before, field), factor * getattr(after, field), rtol=1e-12
            )
        for field in ("state_cotangent", "step_total"):
            np.testing.assert_allclose(
                flat(getattr(before, field)),
                s * flat(getattr(after, field)),
                rtol=1e-10,
                atol=1e-14,
            )
        np.testing.assert_allclose(before.head_norms, after.head_norms, rtol=1e-14)


def test_at_every_input_differs_from_after_the_heads_at_the_root_alone():
    after = ledger(*model("tanh"), scale=0.5)
    every = ledger(*model("tanh"), scale=0.5, placement="every_input")
    np.testing.assert_allclose(every.norms, after.norms, rtol=1e-12)
    np.testing.assert_allclose(flat(every.total), flat(after.total), rtol=1e-12)
    np.testing.assert_allclose(every.root, 0.5 * after.root, rtol=1e-12)


def gain(params, h, x):
    return x * h + params


def value(params, h, x):
    return h


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("rho", [0.5, 1.0, 2.0])
def test_a_gain_of_rho_gives_the_coefficients_times_its_powers(placement, rho):
    found = ledger(gain, value, 0.0, 1.0, np.full(K, rho), scale=0.5, placement=placement)
    lag = np.subtract.outer(np.arange(K), np.arange(K))
    expected = np.where(lag >= 0, found.coefficients * rho ** np.maximum(lag, 0.0), 0)
    np.testing.assert_array_equal(found.norms, expected)  # powers of two: nothing is rounded
    factors, root = coefficients(K, 0.5, placement)
    np.testing.assert_array_equal(found.coefficients, factors)
    np.testing.assert_array_equal(found.root, root * rho ** np.arange(1, K + 1))


def test_what_heads_receive_does_not_depend_on_the_steps_after_them():
    head = lambda p, h, x: p * h**2
    norms = [
        ledger(gain, head, 0.3, 1.0, np.full(n, 0.7), weights=np.ones(n)).head_norms
        for n in (2, K)
    ]  # fmt: skip
    np.testing.assert_allclose(norms[0], norms[1][:2], rtol=1e-14)


number = st.floats(-2, 2, width=32)


@settings(max_examples=25, deadline=None)
@given(number, st.lists(number, min_size=K, max_size=K), st.sampled_from(PLACEMENTS))
def test_it_is_linear_in_the_weights(scale, weights, placement):
    options = {"scale": scale, "placement": placement}
    found = ledger(*model("linear"), **options, weights=weights)
    ones = ledger(*model("linear"), **options, weights=np.ones(K))
    size = np.abs(np.asarray(weights))
    for field in ("norms", "own", "root", "head_norms"):
        each = getattr(ones, field)
        expected = size.reshape(-1, *[1] * (each.ndim - 1)) * each
        np.testing.assert_allclose(getattr(found, field), expected, rtol=1e-10, atol=1e-12)
    single = [
        w * flat(ledger(*model("linear"), **options, weights=np.eye(K)[k]).total)
        for k, w in enumerate(weights)
    ]
    np.testing.assert_allclose(flat(found.total), np.sum(single, axis=0), rtol=1e-9, atol=1e-9)
    together = float(jnp.sum(found.inner_products))
    assert together == pytest.approx(
        float(np.sum(flat(found.step_total) ** 2)), rel=1e-9, abs=1e-12
    )
    largest = np.linalg.norm(flat(found.step_total))
    bound = np.asarray(found.norms) * largest * (1 + 1e-9) + 1e-12
    assert np.all(np.abs(found.inner_products) <= bound)  # Cauchy and Schwarz
    assert np.all(np.asarray(found.root) >= 0)


def test_values_do_not_depend_on_scale_and_placement():
    plain = ledger(*model("tanh")).losses
    for placement in PLACEMENTS:
        found = ledger(*model("tanh"), scale=1.5, placement=placement).losses
        np.testing.assert_array_equal(found, plain)
    step, head, *rest = model("tanh")
    np.testing.assert_allclose(unroll_losses(step, head, *rest)[1], plain, rtol=1e-14)


# Transformations of JAX


def test_it_runs_under_jit_and_vmap_with_traced_arguments():
    scales, rates = np.array([0.0, 0.5, 1.5]), np.array([0.3, 1.0, -2.0])
    inputs = np.full(K, 0.7)
    small = lambda p, s: ledger(gain, lambda p, h, x: p * h**2, p, 1.0, inputs, scale=s)
    found = jax.jit(jax.vmap(small))(rates, scales)
    assert repr(found) == "Ledger(placement='after_heads', norms (3, 3, 3))"
    for n, (rate, scale) in enumerate(zip(rates, scales, strict=True)):
        alone = small(rate, scale)
        assert found.placement == alone.placement
        for mine, expected in zip(jax.tree.leaves(found), jax.tree.leaves(alone), strict=True):
            np.testing.assert_allclose(mine[n], expected, rtol=1e-12, atol=1e-13)


def test_functions_may_close_over_what_is_traced():
    state, inputs = 1.0, jnp.zeros(2)

    def first_norm(rho):
        step = lambda p, h, x: rho * h + p
        return ledger(step, value, 0.0, state, inputs, weights=[0.0, 1.0]).norms[1, 0]

    assert float(jax.jit(first_norm)(3.0)) == 3.0
    np.testing.assert_array_equal(jax.vmap(first_norm)(jnp.array([2.0, 5.0])), [2.0, 5.0])
    assert float(jax.grad(first_norm)(3.0)) == 1.0


def test_shapes_alone_have_a_text_too():
    shapes = jax.eval_shape(lambda: ledger(*model("linear")))
    text = "Ledger(placement='after_heads', norms (3, 3))"
    assert repr(shapes) == text
    assert shapes._repr_mimebundle_()[0] == {"text/plain": text}


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
    assert float(jnp.sum(found.norms)) == pytest.approx(6 * limit)
