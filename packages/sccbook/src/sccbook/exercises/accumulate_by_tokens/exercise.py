"""Chapter 14: write ``accumulate(gradients, tokens, limit)``, one clipped step of several micro-batches.

Given are each micro-batch's gradient, the mean over its tokens, and how many tokens that were. A micro-batch may
have none: its gradient is 0.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    in_numpy,
)

CASES = tuple(
    Case(
        (np.array(gradients), np.array(tokens), limit),
        f"for the gradients {gradients}, the tokens {tokens} and limit = {limit:g}",
    )
    for gradients, tokens, limit in (
        ([[8.0, 0.0], [0.0, 4.0]], [1, 3], 1.0),
        ([[0.5, 0.0], [0.0, 1.5]], [3, 1], 10.0),
        ([[3.0, -4.0], [0.3, 0.4], [0.0, 2.0]], [10, 50, 20], 0.5),
        ([[6.0, 0.0], [0.0, 0.0]], [2, 0], 5.0),
        ([[2.0, 1.0, -2.0], [0.5, -0.5, 4.0]], [100, 300], 2.0),
        ([[0.2, -0.1], [0.1, 0.3], [-3.0, 0.4]], [512, 256, 16], 2.0),
        ([[1.5, 2.0]], [7], 2.0),
        ([[4.0, 3.0], [-4.0, 3.0]], [40, 40], 3.5),
    )
)


def _clip(g: Array, limit: float) -> Any:
    return g * min(1.0, limit / max(float(np.linalg.norm(g)), 1e-300))


def _each_clipped(gradients: Array, limit: float) -> Array:
    return np.array([_clip(g, limit) for g in gradients])


def _running(weights: Function, divisor: Function, then: Function) -> Function:
    """Clip the running sum after each micro-batch; ``weights`` are theirs in the sum."""

    def answer(gradients: Array, tokens: Array, limit: float) -> Any:
        total = np.zeros(gradients.shape[1])
        for weight, g in zip(weights(tokens), gradients, strict=True):
            total = _clip(total + weight * g, limit)
        return then(total / divisor(tokens), limit)

    return answer


def right(gradients: Array, tokens: Array, limit: float) -> Array:
    """Return the mean over all tokens, clipped once."""
    step: Array = _clip(tokens / np.sum(tokens) @ gradients, limit)
    return step


def _mean_of(weights: Function, clipped: Sequence[bool] = (True,)) -> list[Function]:
    """Use other weights in place of the tokens' shares."""
    return [
        lambda g, n, c, clip=clip: _clip(weights(n) @ g, c if clip else np.inf) for clip in clipped
    ]


def _even(tokens: Array) -> Array:
    return np.full(len(tokens), 1 / len(tokens))


def _shares(tokens: Array) -> Any:
    return tokens / np.sum(tokens)


def _one(tokens: Array) -> float:
    return 1.0


def _same(g: Array, limit: float) -> Array:
    return g


