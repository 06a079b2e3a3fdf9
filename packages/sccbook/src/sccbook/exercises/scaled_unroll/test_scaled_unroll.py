"""A bank of answers to chapter 04's exercise."""

import jax
import jax.numpy as jnp
import optax
from jax.lax import stop_gradient

from scaleclip.ledger import unroll_losses
from scaleclip.ops import clip_gradient, reverse_gradient, scale_gradient

SOLUTION = r"scale_gradient|stop_gradient|for _ in"


def same(x, *_):
    return x


def looped(*, reads=same, reached=same, heard=same, gate=same, start=same, uses=same, gather=sum):
    """A reader's loop, with what stands in each place; nothing where nothing is given."""

    def answer(step, loss, theta, h, steps, s):
        losses = []
        h = start(h, s)
        for k in range(steps):
            h = reached(step(uses(theta, s), reads(h, s, k)), s)
            losses.append(heard(loss(uses(theta, s), h), s, k))
            h = gate(h, s, k)
        return gather(losses)

    return answer


def scales(x, s, *_):
    return scale_gradient(x, s)


plain = looped()
right = looped(gate=scales)
truncates = looped(gate=lambda h, s, k: stop_gradient(h))

WRONG = {
    "no_scale": [
        plain,
    ],
    "before_the_head": [looped(reached=scales)],
    "at_every_input": [looped(reads=scales)],
    "outside_the_loop": [looped(start=scales)],
    "first_gate_only": [looped(gate=lambda h, s, k: scale_gradient(h, s) if k == 0 else h)],
    "on_the_parameters": [looped(uses=scales)],
    "around_the_head": [looped(reached=scales, gate=scales)],
    "two_places": [looped(heard=scales, gate=scales)],
    "on_the_losses": [
        looped(heard=scales),
        lambda *given: scale_gradient(plain(*given), given[-1]),
    ],
    "discounted": [looped(heard=lambda loss, s, k: scale_gradient(loss, s**k))],
    "truncated": [truncates],
    "one_minus_scale": [looped(gate=lambda h, s, k: scale_gradient(h, 1 - s))],
    "scaled_twice": [looped(gate=lambda h, s, k: scale_gradient(scale_gradient(h, s), s))],
    "fixed_half": [looped(gate=lambda h, s, k: scale_gradient(h, 0.5))],
    "reversed": [looped(gate=lambda h, s, k: reverse_gradient(h, s))],
    "clipped": [looped(gate=lambda h, s, k: clip_gradient(h, -abs(s), abs(s)))],
    "state_scaled": [looped(gate=lambda h, s, k: s * h)],
    "losses_multiplied": [looped(heard=lambda loss, s, k: s * loss)],
    "discounted_losses": [looped(heard=lambda loss, s, k: s**k * loss)],
    "mean": [lambda *given: right(*given) / given[4]],
    "last_loss_only": [looped(gate=scales, gather=lambda losses: losses[-1])],
    "returns_other": [
        lambda step, loss, theta, h, steps, s: (0.0, h),
        lambda step, loss, theta, h, steps, s: h,
    ],
    "not_callable": [None, 0.5],
    "raises": [lambda step, loss, theta, h, steps: 0.0, lambda *_: 1 / 0],
    "wrong": [
        looped(gate=lambda h, s, k: scale_gradient(h, s + 0.1)),
        lambda step, loss, theta, h, steps, s: 0.0,
    ],
}


def recursive(step, loss, theta, h, steps, s):
    if steps == 0:
        return 0.0
    h = step(theta, h)
    return loss(theta, h) + recursive(step, loss, theta, scale_gradient(h, s), steps - 1, s)


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
    "a recursion": recursive,
    "a scan": scanned,
    "at every input but the first": looped(reads=lambda h, s, k: scale_gradient(h, s) if k else h),
    "Optax's operator": looped(gate=lambda h, s, k: optax.scale_gradient(h, s)),
    "sccbook's unroll": by_unroll_losses,
}
