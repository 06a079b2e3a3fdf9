"""A bank of answers to chapter 12's diagnosis, and what its logs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.name_the_remedy.exercise import CASES, NAMES, SIZE, record, right

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


def by_the_lowest(loss, norm, step):
    """Was it ever low, and what happened then?"""
    low = int(np.argmin(loss))
    if loss[low] < 0.1 * loss[0] and loss[-10:].mean() < 0.3 * loss[0]:
        return KEEP
    if norm[0] < 1e-5:
        return ELSEWHERE
    if np.sort(step)[-1] > 20 * np.sort(step)[-2]:
        return CLIP
    smooth = loss.reshape(4, -1).mean(axis=1)
    return SPEED_UP if np.all(np.diff(smooth) < -1e-3) else SLOW_DOWN


def renamed(**names):
    return lambda *log: names.get(by_slopes(*log), by_slopes(*log))


def long(rows, times):
    return np.max(rows) > times * np.median(rows)


def share_clipped(norm, step):
    return np.mean(step / norm < 0.99 * np.max(step / norm))


def by_halves(found, loss, norm, step):
    """Any fall from one half to the other is one, however small."""
    lower = loss[100:].mean() < loss[:100].mean()
    return (SPEED_UP if lower else SLOW_DOWN) if found in (SPEED_UP, SLOW_DOWN) else found


WRONG = {
    "noise_is_falling": [
        lambda *given: KEEP if (n := by_slopes(*given)) == KEEP else by_halves(n, *given)
    ],
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "long_is_thrown": [
        lambda loss, norm, step: CLIP if long(norm, 50) else by_slopes(loss, norm, step),
        lambda loss, norm, step: CLIP if long(norm, 20) else KEEP,
    ],
    "long_step_is_thrown": [
        lambda loss, norm, step: CLIP if long(step, 20) else by_slopes(loss, norm, step),
    ],
    "clipped_is_too_slow": [
        lambda loss, norm, step: (
            SPEED_UP if share_clipped(norm, step) > 0.9 else by_slopes(loss, norm, step)
        ),
        lambda loss, norm, step: (
            SPEED_UP if share_clipped(norm, step) > 0.5 else by_slopes(loss, norm, step)
        ),
    ],
    "clip_helps_vanishing": [renamed(elsewhere=CLIP)],
    "vanished_is_too_slow": [renamed(elsewhere=SPEED_UP)],
    "stuck_is_too_fast": [renamed(elsewhere=SLOW_DOWN)],
    "thrown_is_too_fast": [renamed(clip=SLOW_DOWN)],
    "too_fast_is_thrown": [renamed(slow_down=CLIP)],
    "falling_is_fine": [renamed(speed_up=KEEP)],
    "speeds_swapped": [renamed(speed_up=SLOW_DOWN, slow_down=SPEED_UP)],
    "too_fast_is_too_slow": [renamed(slow_down=SPEED_UP)],
    "too_slow_is_too_fast": [renamed(speed_up=SLOW_DOWN)],
    "end_alone": [
        lambda loss, norm, step, name=name: (
            KEEP if loss[-20:].mean() < 0.5 * loss[:20].mean() else name
        )
        for name in NAMES[1:]
    ],
    "not_a_name": [lambda *_: "nothing", renamed(keep="Keep")],
    "structure_changed": [lambda *log: (by_slopes(*log), "at once")],
    "returns_other": [lambda *_: 0.5],
    "not_callable": ["clip"],
    "raises": [lambda loss: KEEP],
    "wrong": [renamed(keep=CLIP, clip=KEEP)],
}

RIGHT = {
    "trends": by_slopes,
    "its lowest point": by_the_lowest,
    "in JAX": lambda *log: right(*map(jnp.asarray, log)),
    "by the course's own": right,
}


@pytest.mark.slow
def test_a_log_is_what_jax_makes_of_the_bowl():
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


def test_there_is_a_log_for_each_remedy_and_one_that_misleads_each_rule_of_thumb():
    found = [(right(*case.arguments), *case.arguments) for case in CASES]
    assert {name for name, *_ in found} == set(NAMES)
    assert any(name == KEEP and long(norm, 50) for name, _, norm, _ in found)
    assert any(name == KEEP and long(step, 20) for name, _, _, step in found)
    for name in (KEEP, SLOW_DOWN, SPEED_UP):
        assert any(
            other == name and share_clipped(norm, step) > 0.9 for other, _, norm, step in found
        )
