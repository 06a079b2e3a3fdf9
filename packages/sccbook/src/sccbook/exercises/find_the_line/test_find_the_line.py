"""A bank of answers to chapter 03's exercise, and what its ports are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import unroll_losses
from sccbook.checking.comparisons import renamed
from sccbook.checking.muzero_ports import PLACES, port
from sccbook.exercises.find_the_line.exercise import NETWORKS

ONCE, TOP, BEFORE, AFTER, TWICE, VALUE, OFF = PLACES


def gradients(loss, theta, h, scale):
    return [np.asarray(g) for g in jax.grad(loss, argnums=(0, 1))(theta, h, scale)]


def same(a, b):
    return np.allclose(a, b, rtol=1e-5, atol=1e-6)


def by_the_cut(loss, theta, h):
    """With 0 in place of the scale, and with 1/2 and -1/2 for a line that is called twice."""
    if loss(theta, h, 0.5) != loss(theta, h, 1.0):
        return VALUE
    (of_theta, of_root), (cut_theta, cut_root) = (gradients(loss, theta, h, s) for s in (1.0, 0.0))
    if not cut_theta.any():
        return BEFORE
    if not same(cut_theta, of_theta):
        if not cut_root.any():
            return TOP
        turned, usual = (gradients(loss, theta, h, s)[0] for s in (-0.5, 0.5))
        return TWICE if same(turned, usual) else AFTER
    return OFF if same(cut_root, of_root) else ONCE


def by_small_scales(loss, theta, h):
    """As ``by_the_cut``; of a line that is called twice, what passes grows with the square of the scale."""
    place = by_the_cut(loss, theta, h)
    if place not in (AFTER, TWICE):
        return place
    cut, small, double = (gradients(loss, theta, h, s)[0] for s in (0.0, 0.01, 0.02))
    growth = np.linalg.norm(double - cut) / np.linalg.norm(small - cut)
    return TWICE if growth > 3 else AFTER


def by_size(low, high=1.0, *, value=True, root=None, top=TOP, off=OFF):
    """Judge by the norms of the gradients at one half: the mistake that the chapter warns of."""

    def answer(loss, theta, h):
        if value and loss(theta, h, 0.5) != loss(theta, h, 1.0):
            return VALUE
        whole, half = (gradients(loss, theta, h, s) for s in (1.0, 0.5))
        parts = [np.linalg.norm(b) / np.linalg.norm(a) for a, b in zip(whole, half, strict=True)]
        if parts[0] >= high:
            return ONCE if root and parts[1] < 0.99 else off
        if parts[0] < low:
            return BEFORE
        return top if root and parts[1] < root else AFTER

    return answer


WRONG = {
    "smaller_means_scaled": [
        *(by_size(low, high) for low in (0.0, 0.25, 0.3, 0.5) for high in (0.9, 0.99, 1.0)),
        *(by_size(low, value=False) for low in (0.0, 0.3, 0.5)),
        *(
            by_size(0.4, 0.99, root=root, top=top)
            for root in (0.2, 0.4, 0.6)
            for top in (TOP, BEFORE)
        ),
        by_size(0.0, off=ONCE),
    ],
    "twice_is_once": [renamed(by_the_cut, {"twice": AFTER})],
    "once_is_twice": [renamed(by_the_cut, {"after_heads": TWICE})],
    "never_said": [renamed(by_the_cut, {"off": VALUE, "before_loop": VALUE})],
    "always_the_same": [lambda *_, name=name: name for name in PLACES],
    "value_overlooked": [
        renamed(by_the_cut, {"value": AFTER}),
        renamed(by_the_cut, {"value": TOP}),
        renamed(by_the_cut, {"value": OFF}),
    ],
    "acts_or_not": [
        renamed(by_the_cut, dict.fromkeys((TOP, BEFORE, TWICE, ONCE), AFTER)),
        renamed(by_the_cut, dict.fromkeys((TOP, BEFORE, TWICE), AFTER)),
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
    "with 0 in place of the scale": by_the_cut,
    "with small scales": by_small_scales,
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
        if place == TWICE:
            scale, after = scale**2, AFTER
        else:
            after = place
        losses = unroll_losses(
            lambda theta, h, x: jnp.tanh(theta @ h + x[0]),
            lambda theta, h, x: (head @ h - x[1]) ** 2,
            theta, h, (actions, targets),
            scale=1.0 if place == ONCE else scale,
            placement="off" if place == ONCE else after,
        )[1]  # fmt: skip
        return jnp.sum(losses)

    np.testing.assert_allclose(loss(theta, h, 0.5), total(theta, h, 0.5), rtol=1e-5)
    expected = [g / 2 for g in gradients(total, theta, h, 0.5)]
    if place == ONCE:
        expected[1] = 0.5 * expected[1]
    for found, right in zip(gradients(loss, theta, h, 0.5), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_one_half_can_make_the_gradient_smaller_larger_or_neither():
    ratios = []
    for network in NETWORKS:
        half, whole = (np.linalg.norm(gradients(*port(AFTER, *network), s)[0]) for s in (0.5, 1.0))
        ratios.append(round(float(half / whole), 2))
    assert ratios == [0.46, 1.32, 1.0]
