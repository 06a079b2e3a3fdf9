"""Assignment 7: write ``gspo_gradient(log_new, log_old, lengths, advantage, epsilon)``, PPO's clip for whole answers.

The objective is the mean over answers of min(s A, clip(s, 1 - epsilon, 1 + epsilon) A), where s is the geometric mean
of the ratios of an answer's tokens. Asked for is its gradient at ``log_new``.

Source: C. Zheng et al. 2025, *Group sequence policy optimization*, arXiv 2507.18071.
"""

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


def _case(
    seed: int, lengths: tuple[int, ...], signs: tuple[int, ...], spread: float, epsilon: float
) -> Case:
    """Draw answers, the first three past a limit; what lies beyond their ends isn't zero."""
    source, n, most = np.random.default_rng(seed), len(lengths), max(lengths) + 2
    log_old = np.log(source.uniform(0.1, 0.8, (n, most)))
    change = spread * source.normal(size=(n, most))
    wanted = np.array([1.8, -1.8, 1.6, -1.4, 0.4, -0.4])[:n] * epsilon
    inside = np.arange(most) < np.array(lengths)[:, None]
    own = np.sum(change * inside, axis=1) / np.array(lengths)
    change += np.where(inside, (np.log1p(wanted) - own)[:, None], 3.0)
    advantage = np.array(signs) * source.uniform(0.4, 2.0, n)
    words = f"for {n} answers of {', '.join(map(str, lengths))} tokens and epsilon = {epsilon:g}"
    return Case((log_old + change, log_old, np.array(lengths), advantage, epsilon), words)


CASES = (
    _case(0, (3, 5, 2), (1, 1, -1), 0.3, 0.2),
    _case(1, (4, 1, 6, 2, 3), (-1, -1, 1, 1, 1), 0.5, 0.1),
    _case(2, (2, 7, 4, 5, 3, 6), (1, -1, -1, 1, -1, 1), 0.4, 0.3),
    _case(3, (8, 3, 5, 2, 4, 7), (1, 1, 1, -1, -1, -1), 0.8, 0.25),
)


def _mask(x: Array, lengths: Array) -> Any:
    return np.arange(x.shape[1]) < lengths[:, None]


def _per_token(log_ratio: Array, lengths: Array) -> Any:
    return np.exp(np.sum(log_ratio * _mask(log_ratio, lengths), axis=1) / lengths)


def _arithmetic(log_ratio: Array, lengths: Array) -> Any:
    return np.sum(np.exp(log_ratio) * _mask(log_ratio, lengths), axis=1) / lengths


def _past(s: Array, a: Array, epsilon: float) -> Any:
    """Tell which answers have gone as far as their advantage asks."""
    return np.where(a > 0, s > 1 + epsilon, s < 1 - epsilon)


def _outside(s: Array, a: Array, epsilon: float) -> Any:
    return (s > 1 + epsilon) | (s < 1 - epsilon)


def _never(s: Array, a: Array, epsilon: float) -> Any:
    return np.zeros(s.shape, bool)


def objective(
    ratio: Function = _per_token,
    stop: Function = _past,
    weight: Function = lambda s, epsilon: s,
    shares: Function = lambda x, lengths: _mask(x, lengths) / lengths[:, None] / len(x),
) -> Function:
    """Make the gradient of the right objective, or of one with a part replaced.

    Args:
      ratio: from the logarithms of the tokens' ratios to the ratio of each answer.
      stop: which answers get no gradient.
      weight: from ratios to what multiplies the advantage.
      shares: how an answer's gradient is spread over its tokens.
    """

    def answer(
        log_new: Array, log_old: Array, lengths: Array, advantage: Array, epsilon: float
    ) -> Any:
        s = ratio(log_new - log_old, lengths)
        each = np.where(stop(s, advantage, epsilon), 0.0, weight(s, epsilon) * advantage)
        return each[:, None] * shares(log_new, lengths)

    return answer


right = objective()


def _spread(per_token: bool, divided: bool) -> Function:
    """Spread over tokens without one of the two divisions."""

    def shares(x: Array, lengths: Array) -> Any:
        found = _mask(x, lengths) / (lengths[:, None] if per_token else 1)
        return found / (len(x) if divided else 1)

    return shares


def _tokens(all_alike: bool, stop: Function = _past) -> Function:
    """Give each token a ratio and a stop of its own, as GRPO does."""

    def answer(
        log_new: Array, log_old: Array, lengths: Array, advantage: Array, epsilon: float
    ) -> Any:
        r, a = np.exp(log_new - log_old), np.broadcast_to(advantage[:, None], log_new.shape)
        share = _mask(r, lengths) / (np.sum(lengths) if all_alike else lengths[:, None] * len(r))
        return np.where(stop(r, a, epsilon), 0.0, r * a) * share

    return answer


