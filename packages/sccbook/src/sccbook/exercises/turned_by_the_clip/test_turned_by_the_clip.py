"""A bank of answers to assignment 3's third function."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_norm, clip_by_value
from sccbook.exercises.turned_by_the_clip.exercise import CASES, between


def at(direction, length):
    """A gradient at an angle in degrees from the first axis."""
    return [length * math.cos(math.radians(direction)), length * math.sin(math.radians(direction))]


def right(limit, angle):
    return at(45 - angle, 1000 * limit)


WRONG = {
    "nothing_clipped": [lambda c, a: at(45 - a, 0.5 * c), lambda c, a: [0.1 * c, 0.2 * c]],
    "on_an_axis": [lambda c, a: [10 * c, 0.0], lambda c, a: (0.0, -5 * c)],
    "on_the_diagonal": [lambda c, a: [3 * c, 3 * c], lambda c, a: [-9 * c, 9 * c]],
    "limit_ignored": [lambda c, a: at(45 - a, 1.0001 / math.sin(math.radians(45 - a)))],
    "degrees_as_radians": [
        lambda c, a: [1000 * c * math.cos(45 - a), 1000 * c * math.sin(45 - a)],
        lambda c, a: [1000 * c * math.cos(a), 1000 * c * math.sin(a)],
        lambda c, a: [c / math.tan(45 - a), c],
        lambda c, a: [c, c * math.tan(45 + a)],
    ],
    "from_the_axis": [lambda c, a: at(a, 1000 * c)],
    "half": [lambda c, a: at(45 - a / 2, 1000 * c)],
    "too_short": [lambda c, a: at(45 - a, 1.05 * c / math.cos(math.radians(45 - a)))],
    "wrong_length": [lambda c, a: at(0.05, 10000 * c)],
    "wrong_direction": [lambda c, a: at(45 - a / 3, 1000 * c)],
    "always_the_same": [lambda c, a: [3.0, 0.2]],
    "shape_changed": [lambda c, a: [1.0, 2.0, 3.0], lambda c, a: 5 * c],
    "returns_other": [lambda c, a: "a long one", lambda c, a: {"w": 1.0}],
    "not_finite": [lambda c, a: [math.inf, 1.0]],
    "zero": [lambda c, a: [0.0, 0.0]],
    "not_callable": [[3.0, 0.2]],
    "raises": [lambda c: [c, c]],
}


RIGHT = {
    "far out, near the first axis": right,
    "near the second axis": lambda c, a: at(45 + a, 1000 * c),
    "in the third quadrant": lambda c, a: at(225 - a, 1e5 * c),
    "of NumPy": lambda c, a: np.array(right(c, a)),
    "of JAX": lambda c, a: jnp.array(right(c, a)),
    "just long enough": lambda c, a: at(45 - a, c / math.sin(math.radians(45 - a)) * 1.001),
    "a tuple": lambda c, a: tuple(right(c, a)),
}


def test_clip_by_value_turns_it_and_clip_by_norm_does_not():
    for case in CASES:
        limit, angle = case.arguments
        g = np.asarray(right(limit, angle))
        assert between(g, np.asarray(clip_by_value(g, -limit, limit))) == pytest.approx(
            angle, abs=0.05
        )
        assert between(g, np.asarray(clip_by_norm(g, limit))) == pytest.approx(0, abs=1e-4)
