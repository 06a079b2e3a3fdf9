"""A bank of answers to assignment 7's first function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_norm
from sccbook.exercises.step_at_scale.exercise import CASES, right

SOLUTION = r"jnp\.|isfinite|average|tensordot"


def mean(g, n):
    return jnp.sum(g * n[..., None], axis=(0, 1)) / n.sum()


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
}


@pytest.mark.parametrize("case", CASES[:4])
def test_the_step_equals_one_device_with_all_tokens(case):
    g, n, scale, limit = case.arguments
    of_tokens = np.repeat(g.reshape(-1, 3), n.ravel(), axis=0)
    one = by_a_loop(of_tokens.mean(0)[None, None], np.array([[1]]), scale, limit)
    np.testing.assert_allclose(right(*case.arguments), one, rtol=1e-12)