def _of_the_mean(
    log_new: Array, log_old: Array, lengths: Array, advantage: Array, epsilon: float
) -> Any:
    """Differentiate PPO's clip of the arithmetic mean of the ratios."""
    r = np.exp(log_new - log_old)
    stopped = _past(_arithmetic(log_new - log_old, lengths), advantage, epsilon)
    each = np.where(stopped, 0.0, advantage)[:, None]
    return each * r * _mask(r, lengths) / lengths[:, None] / len(r)


def _whole_rows(x: Array, lengths: Array) -> Any:
    return np.full(x.shape, 1 / x.size)


def _cut_rows(x: Array, lengths: Array) -> Any:
    return _mask(x, lengths) / x.size


MISCONCEPTIONS = (
    Misconception("token_ratios",
        "each token has a ratio of its own, and is stopped by itself. Here an answer has one ratio, which stops all of its "
        "tokens or none.",
        *(_tokens(alike, stop) for alike in (False, True) for stop in (_past, _never, _outside))),
    Misconception("product",
        "the ratio of an answer is the product of its tokens' ratios. A long answer then soon leaves the limits. Which root "
        "is missing?",
        *(objective(lambda log_ratio, lengths: _per_token(log_ratio, lengths) ** lengths, **more)
          for more in ({}, {"shares": _spread(False, True)}))),
    Misconception("arithmetic_mean",
        "the ratio of an answer is the arithmetic mean of its tokens' ratios. Use the geometric mean: the mean belongs "
        "inside the exponential.",
        _of_the_mean, objective(_arithmetic)),
    Misconception("padding_counted",
        "what lies beyond the end of an answer is counted, or the answer is divided by the length of the longest row.",
        *(objective(ratio, shares=shares)
          for ratio in (
              lambda log_ratio, lengths: np.exp(np.mean(log_ratio, axis=1)),
              lambda log_ratio, lengths: np.exp(np.mean(log_ratio * _mask(log_ratio, lengths), axis=1)))
          for shares in (_whole_rows, _cut_rows, _spread(True, True))),
        objective(shares=_whole_rows), objective(shares=_cut_rows),
        objective(shares=lambda x, lengths: np.ones(x.shape) / lengths[:, None] / len(x))),
    Misconception("never_stopped",
        "no answer is stopped, however far it has gone. What does the minimum become beyond a limit?",
        objective(stop=_never)),
    Misconception("no_min",
        "every answer outside the limits is stopped, even the ones that went the wrong way. What is the minimum for?",
        objective(stop=_outside)),
    Misconception("max",
        "the wrong answers are stopped: those that went against their advantage. The smaller of the two products counts.",
        objective(stop=lambda s, a, epsilon: _outside(s, a, epsilon) & ~_past(s, a, epsilon))),
    Misconception("cispo",
        "an answer beyond a limit gets the limit for its weight, as in CISPO. Here it gets no gradient.",
        objective(stop=_never, weight=lambda s, epsilon: np.minimum(s, 1 + epsilon)),
        objective(stop=_never, weight=lambda s, epsilon: np.clip(s, 1 - epsilon, 1 + epsilon))),
    Misconception("upside_down",
        "the ratio is upside down: the old policy is divided by the new one.",
        lambda log_new, log_old, *others: right(log_old, log_new, *others),
        lambda log_new, log_old, *others: -right(log_old, log_new, *others)),
    Misconception("no_ratio",
        "the right answers are stopped, but the others lack a factor. What is the derivative of e to the power of a mean?",
        objective(weight=lambda s, epsilon: np.ones_like(s))),
    Misconception("not_spread",
        "each token gets the gradient of the whole answer. The mean in the exponent gives each token only a share of "
        "that.",
        objective(shares=_spread(False, True)), objective(shares=_spread(False, False))),
    Misconception("sum_of_answers",
        "the answers are added up. The objective is their mean.",
        objective(shares=_spread(True, False))),
    Misconception("tokens_alike",
        "the mean is taken over all tokens of the batch. Here it is taken over the answers, and a long answer counts no "
        "more than a short one.",
        objective(shares=lambda x, lengths: _mask(x, lengths) / np.sum(lengths))),
    Misconception("descends",
        "this is the gradient of a loss, with its sign reversed. The objective should become larger.",
        lambda *given: -right(*given)),
)  # fmt: skip

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="each answer has one ratio, and is stopped as a whole where it has gone as far as its advantage asks.",
    reference_probe=in_numpy,
    quantity="the gradient",
).exercise(
    "gspo_gradient",
    partial={
        "product": 0.4,
        "arithmetic_mean": 0.6,
        "padding_counted": 0.6,
        "never_stopped": 0.2,
        "no_min": 0.6,
        "upside_down": 0.4,
        "no_ratio": 0.6,
        "not_spread": 0.6,
        "sum_of_answers": 0.8,
        "tokens_alike": 0.8,
        "descends": 0.8,
    },
)
"""An answer is called as ``answer(log_new, log_old, lengths, advantage, epsilon)``, and returns the gradient,
``[answers, tokens]``, which is 0 beyond an answer's end."""
