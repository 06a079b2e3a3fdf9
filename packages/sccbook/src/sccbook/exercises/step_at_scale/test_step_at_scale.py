"""A bank of answers to assignment 7's first function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_norm, clip_by_value
from sccbook.exercises.step_at_scale.exercise import CASES, right

X64 = False  # as in an assignment
SOLUTION = r"jnp\.|isfinite|average|tensordot"


def mean(g, n):
    return jnp.sum(g * n[..., None], axis=(0, 1)) / n.sum()


def guarded(step):
    """Skip what isn't finite, and unscale the rest."""

    def answer(g, n, scale, limit):
        if not jnp.isfinite(g).all():
            return jnp.zeros(g.shape[-1])
        return step(g / scale, n, limit)

    return answer


def each_device(g, n):
    return (g * n[..., None]).sum(1) / n.sum(1)[:, None]


WRONG = {
    "not_skipped": [
        lambda g, n, s, c: clip_by_norm(mean(g, n) / s, c),
        lambda g, n, s, c: mean(g, n) / s,
    ],
    "left_out": [
        lambda g, n, s, c: clip_by_norm(
            mean(jnp.nan_to_num(g, nan=0, posinf=0), jnp.where(jnp.isfinite(g).all(-1), n, 0)) / s,
            c,
        ),
        lambda g, n, s, c: clip_by_norm(mean(jnp.nan_to_num(g, nan=0, posinf=0), n) / s, c),
    ],
    "mean_of_means": [guarded(lambda g, n, c: clip_by_norm(g.mean((0, 1)), c))],
    "devices_alike": [guarded(lambda g, n, c: clip_by_norm(each_device(g, n).mean(0), c))],
    "clip_devices": [
        guarded(
            lambda g, n, c: clip_by_norm(each_device(g, n), c, axis=-1).T @ (n.sum(1) / n.sum())
        ),
        guarded(lambda g, n, c: clip_by_norm(g.mean(1), c, axis=-1).mean(0)),
    ],
    "clip_micro_batches": [guarded(lambda g, n, c: mean(clip_by_norm(g, c, axis=-1), n))],
    "clip_before_unscaling": [
        lambda g, n, s, c: guarded(lambda g, n, c: clip_by_norm(mean(g, n), c))(g, n, 1.0, c) / s
    ],
    "not_unscaled": [
        lambda g, n, s, c: guarded(lambda g, n, c: clip_by_norm(mean(g, n), c))(g, n, 1.0, c)
    ],
    "not_clipped": [guarded(lambda g, n, c: mean(g, n))],
    "always_limit": [guarded(lambda g, n, c: c * mean(g, n) / jnp.linalg.norm(mean(g, n)))],
    "by_value": [guarded(lambda g, n, c: clip_by_value(mean(g, n), -c, c))],
    "sum": [
        guarded(lambda g, n, c: clip_by_norm(g.sum((0, 1)), c)),
        guarded(lambda g, n, c: clip_by_norm(each_device(g, n).sum(0), c)),
    ],
    "turned_round": [lambda *given: -right(*map(np.asarray, given))],
    "always_skipped": [lambda g, n, s, c: jnp.zeros(3)],
    "shape_changed": [lambda g, n, s, c: g.mean(), lambda g, n, s, c: g],
    "not_callable": [[0.0, 0.0, 0.0]],
    "raises": [lambda g, n, s: g],
}


def by_a_loop(gradients, tokens, loss_scale, limit):
    total = np.zeros(gradients.shape[-1])
    for device, counts in zip(np.asarray(gradients), np.asarray(tokens), strict=True):
        for g, n in zip(device, counts, strict=True):
            if not np.isfinite(g).all():
                return 0 * total
            total += n * g
    step = total / np.sum(tokens) / loss_scale
    return step * min(1, limit / np.linalg.norm(step))


@jax.jit
def compiled(g, n, s, c):
    clipped = clip_by_norm(mean(g, n) / s, c)
    return jnp.where(jnp.isfinite(g).all(), clipped, 0.0)


RIGHT = {
    "a loop": by_a_loop,
    "compiled": compiled,
    "rows of all micro-batches": guarded(
        lambda g, n, c: clip_by_norm(jnp.average(g.reshape(-1, 3), axis=0, weights=n.ravel()), c)
    ),
}


@pytest.mark.parametrize("case", CASES[:4])
def test_the_step_equals_one_device_with_all_tokens(case):
    g, n, scale, limit = case.arguments
    of_tokens = np.repeat(g.reshape(-1, 3), n.ravel(), axis=0)
    one = by_a_loop(of_tokens.mean(0)[None, None], np.array([[1]]), scale, limit)
    np.testing.assert_allclose(right(*case.arguments), one, rtol=1e-12)
