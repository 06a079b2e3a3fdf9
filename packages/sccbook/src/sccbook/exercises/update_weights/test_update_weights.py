"""A bank of answers to chapter 03's exercise."""

import jax
import jax.numpy as jnp

from scaleclip.ops import clip_gradient, clip_gradient_norm, scale_gradient
from scaleclip.ledger import unroll_losses

SOLUTION = r"jnp|scale_gradient\(|for k"


def same(x, *_):
    return x


def scales(x, s, *_):
    return scale_gradient(x, s)


def shared(loss, s, n, k):
    return scale_gradient(loss, 1 / n)


def loop(*, before=same, after=same, top=same, out=same, weigh=shared, first=same):
    """A reader's loop, with what stands in each place; the identity where nothing is given."""

    def my_loss(step, head, theta, h, actions, targets, scale):
        n = len(actions)
        total = first(head(theta, h, targets[0]), n)
        h = out(h, scale)
        for k in range(n):
            h = before(step(theta, top(h, scale, n, k), actions[k]), scale)
            total = total + weigh(head(theta, h, targets[k + 1]), scale, n, k)
            h = after(h, scale, n, k)
        return total

    return my_loss


def slipped(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        total += scale_gradient(head(theta, h, target), 1 / len(actions))
    h = scale_gradient(h, scale)
    return total


def one_liner(x, s, *_):
    return x * s + jax.lax.stop_gradient(x) * (1 - s)


def all_at_once(step, head, theta, h, actions, targets, scale):
    losses = []
    for action, target in zip(actions, targets[1:], strict=True):
        h = step(theta, h, action)
        losses.append(head(theta, h, target))
        h = scale_gradient(h, scale)
    return sum(losses)


def last_only(step, head, theta, h, actions, targets, scale):
    for action in actions[:-1]:
        h = scale_gradient(step(theta, h, action), scale)
    h = step(theta, h, actions[-1])
    return scale_gradient(head(theta, h, targets[-1]), 1 / len(actions))


def before_loop(step, head, theta, h, actions, targets, scale):
    total = head(theta, h, targets[0])
    h = scale_gradient(h, scale)
    rest = slipped(step, head, theta, h, actions, targets, scale)
    return total + rest - head(theta, h, targets[0])


def no_return(*given):
    right(*given)


right = loop(after=scales)

WRONG = {
    "plain": [loop(weigh=same)],
    "no_scale": [loop(), slipped],
    "no_weights": [loop(after=scales, weigh=same)],
    "root_divided": [loop(after=scales, first=lambda loss, n: scale_gradient(loss, 1 / n))],
    "mean_weights": [
        loop(
            after=scales,
            first=lambda loss, n: scale_gradient(loss, 1 / (n + 1)),
            weigh=lambda loss, s, n, k: scale_gradient(loss, 1 / (n + 1)),
        )
    ],
    "one_too_many": [
        loop(after=scales, weigh=lambda loss, s, n, k: scale_gradient(loss, 1 / (n + 1)))
    ],
    "divided": [loop(after=scales, weigh=lambda loss, s, n, k: loss / n)],
    "all_divided": [
        loop(after=scales, first=lambda loss, n: loss / n, weigh=lambda loss, s, n, k: loss / n)
    ],
    "averaged": [
        loop(
            after=scales,
            first=lambda loss, n: loss / (n + 1),
            weigh=lambda loss, s, n, k: loss / (n + 1),
        )
    ],
    "weighted_twice": [
        loop(after=scales, weigh=lambda loss, s, n, k: scale_gradient(loss, 1 / n) / n)
    ],
    "before_heads": [loop(before=scales), loop(before=one_liner)],
    "every_input": [loop(top=scales)],
    "before_the_loop": [loop(out=scales), before_loop],
    "at_the_root": [
        lambda step, head, theta, h, *rest: slipped(
            step, head, theta, scale_gradient(h, rest[-1]), *rest
        )
    ],
    "first_only": [loop(after=lambda h, s, n, k: scale_gradient(h, s) if k == 0 else h)],
    "scaled_twice": [
        loop(after=lambda h, s, n, k: scale_gradient(scale_gradient(h, s), s)),
        loop(after=lambda h, s, n, k: scale_gradient(h, s**2)),
    ],
    "state_scaled": [loop(after=lambda h, s, n, k: s * h)],
    "on_the_losses": [loop(weigh=lambda loss, s, n, k: scale_gradient(loss, s / n))],
    "powers_on_the_losses": [loop(weigh=lambda loss, s, n, k: scale_gradient(loss, s**k / n))],
    "swapped": [loop(after=lambda h, s, n, k: scale_gradient(h, 1 / n), weigh=scales)],
    "fixed_half": [loop(after=lambda h, s, n, k: scale_gradient(h, 0.5))],
    "one_minus_scale": [
        loop(after=lambda h, s, n, k: h * (1 - s) + jax.lax.stop_gradient(h) * s),
    ],
    "truncated": [loop(after=lambda h, s, n, k: jax.lax.stop_gradient(h))],
    "clipped": [loop(after=lambda h, s, n, k: clip_gradient(h, -abs(s), abs(s)))],
    "norm_clipped": [loop(after=lambda h, s, n, k: clip_gradient_norm(h, max(abs(s), 1e-12)))],
    "no_root_loss": [lambda *given: scale_gradient(all_at_once(*given), 1 / len(given[4]))],
    "last_loss_only": [last_only],
    "late_targets": [
        lambda step, head, theta, h, actions, targets, scale: right(
            step, head, theta, h, actions, [targets[0], *targets], scale
        )
    ],
    # shapes, kinds
    "returns_none": [no_return],
    "returns_other": [lambda *given: (right(*given), 0.0), lambda *_: jnp.ones(3)],
    "not_callable": [None, 0.5],
    "raises": [lambda step, head: 0.0],
    "wrong": [loop(after=scales, weigh=lambda loss, s, n, k: scale_gradient(loss, 2.0 / n))],
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
    later = all_at_once(step, head, theta, h, actions, targets, scale)
    share = later / len(actions)
    return head(theta, h, targets[0]) + share + jax.lax.stop_gradient(later - share)


RIGHT = {
    "a loop": right,
    "the author's one-liner": loop(
        after=one_liner, weigh=lambda loss, s, n, k: one_liner(loss, 1 / n)
    ),
    "a scan": by_scan,
    "predictions first, as the pseudocode": by_predictions,
    "sccbook's unroll": by_unroll_losses,
    "divided, and the value put right": by_value_and_surrogate,
    "at the top from the second on": loop(top=lambda h, s, n, k: scale_gradient(h, s) if k else h),
    "compiled": jax.jit(by_scan, static_argnums=(0, 1)),
}
