"""A bank of answers to chapter 03's exercise."""

import jax
import jax.numpy as jnp

from scaleclip.ledger import unroll_losses
from scaleclip.ops import scale_gradient

SOLUTION = r"jnp|scale_gradient\(|for k"


def right(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), 1 / len(actions))
        h = scale_gradient(h, scale)
    return total


WRONG = {
    "no_scale": [lambda *given: right(*given[:-1], 1.0)],
    "scaled_twice": [lambda *given: right(*given[:-1], given[-1] ** 2)],
    "fixed_half": [lambda *given: right(*given[:-1], 0.5)],
    "one_minus_scale": [lambda *given: right(*given[:-1], 1 - given[-1])],
    "truncated": [lambda *given: right(*given[:-1], 0.0)],
    "late_targets": [
        lambda step, head, theta, h, actions, targets, scale: right(
            step, head, theta, h, actions, [targets[0], *targets[:-1]], scale
        )
    ],
    # shapes, kinds
    "returns_other": [lambda *given: (right(*given), 0.0), lambda *_: jnp.ones(3)],
    "not_callable": [None, 0.5],
    "raises": [lambda step, head: 0.0],
    "wrong": [lambda *given: right(*given[:-1], given[-1] + 0.1)],
}


def by_scan(step, head, theta, h, actions, targets, scale):
    def one(h, x):
        action, target = x
        h = step(theta, h, action)
        return scale_gradient(h, scale), head(theta, h, target)

    _, losses = jax.lax.scan(one, h, (actions, targets[1:]))
    return head(theta, h, targets[0]) + jnp.sum(scale_gradient(losses, 1 / len(actions)))


def by_unroll_losses(step, head, theta, h, actions, targets, scale):
    _, losses = unroll_losses(
        lambda theta, h, x: step(theta, h, x[0]),
        lambda theta, h, x: head(theta, h, x[1]),
        theta,
        h,
        (actions, targets[1:]),
        scale=scale,
    )
    return head(theta, h, targets[0]) + scale_gradient(jnp.sum(losses), 1 / len(actions))


RIGHT = {
    "a loop": right,
    "a scan": by_scan,
    "sccbook's unroll": by_unroll_losses,
    "compiled": jax.jit(by_scan, static_argnums=(0, 1)),
}
