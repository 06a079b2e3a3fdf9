"""Where Optax and Keras define the same thing, the operators agree with them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import keras
import numpy as np
import optax
import pytest

from gradlab.ops import (
    clip_adaptively,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_by_value,
    clip_per_example,
    constrained,
    global_norm,
    max_norm,
    min_max_norm,
    non_negative,
    unit_norm,
)
from tests.ops.ops_reference import assert_close, normal

pytestmark = pytest.mark.slow  # both compile many small programs

LIMITS = [0.3, 1.0, 100.0]


def tree_of(dtype):
    return {"a": normal(4, 3, dtype=dtype), "b": [normal(5, seed=2, dtype=dtype)]}


def by_optax(transformation, grads, params=None):
    return transformation.update(grads, transformation.init(params), params)[0]


def by_keras(grads, **options):
    """What Keras's SGD makes of gradients: the step from zero, backwards."""
    weights = [keras.Variable(jnp.zeros_like(g), dtype=str(g.dtype)) for g in grads]
    sgd = keras.optimizers.SGD(1.0, **options)
    sgd.build(weights)
    state, values = ([v.value for v in vs] for vs in (sgd.variables, weights))
    return [-leaf for leaf in sgd.stateless_apply(state, grads, values)[0]]


def agree(given, expected, dtype):
    jax.tree.map(lambda g, e: assert_close(g, e, dtype), given, expected)


both = pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
limits = pytest.mark.parametrize("limit", LIMITS)


@both
@limits
def test_optax_agrees_on_clipping(dtype, limit):
    grads = tree_of(dtype)
    params = jax.tree.map(lambda leaf: leaf[::-1] / 3, grads)
    agree(
        clip_by_global_norm(grads, limit)[0],
        by_optax(optax.clip_by_global_norm(limit), grads),
        dtype,
    )
    agree(clip_by_rms(grads, limit), by_optax(optax.clip_by_block_rms(limit), grads), dtype)
    agree(clip_by_value(grads, -limit, limit), by_optax(optax.clip(limit), grads), dtype)
    agree(
        clip_adaptively(grads, params, limit),
        by_optax(optax.adaptive_grad_clip(limit), grads, params),
        dtype,
    )


@both
def test_optax_agrees_on_the_global_norm(dtype):
    assert_close(global_norm(tree_of(dtype)), optax.tree.norm(tree_of(dtype)), dtype)


@both
@limits
def test_optax_returns_the_sum_of_the_examples_that_are_clipped_here(dtype, limit):
    grads = {"a": normal(6, 3, dtype=dtype), "b": normal(6, 2, 2, seed=2, dtype=dtype)}
    theirs, _ = optax.per_example_global_norm_clip(jax.tree.leaves(grads), limit)
    ours = [leaf.sum(0) for leaf in jax.tree.leaves(clip_per_example(grads, limit))]
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=50 * jnp.finfo(dtype).eps)


@both
@limits
def test_optax_agrees_on_projections_of_one_column(dtype, limit):
    w = normal(7, dtype=dtype)
    agree(max_norm(w, limit), optax.projections.projection_l2_ball(w, limit), dtype)
    agree(unit_norm(w), optax.projections.projection_l2_sphere(w), dtype)
    agree(non_negative(w), optax.projections.projection_non_negative(w), dtype)


def test_optax_agrees_on_derivatives_away_from_the_corners():
    g = normal(5)
    for limit in LIMITS:
        ours = jax.jit(jax.jacrev(lambda g, c=limit: clip_by_global_norm(g, c)[0]))(g)
        theirs = jax.jit(jax.jacrev(lambda g, c=limit: by_optax(optax.clip_by_global_norm(c), g)))(
            g
        )
        np.testing.assert_allclose(ours, theirs, atol=1e-15)


def test_optax_keeps_weights_non_negative_as_constrained_does():
    w, g = jnp.abs(normal(6)), normal(6, seed=2)
    theirs = optax.chain(optax.sgd(2.0), optax.keep_params_nonnegative())
    ours = constrained(optax.sgd(2.0), non_negative)
    landed = [optax.apply_updates(w, by_optax(optimizer, g, w)) for optimizer in (ours, theirs)]
    np.testing.assert_allclose(*landed, atol=1e-15)
    assert np.any(landed[0] == 0)


@both
@limits
def test_keras_agrees_on_clipping(dtype, limit):
    grads = jax.tree.leaves(tree_of(dtype))
    agree(clip_by_norm(grads, limit), by_keras(grads, clipnorm=limit), dtype)
    agree(clip_by_global_norm(grads, limit)[0], by_keras(grads, global_clipnorm=limit), dtype)
    agree(clip_by_value(grads, -limit, limit), by_keras(grads, clipvalue=limit), dtype)


@both
@limits
@pytest.mark.parametrize("axis", [0, 1, (0, 1)])
def test_keras_agrees_on_max_norm_with_its_epsilon_bit_for_bit_or_nearly(dtype, limit, axis):
    w = normal(4, 3, dtype=dtype).at[:, 0].multiply(1e-6)
    theirs = keras.constraints.MaxNorm(limit, axis)(w)
    agree(max_norm(w, limit, axis, epsilon=1e-7), theirs, dtype)


@both
def test_keras_agrees_on_the_other_constraints_but_for_its_epsilon(dtype):
    w = normal(4, 3, dtype=dtype)
    for ours, theirs in (
        (unit_norm(w), keras.constraints.UnitNorm()(w)),
        (min_max_norm(w, 0.5, 1.5), keras.constraints.MinMaxNorm(0.5, 1.5)(w)),
        (min_max_norm(w, 0.5, 1.5, 0.3, 1), keras.constraints.MinMaxNorm(0.5, 1.5, 0.3, 1)(w)),
        (non_negative(w), keras.constraints.NonNeg()(w)),
    ):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_keras_applies_a_constraint_after_the_step_as_constrained_does():
    w, g = normal(4, 3), normal(4, 3, seed=2)
    variable = keras.Variable(w, dtype="float64")
    variable.constraint = keras.constraints.MaxNorm(1.0)
    keras.optimizers.SGD(0.5).apply([g], [variable])
    ours = constrained(optax.sgd(0.5), lambda w: max_norm(w, 1.0, epsilon=1e-7))
    landed = optax.apply_updates(w, by_optax(ours, g, w))
    np.testing.assert_allclose(landed, variable.value, rtol=1e-7)