MISCONCEPTIONS = (
    Misconception("mean_of_means",
        "every micro-batch gets the same weight, so a token in a short one counts more than a token in a long one; "
        "{run} the result should be {expected}, not {given}.",
        *_mean_of(_even, (True, False))),
    Misconception("clip_each",
        "each micro-batch's gradient is clipped by itself, before the mean. The large ones lose the most, so the mean "
        "turns.",
        *(lambda g, n, c, weights=weights, then=then: then(weights(n) @ _each_clipped(g, c), c)
          for weights in (_shares, _even, np.ones_like, lambda n: n) for then in (_same, _clip))),
    Misconception("clip_each_sum",
        "what is clipped is each micro-batch's share: its gradient times a weight. The limit is for the mean over all "
        "tokens.",
        *(lambda g, n, c, weights=weights, divisor=divisor:
            np.sum(_each_clipped(weights(n)[:, None] * g, c), axis=0) / divisor(n)
          for weights, divisor in (
              (lambda n: n, np.sum), (lambda n: n, len), (lambda n: n, _one), (_shares, _one), (_even, _one)))),
    Misconception("clip_after_each",
        "the clip comes after each micro-batch, on the sum so far. So an early gradient is cut again and again, and "
        "the step turns towards the last. When is the whole gradient complete?",
        *(_running(weights, divisor, then)
          for weights, divisor in (
              (_shares, _one), (_even, _one), (np.ones_like, _one), (np.ones_like, len),
              (lambda n: n, np.sum), (lambda n: n, _one), (lambda n: n, len))
          for then in (_same, _clip))),
    Misconception("not_divided",
        "the sum over the tokens is never divided by their number, so the clip meets a gradient that is many times "
        "too large: {run} the result should be {expected}, but it is {given}.",
        *_mean_of(lambda n: n, (True, False))),
    Misconception("clip_then_divide",
        "the sum over the tokens is clipped, and then divided by their number. The limit is for the result of the "
        "division.",
        lambda g, n, c: _clip(n @ g, c) / np.sum(n)),
    Misconception("divided_by_batches",
        "the sum over the tokens is divided by the number of micro-batches. How many tokens does it add up?",
        *_mean_of(lambda n: n / len(n), (True, False))),
    Misconception("divided_twice",
        "the sum is divided by the number of tokens, and by the number of micro-batches too. The tokens' shares "
        "already add up to 1.",
        *_mean_of(lambda n: _shares(n) / len(n), (True, False))),
    Misconception("sum_of_means",
        "the micro-batches' gradients are added up. Each is a mean already, so the sum grows with their number.",
        *_mean_of(lambda n: np.ones(len(n)), (True, False))),
    Misconception("weights_turned_round",
        "a micro-batch with more tokens counts less. Every token should count the same.",
        *_mean_of(lambda n: 1 / np.maximum(n, 1) / np.sum(1 / np.maximum(n, 1)), (True, False)),
        *_mean_of(lambda n: 1 / n / np.sum(1 / n), (True, False))),
    Misconception("divided_by_tokens",
        "each gradient is divided by its tokens. It's a mean over them already.",
        *_mean_of(lambda n: 1 / n, (True, False)), *_mean_of(lambda n: 1 / np.maximum(n, 1), (True, False)),
        *_mean_of(lambda n: 1 / n / len(n), (True, False))),
    Misconception("divided_by_the_longest",
        "the sum is divided by the tokens of the longest micro-batch, as if all had been padded to its length.",
        *_mean_of(lambda n: n / np.max(n), (True, False)),
        *_mean_of(lambda n: n / np.max(n) / len(n), (True, False))),
    Misconception("not_clipped",
        "the mean over all tokens is right, but nothing is clipped.",
        *_mean_of(_shares, (False,))),
    Misconception("always_limit",
        "the norm of the result is always the limit. A clip leaves a smaller gradient alone.",
        lambda g, n, c: c * right(g, n, c) / np.linalg.norm(right(g, n, c))),
    Misconception("by_value",
        "each entry is clipped by itself, which turns the gradient. The limit is for its norm.",
        lambda g, n, c: np.clip(_shares(n) @ g, -c, c)),
    Misconception("limit_times_batches",
        "the limit is multiplied by the number of micro-batches. It's for the whole batch's mean, however many "
        "micro-batches there are.",
        lambda g, n, c: _clip(_shares(n) @ g, c * len(n))),
    Misconception("limit_divided",
        "the limit is divided by the number of micro-batches. It's for the whole batch's mean, however many "
        "micro-batches there are.",
        lambda g, n, c: _clip(_shares(n) @ g, c / len(n))),
    Misconception("last_alone",
        "only one micro-batch is left: the others were overwritten, not added up.",
        lambda g, n, c: _clip(g[-1], c), lambda g, n, c: _clip(g[0], c)),
    Misconception("norm_of_all_rows",
        "the norm is that of all micro-batches' gradients together, not of their mean.",
        lambda g, n, c: _shares(n) @ g * min(1.0, c / float(np.linalg.norm(g)))),
    Misconception("enlarges",
        "it takes the larger of 1 and limit / norm, so small gradients are enlarged and large ones pass. A clip's "
        "factor is at most 1.",
        lambda g, n, c: _shares(n) @ g * max(1.0, c / float(np.linalg.norm(_shares(n) @ g)))),
    Misconception("minus",
        "the step comes out with a minus sign. It's to be the clipped gradient itself, which is then subtracted.",
        lambda g, n, c: -right(g, n, c)),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="every token counts the same, whatever micro-batch it is in, and their mean is clipped once.",
    reference_probe=in_numpy,
    quantity="the step",
    draw=lambda random: {
        "gradients": np.reshape(  # of one sign in each column, so that no mean is 0
            [random.choice(entries) for entries in ((0.5, 1.5, 3.0), (-4.0, -2.0, -1.0)) * 3],
            (3, 2),
        ),
        "tokens": np.array(random.sample((10, 20, 30, 50, 60), k=3)),
        "limit": random.choice((0.5, 1.0, 6.0)),
    },
).exercise(
    "accumulate_by_tokens",
    partial={
        "mean_of_means": 0.5,
        "clip_each": 0.5,
        "clip_after_each": 0.5,
        "not_clipped": 0.5,
        "minus": 0.75,
    },
)
"""An answer is called as ``answer(gradients, tokens, limit)`` and returns the step, ``[weights]``."""
