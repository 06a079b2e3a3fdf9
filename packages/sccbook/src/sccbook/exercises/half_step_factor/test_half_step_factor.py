"""A bank of answers to assignment 2's second function."""

import math

import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.exercises.half_step_factor.exercise import CASES, right

WRONG = {
    "half": [lambda g, e: 0.5, lambda g, e: jnp.float32(0.5)],
    "never": [lambda g, e: 1.0],
    "zero": [lambda g, e: 0.0],
    "sign_lost": [lambda g, e: e / g],
    "upside_down": [lambda g, e: abs(g) / e, lambda g, e: g / e],
    "gradient_ignored": [lambda g, e: e],
    "epsilon_ignored": [lambda g, e: 1 / abs(g), lambda g, e: abs(g)],
    "twice_too_small": [lambda g, e: e / abs(g) / 2],
    "twice_too_large": [lambda g, e: 2 * e / abs(g)],
    "under_the_root": [lambda g, e: math.sqrt(e) / abs(g), lambda g, e: math.sqrt(e / 3) / abs(g)],
    "multiplied": [lambda g, e: e * abs(g)],
    "squared_gradient": [lambda g, e: e / g**2],
    "step_itself": [lambda g, e: e / (abs(g) + e)],
    "no_bias_correction": [lambda g, e: e / (0.2 - math.sqrt(0.001)) / abs(g)],
    "less_one": [lambda g, e: abs(g) - e],
    "returns_other": [lambda g, e: [e / abs(g)], lambda g, e: np.array([e / abs(g)])],
    "not_callable": [0.5],
    "raises": [lambda g: 0.5, lambda g, e: e / math.sqrt(g)],
    "wrong": [lambda g, e: 1.1 * e / abs(g)],
}


RIGHT = {
    "the quotient": lambda g, e: e / abs(g),
    "the root of the square": lambda g, e: e / math.sqrt(g * g),
    "the larger of both signs": lambda g, e: max(e / g, -e / g),
    "in JAX": lambda g, e: e / jnp.abs(g),
    "NumPy's own number": lambda g, e: np.float64(e) / np.abs(g),
    "with its sign": lambda g, e: e * np.sign(g) / g,
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_optax_steps_by_half_a_learning_rate_at_the_right_factor(case):
    gradient, epsilon = case.arguments
    adam = optax.adam(0.1, eps=epsilon)
    given = jnp.asarray(right(gradient, epsilon) * gradient)
    step, _ = adam.update(given, adam.init(given))
    assert float(step) == pytest.approx(-0.05 * np.sign(gradient), rel=1e-4)
