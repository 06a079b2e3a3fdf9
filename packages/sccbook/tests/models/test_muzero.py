"""MuZero's unroll, losses and update, against loops, finite differences, Optax and the ledger."""

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

from scaleclip.ledger import PLACEMENTS, ledger
from scaleclip.ops import scale_gradient
from sccbook.models import muzero
from sccbook.models.muzero import min_max_normalise

pytestmark = pytest.mark.usefixtures("x64")

K = 3


@pytest.fixture(scope="module")
def params(x64):
    init = partial(muzero.init, observation=3, actions=2, state=5, hidden=6)
    return jax.jit(init)(jax.random.key(3))


@pytest.fixture(scope="module")
def examples(x64):
    draw = partial(muzero.random_batch, size=3, steps=K, observation=3, actions=2)
    return jax.jit(draw)(jax.random.key(2))


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


def both(params, batch, **options):
    """The loss with the losses of the states, and the gradient."""
    return both_of(params, batch, **OPTIONS | options)


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


def network(layers, x):
    first, last = layers
    return jnp.maximum(x @ first["w"] + first["b"], 0) @ last["w"] + last["b"]


def by_hand(params, batch, scale, placement, root_weight, normalise):
    """The weighted loss, and three losses for each state: networks and unroll written out as in each kind of port."""

    def latent(h):
        return (h - h.min()) / (h.max() - h.min()) if normalise else h

    def of_example(example):
        h = latent(network(params["representation"], example.observation))
        rows = []
        for k in range(K + 1):
            if k:
                if placement == "every_input":
                    h = scale_gradient(h, scale)
                given = jnp.concatenate([h, jnp.eye(2)[example.actions[k - 1]]])
                h = latent(network(params["dynamics"], given))
                if placement == "before_heads":
                    h = scale_gradient(h, scale)
            value, logits = network(params["value"], h)[0], network(params["policy"], h)
            reward = network(params["reward"], h)[0] if k else 0.0
            if k and placement == "after_heads":
                h = scale_gradient(h, scale)
            log_p = logits - jnp.log(jnp.sum(jnp.exp(logits)))
            errors = (value - example.value[k]) ** 2, (reward - example.reward[k]) ** 2
            rows.append(jnp.stack([*errors, -example.policy[k] @ log_p]))
        return jnp.stack(rows, axis=1)

    losses = jnp.mean(jax.vmap(of_example)(batch), axis=0)
    each = jnp.sum(losses, axis=0)
    return root_weight * each[0] + jnp.mean(each[1:]), losses


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
    weighted = lambda p, s, w: by_hand(p, examples, s, placement, w, normalise)
    gradient = jax.jit(jax.grad(weighted, has_aux=True))
    for scale, root_weight in ((0.5, 1.0), (1.5, 1 / K), (0.0, 1.0), (1.0, 0.3)):
        options = {"scale": scale, "placement": placement, "root_weight": root_weight}
        (value, found), slope = both(params, examples, **options, normalise=normalise)
        expected, losses = gradient(params, scale, root_weight)
        np.testing.assert_allclose(found, losses, rtol=1e-12)
        np.testing.assert_allclose(found.each, losses.sum(0), rtol=1e-12)
        assert float(value) == pytest.approx(float(losses.sum()), rel=1e-12)
        np.testing.assert_allclose(flat(slope), flat(expected), rtol=1e-10, atol=1e-13)


# The ledger's parts of the same gradient


@pytest.mark.slow
def test_the_ledger_has_the_dynamics_gradient_and_the_losses(params, examples):
    step, head, state, inputs = muzero.parts(params, examples)
    found = ledger(step, head, params, state, inputs, scale=0.5, placement="after_heads")
    (_, losses), gradient = both(params, examples)
    whole = flat(gradient["dynamics"])
    for total in (found.total, found.step_total):
        np.testing.assert_allclose(flat(total["dynamics"]), whole, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found.losses, losses.each[1:], rtol=1e-12)


# Weight decay


RATE, DECAY = 0.01, 0.1


@partial(jax.jit, static_argnames="decay")
def updated(params, state, batch, weight_decay, decay):
    return muzero.update_weights(
        optax.adam(RATE), params, state, batch, decay=decay, weight_decay=weight_decay
    )


def updates_of_optax(optimizer, params, batch, steps):
    """The parameters after some updates, the optimizer applied to all parameters as one vector."""
    vector, back = ravel_pytree(params)
    state, update = optimizer.init(vector), jax.jit(optimizer.update)
    for _ in range(steps):
        gradient = ravel_pytree(both(back(vector), batch)[1])[0]
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
    found, state = params, jax.jit(optax.adam(RATE).init)(params)
    for _ in range(3):
        found, state, _ = updated(found, state, examples, factor, decay)
    expected = updates_of_optax(optimizer, params, examples, 3)
    np.testing.assert_allclose(flat(found), expected, rtol=1e-9, atol=1e-12)
    assert np.max(np.abs(expected - updates_of_optax(optax.adam(RATE), params, examples, 3))) > 1e-4
    decayed, plain = (both(params, examples, weight_decay=d)[0][0] for d in (DECAY, 0.0))
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
