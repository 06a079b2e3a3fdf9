"""A bank of answers to chapter 04's exercise."""

import jax
import jax.numpy as jnp

from scaleclip.ledger import unroll_losses
from scaleclip.ops import scale_gradient

SOLUTION = r"scale_gradient|stop_gradient|for _ in"


def right(step, loss, theta, h, steps, s):
    total = 0.0
    for _ in range(steps):
        h = step(theta, h)
        total += loss(theta, h)
        h = scale_gradient(h, s)
    return total


WRONG = {
    "no_scale": [lambda *given: right(*given[:-1], 1.0)],
    "on_the_losses": [lambda *given: scale_gradient(right(*given[:-1], 1.0), given[-1])],
    "truncated": [lambda *given: right(*given[:-1], 0.0)],
    "one_minus_scale": [lambda *given: right(*given[:-1], 1 - given[-1])],
    "scaled_twice": [lambda *given: right(*given[:-1], given[-1] ** 2)],
    "fixed_half": [lambda *given: right(*given[:-1], 0.5)],
    "reversed": [lambda *given: right(*given[:-1], -given[-1])],
    "mean": [lambda *given: right(*given) / given[4]],
    "returns_other": [
        lambda step, loss, theta, h, steps, s: (0.0, h),
        lambda step, loss, theta, h, steps, s: h,
    ],
    "not_callable": [None, 0.5],
    "raises": [lambda step, loss, theta, h, steps: 0.0, lambda *_: 1 / 0],
    "wrong": [
        lambda *given: right(*given[:-1], given[-1] + 0.1),
        lambda step, loss, theta, h, steps, s: 0.0,
    ],
}


def scanned(step, loss, theta, h, steps, s):
    def body(h, _):
        h = step(theta, h)
        return scale_gradient(h, s), loss(theta, h)

    return jax.lax.scan(body, h, None, length=steps)[1].sum()


def by_unroll_losses(step, loss, theta, h, steps, s):
    head = lambda theta, h, _: loss(theta, h)
    xs = jnp.arange(steps)
    return unroll_losses(lambda theta, h, _: step(theta, h), head, theta, h, xs, scale=s)[1].sum()


RIGHT = {
    "a loop": right,
    "a scan": scanned,
    "sccbook's unroll": by_unroll_losses,
}
