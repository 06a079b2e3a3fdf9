"""A bank of answers to chapter 03's second diagnosis, and what its programs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import scale_gradient
from sccbook.exercises.logged_and_descended.exercise import (
    FOLLOWED,
    LOGGED,
    Program,
    record,
    right,
    weights_of,
)


def weighted(rows):
    return rows[0] + np.mean(rows[1:], axis=0)


def log(logged, before, after):
    for name, number in (
        ("sum", sum(before)),
        ("weighted", weighted(before)),
        ("after", sum(after)),
    ):
        if abs(number - logged) < 1e-5:
            return name
    raise ValueError(logged)


def by_angle(least):
    def answer(logged, before, after, gradients, step):
        for name, gradient in (("sum", sum(gradients)), ("weighted", weighted(gradients))):
            cosine = -step @ gradient / np.linalg.norm(step) / np.linalg.norm(gradient)
            if cosine > least:
                return log(logged, before, after), name
        return log(logged, before, after), "neither"

    return answer


WRONG = {
    "always_the_same": [lambda *_, pair=(a, b): pair for a in LOGGED for b in FOLLOWED],
    "swapped": [lambda *given: right(*given)[::-1]],
    "neither_overlooked": [by_angle(0.9), by_angle(0.99)],
    "not_a_name": [lambda *_: ("sum", "surrogate"), lambda *_: ("SUM", "sum")],
    "structure_changed": [
        lambda *_: 0.5,
        lambda *given: (*right(*given), "sum"),
        lambda *given: ", ".join(right(*given)),
    ],
    "not_callable": [("sum", "weighted")],
    "raises": [lambda logged: ("sum", "sum")],
}


IN_PART = {
    "after_overlooked": [
        lambda *given: ("sum", "sum") if len(given[1]) == 3 else by_angle(1 - 1e-9)(*given)
    ],
}

RIGHT = {
    "angles": by_angle(1 - 1e-9),
    "in JAX, in a list": lambda *given: list(by_angle(1 - 1e-6)(*map(jnp.asarray, given))),
    "by the course's own": right,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("followed_name", "scale"), [("sum", 1.0), ("weighted", 1.0), ("neither", 0.5)]
)
def test_a_record_agrees_with_jax(followed_name, scale):
    program, rate = Program(3, 5), 0.1
    weights = weights_of("sum" if followed_name == "sum" else "weighted", 3)

    def losses(row, scale):
        h, kernel = row[:3], row[3:].reshape(3, 3)
        found = [jnp.sum((h - program.targets[0]) ** 2) / 2]
        for action, target in zip(program.actions, program.targets[1:], strict=True):
            h = jnp.tanh(kernel @ h + action)
            found.append(jnp.sum((h - target) ** 2) / 2)
            h = scale_gradient(h, scale)
        return jnp.stack(found)

    _, before, after, gradients, step = record(
        3, 5, "sum", followed_name, rate=rate, scale=scale
    )  # fmt: skip
    with jax.enable_x64(True):
        row = jnp.asarray(program.start)
        np.testing.assert_allclose(before, losses(row, 1.0), rtol=1e-12)
        np.testing.assert_allclose(after, losses(row + step, 1.0), rtol=1e-12)
        np.testing.assert_allclose(gradients, jax.jacrev(losses)(row, 1.0), atol=1e-12)
        expected = np.asarray(jax.grad(lambda row: losses(row, scale) @ weights)(row))
    np.testing.assert_allclose(step, -rate * expected, atol=1e-12)
