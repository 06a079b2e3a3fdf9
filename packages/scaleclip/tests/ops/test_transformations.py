"""The operators under JAX's transformations, and their derivatives against differences."""

from __future__ import annotations

import logging
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.reference import bits

from scaleclip.ops import (
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
# those whose formulas differ
SOME = ("clip_adaptively, by the weights", "clip_by_norm", "global_norm", "min_max_norm")
LIMITS = [0.3, 0.9, 1.7]  # below all norms, between them, and above some
POINT = np.array([[0.9, -0.2], [0.4, 1.3], [-0.7, 0.1]])


def everything(v):
    """Return what all of them give for entries and a limit, one long vector."""
    found = [f(v[:6].reshape(3, 2), v[6]) for f in OPERATORS.values()]
    return jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(found)])


def slopes_of_some(v):
    """The slopes of one smooth number for each of those whose formulas differ."""
    numbers = lambda v: jnp.stack(
        [jnp.sum(jnp.sin(OPERATORS[name](v[:6].reshape(3, 2), v[6]))) for name in SOME]
    )
    return jnp.ravel(jax.jacrev(numbers)(v))


values = jax.jit(everything)
by_vmap = jax.jit(jax.vmap(everything))


def differences(f, v, step=1e-6):
    """The Jacobian of a function by central differences."""
    return np.stack([(f(v + d) - f(v - d)) / (2 * step) for d in step * np.eye(7)], axis=-1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("f", "jacobian", "tolerance"),
    [
        (everything, jax.jacrev, 1e-8),
        pytest.param(everything, jax.jacfwd, 1e-8, marks=pytest.mark.exhaustive),
        pytest.param(slopes_of_some, jax.jacfwd, 1e-7, marks=pytest.mark.exhaustive),
    ],
    ids=["reverse", "forward", "second"],
)  # fmt: skip
def test_derivatives_match_finite_differences(f, jacobian, tolerance):
    plain, derivative = jax.jit(f), jax.jit(jacobian(f))
    for c in LIMITS:
        v = np.append(POINT, c)
        np.testing.assert_allclose(derivative(v), differences(plain, v), atol=tolerance)


@pytest.mark.slow
def test_vmap_gives_what_a_loop_gives_at_all_limits_and_magnitudes():
    points = [np.append(POINT, c) for c in LIMITS]
    points += [np.append(size * POINT, 0.9) for size in (0, 1e-200, 1e200)]
    for together, v in zip(by_vmap(np.stack(points)), points, strict=True):
        np.testing.assert_allclose(together, values(v), rtol=1e-14)


@pytest.mark.slow
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


@pytest.mark.slow
def test_bits_are_kept_within_the_limit_under_every_transformation():
    g = jnp.array([[0.3, -0.0], [1e-310, 0.4]])
    clip = lambda g: clip_by_norm(g, 1.0)
    for f in (
        jax.jit(clip),
        jax.jit(jax.vmap(clip)),
        lambda g: jax.lax.map(clip, g),
        lambda g: jax.jvp(clip, (g,), (g,))[0],
        lambda g: jax.vjp(lambda g: clip_gradient_norm(g, 1.0), g)[0],
        jax.checkpoint(clip),
    ):
        assert bits(f(g)) == bits(g)
