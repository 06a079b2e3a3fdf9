"""A bank of answers to chapter 00's exercise."""

import jax
import jax.numpy as jnp
import numpy as np

from scaleclip.ops import scale_gradient
from sccbook.exercises import check

SOLUTION = r"\*\*|states\[|\+=|1 - |\bs \*"


def by_loop(theta, states, targets, s, slope=lambda h: 1 - h**2):
    gradient = cotangent = 0.0
    for k in range(len(targets), 0, -1):
        cotangent += states[k] - targets[k - 1]
        shared = cotangent * slope(states[k])
        gradient += shared * states[k - 1]
        cotangent = s * shared * theta
    return gradient


def total_loss(theta, h, targets, scale):
    loss = 0.0
    for target in targets:
        h = jnp.tanh(theta * h)
        loss += (h - target) ** 2 / 2
        h = scale(h)
    return loss


def by_jax(theta, states, targets, s):
    return jax.grad(total_loss)(theta, states[0], targets, lambda h: scale_gradient(h, s))


RIGHT = {
    "a loop from the end": by_loop,
    "by jax.grad": by_jax,
}


WRONG = {
    "scale_missing": [lambda t, h, y, s: by_loop(t, h, y, s=1)],
    "states_scaled": [lambda t, h, y, s: by_loop(t, [s * x for x in h], y, s)],
    "state_not_squared": [
        lambda t, h, y, s: by_loop(t, h, y, s, slope=lambda h: 1 - h),
        lambda t, h, y, s: by_loop(t, h, y, 1, slope=lambda h: 1 - h),
    ],
    "last_use_only": [lambda t, h, y, s: by_loop(t, h[-2:], y[-1:], s)],
    "own_loss_forgotten": [lambda t, h, y, s: by_loop(t, h, [*h[1:-1], y[-1]], s)],
    "sign": [lambda t, h, y, s: -by_loop(t, h, y, s)],
    "averaged": [lambda t, h, y, s: by_loop(t, h, y, s) / len(y)],
    "targets_backwards": [lambda t, h, y, s: by_loop(t, h, y[::-1], s)],
    "wrong": [lambda t, h, y, s: by_loop(t, h, y, s) + 1],
    "shape_changed": [lambda t, h, y, s: by_loop(t, h, y, s) * np.ones(3)],
    "structure_changed": [lambda t, h, y, s: (by_loop(t, h, y, s), 0.0)],
    "raises": [lambda t, h, y, s: h[99], lambda t, h, y: 0.0, lambda t, h, y, s: sum(h - y)],
    "not_callable": [0.5],
}


def test_finite_differences_miss_the_scale():
    """A scale leaves the loss alone, so no finite difference sees it."""

    def nudged(theta, states, targets, s):
        def loss(theta):
            return total_loss(theta, states[0], targets, lambda h: scale_gradient(h, s))

        return (loss(theta + 1e-5) - loss(theta - 1e-5)) / 2e-5

    with jax.enable_x64(True):
        assert check("backward_by_hand", nudged).finding == "scale_missing"
