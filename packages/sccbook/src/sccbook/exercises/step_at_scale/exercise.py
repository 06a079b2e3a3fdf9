"""Assignment 7: write ``step_at_scale(gradients, tokens, loss_scale, limit)``, one step over several devices.

Each micro-batch of each device gives the gradient of ``loss_scale`` times its mean loss over its tokens. Asked for is
the step: the mean over all tokens, clipped once, or zeros where a gradient isn't finite.
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
    seed: int,
    tokens: list[list[int]],
    scale: float,
    length: float,
    limit: float,
    broken: float = 0.0,
) -> Case:
    """Draw gradients ``[devices, micro-batches, 3]``; the length of their mean over tokens is ``length``.

    One entry is ``broken``, if that isn't 0.
    """
    source, n = np.random.default_rng(seed), np.array(tokens)
    g = source.normal(size=(*n.shape, 3)) * np.exp(source.normal(size=(*n.shape, 1)))
    g *= scale * length / np.linalg.norm(np.tensordot(n / n.sum(), g, 2))
    if broken:
        g[-1, 0, 1] = broken
    words = f"for tokens = {tokens}, loss_scale = {scale:g} and limit = {limit:g}"
    return Case((g, n, scale, limit), words + f", with {broken} in a gradient" * (broken != 0))


CASES = (
    _case(0, [[30, 10], [5, 55]], 1.0, 3.0, 1.0),
    _case(1, [[40], [8], [16]], 1.0, 0.4, 1.0),
    _case(2, [[12, 3, 50], [70, 20, 9]], 256.0, 4.0, 1.5),
    _case(3, [[25, 75], [4, 40]], 1024.0, 0.5, 2.0),
    _case(4, [[6, 60], [33, 11]], 64.0, 2.0, 0.5, np.inf),
    _case(5, [[9, 1], [20, 30], [2, 90], [44, 5]], 512.0, 0.9, 1.0),
    _case(6, [[14, 28], [7, 70]], 32.0, 1.0, 0.25, np.nan),
    _case(7, [[50, 10, 5], [5, 5, 80]], 128.0, 6.0, 0.75),
)  # fmt: skip


def _clip(g: Array, limit: float) -> Any:
    """Clip each row by its norm."""
    norm = np.linalg.norm(g, axis=-1, keepdims=True)
    return g * np.where(norm > limit, limit / norm, 1.0)


def _by_tokens(g: Array, n: Array) -> Any:
    return np.tensordot(n / np.sum(n), g, 2)


def _by_devices(g: Array, n: Array) -> Any:
    """Take the mean over tokens on each device, then the plain mean over devices."""
    return np.mean(np.sum(g * n[:, :, None], axis=1) / np.sum(n, axis=1)[:, None], axis=0)


def _plain(g: Array, n: Array) -> Any:
    return np.mean(g, axis=(0, 1))


def _of(
    mean: Function = _by_tokens, skips: bool = True, unscales: bool = True, clips: bool = True
) -> Function:
    """Write a step in the right order, with another mean or with a part left out."""

    def answer(g: Array, n: Array, scale: float, limit: float) -> Any:
        if not np.all(np.isfinite(g)):
            return np.zeros(g.shape[-1]) if skips else np.full(g.shape[-1], np.nan)
        found = mean(g, n) / (scale if unscales else 1.0)
        return _clip(found, limit) if clips else found

    return answer


right = _of()


def _unscaled_first(then: Function) -> Function:
    """Skip, unscale, and then something else."""

    def answer(g: Array, n: Array, scale: float, limit: float) -> Any:
        return then(g / scale, n, limit) if np.all(np.isfinite(g)) else np.zeros(g.shape[-1])

    return answer


def _clip_devices(mean: Function) -> Function:
    """Clip the gradient of each device, a mean over its micro-batches, and average."""

    def then(g: Array, n: Array, limit: float) -> Any:
        own = np.array([mean(one[None], m[None]) for one, m in zip(g, n, strict=True)])
        shares = (
            np.sum(n, axis=1) / np.sum(n) if mean is _by_tokens else np.full(len(n), 1 / len(n))
        )
        return shares @ _clip(own, limit)

    return _unscaled_first(then)


def _left_out(by_device: bool) -> Function:
    """Leave out what isn't finite, and take the rest."""

    def answer(g: Array, n: Array, scale: float, limit: float) -> Any:
        finite = np.isfinite(g).all(axis=-1)
        kept = finite.all(axis=1, keepdims=True) & finite if by_device else finite
        counted = np.where(kept, n, 0)
        return _clip(_by_tokens(np.where(kept[:, :, None], g, 0.0), counted) / scale, limit)

    return answer


