"""A bank of answers to chapter 03's second diagnosis, and what its programs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.logged_and_descended.exercise import (
    CASES,
    FOLLOWED,
    LOGGED,
    Program,
    record,
    right,
    weights_of,
)
from scaleclip.ops import scale_gradient


def weighted(rows):
    return rows[0] + np.mean(rows[1:], axis=0)


def log(logged, before, after):
    for name, number in (
        ("sum", sum(before)),
        ("weighted", weighted(before)),
        ("after", sum(after)),
    ):
        if abs(number - logged) < 1e-6:
            return name
    raise ValueError(logged)


def followed(gradients, step):
    for name, gradient in (("sum", np.sum(gradients, axis=0)), ("weighted", weighted(gradients))):
        rate = -step @ gradient / (gradient @ gradient)
        if np.allclose(step, -rate * gradient, atol=1e-9):
            return name
    return "neither"


def both(logged, before, after, gradients, step):
    return log(logged, before, after), followed(gradients, step)


def joined(join):
    return lambda *given: join(*both(*given))


def renamed(*, log=None, followed=None):
    return joined(lambda a, b: ((log or {}).get(a, a), (followed or {}).get(b, b)))


def at_rate(rate):
    """Which gradient, times a learning rate, is the step?"""

    def answer(logged, before, after, gradients, step):
        for name, gradient in (("sum", sum(gradients)), ("weighted", weighted(gradients))):
            if np.allclose(step, -rate * gradient):
                return log(logged, before, after), name
        return log(logged, before, after), "neither"

    return answer


def by_angle(least):
    def answer(logged, before, after, gradients, step):
        for name, gradient in (("sum", sum(gradients)), ("weighted", weighted(gradients))):
            cosine = -step @ gradient / np.linalg.norm(step) / np.linalg.norm(gradient)
            if cosine > least:
                return log(logged, before, after), name
        return log(logged, before, after), "neither"

    return answer


def nearest(logged, before, after, gradients, step):
    down = [-np.sum(gradients, axis=0), -weighted(gradients)]
    cosines = [g @ step / np.linalg.norm(g) for g in down]
    return log(logged, before, after), ("sum", "weighted")[int(np.argmax(cosines))]


def uphill(logged, before, after, gradients, step):
    for name, gradient in (("sum", sum(gradients)), ("weighted", weighted(gradients))):
        if step @ gradient > 0.999 * np.linalg.norm(step) * np.linalg.norm(gradient):
            return log(logged, before, after), name
    return log(logged, before, after), "neither"


def before_it(logged, before, after, gradients, step):
    """Which of the two sums before the step is nearer?"""
    near = abs(sum(before) - logged) < abs(weighted(before) - logged)
    return "sum" if near else "weighted", followed(gradients, step)


def at_rate_one(logged, before, after, gradients, step):
    """Which gradient is the step nearer to?"""
    a, b = (np.linalg.norm(of(gradients) + step) for of in (lambda g: np.sum(g, 0), weighted))
    return log(logged, before, after), "sum" if a < b else "weighted"


def at_rate_one_and_before(*given):
    return before_it(*given)[0], at_rate_one(*given)[1]


WRONG = {
    "always_the_same": [lambda *_, pair=(a, b): pair for a in LOGGED for b in FOLLOWED],
    "follows_what_it_logs": [
        joined(lambda a, b: (a, "sum" if a == "after" else a)),
        joined(lambda a, b: (a, "neither" if a == "after" else a)),
    ],
    "logs_what_it_follows": [
        joined(lambda a, b: ("after" if b == "neither" else b, b)),
        joined(lambda a, b: ("weighted" if b == "neither" else b, b)),
    ],
    "swapped": [joined(lambda a, b: (b, a))],
    "rate_assumed": [at_rate(1.0), at_rate(0.1), at_rate_one],
    "none_found": [uphill, at_rate(0.001)],
    "neither_overlooked": [nearest, by_angle(0.9), by_angle(0.99)],
    "after_overlooked": [
        renamed(log={"after": "sum"}),
        renamed(log={"after": "weighted"}),
        before_it,
    ],
    "root_weighted_too": [renamed(followed={"weighted": "neither"})],
    "log_root_weighted_too": [renamed(log={"weighted": "after"})],
    "not_a_name": [joined(lambda a, b: (a, "surrogate")), joined(lambda a, b: (a.upper(), b))],
    "structure_changed": [
        lambda *_: 0.5,
        joined(lambda a, b: (a, b, a)),
        joined(lambda a, b: f"{a}, {b}"),
    ],
    "not_callable": [("sum", "weighted")],
    "raises": [lambda logged: ("sum", "sum")],
}


def by_least_squares(logged, before, after, gradients, step):
    """Which weights of the losses' gradients make up the step? The root's is set to 1."""
    weights, *_ = np.linalg.lstsq(gradients.T, -step, rcond=None)
    off_by = np.linalg.norm(gradients.T @ weights + step) / np.linalg.norm(step)
    ratio = weights[1:] / weights[0]
    name = "neither"
    if off_by < 1e-6 and np.allclose(ratio, 1.0):
        name = "sum"
    elif off_by < 1e-6 and np.allclose(ratio, 1 / len(ratio)):
        name = "weighted"
    return log(logged, before, after), name


def by_unit_vectors(logged, before, after, gradients, step):
    def unit(vector):
        return vector / np.linalg.norm(vector)

    found = {"neither": 1e-6}
    for name in ("sum", "weighted"):
        g = weights_of(name, len(before) - 1) @ gradients
        found[name] = float(np.linalg.norm(unit(step) + unit(g)))
    numbers = {"sum": before.sum(), "weighted": weighted(before), "after": after.sum()}
    return [
        min(numbers, key=lambda name: abs(numbers[name] - logged)),
        min(found, key=lambda name: found[name]),
    ]


def by_proportions(logged, before, after, gradients, step):
    """Two vectors are parallel where all products across are the same."""
    for name in ("sum", "weighted"):
        g = weights_of(name, len(before) - 1) @ gradients
        if np.allclose(np.outer(step, g), np.outer(g, step), atol=1e-9) and g @ step < 0:
            return log(logged, before, after), name
    return log(logged, before, after), "neither"


IN_PART = {
    "after_overlooked": [lambda *given: ("sum", "sum") if len(given[1]) == 3 else both(*given)],
    "rate_assumed": [at_rate_one_and_before],
}

RIGHT = {
    "the best learning rate": both,
    "angles": by_angle(1 - 1e-9),
    "weights by least squares": by_least_squares,
    "unit vectors, in a list": by_unit_vectors,
    "products across": by_proportions,
    "in JAX": lambda *given: both(*map(jnp.asarray, given)),
    "by the course's own": right,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("followed_name", "scale"), [("sum", 1.0), ("weighted", 1.0), ("neither", 0.5)]
)
def test_a_record_is_what_jax_makes_of_the_program(followed_name, scale):
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


def test_each_log_comes_with_each_descent_and_no_two_programs_are_alike():
    pairs = {right(*case.arguments) for case in CASES}
    assert pairs == {(a, b) for a in LOGGED for b in FOLLOWED}
