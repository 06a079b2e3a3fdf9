"""A bank of answers to assignment 7's second function."""

import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.loss_scales.exercise import CASES, right

SOLUTION = r"count =|\*= 2|/= 2"


def by_powers(largest, start, interval):
    """The scale is start times a power of two, and the power is kept."""
    power, since, powers = 0, 0, []
    for most in largest:
        powers.append(power)
        finite = start * 2.0**power <= most
        since = since + 1 if finite else 0
        power += -1 if not finite else int(since == interval)
        since %= interval
    return start * 2.0 ** np.array(powers)


WRONG = {
    "constant": [lambda largest, start, interval: [start] * len(largest)],
    "at_the_largest": [lambda largest, start, interval: np.minimum(largest, start)],
    "wrong": [lambda largest, start, interval: largest[::-1]],
    "shape_changed": [
        lambda largest, start, interval: right(largest, start, interval)[1:],
        lambda largest, start, interval: start,
    ],
    "structure_changed": [lambda largest, start, interval: {"scales": [start]}],
    "not_callable": [[1024.0]],
    "raises": [lambda largest, start: [start]],
}


RIGHT = {
    "powers of two": by_powers,
    "a list": lambda *given: by_powers(*given).tolist(),
    "a tuple": lambda *given: tuple(by_powers(*given)),
    "an array of JAX": lambda *given: jnp.array(by_powers(*given)),
    "a list of JAX's numbers": lambda *given: list(map(jnp.float32, by_powers(*given))),
}


@pytest.mark.parametrize("case", CASES)
def test_a_skipped_step_halves_the_scale(case):
    largest = case.arguments[0]
    scales = right(*case.arguments)
    skipped = scales[:-1] > largest[:-1]
    assert np.array_equal(scales[1:][skipped], scales[:-1][skipped] / 2)
    assert np.all(scales[1:][~skipped] >= scales[:-1][~skipped])
    assert (scales > largest).any()
