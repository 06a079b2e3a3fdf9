"""A bank of answers to chapter 03's first diagnosis, and what its ports are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import unroll_losses
from sccbook.checking.comparisons import renamed
from sccbook.checking.muzero_ports import PLACES, port
from sccbook.exercises.find_the_line.exercise import NETWORKS

ONCE, TOP, BEFORE, AFTER, VALUE, OFF = PLACES


def gradients(loss, theta, h, scale):
    return [np.asarray(g) for g in jax.grad(loss, argnums=(0, 1))(theta, h, scale)]


def same(a, b):
    return np.allclose(a, b, rtol=1e-5, atol=1e-6)


def by_the_cut(loss, theta, h):
    """With 0 in place of the half."""
    if loss(theta, h, 0.5) != loss(theta, h, 1.0):
        return VALUE
    (of_theta, of_root), (cut_theta, cut_root) = (gradients(loss, theta, h, s) for s in (1.0, 0.0))
    if not cut_theta.any():
        return BEFORE
    if not same(cut_theta, of_theta):
        return AFTER if cut_root.any() else TOP
    return OFF if same(cut_root, of_root) else ONCE


WRONG = {
    "never_said": [renamed(by_the_cut, {"off": VALUE, "before_loop": VALUE})],
    "always_the_same": [lambda *_, name=name: name for name in PLACES],
    "value_overlooked": [
        renamed(by_the_cut, {"value": AFTER}),
        renamed(by_the_cut, {"value": TOP}),
        renamed(by_the_cut, {"value": OFF}),
    ],
    "acts_or_not": [
        renamed(by_the_cut, {"every_input": AFTER, "before_heads": AFTER, "before_loop": AFTER}),
        renamed(by_the_cut, {"every_input": AFTER, "before_heads": AFTER}),
    ],
    "root_ignored": [
        renamed(by_the_cut, {"every_input": AFTER, "before_loop": OFF}),
        renamed(by_the_cut, {"after_heads": TOP}),
    ],
    "theta_ignored": [
        renamed(by_the_cut, {"before_heads": TOP}),
        renamed(by_the_cut, {"before_loop": TOP, "before_heads": TOP}),
    ],
    "once_is_nowhere": [renamed(by_the_cut, {"before_loop": OFF})],
    "nowhere_is_once": [renamed(by_the_cut, {"off": ONCE})],
    "nowhere_is_after": [renamed(by_the_cut, {"off": AFTER})],
    "before_overlooked": [renamed(by_the_cut, {"before_heads": AFTER})],
    "after_and_before_swapped": [
        renamed(by_the_cut, {"after_heads": BEFORE, "before_heads": AFTER})
    ],
    "after_and_top_swapped": [renamed(by_the_cut, {"after_heads": TOP, "every_input": AFTER})],
    "not_a_name": [lambda *_: "in the loop", lambda *given: by_the_cut(*given).upper()],
    "returns_other": [lambda *_: 0.5, lambda loss, theta, h: theta],
    "structure_changed": [lambda *given: [by_the_cut(*given)]],
    "not_callable": [AFTER],
    "raises": [lambda loss: AFTER, lambda loss, theta, h: loss(theta, h)],
}


RIGHT = {
    "with 0 in place of the half": by_the_cut,
    "compiled": lambda loss, theta, h: by_the_cut(jax.jit(loss), theta, h),
    "with reversed gradients": lambda loss, theta, h: by_the_cut(
        lambda *given: -loss(*given), theta, h
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_port_agrees_with_unroll_losses(place):
    loss, theta, h = port(place, 2, 8)
    own = np.random.default_rng(8)
    _, _, head, actions, targets = (
        own.normal(size=shape) for shape in ((3, 3), 3, 3, (2, 3), 2)
    )  # fmt: skip

    def total(theta, h, scale):
        if place == VALUE:
            states = [jnp.tanh(theta @ h + actions[0])]
            states.append(jnp.tanh(theta @ (scale * states[0]) + actions[1]))
            return sum((head @ h - t) ** 2 for h, t in zip(states, targets, strict=True))
        losses = unroll_losses(
            lambda theta, h, x: jnp.tanh(theta @ h + x[0]),
            lambda theta, h, x: (head @ h - x[1]) ** 2,
            theta, h, (actions, targets),
            scale=1.0 if place == ONCE else scale,
            placement="off" if place == ONCE else place,
        )[1]  # fmt: skip
        return jnp.sum(losses)

    np.testing.assert_allclose(loss(theta, h, 0.5), total(theta, h, 0.5), rtol=1e-5)
    expected = [g / 2 for g in gradients(total, theta, h, 0.5)]
    if place == ONCE:
        expected[1] = 0.5 * expected[1]
    for found, right in zip(gradients(loss, theta, h, 0.5), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_the_half_can_shorten_lengthen_or_keep_the_gradient():
    ratios = []
    for network in NETWORKS:
        half, whole = (np.linalg.norm(gradients(*port(AFTER, *network), s)[0]) for s in (0.5, 1.0))
        ratios.append(round(float(half / whole), 2))
    assert ratios == [0.46, 1.32, 1.0]
