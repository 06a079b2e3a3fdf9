"""Chapter 15: write ``qk_clip(w_q, w_k, x, limit)``, which acts on the weights after a step.

For each head ``w_q`` and ``w_k`` are ``[heads, in, d]``, and ``x`` has a token in each row. A head's logits are
``(x w_q) (x w_k)^T / sqrt(d)``.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Finding,
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
    words = f"for {heads} heads whose largest logits are "
    words = words if heads > 1 else "for 1 head whose largest logit is "
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
    Misconception("upside_down",
        "the factor is upside down: a head above the limit comes out with larger logits. It has to be below 1 there.",
        _unguarded(lambda limit, most: np.where(most > limit, most / limit, 1.0))),
    Misconception("another_root",
        "the logits are divided by something else than the root of d. The matrices are [heads, in, d].",
        _by(lambda s: _largest(s) / 4, scaled=False), _by(lambda s: _largest(s) / np.sqrt(3), scaled=False),
        _by(lambda s: _largest(s) / np.sqrt(len(s)), scaled=False),
        _by(lambda s: _largest(s) / np.sqrt(s.shape[1]), scaled=False)),
    Misconception("own_token",
        "each token is compared with itself alone. A head's largest logit may be one of any two tokens.",
        _by(lambda s: np.max(np.diagonal(s, axis1=1, axis2=2), axis=1))),
    Misconception("other_power",
        "the logits of a head don't come out at the limit: another power of the factor than its root is used.",
        *(_by(_largest, power, power) for power in (0.25, 1 / 3, 2.0))),
    Misconception("norms_of_weights",
        "the norms of the weights are limited. But it's a limit for logits, and logits come from two matrices and the "
        "data.",
        lambda w_q, w_k, x, limit: tuple(
            w * np.minimum(1.0, limit / np.linalg.norm(w, axis=(1, 2), keepdims=True)) for w in (w_q, w_k))),
)  # fmt: skip


class _InLogits(Comparison):
    """Shows a wrong pair of weights by its largest logits, which are fewer numbers."""

    def _wrong(self, index: int, results: Sequence[Any], expected: Sequence[Any]) -> Finding:
        case = self.cases[index]
        found, meant = (
            ", ".join(f"{most:.3g}" for most in _largest(logits(w_q, w_k, case.arguments[2])))
            for w_q, w_k in (results[index], expected[index])
        )
        but = "as they should, but the weights don't" if found == meant else f"not as {meant}"
        return Finding("wrong", f"{case.words} the largest logits come out as {found}, {but}.")


EXERCISE = _InLogits(
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
