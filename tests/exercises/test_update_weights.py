"""A bank of answers to chapter 05's exercise."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from gradlab.ops import clip_gradient, clip_gradient_norm, scale_gradient
from gradlab.unroll import unroll_losses

SOLUTION = r"jnp|scale_gradient\(|for k"


def loop(*, before=None, after=None, top=None, out=None, weigh=None, first=None):
    """A reader's loop, with what stands in each place; the identity where nothing is given."""

    def nothing(x, *_):
        return x

    before, after, top, out = (one or nothing for one in (before, after, top, out))
    weigh = weigh or (lambda loss, n: scale_gradient(loss, 1 / n))
    first = first or nothing

    def my_loss(step, head, theta, h, actions, targets, scale):
        n = len(actions)
        total = first(head(theta, h, targets[0]), n)
        h = out(h, scale)
        for k in range(n):
            h = before(step(theta, top(h, scale), actions[k]), scale)
            total = total + weigh(head(theta, h, targets[k + 1]), n)
            h = after(h, scale)
        return total

    return my_loss


def slipped(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), 1 / len(actions))
    h = scale_gradient(h, scale)
    return total


def one_liner(x, s):
    return x * s + jax.lax.stop_gradient(x) * (1 - s)


def all_at_once(step, head, theta, h, actions, targets, scale):
    losses = []
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        losses.append(head(theta, h, target))
        h = scale_gradient(h, scale)
    return sum(losses)


def late(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets, strict=False):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), 1 / len(actions))
        h = scale_gradient(h, scale)
    return total


def by_powers(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for k, action in enumerate(actions):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, targets[k + 1]), scale**k / len(actions))
    return total


def last_only(step, head, theta, h, actions, targets, scale):
    for action in actions[:-1]:
        h = scale_gradient(step(theta, h, action), scale)
    h = step(theta, h, actions[-1])
    return scale_gradient(head(theta, h, targets[-1]), 1 / len(actions))


def first_gate(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for k, action in enumerate(actions):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, targets[k + 1]), 1 / len(actions))
        h = scale_gradient(h, scale) if k == 0 else h
    return total


def before_loop(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    h = scale_gradient(h, scale)
    return (
        total
        + slipped(step, head, theta, h, actions, targets, scale)
        - one_root(head, theta, h, targets)
    )


def one_root(head, theta, h, targets):
    return head(theta, h, targets[0])


def on_losses(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), scale / len(actions))
    return total


def swapped(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), scale)
        h = scale_gradient(h, 1 / len(actions))
    return total


def no_return(step, head, theta, h, actions, targets, scale):
    loop(after=scale_gradient)(step, head, theta, h, actions, targets, scale)


def at_the_root(step, head, theta, h, actions, targets, scale):
    return slipped(step, head, theta, scale_gradient(h, scale), actions, targets, scale)