def _read(value: Any, case: Case) -> Any:
    """Make a step all NaN if any entry isn't finite, since the clip decides which ones are."""
    broken = (
        isinstance(value, np.ndarray) and value.dtype.kind == "f" and not np.all(np.isfinite(value))
    )
    return np.full(value.shape, np.nan) if broken else value


MISCONCEPTIONS = (
    Misconception("not_skipped",
        "a gradient with inf or NaN gets into the step, and with it into the weights. What should happen to such a "
        "step?",
        _of(skips=False), _of(skips=False, clips=False), _of(_plain, skips=False),
        _of(_by_devices, skips=False)),
    Misconception("left_out",
        "what isn't finite is left out, or set to 0, and a step is taken with the rest. Here the whole step should be "
        "skipped: every weight stays where it is.",
        _left_out(False), _left_out(True),
        lambda g, n, scale, limit: _clip(_by_tokens(np.nan_to_num(g, nan=0.0, posinf=0.0), n) / scale, limit)),
    Misconception("mean_of_means",
        "every micro-batch counts the same, however many tokens it has. Every token should count the same.",
        _of(_plain)),
    Misconception("devices_alike",
        "tokens are counted on each device, but then every device counts the same, however many tokens it had.",
        _of(_by_devices)),
    Misconception("clip_devices",
        "each device clips its own gradient, and then the mean is taken. Each device gets a factor of its own, which turns "
        "the step.",
        _clip_devices(_by_tokens), _clip_devices(_plain)),
    Misconception("clip_micro_batches",
        "each micro-batch is clipped before the mean is taken. Each micro-batch gets a factor of its own, which turns "
        "the step.",
        _unscaled_first(lambda g, n, limit: _by_tokens(_clip(g, limit), n)),
        _unscaled_first(lambda g, n, limit: _plain(_clip(g, limit), n))),
    Misconception("clip_before_unscaling",
        "the clip comes before the division by the loss scale. So it measures gradients that are too large by the "
        "factor loss_scale.",
        lambda g, n, scale, limit: (
            _clip(_by_tokens(g, n), limit) / scale if np.isfinite(g).all() else np.zeros(3))),
    Misconception("not_unscaled",
        "the step is still multiplied by the loss scale, wherever the clip doesn't hide it.",
        _of(unscales=False)),
    Misconception("not_clipped",
        "the mean over all tokens is right, but nothing is clipped.",
        _of(clips=False)),
    Misconception("always_limit",
        "the norm of the step is always the limit. A clip leaves a smaller step alone.",
        _unscaled_first(lambda g, n, limit: limit * _by_tokens(g, n) / np.linalg.norm(_by_tokens(g, n)))),
    Misconception("by_value",
        "each entry is clipped by itself, which turns the step. The limit is for its norm.",
        _unscaled_first(lambda g, n, limit: np.clip(_by_tokens(g, n), -limit, limit))),
    Misconception("sum",
        "the gradients are added up, so the step grows with the number of devices, of micro-batches or of tokens.",
        _of(lambda g, n: np.sum(g, axis=(0, 1))), _of(lambda g, n: np.tensordot(n, g, 2)),
        _of(lambda g, n: np.sum(g * n[:, :, None] / n.sum(axis=1)[:, None, None], axis=(0, 1))),
        _of(lambda g, n: np.sum(np.mean(g, axis=1), axis=0))),
    Misconception("turned_round",
        "the step has its sign reversed. Return what is subtracted from the weights.",
        lambda *given: -right(*given)),
    Misconception("always_skipped", "no step is ever taken.",
        lambda g, n, scale, limit: np.zeros(g.shape[-1])),
)  # fmt: skip

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="every token counts the same, the unscaled mean is clipped once, and a broken batch leaves the weights alone.",
    reference_probe=in_numpy,
    read=_read,
    quantity="the step",
).exercise(
    "step_at_scale",
    partial={
        "not_skipped": 0.5,
        "left_out": 0.67,
        "mean_of_means": 0.5,
        "devices_alike": 0.67,
        "clip_devices": 0.33,
        "clip_micro_batches": 0.33,
        "clip_before_unscaling": 0.5,
        "not_clipped": 0.33,
        "turned_round": 0.83,
    },
)
"""An answer is called as ``answer(gradients, tokens, loss_scale, limit)`` and returns the step, ``[weights]``."""
