"""MuZero's unroll, losses and update, against loops, finite differences, Optax and the ledger."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jax.flatten_util import ravel_pytree
from tests.ledger.ledger_reference import flat
from tests.models.unroll_models import K, batch, model, networks

from scaleclip.ledger import PLACEMENTS, ledger
from scaleclip.ops import scale_gradient
from sccbook.models import muzero
from sccbook.models.muzero import min_max_normalise

pytestmark = pytest.mark.usefixtures("x64")


@pytest.fixture(scope="module")
def params(x64):
    return networks()


@pytest.fixture(scope="module")
def examples(x64):
    return batch()


@partial(jax.jit, static_argnames=("placement", "normalise"))
def both_of(params, batch, scale, placement, root_weight, normalise, weight_decay):
    return jax.value_and_grad(muzero.loss, has_aux=True)(
        params, batch, scale=scale, placement=placement, root_weight=root_weight,
        normalise=normalise, weight_decay=weight_decay,
    )  # fmt: skip


OPTIONS = {
    "scale": 0.5,
    "placement": "after_heads",
    "root_weight": 1.0,
    "normalise": True,
    "weight_decay": 0.0,
}
"""All arguments are given, so that few programs are compiled."""


def value_of(params, batch, **options):
    """The loss and the losses of the states."""
    return both_of(params, batch, **OPTIONS | options)[0]


def gradient_of(params, batch, **options):
    return both_of(params, batch, **OPTIONS | options)[1]


# The networks in NumPy


def network(layers, x):
    (first, last) = jax.tree.map(np.asarray, layers)
    return np.maximum(x @ first["w"] + first["b"], 0) @ last["w"] + last["b"]


def normalised(h, normalise=True):
    return (h - h.min()) / (h.max() - h.min()) if normalise else h


def numpy_unroll(params, observation, actions, normalise):
    h = normalised(network(params["representation"], observation), normalise)
    rows = []
    for k in range(len(actions) + 1):
        if k:
            given = np.concatenate([h, np.eye(2)[actions[k - 1]]])
            h = normalised(network(params["dynamics"], given), normalise)
        reward = network(params["reward"], h)[0] if k else 0.0
        rows.append((network(params["value"], h)[0], reward, network(params["policy"], h)))
    return [np.array(column) for column in zip(*rows, strict=True)]


# Latents between 0 and 1

normalise = jax.jit(min_max_normalise)
slopes_of = jax.jit(jax.jacrev(min_max_normalise))
SMALLEST = float(np.finfo(np.float64).smallest_normal)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4))
@example([0.0, 0.0, 0.0, SMALLEST])
@example([0.0, 0.0, 0.0, SMALLEST / 2])
def test_normalised_latents_lie_between_zero_and_one(entries):
    h = np.array(entries)
    found = np.asarray(normalise(h))
    assert np.all((found >= 0) & (found <= 1))
    if h.max() - h.min() >= SMALLEST:  # XLA takes what is smaller for 0
        assert found.min() == 0
        assert found.max() == pytest.approx(1, abs=1e-15)  # a product with 1 / (max - min)
    else:
        assert not np.any(found)


def test_the_derivative_of_normalised_latents_is_their_slope():
    h = np.array([0.3, -1.0, 2.0, 0.5])
    slopes = [
        (normalise(h + 1e-6 * e) - normalise(h - 1e-6 * e)) / 2e-6 for e in np.eye(4)
    ]  # fmt: skip
    np.testing.assert_allclose(slopes_of(h), np.transpose(slopes), atol=1e-9)


@pytest.mark.parametrize("h", [[1.0, 1.0, 2.0, 2.0], [3.0] * 4, [0.0] * 4, [1.0, 2.0, 2.0, 1.5]])
def test_the_derivative_is_finite_where_entries_are_equal(h):
    found = np.asarray(slopes_of(np.array(h)))
    assert np.all(np.isfinite(found))
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-15)  # a shift of all changes nothing


# The loss: its value, and what its gradient says


def state_losses(params, batch, normalise):
    """The three losses at each state, in NumPy: ``[K + 1]`` each, means over the batch."""
    rows = []
    for n in range(len(batch.actions)):
        value, reward, logits = numpy_unroll(
            params, np.asarray(batch.observation[n]), np.asarray(batch.actions[n]), normalise
        )
        log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        policy = -(np.asarray(batch.policy[n]) * log_p).sum(-1)
        rows.append((
            (value - np.asarray(batch.value[n])) ** 2, (reward - np.asarray(batch.reward[n])) ** 2,
            policy,
        ))  # fmt: skip
    return np.mean(rows, axis=0)


def by_hand(params, batch, scale, placement, root_weight, normalise):
    """The weighted loss, its unroll written out line by line as in each kind of port."""
    steps = batch.actions.shape[1]

    def of_example(example):
        h = muzero.representation(params, example.observation, normalise=normalise)
        found = []
        for k in range(steps + 1):
            if k:
                if placement == "every_input":
                    h = scale_gradient(h, scale)
                h = muzero.dynamics(params, h, example.actions[k - 1], normalise=normalise)
                if placement == "before_heads":
                    h = scale_gradient(h, scale)
            value, reward, logits = muzero.prediction(params, h)
            reward = reward if k else 0.0
            if k and placement == "after_heads":
                h = scale_gradient(h, scale)
            terms = (value - example.value[k]) ** 2 + (reward - example.reward[k]) ** 2
            found.append(terms - example.policy[k] @ jax.nn.log_softmax(logits))
        return jnp.stack(found)

    each = jnp.mean(jax.vmap(of_example)(batch), axis=0)
    return root_weight * each[0] + jnp.mean(each[1:])


@pytest.mark.parametrize(
    ("placement", "normalise"),
    [
        pytest.param("after_heads", True, marks=pytest.mark.slow),
        *(pytest.param(at, True, marks=pytest.mark.exhaustive) for at in PLACEMENTS[1:]),
        pytest.param("before_heads", False, marks=pytest.mark.slow),
    ],
)
def test_the_loss_and_gradient_agree_with_the_loss_written_out(
    params, examples, placement, normalise
):
    gradient = jax.jit(
        jax.grad(lambda p, s, w: by_hand(p, examples, s, placement, w, normalise))
    )  # fmt: skip
    losses = state_losses(params, examples, normalise)
    for scale, root_weight in ((0.5, 1.0), (1.5, 1 / K), (0.0, 1.0), (1.0, 0.3)):
        options = {"scale": scale, "placement": placement, "root_weight": root_weight}
        value, found = value_of(params, examples, **options, normalise=normalise)
        np.testing.assert_allclose(found, losses, rtol=1e-12)
        np.testing.assert_allclose(found.each, losses.sum(0), rtol=1e-12)
        assert float(value) == pytest.approx(losses.sum(), rel=1e-12)
        np.testing.assert_allclose(
            flat(gradient_of(params, examples, **options, normalise=normalise)),
            flat(gradient(params, scale, root_weight)), rtol=1e-10, atol=1e-13,
        )  # fmt: skip


# The ledger's parts of the same gradient


@pytest.mark.slow
def test_the_ledger_has_the_dynamics_gradient_and_the_losses(params, examples):
    found = ledger(*model("muzero"), scale=0.5, placement="after_heads")
    whole = flat(gradient_of(params, examples)["dynamics"])
    for total in (found.total, found.step_total):
        np.testing.assert_allclose(flat(total["dynamics"]), whole, rtol=1e-10, atol=1e-12)
    _, losses = value_of(params, examples)
    np.testing.assert_allclose(found.losses, losses.each[1:], rtol=1e-12)


# Weight decay


RATE, DECAY = 0.01, 0.1


@partial(jax.jit, static_argnames="decay")
def updated(params, state, batch, weight_decay, decay):
    return muzero.update_weights(
        optax.adam(RATE), params, state, batch, decay=decay, weight_decay=weight_decay
    )


def updates(params, batch, steps, weight_decay, decay="l2"):
    """The parameters after some updates under Adam, and the losses before the last."""
    state = jax.jit(optax.adam(RATE).init)(params)
    for _ in range(steps):
        params, state, losses = updated(params, state, batch, weight_decay, decay)
    return params, losses


def updates_of_optax(optimizer, params, batch, steps):
    """The same, the optimizer applied to all parameters as one vector."""
    vector, back = ravel_pytree(params)
    state, update = optimizer.init(vector), jax.jit(optimizer.update)
    for _ in range(steps):
        gradient = ravel_pytree(gradient_of(back(vector), batch))[0]
        change, state = update(gradient, state, vector)
        vector = vector + change
    return np.asarray(vector)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decay", "factor", "optimizer"),
    [
        ("decoupled", RATE * DECAY, optax.adamw(RATE, weight_decay=DECAY)),
        ("l2", DECAY, optax.chain(optax.add_decayed_weights(DECAY), optax.adam(RATE))),
    ],
)
def test_both_kinds_of_decay_are_those_of_optax(params, examples, decay, factor, optimizer):
    found, _ = updates(params, examples, 3, factor, decay)
    expected = updates_of_optax(optimizer, params, examples, 3)
    np.testing.assert_allclose(flat(found), expected, rtol=1e-9, atol=1e-12)
    assert np.max(np.abs(expected - updates_of_optax(optax.adam(RATE), params, examples, 3))) > 1e-4
    decayed, plain = (value_of(params, examples, weight_decay=d)[0] for d in (DECAY, 0.0))
    assert float(decayed - plain) == pytest.approx(DECAY / 2 * np.sum(flat(params) ** 2), rel=1e-10)


# Refusals


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"decay": "adamw"}, "decay must be 'l2' or 'decoupled', but 'adamw' was given"),
        ({"placement": "P"}, r"placement must be one of .* 'P' was given"),
    ],
)
def test_another_decay_or_placement_is_refused(params, examples, choice, message):
    optimizer = optax.sgd(0.1)
    with pytest.raises(ValueError, match=message):
        muzero.update_weights(optimizer, params, optimizer.init(params), examples, **choice)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda b: b._replace(value=b.value[:, 1:]),
        lambda b: b._replace(value=b.value[:, :1]),  # which would be broadcast
        lambda b: b._replace(reward=b.reward[0]),
        lambda b: b._replace(policy=b.policy[:, :, 0]),
        lambda b: b._replace(observation=b.observation[:2]),
        lambda b: b._replace(actions=b.actions[0]),
        lambda b: b._replace(actions=b.actions[:, :0], value=b.value[:, :1], reward=b.reward[:, :1],
                             policy=b.policy[:, :1]),
    ],
)  # fmt: skip
def test_a_batch_whose_shapes_do_not_fit_is_refused(params, examples, change):
    for function in (muzero.loss, muzero.parts):
        with pytest.raises(ValueError, match=r"observation \[B, O\], actions \[B, K\] .* given"):
            function(params, change(examples))
