"""A bank of answers to assignment 4's second function."""

import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import max_norm
from sccbook.exercises.wrong_axis.exercise import CASES


def right(limit):
    return np.full((1, 4), 0.9 * limit)


WRONG = {
    "zero": [lambda c: np.zeros((2, 3))],
    "one_column": [lambda c: np.full((4, 1), 0.9 * c)],
    "one_weight": [lambda c: [[2 * c]], lambda c: [[0.5 * c]]],
    "limit_ignored": [lambda c: np.full((1, 4), 0.9)],
    "other_way_round": [lambda c: np.full((4, 2), 0.6 * c), lambda c: right(c).T @ [[1.0, 0.01]]],
    "at_the_limit": [lambda c: np.full((1, 4), 1.001 * c)],
    "entries": [lambda c: np.full((4, 4), 0.9 * c)],
    "both_change": [lambda c: np.full((3, 3), 5 * c), lambda c: np.full((1, 4), 2 * c)],
    "row_at_the_limit": [lambda c: np.full((1, 4), 0.5 * c)],
    "whole_matrix": [lambda c: 0.9 * c * np.eye(3), lambda c: c * np.eye(2)],
    "nothing_changes": [lambda c: np.full((2, 2), 0.1 * c)],
    "always_the_same": [lambda c: np.array([[3.0, 0.0], [0.0, 0.002]])],
    "too_many_numbers": [
        lambda c: np.ones((2, 10**6), bool),
        lambda c: [[0.9 * c] * 2000],
        lambda c: [np.ones(2**20, bool)] * 2,
    ],
    "shape_changed": [lambda c: np.ones(3) * c, lambda c: c, lambda c: np.ones((0, 2))],
    "returns_other": [lambda c: "a kernel", lambda c: {"w": right(c)}],
    "not_finite": [lambda c: [[np.nan, c], [c, c]]],
    "not_callable": [np.ones((2, 2))],
    "raises": [lambda: np.ones((2, 2))],
}


RIGHT = {
    "one wide row": right,
    "two columns at the limit": lambda c: c * np.array([[1.0, 1.0], [0.0, 0.0]]),
    "lists": lambda c: [[0.8 * c, -0.8 * c]],
    "of JAX": lambda c: jnp.full((2, 8), 0.6 * c),
    "at random": lambda c: max_norm(np.random.default_rng(0).normal(size=(2, 30)) * 9 * c, c),
    "mixed signs and a column of zeros": lambda c: (
        c * np.array([[0.9, 0.0, -0.9], [0.1, 0.0, 0.1]])
    ),
}


@pytest.mark.slow
def test_max_norm_agrees_on_both_axes():
    for case in CASES:
        w = right(*case.arguments)
        assert np.allclose(max_norm(w, *case.arguments, axis=0), w, rtol=1e-5, atol=0)
        assert not np.allclose(max_norm(w, *case.arguments, axis=1), w, rtol=1e-3, atol=0)
