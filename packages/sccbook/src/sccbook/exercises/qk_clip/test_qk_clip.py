"""A bank of answers to chapter 15's second exercise."""

import jax.numpy as jnp
import numpy as np

from sccbook.exercises.qk_clip.exercise import CASES, logits, right

SOLUTION = r"jnp\.where|\*\* ?0\.5|sqrt\(factor"


def largest(w_q, w_k, x):
    s = jnp.einsum("ti,hid,sj,hjd->hts", x, w_q, x, w_k) / jnp.sqrt(w_q.shape[-1])
    return jnp.max(s, axis=(1, 2))


def clip(w_q, w_k, x, limit, most=largest, powers=(0.5, 0.5)):
    size = most(w_q, w_k, x)
    factor = jnp.where(size > limit, limit / size, 1.0)[:, None, None]
    return w_q * factor ** powers[0], w_k * factor ** powers[1]


def of_all(w_q, w_k, x):
    return jnp.full(len(w_q), jnp.max(largest(w_q, w_k, x)))


def root(factor, w_q, w_k):
    return w_q * jnp.sqrt(factor)[:, None, None], w_k * jnp.sqrt(factor)[:, None, None]


WRONG = {
    "unchanged": [lambda w_q, w_k, x, limit: (w_q, w_k)],
    "clips_the_weights": [
        lambda w_q, w_k, x, limit: (jnp.clip(w_q, -limit, limit), jnp.clip(w_k, -limit, limit))
    ],
    "shared_by_the_heads": [lambda *given: clip(*given, most=of_all)],
    "one_matrix": [lambda *given: clip(*given, powers=(1, 0))],
    "twice": [lambda *given: clip(*given, powers=(1, 1))],
    "half_of_it": [lambda *given: clip(*given, powers=(0.5, 0))],
    "always_to_the_limit": [
        lambda w_q, w_k, x, limit: root(limit / jnp.abs(largest(w_q, w_k, x)), w_q, w_k),
        lambda w_q, w_k, x, limit: root(limit / largest(w_q, w_k, x), w_q, w_k),
    ],
    "swapped": [lambda *given: clip(*given)[::-1]],
    "negative_logits": [
        lambda w_q, w_k, x, limit: root(jnp.minimum(1, limit / largest(w_q, w_k, x)), w_q, w_k)
    ],
    "not_divided": [lambda *given: clip(*given, most=lambda w_q, w_k, x: 2 * largest(w_q, w_k, x))],
    "absolute": [
        lambda *given: clip(
            *given, most=lambda *w: jnp.maximum(largest(*w), largest(-w[0], w[1], w[2]))
        )
    ],
    "mean_logit": [
        lambda *given: clip(
            *given, most=lambda w_q, w_k, x: jnp.asarray(logits(w_q, w_k, x).mean(axis=(1, 2)))
        )
    ],
    "shape_changed": [lambda w_q, w_k, x, limit: (w_q[0], w_k[0])],
    "structure_changed": [lambda *given: clip(*given)[0], lambda *given: [*clip(*given)]],
    "not_callable": [None, 2.0],
    "raises": [lambda w_q: w_q, lambda *given: jnp.qk_clip(*given)],
    "wrong": [lambda *given: clip(*given[:3], 0.9 * given[3])],
}


def in_numpy(w_q, w_k, x, limit):
    w_q, w_k, x = map(np.asarray, (w_q, w_k, x))
    most = logits(w_q, w_k, x).max(axis=(1, 2))
    scale = np.sqrt(limit / np.maximum(most, limit))[:, None, None]
    return w_q * scale, w_k * scale


RIGHT = {
    "where it is above": clip,
    "in NumPy, divided by the larger": in_numpy,
    "the exercise's own": lambda *given: right(*map(np.asarray, given[:3]), given[3]),
}


def test_the_largest_logit_of_each_head_ends_at_most_at_the_limit():
    for case in CASES:
        w_q, w_k, x, limit = case.arguments
        before = logits(w_q, w_k, x).max(axis=(1, 2))
        after = logits(*right(*case.arguments), x).max(axis=(1, 2))
        np.testing.assert_allclose(after, np.minimum(before, limit), rtol=1e-12)


def test_one_case_has_a_head_whose_logits_are_all_negative():
    assert min(logits(*case.arguments[:3]).max(axis=(1, 2)).min() for case in CASES) < 0
