"""A bank of answers to assignment 3's first function."""

import math

import jax
import jax.numpy as jnp
import optax

from scaleclip.ops import clip_by_global_norm, clip_by_norm, clip_by_rms, clip_by_value, global_norm

SOLUTION = r"tree|sqrt|jnp"


def norm(grads):
    return jnp.linalg.norm(flat(grads))


def times(factor):
    """An answer: all leaves times ``factor(norm, limit)``."""
    return lambda grads, c: jax.tree.map(lambda g: g * factor(norm(grads), c), grads)


def by(size):
    """An answer: the usual factor, with another size in place of the norm."""
    return lambda grads, c: jax.tree.map(
        lambda g: g * jnp.minimum(1.0, c / jnp.maximum(size(grads), 1e-30)), grads
    )


def flat(grads):
    return jnp.concatenate([jnp.ravel(g) for g in jax.tree.leaves(grads)])


def one_level_deep(grads, c):
    whole = jnp.sqrt(sum(jnp.sum(g**2) for g in grads.values()))
    return {name: g * jnp.minimum(1.0, c / whole) for name, g in grads.items()}


def in_numpy_with_a_division_by_zero(grads, c):
    norm = math.sqrt(sum(float(jnp.sum(g**2)) for g in jax.tree.leaves(grads)))
    return jax.tree.map(lambda g: g * min(1.0, c / norm), grads)


WRONG = {
    "clips_columns": [
        lambda grads, c: jax.tree.map(
            lambda g: g / jnp.maximum(1.0, jnp.linalg.norm(g, axis=0) / c), grads
        ),
    ],
    "identity": [lambda grads, c: grads, times(lambda n, c: 1.0)],
    # each part by itself
    "clips_each_leaf": [
        clip_by_norm,
        lambda grads, c: jax.tree.map(
            lambda g: g / jnp.maximum(1.0, jnp.linalg.norm(g) / c), grads
        ),
    ],
    "clips_by_value": [
        lambda grads, c: jax.tree.map(lambda g: jnp.clip(g, -c, c), grads),
        lambda grads, c: clip_by_value(grads, -c, c),
    ],
    "each_normalised": [
        lambda grads, c: jax.tree.map(
            lambda g: g * c / jnp.maximum(jnp.linalg.norm(g), 1e-30), grads
        )
    ],
    # a normalisation
    "always_normalised": [
        times(lambda n, c: c / n),
        times(lambda n, c: c / jnp.maximum(n, 1e-30)),
        times(lambda n, c: c / (n + 1e-6)),
    ],
    "unit_length": [times(lambda n, c: 1 / jnp.maximum(n, 1e-30))],
    "ignores_the_limit": [times(lambda n, c: 1 / jnp.maximum(n, 1.0))],
    # another size
    "squared": [by(lambda grads: jnp.sum(flat(grads) ** 2))],
    "sum_of_norms": [
        by(lambda grads: sum(jnp.linalg.norm(jnp.ravel(g)) for g in jax.tree.leaves(grads)))
    ],
    "sum_of_sizes": [by(lambda grads: jnp.linalg.norm(flat(grads), 1))],
    "largest_norm": [
        by(lambda grads: max(jnp.linalg.norm(jnp.ravel(g)) for g in jax.tree.leaves(grads)))
    ],
    "largest_entry": [by(lambda grads: jnp.max(jnp.abs(flat(grads))))],
    "root_mean_square": [by(lambda grads: jnp.sqrt(jnp.mean(flat(grads) ** 2)))],
    "average_norm": [by(lambda grads: jnp.linalg.norm(flat(grads)) / flat(grads).size)],
    "signed_sum": [by(lambda grads: jnp.abs(jnp.sum(flat(grads))))],
    "one_array_measured": [
        by(lambda grads: jnp.linalg.norm(jax.tree.leaves(grads)[0])),
        by(lambda grads: jnp.linalg.norm(grads["w"])),
    ],
    # another factor
    "only_lengthens": [
        times(lambda n, c: jnp.maximum(1.0, c / n)),
        times(lambda n, c: jnp.maximum(1.0, c / jnp.maximum(n, 1e-30))),
    ],
    "multiplied_by_the_limit": [times(lambda n, c: c)],
    "dropped": [times(lambda n, c: jnp.where(n <= c, 1.0, 0.0))],
    "upside_down": [times(lambda n, c: jnp.maximum(1.0, n / c))],
    "limit_forgotten_in_the_factor": [
        times(lambda n, c: jnp.where(n > c, 1 / jnp.maximum(n, 1e-30), 1.0))
    ],
    # corners
    "nan_at_zero": [
        times(lambda n, c: jnp.minimum(n, c) / n),
        lambda grads, c: jax.tree.map(
            lambda g: g / norm(grads) * jnp.minimum(norm(grads), c),
            grads,
        ),
    ],
    "short_ones_change": [
        times(lambda n, c: jnp.minimum(n, c) / (n + 1e-6)),
        times(lambda n, c: jnp.minimum(n, c) / (n + 1e-7)),
        times(lambda n, c: jnp.minimum(n, c) / jnp.sqrt(n**2 + 1e-12)),
    ],
    # shapes and kinds
    "returns_a_pair": [clip_by_global_norm],
    "returns_one_number": [
        lambda grads, c: global_norm(grads),
        lambda grads, c: jnp.minimum(1.0, c / global_norm(grads)),
    ],
    "returns_other": [lambda grads, c: jax.tree.map(str, grads)],
    "structure_changed": [lambda grads, c: jax.tree.leaves(right_answer(grads, c))],
    "shape_changed": [lambda grads, c: jax.tree.map(jnp.linalg.norm, grads)],
    "raises": [one_level_deep, in_numpy_with_a_division_by_zero, lambda grads: grads],
    "not_callable": [None, {"w": 1.0}],
    "wrong": [times(lambda n, c: jnp.minimum(1.0, 0.9 * c / n)), lambda g, c: clip_by_rms(g, c)],
}


def right_answer(grads, c):
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    return jax.tree.map(lambda g: g * jnp.minimum(1.0, c / norm), grads)


RIGHT = {
    "a minimum": right_answer,
    "divided by a maximum": times(lambda n, c: 1 / jnp.maximum(1.0, n / c)),
    "a select": times(lambda n, c: jnp.where(n > c, c / n, 1.0)),
    "as PyTorch has it": times(lambda n, c: jnp.minimum(1.0, c / (n + 1e-6))),
    "as TensorFlow has it": times(lambda n, c: c * jnp.minimum(1 / n, 1 / c)),
    "Optax's": lambda grads, c: optax.clip_by_global_norm(c).update(grads, optax.EmptyState())[0],
    "the operator's first result": lambda grads, c: clip_by_global_norm(grads, c)[0],
    "compiled": jax.jit(right_answer),
}
