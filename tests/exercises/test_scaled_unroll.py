"""A bank of answers to chapter 03's exercise."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import optax
from jax.lax import stop_gradient

from gradlab.ops import clip_gradient, reverse_gradient, scale_gradient
from gradlab.unroll import unroll_losses

SOLUTION = r"scale_gradient|stop_gradient|for _ in"


def looped(body):
    """Makes an answer of a loop's body: (step, loss, theta, h, k, s) to a loss and the next h."""

    def answer(step, loss, theta, h, steps, s):
        total = 0.0
        for k in range(steps):
            one, h = body(step, loss, theta, h, k, s)
            total = total + one
        return total

    return answer


@looped
def plain(step, loss, theta, h, k, s):
    h = step(theta, h)
    return loss(theta, h), h


@looped
def scales_a_copy(step, loss, theta, h, k, s):
    h = step(theta, h)
    scale_gradient(h, s)
    return loss(theta, h), h


def scales_after_the_loop(step, loss, theta, h, steps, s):
    total = 0.0
    for _ in range(steps):
        h = step(theta, h)
        total += loss(theta, h)
    h = scale_gradient(h, s)
    return total


def scales_before_the_loop(step, loss, theta, h, steps, s):
    return plain(step, loss, theta, scale_gradient(h, s), steps, s)


@looped
def scales_before_the_head(step, loss, theta, h, k, s):
    h = scale_gradient(step(theta, h), s)
    return loss(theta, h), h


@looped
def scales_every_input(step, loss, theta, h, k, s):
    h = step(theta, scale_gradient(h, s))
    return loss(theta, h), h


@looped
def scales_once(step, loss, theta, h, k, s):
    h = step(theta, h)
    return loss(theta, h), scale_gradient(h, s) if k == 0 else h


@looped
def scales_theta(step, loss, theta, h, k, s):
    theta = scale_gradient(theta, s)
    h = step(theta, h)
    return loss(theta, h), h


@looped
def scales_each_loss(step, loss, theta, h, k, s):
    h = step(theta, h)
    return scale_gradient(loss(theta, h), s), h


def scales_the_total(step, loss, theta, h, steps, s):
    return scale_gradient(plain(step, loss, theta, h, steps, s), s)


@looped
def discounts(step, loss, theta, h, k, s):
    h = step(theta, h)
    return scale_gradient(loss(theta, h), s**k), h


def mixes_whole_and_truncated(step, loss, theta, h, steps, s):
    whole = plain(step, loss, theta, h, steps, s)
    cut = truncates(step, loss, theta, h, steps, s)
    return s * whole + (1 - s) * cut


@looped
def truncates(step, loss, theta, h, k, s):
    h = step(theta, h)
    return loss(theta, h), stop_gradient(h)


def with_gate(gate):
    """Makes an answer with something at the right place."""

    @looped
    def answer(step, loss, theta, h, k, s):
        h = step(theta, h)
        return loss(theta, h), gate(h, s)

    return answer


@looped
def multiplies_losses(step, loss, theta, h, k, s):
    h = step(theta, h)
    return s * loss(theta, h), h


@looped
def discounts_the_value(step, loss, theta, h, k, s):
    h = step(theta, h)
    return s**k * loss(theta, h), h


right = with_gate(scale_gradient)


def takes_the_mean(step, loss, theta, h, steps, s):
    return right(step, loss, theta, h, steps, s) / steps


@looped
def too_early(step, loss, theta, h, k, s):
    one = loss(theta, h)
    return one, scale_gradient(step(theta, h), s)


def returns_the_last(step, loss, theta, h, steps, s):
    for _ in range(steps):
        h = step(theta, scale_gradient(h, s) if _ else h)
    return loss(theta, h)


WRONG = {
    "no_scale": [plain, scales_a_copy, scales_after_the_loop],
    "before_the_head": [scales_before_the_head],
    "at_every_input": [scales_every_input],
    "outside_the_loop": [scales_before_the_loop],
    "first_gate_only": [scales_once],
    "on_the_parameters": [scales_theta],
    "on_the_losses": [scales_each_loss, scales_the_total],
    "discounted": [discounts],
    "one_coin": [mixes_whole_and_truncated],
    "truncated": [truncates],
    "one_minus_scale": [with_gate(lambda h, s: scale_gradient(h, 1 - s))],
    "scaled_twice": [with_gate(lambda h, s: scale_gradient(scale_gradient(h, s), s))],
    "fixed_half": [with_gate(lambda h, s: scale_gradient(h, 0.5))],
    "reversed": [with_gate(reverse_gradient)],
    "clipped": [with_gate(lambda h, s: clip_gradient(h, -abs(s), abs(s)))],
    "state_scaled": [with_gate(lambda h, s: s * h)],
    "losses_multiplied": [multiplies_losses],
    "discounted_losses": [discounts_the_value],
    "mean": [takes_the_mean],
    "one_step_early": [too_early],
    "last_loss_only": [returns_the_last],
    "returns_none": [lambda step, loss, theta, h, steps, s: None],
    "returns_other": [
        lambda step, loss, theta, h, steps, s: (0.0, h),
        lambda step, loss, theta, h, steps, s: h,
    ],
    "not_callable": [None, 0.5],
    "raises": [lambda step, loss, theta, h, steps: 0.0, lambda *_: 1 / 0],
    "wrong": [
        with_gate(lambda h, s: scale_gradient(h, s + 0.1)),
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


@looped
def at_the_input_but_the_first(step, loss, theta, h, k, s):
    h = step(theta, scale_gradient(h, s) if k > 0 else h)
    return loss(theta, h), h


@looped
def on_a_copy_for_the_next_step(step, loss, theta, h, k, s):
    reached = step(theta, h)
    following = reached * s + stop_gradient(reached) * (1 - s)
    return loss(theta, reached), following


def states_first(step, loss, theta, h, steps, s):
    states = [step(theta, h)]
    for _ in range(steps - 1):
        states.append(step(theta, scale_gradient(states[-1], s)))
    return sum(loss(theta, h) for h in states)


def by_unroll_losses(step, loss, theta, h, steps, s):
    head = lambda theta, h, _: loss(theta, h)
    xs = jnp.arange(steps)
    return unroll_losses(lambda theta, h, _: step(theta, h), head, theta, h, xs, scale=s)[1].sum()


RIGHT = {
    "gradlab's unroll": by_unroll_losses,
    "a loop": right,
    "a recursion": recursive,
    "a scan": scanned,
    "at every input but the first": at_the_input_but_the_first,
    "the one-liner, on a copy": on_a_copy_for_the_next_step,
    "the states first": states_first,
    "Optax's operator": with_gate(optax.scale_gradient),
}
