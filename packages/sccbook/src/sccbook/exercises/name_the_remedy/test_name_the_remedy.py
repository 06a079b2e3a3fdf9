"""A bank of answers to chapter 12's diagnosis, and what its logs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.checking.comparisons import renamed
from sccbook.exercises.name_the_remedy.exercise import NAMES, SIZE, record, right

KEEP, CLIP, SLOW_DOWN, SPEED_UP, ELSEWHERE = NAMES


def by_slopes(loss, norm, step):
    """The loss as a whole, then its trend, then what stands out."""
    if np.median(loss[150:]) < np.median(loss[:10]) / 2:
        return KEEP
    if norm[:20].max() < 1e-4:
        return ELSEWHERE
    at = int(np.argmax(step))
    if (
        step[at] > 50 * np.median(np.delete(step, at))
        and loss[-1] > 2 * loss[max(at - 5, 0) : at].mean()
    ):
        return CLIP
    trend = np.polyfit(np.arange(len(loss)), loss, 1)[0] * len(loss)
    return SPEED_UP if trend < -0.02 and loss.std() < 0.1 * loss.mean() else SLOW_DOWN


WRONG = {
    "arrived_is_vanished": [
        lambda *log: ELSEWHERE if log[1][-1] < 1e-3 else by_slopes(*log),
        lambda *log: ELSEWHERE if np.median(log[1][-20:]) < 0.1 else by_slopes(*log),
    ],
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "clip_helps_vanishing": [renamed(by_slopes, {"elsewhere": CLIP})],
    "vanished_is_too_slow": [renamed(by_slopes, {"elsewhere": SPEED_UP})],
    "stuck_is_too_fast": [renamed(by_slopes, {"elsewhere": SLOW_DOWN})],
    "thrown_is_too_fast": [renamed(by_slopes, {"clip": SLOW_DOWN})],
    "too_fast_is_thrown": [renamed(by_slopes, {"slow_down": CLIP})],
    "falling_is_fine": [renamed(by_slopes, {"speed_up": KEEP})],
    "speeds_swapped": [renamed(by_slopes, {"speed_up": SLOW_DOWN, "slow_down": SPEED_UP})],
    "too_fast_is_too_slow": [renamed(by_slopes, {"slow_down": SPEED_UP})],
    "too_slow_is_too_fast": [renamed(by_slopes, {"speed_up": SLOW_DOWN})],
    "end_alone": [
        lambda loss, norm, step, name=name: (
            KEEP if loss[-20:].mean() < 0.5 * loss[:20].mean() else name
        )
        for name in NAMES[1:]
    ],
    "not_a_name": [lambda *_: "nothing", renamed(by_slopes, {"keep": "Keep"})],
    "structure_changed": [lambda *log: (by_slopes(*log), "at once")],
    "returns_other": [lambda *_: 0.5],
    "not_callable": ["clip"],
    "raises": [lambda loss: KEEP],
    "wrong": [renamed(by_slopes, {"keep": CLIP, "clip": KEEP})],
}

RIGHT = {
    "trends": by_slopes,
    "in JAX": lambda *log: right(*map(jnp.asarray, log)),
    "by the course's own": right,
}


@pytest.mark.slow
def test_a_log_agrees_with_jax():
    rate, limit = 0.5, 0.1
    source = np.random.default_rng(7)
    w = source.normal(size=SIZE)
    w *= 2.5 / np.linalg.norm(w)
    loss, norm, step = record(rate, limit, 2.5, 0.0, 0, 0.0, 7)
    with jax.enable_x64(True):
        slope = jax.value_and_grad(lambda w: (w @ w / 2) / (1 + w @ w / 2))
        for n in range(20):
            value, g = slope(jnp.asarray(w))
            long = float(jnp.linalg.norm(g))
            np.testing.assert_allclose([loss[n], norm[n]], [value, long], rtol=1e-10)
            moved = rate * np.asarray(g) * min(1.0, limit / long)
            np.testing.assert_allclose(step[n], np.linalg.norm(moved), rtol=1e-10)
            w = w - moved
