"""A bank of answers to assignment 7's second function."""

import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.loss_scales.exercise import CASES, right

X64 = False  # as in an assignment
SOLUTION = r"count =|\*= 2|/= 2"


def written(
    up=lambda count, n, interval: count == interval,
    clear=lambda count: 0,
    skipped=lambda count: 0,
    factors=(2.0, 0.5),
    overflows=lambda scale, most: scale > most,
    note_first=True,
    make=list,
):
    """An answer as a student writes it, with one part in another way."""

    def answer(largest, start, interval):
        scale, count, scales = start, 0, []
        for n, most in enumerate(largest, start=1):
            if note_first:
                scales.append(scale)
            if overflows(scale, most):
                scale, count = scale * factors[1], skipped(count)
            else:
                count += 1
                if up(count, n, interval):
                    scale, count = scale * factors[0], clear(count)
            if not note_first:
                scales.append(scale)
        return make(scales)

    return answer


WRONG = {
    "constant": [lambda largest, start, interval: [start] * len(largest)],
    "never_grows": [written(up=lambda *_: False)],
    "never_shrinks": [written(factors=(2.0, 1.0))],
    "after_the_step": [written(note_first=False)],
    "skips_do_not_reset": [written(skipped=lambda count: count)],
    "growth_does_not_reset": [
        written(up=lambda count, n, interval: count >= interval, clear=lambda count: count)
    ],
    "by_number": [written(up=lambda count, n, interval: n % interval == 0)],
    "one_too_many": [written(up=lambda count, n, interval: count > interval)],
    "one_too_few": [written(up=lambda count, n, interval: count + 1 >= interval)],
    "equal_overflows": [written(overflows=lambda scale, most: scale >= most)],
    "other_factors": [written(factors=(2.0, 0.25)), written(factors=(10.0, 0.1))],
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


RIGHT = {
    "a loop that returns a list": written(),
    "an array of JAX": written(make=jnp.array),
    "a tuple": written(make=tuple),
    "a list of JAX's numbers": written(make=lambda scales: list(map(jnp.float32, scales))),
    "powers of two": by_powers,
}


@pytest.mark.parametrize("case", CASES)
def test_a_step_is_skipped_where_the_scale_is_too_large_and_then_the_scale_is_half(case):
    largest = case.arguments[0]
    scales = right(*case.arguments)
    skipped = scales[:-1] > largest[:-1]
    assert np.array_equal(scales[1:][skipped], scales[:-1][skipped] / 2)
    assert np.all(scales[1:][~skipped] >= scales[:-1][~skipped])
    assert (scales > largest).any()
