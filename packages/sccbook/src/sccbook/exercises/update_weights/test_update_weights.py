"""A bank of answers to chapter 03's exercise."""

import jax
import jax.numpy as jnp

from scaleclip.ledger import unroll_losses
from scaleclip.ops import clip_gradient, clip_gradient_norm, scale_gradient

SOLUTION = r"jnp|scale_gradient\(|for k"


def same(x, *_):
    return x


def scales(x, s, *_):
    return scale_gradient(x, s)


def shared(loss, s, n, k):
    return scale_gradient(loss, 1 / n)


def loop(*, before=same, after=same, top=same, out=same, weight=shared, first=same):
    """A reader's loop, with what stands in each place; the identity where nothing is given."""

    def my_loss(step, head, theta, h, actions, targets, scale):
        n = len(actions)
        total = first(head(theta, h, targets[0]), n)
        h = out(h, scale)
        for k in range(n):
            h = before(step(theta, top(h, scale, n, k), actions[k]), scale)
            total = total + weight(head(theta, h, targets[k + 1]), scale, n, k)
            h = after(h, scale, n, k)
        return total

    return my_loss


def one_liner(x, s, *_):
    return x * s + jax.lax.stop_gradient(x) * (1 - s)


right = loop(after=scales)

WRONG = {
    "plain": [loop(weight=same)],
    "no_scale": [
        loop(),
    ],
    "no_weights": [loop(after=scales, weight=same)],
    "root_divided": [loop(after=scales, first=lambda loss, n: scale_gradient(loss, 1 / n))],
    "mean_weights": [
        loop(
            after=scales,
            first=lambda loss, n: scale_gradient(loss, 1 / (n + 1)),
            weight=lambda loss, s, n, k: scale_gradient(loss, 1 / (n + 1)),
        )
    ],
    "one_too_many": [
        loop(after=scales, weight=lambda loss, s, n, k: scale_gradient(loss, 1 / (n + 1)))
    ],
    "divided": [loop(after=scales, weight=lambda loss, s, n, k: loss / n)],
    "all_divided": [
        loop(after=scales, first=lambda loss, n: loss / n, weight=lambda loss, s, n, k: loss / n)
    ],
    "averaged": [
        loop(
            after=scales,
            first=lambda loss, n: loss / (n + 1),
            weight=lambda loss, s, n, k: loss / (n + 1),
        )
    ],
    "weighted_twice": [
        loop(after=scales, weight=lambda loss, s, n, k: scale_gradient(loss, 1 / n) / n)
    ],
    "before_heads": [loop(before=scales), loop(before=one_liner)],
    "every_input": [loop(top=scales)],
    "before_the_loop": [
        loop(out=scales),
    ],
    "first_only": [loop(after=lambda h, s, n, k: scale_gradient(h, s) if k == 0 else h)],
    "scaled_twice": [
        loop(after=lambda h, s, n, k: scale_gradient(scale_gradient(h, s), s)),
        loop(after=lambda h, s, n, k: scale_gradient(h, s**2)),
    ],
    "state_scaled": [loop(after=lambda h, s, n, k: s * h)],
    "on_the_losses": [loop(weight=lambda loss, s, n, k: scale_gradient(loss, s / n))],
    "powers_on_the_losses": [loop(weight=lambda loss, s, n, k: scale_gradient(loss, s**k / n))],
    "swapped": [loop(after=lambda h, s, n, k: scale_gradient(h, 1 / n), weight=scales)],
    "fixed_half": [loop(after=lambda h, s, n, k: scale_gradient(h, 0.5))],
    "one_minus_scale": [
        loop(after=lambda h, s, n, k: h * (1 - s) + jax.lax.stop_gradient(h) * s),
    ],
    "truncated": [loop(after=lambda h, s, n, k: jax.lax.stop_gradient(h))],
    "clipped": [loop(after=lambda h, s, n, k: clip_gradient(h, -abs(s), abs(s)))],
    "norm_clipped": [loop(after=lambda h, s, n, k: clip_gradient_norm(h, max(abs(s), 1e-12)))],
    "late_targets": [
        lambda step, head, theta, h, actions, targets, scale: right(
            step, head, theta, h, actions, [targets[0], *targets], scale
        )
    ],
    # shapes, kinds
    "returns_other": [lambda *given: (right(*given), 0.0), lambda *_: jnp.ones(3)],
    "not_callable": [None, 0.5],
    "raises": [lambda step, head: 0.0],
    "wrong": [loop(after=scales, weight=lambda loss, s, n, k: scale_gradient(loss, 2.0 / n))],
}


def by_scan(step, head, theta, h, actions, targets, scale):
    def application(h, x):
        action, target = x
        h = step(theta, h, action)
        return scale_gradient(h, scale), head(theta, h, target)

    _, losses = jax.lax.scan(application, h, (actions, targets[1:]))
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
    "the author's one-liner": loop(
        after=one_liner, weight=lambda loss, s, n, k: one_liner(loss, 1 / n)
    ),
    "a scan": by_scan,
    "sccbook's unroll": by_unroll_losses,
    "at the top from the second on": loop(top=lambda h, s, n, k: scale_gradient(h, s) if k else h),
    "compiled": jax.jit(by_scan, static_argnums=(0, 1)),
}
