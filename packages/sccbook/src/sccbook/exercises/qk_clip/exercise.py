"""Chapter 15: write ``qk_clip(w_q, w_k, x, limit)``, which acts on the weights after a step.

For each head ``w_q`` and ``w_k`` are ``[heads, in, d]``, and ``x`` has a token in each row. A head's logits are
``(x w_q) (x w_k)^T / sqrt(d)``.
"""

from collections.abc import Callable
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

Size = Callable[[Array], Any]


def logits(w_q: Array, w_k: Array, x: Array, scaled: bool = True) -> Array:
    """Compute the logits of every head, ``[heads, tokens, tokens]``."""
    found: Array = np.einsum("ti,hid,sj,hjd->hts", x, w_q, x, w_k)
    return found / np.sqrt(w_q.shape[-1]) if scaled else found


def _case(seed: int, heads: int, sizes: tuple[float, ...], limit: float, sign: float = 0.0) -> Case:
    """Draw weights whose heads have these largest logits; the last head's all have one ``sign``, if it isn't 0."""
    source = np.random.default_rng(seed)
    w_q, w_k = source.normal(size=(2, heads, 3, 4))
    x = source.normal(size=(5, 3))
    if sign:
        x = np.abs(x) + 0.1
        w_q[-1], w_k[-1] = np.abs(w_q[-1]), sign * np.abs(w_k[-1])
    for head, size in enumerate(sizes):
        w_q[head] *= size / np.abs(np.max(logits(w_q, w_k, x)[head]))
    words = f"for {heads} head{'s' * (heads > 1)} whose largest logits are "
    found = np.max(logits(w_q, w_k, x), axis=(1, 2))
    listed = ", ".join(f"{value:.3g}" for value in found)
    return Case((w_q, w_k, x, limit), f"{words}{listed} and limit = {limit:g}")


CASES = (
    _case(0, 1, (12.0,), 4.0),
    _case(1, 2, (30.0, 2.0), 5.0),
    _case(2, 3, (8.0, 20.0, 3.0), 10.0),
    _case(3, 2, (1.0, 0.5), 6.0),
    _case(4, 2, (9.0, 7.0), 3.0, sign=-1.0),
    _case(5, 2, (6.0, 40.0), 4.0, sign=1.0),
)


def _by(size: Size, power: float = 0.5, key_power: float = 0.5, scaled: bool = True) -> Function:
    """Make the right answer with another size of a head's logits, or other powers of the factor."""

    def clip(w_q: Array, w_k: Array, x: Array, limit: float) -> tuple[Array, Array]:
        most = np.broadcast_to(size(logits(w_q, w_k, x, scaled)), len(w_q))
        factor = np.where(most > limit, limit / most, 1.0)[:, None, None]
        return w_q * factor**power, w_k * factor**key_power

    return clip


def _largest(s: Array) -> Array:
    found: Array = np.max(s, axis=(1, 2))
    return found


right = _by(_largest)


def _unguarded(factor: Callable[[float, Array], Any]) -> Function:
    """Multiply by the root of a factor, made of the limit and each head's largest logit."""

    def clip(w_q: Array, w_k: Array, x: Array, limit: float) -> tuple[Array, Array]:
        root = np.sqrt(factor(limit, _largest(logits(w_q, w_k, x))))[:, None, None]
        return w_q * root, w_k * root

    return clip


MISCONCEPTIONS = (
    Misconception("unchanged", "the weights come back as they were, however large a logit is.",
        lambda w_q, w_k, x, limit: (w_q, w_k)),
    Misconception("clips_the_weights",
        "the weights' entries are clipped at the limit. But it's a limit for logits, and logits come from two "
        "matrices and the data.",
        lambda w_q, w_k, x, limit: (np.clip(w_q, -limit, limit), np.clip(w_k, -limit, limit))),
    Misconception("shared_by_the_heads",
        "every head is multiplied by the factor that the largest logit of all needs. Each head has a factor of its "
        "own, and a head below the limit should stay as it is.",
        _by(np.max), _by(np.max, 1.0, 0.0), _by(np.max, 1.0, 1.0)),
    Misconception("one_matrix",
        "one of the two matrices takes the whole factor. The logits come out right; but the two should share it equally.",
        _by(_largest, 1.0, 0.0), _by(_largest, 0.0, 1.0)),
    Misconception("twice",
        "both matrices are multiplied by the whole factor, so it acts on the logits twice.",
        _by(_largest, 1.0, 1.0)),
    Misconception("half_of_it",
        "the largest logit is still above the limit: one matrix is multiplied by its share of the factor, the other isn't.",
        _by(_largest, 0.5, 0.0), _by(_largest, 0.0, 0.5)),
    Misconception("always_to_the_limit",
        "a head below the limit is changed too, until its largest logit has the size of the limit. Such a head "
        "should stay as it is.",
        _unguarded(lambda limit, most: limit / np.abs(most)), _unguarded(lambda limit, most: limit / most)),
    Misconception("swapped",
        "the two matrices are swapped: return the queries' first.",
        lambda *given: right(*given)[::-1]),
    Misconception("negative_logits",
        "where all logits of a head are negative, its largest is below every limit, and the head should stay as it "
        "is. Here the quotient is negative, and its root isn't a number.",
        _unguarded(lambda limit, most: np.minimum(1.0, limit / most))),
    Misconception("not_divided",
        "the logits are taken without the division by the root of d, so even heads within the limit are shrunk.",
        _by(_largest, scaled=False)),
    Misconception("absolute",
        "the largest absolute value is compared with the limit. A logit far below 0 gives no attention, so it's no "
        "reason to shrink a head.",
        _by(lambda s: np.max(np.abs(s), axis=(1, 2)))),
    Misconception("mean_logit",
        "a head's mean logit is compared with the limit. A single large logit is enough to take all the attention.",
        _by(lambda s: np.mean(s, axis=(1, 2))), _by(lambda s: np.mean(np.abs(s), axis=(1, 2)))),
)  # fmt: skip

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="each head above the limit is brought down to it on these tokens, and the others are as they were.",
    reference_probe=in_numpy,
    quantity="the pair of weights",
).exercise(
    "qk_clip",
    partial={"one_matrix": 0.75, "absolute": 0.8, "negative_logits": 0.8, "not_divided": 0.5},
)
"""An answer is called as ``answer(w_q, w_k, x, limit)`` and returns the two matrices."""
