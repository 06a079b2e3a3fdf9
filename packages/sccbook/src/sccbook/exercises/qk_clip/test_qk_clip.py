"""A bank of answers to chapter 15's second exercise."""

import jax.numpy as jnp
import numpy as np

from sccbook.exercises.qk_clip.exercise import CASES, logits, right

SOLUTION = r"jnp\.where|\*\* ?0\.5|sqrt\(factor"


def largest(w_q, w_k, x):
    s = jnp.einsum("ti,hid,sj,hjd->hts", x, w_q, x, w_k) / jnp.sqrt(w_q.shape[-1])
    return jnp.max(s, axis=(1, 2))


def clip(w_q, w_k, x, limit, powers=(0.5, 0.5)):
    size = largest(w_q, w_k, x)
    factor = jnp.where(size > limit, limit / size, 1.0)[:, None, None]
    return w_q * factor ** powers[0], w_k * factor ** powers[1]


def upside_down(w_q, w_k, x, limit):
    root = jnp.sqrt(jnp.maximum(1, largest(w_q, w_k, x) / limit))[:, None, None]
    return w_q * root, w_k * root


def by_own_tokens(w_q, w_k, x, limit):
    own = jnp.einsum("ti,hid,tj,hjd->ht", x, w_q, x, w_k).max(1) / w_q.shape[-1] ** 0.5
    root = jnp.sqrt(limit / jnp.maximum(own, limit))[:, None, None]
    return w_q * root, w_k * root


WRONG = {
    "unchanged": [lambda w_q, w_k, x, limit: (w_q, w_k)],
    "clips_the_weights": [
        lambda w_q, w_k, x, limit: (jnp.clip(w_q, -limit, limit), jnp.clip(w_k, -limit, limit))
    ],
    "one_matrix": [lambda *given: clip(*given, powers=(1, 0))],
    "twice": [lambda *given: clip(*given, powers=(1, 1))],
    "half_of_it": [lambda *given: clip(*given, powers=(0.5, 0))],
    "swapped": [lambda *given: clip(*given)[::-1]],
    "upside_down": [lambda *given: upside_down(*given)],
    "another_root": [
        lambda w_q, w_k, x, limit: clip(w_q, w_k, x, limit * (w_q.shape[1] / w_q.shape[2]) ** 0.5)
    ],
    "own_token": [lambda *given: by_own_tokens(*given)],
    "other_power": [lambda *given: clip(*given, powers=(0.25, 0.25))],
    "norms_of_weights": [
        lambda w_q, w_k, x, limit: tuple(
            w * jnp.minimum(1, limit / jnp.linalg.norm(w, axis=(1, 2), keepdims=True))
            for w in (w_q, w_k)
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
