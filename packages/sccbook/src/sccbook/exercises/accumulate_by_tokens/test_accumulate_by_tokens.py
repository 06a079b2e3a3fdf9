"""A bank of answers to chapter 14's formula."""

import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_norm, clip_by_value, clip_per_example
from sccbook.exercises.accumulate_by_tokens.exercise import CASES, right

SOLUTION = r"np\.|average|@|weights="


def by_a_loop(gradients, tokens, limit):
    total, count = np.zeros(gradients.shape[1]), 0
    for g, n in zip(gradients, tokens, strict=True):
        total += n * g
        count += n
    mean = total / count
    norm = np.linalg.norm(mean)
    return mean * limit / norm if norm > limit else mean


def clip(v, c):
    return v * min(1, c / (np.linalg.norm(v) + 1e-300))


def in_place(gradients, tokens, limit):
    gradients *= tokens[:, None]
    return clip(gradients.sum(0) / tokens.sum(), limit)


WRONG = {
    "mean_of_means": [
        lambda g, n, c: clip(g.mean(0), c),
        lambda g, n, c: clip_by_norm(jnp.mean(jnp.asarray(g), axis=0), c),
        lambda g, n, c: np.mean(g, axis=0),
    ],
    "clip_each": [
        lambda g, n, c: np.average([clip(one, c) for one in g], axis=0, weights=n),
        lambda g, n, c: np.mean([clip(one, c) for one in g], axis=0),
        lambda g, n, c: clip_per_example(jnp.asarray(g), c).mean(0),
    ],
    "clip_each_sum": [
        lambda g, n, c: sum(clip(k * one, c) for k, one in zip(n, g, strict=True)) / n.sum(),
    ],
    "not_divided": [lambda g, n, c: clip(n @ g, c), lambda g, n, c: n @ g],
    "clip_then_divide": [lambda g, n, c: clip(n @ g, c) / n.sum()],
    "divided_by_batches": [lambda g, n, c: clip((n[:, None] * g).mean(0), c)],
    "divided_twice": [lambda g, n, c: clip(n @ g / n.sum() / len(n), c)],
    "sum_of_means": [lambda g, n, c: clip(g.sum(0), c), lambda g, n, c: np.sum(g, axis=0)],
    "weights_turned_round": [
        lambda g, n, c: clip(np.average(g, axis=0, weights=1 / np.maximum(n, 1)), c),
        np.errstate(all="ignore")(lambda g, n, c: clip((1 / n) @ g / np.sum(1 / n), c)),
    ],
    "divided_by_the_longest": [lambda g, n, c: clip(n @ g / n.max(), c)],
    "not_clipped": [lambda g, n, c: np.average(g, axis=0, weights=n)],
    "always_limit": [lambda g, n, c: c * (n @ g) / np.linalg.norm(n @ g)],
    "by_value": [
        lambda g, n, c: clip_by_value(jnp.average(jnp.asarray(g), axis=0, weights=n), -c, c)
    ],
    "limit_times_batches": [lambda g, n, c: clip(n @ g / n.sum(), len(n) * c)],
    "limit_divided": [lambda g, n, c: clip(n @ g / n.sum(), c / len(n))],
    "last_alone": [lambda g, n, c: clip(g[-1], c)],
    "shape_changed": [lambda g, n, c: g, lambda g, n, c: n[:, None] * g],
    "returns_other": [lambda g, n, c: "the mean"],
    "not_callable": [np.zeros(2)],
    "raises": [lambda g, n: n @ g, lambda g, n, c: g @ n @ n],
    "divided_by_tokens": [
        lambda g, n, c: clip((g / np.maximum(n, 1)[:, None]).sum(0), c),
        np.errstate(all="ignore")(lambda g, n, c: clip((g / n[:, None]).mean(0), c)),
    ],
    "norm_of_all_rows": [
        lambda g, n, c: np.average(g, axis=0, weights=n) * min(1, c / np.linalg.norm(g))
    ],
    "enlarges": [lambda g, n, c: (v := n @ g / n.sum()) * max(1, c / np.linalg.norm(v))],
    "minus": [lambda g, n, c: -clip(n @ g / n.sum(), c)],
    "wrong": [lambda g, n, c: 0.9 * clip(n @ g / n.sum(), c)],
}

RIGHT = {
    "by a loop": by_a_loop,
    "by NumPy's average": lambda g, n, c: clip(np.average(g, axis=0, weights=n), c),
    "in place": in_place,
    "as a list of Python's floats": lambda g, n, c: np.array(
        [float(v) for v in by_a_loop(g, n, c)]
    ),
    "by the course's own": right,
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_step_equals_one_batch_of_all_tokens(case):
    gradients, tokens, limit = case.arguments
    every = np.repeat(gradients, tokens, axis=0)
    np.testing.assert_allclose(right(*case.arguments), clip(every.mean(0), limit), rtol=1e-12)


def test_one_case_has_an_empty_micro_batch():
    assert any(0 in case.arguments[1] for case in CASES)