WRONG = {
    "plain": [loop(weigh=lambda one, n: one)],
    "no_scale": [loop(), slipped],
    "no_weights": [loop(after=scale_gradient, weigh=lambda one, n: one)],
    "root_divided": [loop(after=scale_gradient, first=lambda one, n: scale_gradient(one, 1 / n))],
    "mean_weights": [
        loop(
            after=scale_gradient,
            first=lambda one, n: scale_gradient(one, 1 / (n + 1)),
            weigh=lambda one, n: scale_gradient(one, 1 / (n + 1)),
        )
    ],
    "one_too_many": [
        loop(after=scale_gradient, weigh=lambda one, n: scale_gradient(one, 1 / (n + 1)))
    ],
    "divided": [loop(after=scale_gradient, weigh=lambda one, n: one / n)],
    "all_divided": [
        loop(after=scale_gradient, first=lambda one, n: one / n, weigh=lambda one, n: one / n)
    ],
    "averaged": [
        loop(
            after=scale_gradient,
            first=lambda one, n: one / (n + 1),
            weigh=lambda one, n: one / (n + 1),
        )
    ],
    "weighted_twice": [
        loop(after=scale_gradient, weigh=lambda one, n: scale_gradient(one, 1 / n) / n)
    ],
    "before_heads": [loop(before=scale_gradient), loop(before=one_liner)],
    "every_input": [loop(top=scale_gradient)],
    "before_the_loop": [loop(out=scale_gradient), before_loop],
    "at_the_root": [at_the_root],
    "first_only": [first_gate],
    "scaled_twice": [
        loop(after=lambda h, s: scale_gradient(scale_gradient(h, s), s)),
        loop(after=lambda h, s: scale_gradient(h, s**2)),
    ],
    "state_scaled": [loop(after=lambda h, s: s * h)],
    "on_the_losses": [on_losses],
    "powers_on_the_losses": [by_powers],
    "swapped": [swapped],
    "fixed_half": [loop(after=lambda h, s: scale_gradient(h, 0.5))],
    "one_minus_scale": [
        loop(after=lambda h, s: h * (1 - s) + jax.lax.stop_gradient(h) * s),
    ],
    "truncated": [loop(after=lambda h, s: jax.lax.stop_gradient(h))],
    "clipped": [loop(after=lambda h, s: clip_gradient(h, -abs(s), abs(s)))],
    "norm_clipped": [loop(after=lambda h, s: clip_gradient_norm(h, max(abs(s), 1e-12)))],
    "no_root_loss": [
        lambda step, head, theta, h, actions, targets, scale: scale_gradient(
            all_at_once(step, head, theta, h, actions, targets, scale), 1 / len(actions)
        )
    ],
    "last_loss_only": [last_only],
    "late_targets": [late],
    # shapes, kinds
    "returns_none": [no_return],
    "returns_other": [lambda *a: (loop(after=scale_gradient)(*a), 0.0), lambda *a: jnp.ones(3)],
    "not_callable": [None, 0.5],
    "raises": [lambda step, head: 0.0],
    "wrong": [loop(after=scale_gradient, weigh=lambda one, n: scale_gradient(one, 2.0 / n))],
}


def by_scan(step, head, theta, h, actions, targets, scale):
    def application(h, x):
        action, target = x
        h = step(theta, h, action)
        return scale_gradient(h, scale), head(theta, h, target)

    _, losses = jax.lax.scan(application, h, (actions, targets[1:]))
    return head(theta, h, targets[0]) + jnp.sum(scale_gradient(losses, 1 / len(actions)))


def by_predictions(step, head, theta, h, actions, targets, scale):
    """As the pseudocode: first all the states, then all the losses."""
    states = [(1.0, h)]
    for action in actions:
        h = step(theta, h, action)
        states.append((1.0 / len(actions), h))
        h = scale_gradient(h, scale)
    total = 0.0
    for (weight, state), target in zip(states, targets, strict=True):
        total += scale_gradient(head(theta, state, target), weight)
    return total


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


def by_value_and_surrogate(step, head, theta, h, actions, targets, scale):
    """Divided losses whose value is put right again."""
    root, later = (
        head(theta, h, targets[0]),
        all_at_once(step, head, theta, h, actions, targets, scale),
    )
    share = later / len(actions)
    return root + share + jax.lax.stop_gradient(later - share)


def scaled_from_the_second(step, head, theta, h, actions, targets, scale):
    """At the top of the loop, but not before the first application."""
    total = head(theta, h, targets[0])
    for k, action in enumerate(actions):
        h = step(theta, scale_gradient(h, scale) if k else h, action)
        total += scale_gradient(head(theta, h, targets[k + 1]), 1 / len(actions))
    return total


RIGHT = {
    "a loop": loop(after=scale_gradient),
    "the author's one-liner": loop(after=one_liner, weigh=lambda one, n: one_liner(one, 1 / n)),
    "a scan": by_scan,
    "predictions first, as the pseudocode": by_predictions,
    "gradlab's unroll": by_unroll_losses,
    "divided, and the value put right": by_value_and_surrogate,
    "at the top from the second on": scaled_from_the_second,
    "compiled": jax.jit(by_scan, static_argnums=(0, 1)),
}
