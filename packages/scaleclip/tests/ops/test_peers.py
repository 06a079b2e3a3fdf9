"""Optax and Keras beside the operators: where they agree, and the differences that are documented.

Each difference that a docstring or a chapter states asserts both sides, so that it fails when a
peer changes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.ops.reference import norm64, normal

from scaleclip.ops import (
    clip_adaptively,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_by_value,
    clip_gradient,
    clip_per_example,
    constrained,
    global_norm,
    max_norm,
    min_max_norm,
    non_negative,
    scale_gradient,
    unit_norm,
)

pytestmark = pytest.mark.slow  # the peers compile many small programs


class _Keras:
    """Keras, imported when it is used: the import takes longer than all quick tests here."""

    def __getattr__(self, name):
        return getattr(import_module("keras"), name)


keras = _Keras()


def half(*entries):
    return jnp.array(entries, jnp.float16)


def single(*entries):
    return jnp.array(entries, jnp.float32)


def by_optax(transformation, grads, params=None):
    return transformation.update(grads, transformation.init(params), params)[0]


def optax_global(g, c):
    return by_optax(optax.clip_by_global_norm(c), g)


def ours_global(g, c):
    return clip_by_global_norm(g, c)[0]


def optax_rms(g, c):
    return by_optax(optax.clip_by_block_rms(c), g)


def optax_adaptive(g, w, ratio):
    return by_optax(optax.adaptive_grad_clip(ratio), g, w)


def by_keras(grads, **options):
    """Put gradients through Keras's SGD: the step from zero, backwards."""
    leaves, structure = jax.tree.flatten(grads)
    weights = [keras.Variable(jnp.zeros_like(g), dtype=str(g.dtype)) for g in leaves]
    sgd = keras.optimizers.SGD(1.0, **options)
    sgd.build(weights)
    state, values = ([v.value for v in vs] for vs in (sgd.variables, weights))
    stepped = sgd.stateless_apply(state, leaves, values)[0]
    return jax.tree.unflatten(structure, [-leaf for leaf in stepped])


def back(tree):
    return jax.tree.map(lambda leaf: leaf[::-1] / 3, tree)


def curve_slope(scaling, t, c):
    return jax.grad(lambda t: jnp.sum(jnp.sin(scaling(t, c)["a"]) ** 2))(t)


def keras_after_a_step(t, c):
    variable = keras.Variable(t["a"], dtype=str(t["a"].dtype))
    variable.constraint = keras.constraints.MaxNorm(c)
    keras.optimizers.SGD(0.5).apply([back(t["a"])], [variable])
    return variable.value


def after_a_step(optimizer, w, g):
    return optax.apply_updates(w, by_optax(optimizer, g, w))


