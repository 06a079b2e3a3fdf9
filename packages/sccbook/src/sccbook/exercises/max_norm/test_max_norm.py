"""A bank of answers to assignment 4's first function."""

from operator import setitem

import jax
import jax.numpy as jnp
import numpy as np
import optax

from scaleclip.ops import max_norm, unit_norm

SOLUTION = r"minimum|maximum|jnp|c / n"


def norms(w, axis=0):
    return jnp.linalg.norm(w, axis=axis, keepdims=True)


def keras(w, c, epsilon=1e-7, size=norms):
    n = size(w)
    return w * (jnp.clip(n, 0, c) / (epsilon + n))


WRONG = {
    "unchanged": [lambda w, c: w, lambda w, c: 1.0 * w],
    "rows": [
        lambda w, c: w * jnp.minimum(1.0, c / norms(w, 1)),
        lambda w, c: max_norm(w, c, axis=1),
        lambda w, c: keras(w, c, size=lambda w: norms(w, 1)),
        lambda w, c: jnp.where(norms(w, 1) > c, c * w / norms(w, 1), w),
    ],
    "whole_matrix": [
        lambda w, c: w * jnp.minimum(1.0, c / jnp.linalg.norm(w)),
        lambda w, c: optax.projections.projection_l2_ball(w, c),
        lambda w, c: keras(w, c, size=jnp.linalg.norm),
    ],
    "shared_factor": [lambda w, c: w * jnp.minimum(1.0, c / jnp.max(norms(w)))],
    "always_limit": [
        lambda w, c: c * w / norms(w),
        lambda w, c: c * unit_norm(w),
        lambda w, c: w * c / jnp.maximum(norms(w), 1e-30),
    ],
    "unit_norm": [
        lambda w, c: w / norms(w),
        lambda w, c: unit_norm(w),
        lambda w, c: w / (1e-7 + norms(w)),
    ],
    "limit_ignored": [lambda w, c: w / jnp.maximum(1.0, norms(w)), lambda w, c: max_norm(w, 1.0)],
    "cut_to_one": [lambda w, c: jnp.where(norms(w) > c, unit_norm(w), w)],
    "by_value": [lambda w, c: jnp.clip(w, -c, c), lambda w, c: keras(w, c, size=jnp.abs)],
    "epsilon": [
        keras,
        lambda w, c: keras(w, c, 1e-6),
        lambda w, c: w * (jnp.minimum(norms(w), c) / (1e-8 + norms(w))),
        lambda w, c: max_norm(w, c, epsilon=1e-7),
    ],
    "zero_column": [
        lambda w, c: w * (jnp.clip(norms(w), 0, c) / norms(w)),
        lambda w, c: w / norms(w) * jnp.minimum(norms(w), c),
    ],
    "squared": [
        lambda w, c: w * jnp.minimum(1.0, c / jnp.sum(w**2, axis=0)),
        lambda w, c: w / jnp.maximum(1.0, jnp.sum(w * w, 0) / c),
    ],
    "sum_of_sizes": [lambda w, c: w * jnp.minimum(1.0, c / jnp.sum(jnp.abs(w), axis=0))],
    "largest_entry": [lambda w, c: w * jnp.minimum(1.0, c / jnp.max(jnp.abs(w), axis=0))],
    "mean_square": [lambda w, c: w * jnp.minimum(1.0, c / jnp.sqrt(jnp.mean(w**2, axis=0)))],
    "wrong_way_round": [
        lambda w, c: w * jnp.maximum(1.0, c / norms(w)),
        lambda w, c: jnp.where(norms(w) < c, c * w / norms(w), w),
    ],
    "inverted": [
        lambda w, c: w * jnp.maximum(1.0, norms(w) / c),
        lambda w, c: w * norms(w) / c,
    ],
    "removed": [lambda w, c: jnp.where(norms(w) > c, 0.0, w)],
    "soft": [lambda w, c: w * c / (norms(w) + c)],
    "half_way": [lambda w, c: 0.5 * (w + max_norm(w, c))],
    "subtracted": [lambda w, c: w - jnp.maximum(0.0, norms(w) - c)],
    "in_place": [lambda w, c: setitem(w, (slice(None), 0), 0.0)],
    # shapes, kinds
    "shape_changed": [
        lambda w, c: jnp.minimum(norms(w), c),
        lambda w, c: max_norm(w, c).reshape(-1),
    ],
    "structure_changed": [lambda w, c: (max_norm(w, c), c)],
    "not_callable": [None, 2.0, jnp.ones(3)],
    "raises": [lambda w: w, lambda w, c: jnp.max_norm(w, c)],
    "wrong": [lambda w, c: 0.9 * w, lambda w, c: jnp.abs(max_norm(w, c))],
}


RIGHT = {
    "the smaller of two factors": lambda w, c: w * jnp.minimum(1.0, c / norms(w)),
    "divided by the larger": lambda w, c: w * c / jnp.maximum(norms(w), c),
    "divided by the norm over the limit": lambda w, c: w / jnp.maximum(1.0, norms(w) / c),
    "where it is longer": lambda w, c: jnp.where(norms(w) > c, w * c / norms(w), w),
    "Keras's formula with a tiny epsilon": lambda w, c: keras(w, c, 1e-30),
    "vmap over columns": lambda w, c: jax.vmap(
        lambda column: column * jnp.minimum(1.0, c / jnp.linalg.norm(column)), 1, 1
    )(w),
    "optax, a column at a time": lambda w, c: jax.vmap(
        lambda column: optax.projections.projection_l2_ball(column, c), 1, 1
    )(w),
    "the squares, and the limit's square": lambda w, c: (
        w * jnp.sqrt(jnp.minimum(1.0, c**2 / jnp.sum(w**2, axis=0)))
    ),
    "in NumPy": lambda w, c: np.asarray(w) * (c / np.maximum(np.linalg.norm(w, axis=0), c)),
    "compiled": jax.jit(lambda w, c: w * jnp.minimum(1.0, c / norms(w))),
    "the operator itself": max_norm,
}
