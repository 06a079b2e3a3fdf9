"""The operators under JAX's transformations, and their derivatives against differences."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.ops import (
    clip_adaptively,
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_rms,
    clip_by_value,
    clip_gradient_norm,
    clip_per_example,
    global_norm,
    max_norm,
    min_max_norm,
    non_negative,
    unit_norm,
)
from tests.ops.ops_reference import SOME_SLOW, bits, normal

WEIGHTS = np.linspace(0.2, 1.1, 6).reshape(3, 2)
# Functions of a matrix [3, 2] and a limit, to matrices or numbers.
OPERATORS: dict[str, Any] = {
    "clip_adaptively": lambda g, c: clip_adaptively(g, WEIGHTS, c),
    "clip_adaptively, by the weights": lambda w, c: clip_adaptively(10 * WEIGHTS, w, c),
    "clip_by_average_norm": lambda g, c: clip_by_average_norm(g, c / 6),
    "clip_by_global_norm": lambda g, c: clip_by_global_norm([g[0], {"b": g[1:]}], c),
    "clip_by_global_norm, its norm given": lambda g, c: clip_by_global_norm(g, 1.0, 1 + c)[0],
    "clip_by_norm": clip_by_norm,
    "clip_by_norm, by rows": lambda g, c: clip_by_norm(g, c, 1),
    "clip_by_rms": lambda g, c: clip_by_rms(g, c / 6**0.5),
    "clip_by_value": lambda g, c: clip_by_value(g, -c, c / 2),
    "clip_per_example": clip_per_example,
    "global_norm": lambda g, c: global_norm({"g": g, "c": c}),
    "max_norm": max_norm,
    "max_norm with epsilon": lambda w, c: max_norm(w, c, epsilon=c / 10),
    "min_max_norm": lambda w, c: min_max_norm(w, c, 2 * c, c / 2),
    "non_negative": lambda w, c: non_negative(c * w),
    "unit_norm": lambda w, c: unit_norm(c * w),
}


def everything(g, c):
    """What all of them give, one long vector each."""
    return {
        name: jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(f(g, c))])
        for name, f in OPERATORS.items()
    }


def total(g, c):
    """One smooth number for each of those whose formulas differ."""
    some = ("clip_adaptively, by the weights", "clip_by_norm", "global_norm", "min_max_norm")
    return {name: jnp.sum(jnp.sin(OPERATORS[name](g, c))) for name in some}


values = jax.jit(everything)
reverse = jax.jit(jax.jacrev(everything, argnums=(0, 1)))
forward = jax.jit(jax.jacfwd(everything, argnums=(0, 1)))
by_limits = jax.jit(jax.vmap(everything, (None, 0)))
by_examples = jax.jit(jax.vmap(everything, (0, None)))
LIMITS = [0.3, 0.9, 1.7]  # below all norms, between them, and above some
POINT = np.array([[0.9, -0.2], [0.4, 1.3], [-0.7, 0.1]])


large = pytest.mark.usefixtures("compile_quickly")  # the programs of all operators at once


def differences(f, g, c, step=1e-6):
    """Central differences of a function that returns a dict of vectors, by g and by c."""
    moves = [np.zeros(7) for _ in range(7)]
    for n, move in enumerate(moves):
        move[n] = step
    slopes = []
    for move in moves:
        dg, dc = move[:6].reshape(3, 2), move[6]
        ahead, behind = f(g + dg, c + dc), f(g - dg, c - dc)
        slopes.append(
            {k: (np.asarray(ahead[k]) - np.asarray(behind[k])) / (2 * step) for k in ahead}
        )
    by_g = {k: np.stack([s[k] for s in slopes[:6]], -1) for k in slopes[0]}
    return {k: (v.reshape(*v.shape[:-1], 3, 2), slopes[6][k]) for k, v in by_g.items()}


@large
@pytest.mark.parametrize("c", LIMITS)
def test_derivatives_by_entries_and_limits_are_those_of_finite_differences(c):
    expected = differences(values, POINT, c)
    for name, (by_g, by_c) in reverse(POINT, c).items():
        np.testing.assert_allclose(by_g, expected[name][0], atol=1e-8, err_msg=name)
        np.testing.assert_allclose(by_c, expected[name][1], atol=1e-8, err_msg=name)


@large
@pytest.mark.slow
@pytest.mark.parametrize("c", LIMITS)
def test_forward_mode_gives_the_derivatives_of_reverse_mode(c):
    backwards = reverse(POINT, c)
    for name, slopes in forward(POINT, c).items():
        for one, other in zip(slopes, backwards[name], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-13, err_msg=name)


@large
@pytest.mark.slow
@pytest.mark.parametrize("c", LIMITS)
def test_second_derivatives_are_those_of_finite_differences(c):
    expected = differences(jitted_slopes, POINT, c)
    for name, ((gg, gc), (cg, cc)) in jitted_curvatures(POINT, c).items():
        by_g, by_c = expected[name]
        for given, wanted in ((gg, by_g[:6]), (cg, by_g[6]), (gc, by_c[:6]), (cc, by_c[6])):
            np.testing.assert_allclose(
                np.asarray(given).ravel(), wanted.ravel(), atol=1e-7, err_msg=name
            )


@jax.jit
def jitted_slopes(g, c):
    slopes = jax.jacrev(total, argnums=(0, 1))(g, c)
    return {name: jnp.append(by_g, by_c) for name, (by_g, by_c) in slopes.items()}


jitted_curvatures = jax.jit(jax.hessian(total, argnums=(0, 1)))


@large
@pytest.mark.slow
def test_vmap_takes_one_limit_per_example_and_gives_what_a_loop_gives():
    together = by_limits(POINT, jnp.array(LIMITS))
    for n, c in enumerate(LIMITS):
        for name, y in values(POINT, c).items():
            np.testing.assert_allclose(together[name][n], y, rtol=1e-14, err_msg=name)


@large
@pytest.mark.slow
def test_vmap_over_the_entries_gives_what_a_loop_gives_at_all_magnitudes():
    batch = jnp.stack([POINT, 0 * POINT, 1e-200 * POINT, 1e200 * POINT])
    together = by_examples(batch, 0.9)
    for n, g in enumerate(batch):
        for name, y in values(g, 0.9).items():
            np.testing.assert_allclose(together[name][n], y, rtol=1e-14, err_msg=name)


@large
@pytest.mark.slow
def test_under_scan_and_checkpoint_gradients_are_those_of_a_loop():
    def step(g, c):
        g = clip_by_norm(jnp.sin(2 * g), c) + clip_by_global_norm(g, c)[0] + max_norm(g, c)
        return g, jnp.sum(g**2)

    def scanned(g, limits, step=step):
        return jnp.sum(jax.lax.scan(step, g, limits)[1])

    def unrolled(g, limits):
        losses = []
        for c in limits:
            g, loss = step(g, c)
            losses.append(loss)
        return sum(losses)

    def checkpointed(g, limits):
        return scanned(g, limits, jax.checkpoint(step))

    expected = jax.jit(jax.grad(unrolled, (0, 1)))(POINT, LIMITS)
    for f in (scanned, checkpointed):
        by_g, by_limit = jax.jit(jax.grad(f, (0, 1)))(POINT, jnp.array(LIMITS))
        np.testing.assert_allclose(by_g, expected[0], rtol=1e-12)
        np.testing.assert_allclose(by_limit, expected[1], rtol=1e-12)


def test_linearize_and_vjp_are_transposes():
    tangent, cotangent = normal(3, 2, seed=2), normal(3, 2, seed=3)
    y, push = jax.linearize(lambda g: clip_by_norm(g, 0.9), POINT)
    _, pull = jax.vjp(lambda g: clip_by_norm(g, 0.9), POINT)
    np.testing.assert_array_equal(y, clip_by_norm(POINT, 0.9))
    np.testing.assert_allclose(
        jnp.vdot(push(tangent), cotangent), jnp.vdot(tangent, pull(cotangent)[0]), rtol=1e-13
    )


@pytest.mark.parametrize("dtype", SOME_SLOW)
def test_tangents_and_cotangents_have_the_leafs_dtype(dtype):
    g = jnp.array([3, 4], dtype)

    def all_three(g):
        return [clip_by_norm(g, 1.0), clip_by_value(g, -1, 1), clip_by_global_norm(g, 1.0)[0]]

    @jax.jit
    def both(g):
        return jax.jvp(all_three, (g,), (g,)), jax.vjp(all_three, g)[1]([g, g, g])

    (values, tangents), (cotangent,) = both(g)
    assert {leaf.dtype for leaf in (*values, *tangents, cotangent)} == {g.dtype}


def test_a_learned_limit_finds_the_one_that_data_were_clipped_with():
    g = 3 * normal(8, 5)
    target = clip_per_example(g, 1.25)

    def loss(c):
        return jnp.mean((clip_per_example(g, c) - target) ** 2)

    @jax.jit
    def learn(c):
        return jax.lax.fori_loop(0, 200, lambda _, c: c - jax.grad(loss)(c), c)

    assert learn(4.0) == pytest.approx(1.25, abs=1e-6)


def test_gradients_of_a_step_that_clips_exist_where_the_gradient_is_zero():
    # A weight at its optimum: a meta-gradient through the step is the identity, not NaN.
    def after_one_step(w, limit):
        g = jax.grad(lambda w: jnp.sum(w**2) / 2)(w)
        return w - 0.1 * clip_by_global_norm(g, limit)[0]

    by_w, by_limit = jax.jit(jax.jacrev(after_one_step, (0, 1)))(jnp.zeros(2), 1.0)
    np.testing.assert_allclose(by_w, 0.9 * np.eye(2))
    assert by_limit.tolist() == [0.0, 0.0]


class Point(NamedTuple):
    x: Any
    y: Any


@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, inside):
        self.inside = inside

    def tree_flatten(self):
        return (self.inside,), "aux"

    @classmethod
    def tree_unflatten(cls, _, leaves):
        return cls(*leaves)


def test_any_pytree_will_do():
    tree = Box([Point(jnp.array([3.0]), None), (4.0, jnp.arange(2))])
    clipped, norm = clip_by_global_norm(tree, 1.0)
    assert norm == 5.0
    assert isinstance(clipped, Box)
    point, (number, integers) = clipped.inside
    assert isinstance(point, Point)
    np.testing.assert_allclose([point.x[0], number], [0.6, 0.8])
    assert point.y is None
    assert integers is tree.inside[1][1]
    assert jax.tree.structure(clip_by_norm(tree, 1.0)) == jax.tree.structure(tree)


def test_numpy_arrays_are_leaves():
    y = clip_by_norm({"a": np.array([3.0, 4.0]), "b": np.float32(3)}, 1)
    np.testing.assert_allclose(y["a"], [0.6, 0.8])
    assert y["a"].dtype == jnp.float64
    assert y["b"].dtype == jnp.float32


def test_without_64_bits_the_working_precision_is_float32():
    with jax.enable_x64(False):
        clipped, norm = clip_by_global_norm([np.array([3.0, 4.0]), jnp.float16(0)], 1)
        assert norm.dtype == clipped[0].dtype == jnp.float32
        np.testing.assert_allclose(clipped[0], [0.6, 0.8], rtol=1e-6)


def test_a_second_call_without_jit_compiles_nothing(caplog):
    # A length that no other test has, so that the first call does compile.
    g = jnp.ones(1031)

    def call(limit):
        caplog.clear()
        with caplog.at_level(logging.WARNING), jax.log_compiles():
            clip_by_global_norm({"a": g}, limit)
            max_norm(g, limit)
        return [record for record in caplog.records if "Compiling" in record.getMessage()]

    assert call(1.0)
    assert not call(2.0)


def primitives(jaxpr, into_cond):
    for equation in jaxpr.eqns:
        yield equation.primitive.name
        if equation.primitive.name != "cond" or into_cond:
            for part in jax.tree.leaves(
                list(equation.params.values()), is_leaf=lambda p: hasattr(p, "eqns")
            ):
                inner = getattr(part, "jaxpr", part)
                if hasattr(inner, "eqns"):
                    yield from primitives(inner, into_cond)


def test_the_norm_reads_each_leaf_once_unless_the_squares_are_out_of_range():
    jaxpr = jax.make_jaxpr(lambda t: clip_by_global_norm(t, 1.0))([jnp.ones(9), jnp.ones((2, 3))])
    ordinarily = list(primitives(jaxpr.jaxpr, into_cond=False))
    assert ordinarily.count("cond") == 1
    assert ordinarily.count("reduce_sum") == 2
    assert "reduce_max" not in ordinarily
    assert "reduce_max" in list(primitives(jaxpr.jaxpr, into_cond=True))


def test_magnitudes_are_kept_under_jit_of_grad_of_vmap():
    def f(g):
        return jnp.sum(jax.vmap(lambda g: clip_by_norm(g, 1.0))(g))

    g = jnp.array([[3e200, 4e200], [0.0, 0.0], [0.3, 0.4], [3.0, 4.0]])
    slopes = jax.jit(jax.grad(f))(g)
    np.testing.assert_allclose(slopes[1:3], np.ones((2, 2)))
    np.testing.assert_allclose(slopes[3], [0.032, -0.024], rtol=1e-13)
    np.testing.assert_allclose(slopes[0], np.zeros(2), atol=1e-199)


def test_bits_are_kept_within_the_limit_under_every_transformation():
    g = jnp.array([[0.3, -0.0], [1e-310, 0.4]])
    for f in (
        jax.jit(lambda g: clip_by_norm(g, 1.0)),
        jax.jit(jax.vmap(lambda g: clip_by_norm(g, 1.0))),
        lambda g: jax.lax.map(lambda g: clip_by_norm(g, 1.0), g),
        lambda g: jax.jvp(lambda g: clip_by_norm(g, 1.0), (g,), (g,))[0],
        lambda g: jax.vjp(lambda g: clip_gradient_norm(g, 1.0), g)[0],
        jax.checkpoint(lambda g: clip_by_norm(g, 1.0)),
    ):
        assert bits(f(g)) == bits(g)