# Where Optax and Keras define the same thing: ours and theirs, of a pytree and a limit, and how
# far they may be apart, in units in the last place or as a share.
AGREE: dict[str, tuple[Any, ...]] = {
    "optax.clip_by_global_norm": (ours_global, optax_global),
    "its derivative": (
        lambda t, c: jax.jacrev(lambda g: ours_global(g, c))(t["b"][0]),
        lambda t, c: jax.jacrev(lambda g: optax_global(g, c))(t["b"][0]),
    ),
    "optax.clip_by_block_rms": (clip_by_rms, optax_rms),
    "optax.clip": (lambda t, c: clip_by_value(t, -c, c), lambda t, c: by_optax(optax.clip(c), t)),
    "optax.adaptive_grad_clip": (
        lambda t, c: clip_adaptively(t, back(t), c), lambda t, c: optax_adaptive(t, back(t), c)
    ),
    "optax.tree.norm": (lambda t, c: global_norm(t), lambda t, c: optax.tree.norm(t)),
    "the sum of optax.per_example_global_norm_clip": (
        lambda t, c: clip_per_example(t["a"], c).sum(0),
        lambda t, c: optax.per_example_global_norm_clip([t["a"]], c)[0][0],
    ),
    "optax.projections.projection_l2_ball": (
        lambda t, c: max_norm(t["b"][0], c), lambda t, c: optax.projections.projection_l2_ball(t["b"][0], c)
    ),
    "optax.projections.projection_l2_sphere": (
        lambda t, c: unit_norm(t["b"][0]), lambda t, c: optax.projections.projection_l2_sphere(t["b"][0])
    ),
    "optax.projections.projection_non_negative": (
        lambda t, c: non_negative(t), lambda t, c: optax.projections.projection_non_negative(t)
    ),
    "optax.keep_params_nonnegative": (
        lambda t, c: after_a_step(constrained(optax.sgd(2.0), non_negative), jnp.abs(t["a"]), back(t["a"])),
        lambda t, c: after_a_step(
            optax.chain(optax.sgd(2.0), optax.keep_params_nonnegative()), jnp.abs(t["a"]), back(t["a"])
        ),
    ),
    "optax.scale_gradient": (
        lambda t, c: curve_slope(scale_gradient, t, c), lambda t, c: curve_slope(optax.scale_gradient, t, c)
    ),
    "keras clipnorm": (clip_by_norm, lambda t, c: by_keras(t, clipnorm=c)),
    "keras global_clipnorm": (ours_global, lambda t, c: by_keras(t, global_clipnorm=c)),
    "keras clipvalue": (lambda t, c: clip_by_value(t, -c, c), lambda t, c: by_keras(t, clipvalue=c)),
    **{
        f"keras MaxNorm over {axis}": (
            lambda t, c, axis=axis: max_norm(t["a"], c, axis, epsilon=1e-7),
            lambda t, c, axis=axis: keras.constraints.MaxNorm(c, axis)(t["a"]),
        )
        for axis in (0, 1, (0, 1))
    },
    "keras UnitNorm": (lambda t, c: unit_norm(t["a"]), lambda t, c: keras.constraints.UnitNorm()(t["a"]), 1e-6),
    "keras MinMaxNorm": (
        lambda t, c: min_max_norm(t["a"], c / 2, c, 0.3, 1),
        lambda t, c: keras.constraints.MinMaxNorm(c / 2, c, 0.3, 1)(t["a"]), 1e-6,
    ),
    "keras NonNeg": (lambda t, c: non_negative(t["a"]), lambda t, c: keras.constraints.NonNeg()(t["a"])),
    "keras, a constraint after the step": (
        lambda t, c: after_a_step(
            constrained(optax.sgd(0.5), lambda w: max_norm(w, c, epsilon=1e-7)), t["a"], back(t["a"])
        ),
        keras_after_a_step, 1e-6,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "dtype", [jnp.float32, pytest.param(jnp.float64, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("name", AGREE)
def test_where_a_peer_defines_the_same_it_gives_the_same(name, dtype):
    ours, theirs, *apart = AGREE[name]
    (share,) = apart or [20 * float(jnp.finfo(dtype).eps)]
    tree = {"a": normal(4, 3, dtype=dtype), "b": [normal(5, seed=2, dtype=dtype)]}
    for limit in (0.3, 1.0, 100.0):
        pairs = zip(*map(jax.tree.leaves, (ours(tree, limit), theirs(tree, limit))), strict=True)
        for a, b in pairs:
            assert a.dtype == b.dtype == dtype
            np.testing.assert_allclose(a, b, rtol=share, atol=share)


def keras_max_norm(w, c):
    return keras.constraints.MaxNorm(c)(w)


def many(f, w, times=100_000):
    """``f`` applied that many times; the norm that is left."""
    return norm64(jax.jit(lambda w: jax.lax.fori_loop(0, times, lambda _, w: f(w), w))(w))


def slope(f, at=0.0):
    return jax.grad(f)(at)


def changed(clip):
    """The integer limits at which a clip changes a gradient within the limit, in float32."""
    g = single(0.5)
    return [c for c in range(1, 60) if clip(g, float(c)) != g]


def with_ema(w, g):
    """The norm of the averaged weights that Keras keeps of a step that it then constrains."""
    variable = keras.Variable(w, dtype="float64")
    variable.constraint = keras.constraints.MaxNorm(1.0)
    sgd = keras.optimizers.SGD(1.0, use_ema=True, ema_momentum=0.0)
    sgd.build([variable])
    sgd.apply([g])
    return norm64(sgd._model_variables_moving_average[0].value) > 1.5, norm64(variable.value) <= 1


NAN, INF = np.nan, np.inf

# By a difference the peer's function and what it gives, ours and what it gives: values, or an error.
ROWS: dict[str, tuple[Callable[[], Any], Any, Callable[[], Any], Any]] = {
    # Optax: clip_by_global_norm, global_norm
    "optax: a float16 norm overflows and the gradient becomes 0": (
        lambda: optax_global(half(300, 400), 5.0), [0, 0],
        lambda: ours_global(half(300, 400), 5.0), [3, 4],
    ),
    "optax: float32 squares overflow and the gradient becomes 0": (
        lambda: optax_global(single(3e30, 4e30), 1.0), [0, 0],
        lambda: ours_global(single(3e30, 4e30), 1.0), [0.6, 0.8],
    ),
    "optax: float32 squares underflow and a gradient beyond the limit is let through": (
        lambda: optax_global(single(3e-30, 4e-30), 1e-30) / 1e-30, [3, 4],
        lambda: ours_global(single(3e-30, 4e-30), 1e-30) / 1e-30, [0.6, 0.8],
    ),
    "optax: an inf entry gives NaN there and 0 elsewhere": (
        lambda: optax_global(single(INF, 1), 5.0), [NAN, 0],
        lambda: ours_global(single(INF, 1), 5.0), [NAN, NAN],
    ),
    "optax: a limit of 0 gives NaN at zero": (
        lambda: optax_global(jnp.zeros(2), 0.0), [NAN, NAN],
        lambda: ours_global(jnp.zeros(2), 0.0), [0, 0],
    ),
    "optax: the derivative of the global clip at zero is NaN": (
        lambda: jax.jacrev(lambda g: optax_global(g, 1.0))(jnp.zeros(2)), np.full((2, 2), NAN),
        lambda: jax.jacrev(lambda g: ours_global(g, 1.0))(jnp.zeros(2)), np.eye(2),
    ),
    "optax: a negative limit turns the gradient round": (
        lambda: optax_global(jnp.array([3.0, 4.0]), -1.0), [-0.6, -0.8],
        lambda: ours_global(jnp.array([3.0, 4.0]), -1.0), ValueError,
    ),
    "optax: the global norm's derivative at zero is NaN": (
        lambda: jax.grad(optax.tree.norm)(jnp.zeros(2)), [NAN, NAN],
        lambda: jax.grad(global_norm)(jnp.zeros(2)), [0, 0],
    ),
    "optax: the global norm overflows": (
        lambda: optax.tree.norm(single(3e30, 4e30)), INF,
        lambda: global_norm(single(3e30, 4e30)) / 1e30, 5,
    ),
    # Optax: clip
    "optax: the derivative of clip at a limit is one half": (
        lambda: slope(lambda g: by_optax(optax.clip(1.0), g), 1.0), 0.5,
        lambda: slope(lambda g: clip_by_value(g, -1.0, 1.0), 1.0), 1,
    ),
    "jax: the derivative of jnp.clip at a limit is one half": (
        lambda: slope(lambda g: jnp.clip(g, -1.0, 1.0), 1.0), 0.5,
        lambda: slope(lambda g: clip_by_value(g, -1.0, 1.0), 1.0), 1,
    ),
    "jax: the derivative of lax.clamp at a limit is 0": (
        lambda: slope(lambda g: jax.lax.clamp(-1.0, g, 1.0), 1.0), 0,
        lambda: slope(lambda g: clip_by_value(g, -1.0, 1.0), 1.0), 1,
    ),
    "jax: a gradient clipped by jnp.clip has the second derivative one half at a limit": (
        lambda: slope(lambda g: jnp.clip(2 * g, -1.0, 1.0), 0.5), 1,
        lambda: slope(lambda x: slope(lambda x: clip_gradient(x, -1.0, 1.0) ** 2, x), 0.5), 2,
    ),
    "optax: an empty interval gives its maximum": (
        lambda: by_optax(optax.clip(-1.0), jnp.zeros(2)), [-1, -1],
        lambda: clip_by_value(jnp.zeros(2), 1.0, -1.0), ValueError,
    ),
    "jax: an empty interval gives its maximum": (
        lambda: jnp.clip(jnp.zeros(2), 1.0, -1.0), [-1, -1],
        lambda: jax.jit(clip_by_value)(jnp.zeros(2), 1.0, -1.0), [NAN, NAN],
    ),
    # Optax: the others
    "optax: the rms overflows and the gradient becomes 0": (
        lambda: optax_rms(single(3e30, 4e30), 1.0), [0, 0],
        lambda: clip_by_rms(single(3e30, 4e30), 0.5**0.5), [0.6, 0.8],
    ),
    "optax: an rms limit of 0 gives NaN at zero": (
        lambda: optax_rms(jnp.zeros(2), 0.0), [NAN, NAN],
        lambda: clip_by_rms(jnp.zeros(2), 0.0), [0, 0],
    ),
    "optax: the derivative of the rms clip at zero is NaN": (
        lambda: jax.jacrev(lambda g: optax_rms(g, 1.0))(jnp.zeros(2)), np.full((2, 2), NAN),
        lambda: jax.jacrev(lambda g: clip_by_rms(g, 1.0))(jnp.zeros(2)), np.eye(2),
    ),
    "optax: an adaptive clip divides by 1e-6 at least, and so shortens small gradients more": (
        lambda: optax_adaptive(jnp.array([1e-7]), jnp.zeros(1), 1e-5) / 1e-7, [1e-2],
        lambda: clip_adaptively(jnp.array([1e-7]), jnp.zeros(1), 1e-5) / 1e-7, [0.1],
    ),
    "optax: an adaptive clip refuses ranks above 5": (
        lambda: optax_adaptive(jnp.ones((2,) * 6), jnp.ones((2,) * 6), 0.1), ValueError,
        lambda: clip_adaptively(jnp.ones((2,) * 6), jnp.ones((2,) * 6), 0.1).shape, (2,) * 6,
    ),
    "optax: a per-example clip returns the sum": (
        lambda: optax.per_example_global_norm_clip([jnp.ones((3, 1))], 0.5)[0][0], [1.5],
        lambda: clip_per_example([jnp.ones((3, 1))], 0.5)[0], np.full((3, 1), 0.5),
    ),
    "optax: an example with NaN passes unclipped, here into the sum": (
        lambda: optax.per_example_global_norm_clip([jnp.array([[NAN, 5.0]])], 1.0)[0][0], [NAN, 5],
        lambda: clip_per_example([jnp.array([[NAN, 5.0]])], 1.0)[0], [[NAN, NAN]],
    ),
    # Optax: projections
    "optax: projection_l2_ball takes the whole matrix for one column": (
        lambda: optax.projections.projection_l2_ball(3 * jnp.eye(2), 3.0), np.eye(2) * 4.5**0.5,
        lambda: max_norm(3 * jnp.eye(2), 3.0), 3 * np.eye(2),
    ),
    "optax: projection_l2_sphere takes the whole matrix for one column": (
        lambda: optax.projections.projection_l2_sphere(jnp.eye(2)), np.eye(2) * 0.5**0.5,
        lambda: unit_norm(jnp.eye(2)), np.eye(2),
    ),
    "optax: the derivative of projection_non_negative at 0 is 0": (
        lambda: slope(optax.projections.projection_non_negative), 0,
        lambda: slope(non_negative), 1,
    ),
    # Optax: scale_gradient
    "optax: scale_gradient has no forward mode": (
        lambda: jax.jvp(lambda x: optax.scale_gradient(x, 0.5), (1.0,), (1.0,)), TypeError,
        lambda: jax.jvp(lambda x: scale_gradient(x, 0.5), (1.0,), (1.0,)), (1, 0.5),
    ),
    "optax: scale_gradient takes no traced scale": (
        lambda: jax.jit(jax.grad(optax.scale_gradient))(1.0, 0.5),
        jax.errors.TracerBoolConversionError,
        lambda: jax.jit(jax.grad(scale_gradient))(1.0, 0.5), 0.5,
    ),
    # Keras: optimizers
    "keras: clipnorm overflows in float16 and the gradient becomes 0": (
        lambda: by_keras(half(300, 400), clipnorm=5.0), [0, 0],
        lambda: clip_by_norm(half(300, 400), 5.0), [3, 4],
    ),
    "keras: global_clipnorm overflows in float16 and the gradient becomes NaN": (
        lambda: by_keras(half(300, 400), global_clipnorm=5.0), [NAN, NAN],
        lambda: ours_global(half(300, 400), 5.0), [3, 4],
    ),
    "keras: clipnorm makes NaN of inf and 0 of the rest": (
        lambda: by_keras(single(INF, 1), clipnorm=5.0), [NAN, 0],
        lambda: clip_by_norm(single(INF, 1), 5.0), [NAN, NAN],
    ),
    "keras: global_clipnorm makes NaN of everything, as we do": (
        lambda: by_keras(single(INF, 1), global_clipnorm=5.0), [NAN, NAN],
        lambda: ours_global(single(INF, 1), 5.0), [NAN, NAN],
    ),
    "keras: global_clipnorm changes gradients within the limit where c (1 / c) is not 1": (
        lambda: changed(lambda g, c: by_keras(g, global_clipnorm=c)), [41, 47, 55],
        lambda: changed(ours_global), [],
    ),
    "keras: a limit of 0 switches clipnorm off": (
        lambda: by_keras(single(3, 4), clipnorm=0.0), [3, 4],
        lambda: clip_by_norm(single(3, 4), 0.0), [0, 0],
    ),
    "keras: a negative limit switches clipnorm off": (
        lambda: by_keras(single(3, 4), clipnorm=-5.0), [3, 4],
        lambda: clip_by_norm(single(3, 4), -5.0), ValueError,
    ),
    "keras: a negative limit switches global_clipnorm off": (
        lambda: by_keras(single(3, 4), global_clipnorm=-5.0), [3, 4],
        lambda: ours_global(single(3, 4), -5.0), ValueError,
    ),
    "keras: a limit of 0 switches clipvalue off": (
        lambda: by_keras(single(3, 4), clipvalue=0.0), [3, 4],
        lambda: clip_by_value(single(3, 4), -0.0, 0.0), [0, 0],
    ),
    "keras: its three clips exclude each other, ours compose": (
        lambda: keras.optimizers.SGD(clipnorm=1.0, clipvalue=1.0), ValueError,
        lambda: clip_by_value(clip_by_norm(single(3, 4), 1.0), -0.7, 0.7), [0.6, 0.7],
    ),
    # Keras: constraints
    "keras: MaxNorm shortens a column below the cap, in the end to nine tenths": (
        lambda: round(many(lambda w: keras_max_norm(w, 1.0), single(0.06, 0.08)), 3), 0.090,
        lambda: round(many(lambda w: max_norm(w, 1.0), single(0.06, 0.08)), 3), 0.100,
    ),
    "keras: MaxNorm shortens a small column to 0": (
        lambda: many(lambda w: keras_max_norm(w, 1.0), single(6e-4, 8e-4)), 0,
        lambda: many(lambda w: max_norm(w, 1.0), single(6e-4, 8e-4)), 1e-3,
    ),
    "keras: MaxNorm overflows in float16 and the column becomes 0": (
        lambda: keras_max_norm(half(300, 400), 5.0), [0, 0],
        lambda: max_norm(half(300, 400), 5.0), [3, 4],
    ),
    "keras: the derivative of MaxNorm at zero is NaN": (
        lambda: jax.jacrev(lambda w: keras_max_norm(w, 1.0))(jnp.zeros(2)), np.full((2, 2), NAN),
        lambda: jax.jacrev(lambda w: max_norm(w, 1.0))(jnp.zeros(2)), np.eye(2),
    ),
    "keras: UnitNorm leaves small columns much shorter than 1": (
        lambda: keras.constraints.UnitNorm()(jnp.array([1e-7])), [0.5],
        lambda: unit_norm(jnp.array([1e-7])), [1],
    ),
    "keras: MinMaxNorm moves a column that is within the interval": (
        lambda: keras.constraints.MinMaxNorm(0.0, 1.0)(jnp.array([1e-6])) * 1.1e6, [1],
        lambda: min_max_norm(jnp.array([1e-6]), 0.0, 1.0) * 1e6, [1],
    ),
    "keras: MinMaxNorm leaves a zero column at zero, as we do": (
        lambda: keras.constraints.MinMaxNorm(1.0, 2.0)(jnp.zeros(2)), [0, 0],
        lambda: min_max_norm(jnp.zeros(2), 1.0, 2.0), [0, 0],
    ),
    "keras: the derivative of NonNeg at 0 is one half": (
        lambda: slope(lambda w: keras.constraints.NonNeg()(w)), 0.5,
        lambda: slope(non_negative), 1,
    ),
    "keras: averaged weights are averaged before the constraint, and so may break it": (
        lambda: with_ema(jnp.array([3.0, 4.0]), jnp.array([1.0, 1.0])), (True, True),
        lambda: bool(norm64(max_norm(jnp.array([2.0, 3.0]), 1.0)) <= 1 + 1e-15), True,
    ),
}  # fmt: skip


def outcome(f):
    try:
        return f()
    except (TypeError, ValueError) as error:
        return type(error)


def assert_is(given, expected):
    if isinstance(expected, type):
        assert given is expected
    else:
        assert not isinstance(given, type), given
        np.testing.assert_allclose(
            np.asarray(given, np.float64), np.asarray(expected, np.float64), rtol=1e-3, atol=1e-15
        )


@pytest.mark.parametrize("difference", ROWS)
def test_the_documented_difference_is_there(difference):
    theirs, gives, ours, but_here = ROWS[difference]
    assert_is(outcome(theirs), gives)
    assert_is(outcome(ours), but_here)
