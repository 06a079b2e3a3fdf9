"""Assignment 1: write ``report_and_differentiate(x, value, slope)``.

It returns ``value``, and its derivative with respect to x is ``slope``: y = value forward,
x_bar = slope y_bar backward, element by element. ``scale_gradient(x, s)`` is the case value = x,
slope = s, and a straight-through rounding is value = round(x), slope = 1.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sccbook.checking.parts import (
    FAILED,
    TRACED,
    VALUE,
    Case,
    Comparison,
    Misconception,
    Mistake,
    Observations,
    describe,
    require_not_none,
)

stop = jax.lax.stop_gradient


def _case(x: Any, g: Any, value: Any, slope: Any) -> Case:
    arrays = tuple(np.asarray(number, np.float32) for number in (x, g, value, slope))
    shape = arrays[0].shape
    words = f"arrays of shape {shape}" if shape else f"x = {x}, value = {value} and slope = {slope}"
    return Case(arrays, f"for {words}")


CASES = (
    _case(2.0, 1.0, 5.0, 3.0),
    _case(-1.5, 2.0, 0.25, -0.5),
    _case(0.5, -4.0, 7.0, 0.0),
    _case([1.0, -2.0, 0.5], [0.5, 1.0, -2.0], [3.0, 0.5, -1.25], [2.0, -1.5, 4.0]),
)
"""Each x, the cotangent that comes back to the result, the value and the slope."""


def right(x: Any, value: Any, slope: Any) -> Any:
    """Report the value, and differentiate what vanishes."""
    return value + slope * (x - stop(x))


@jax.custom_vjp
def _drops(x: Any, value: Any, slope: Any) -> Any:
    """Return the value, with a backward rule that ignores its cotangent."""
    return value


_drops.defvjp(
    lambda x, value, slope: (value, slope),
    lambda slope, g: (slope, jnp.zeros_like(slope), jnp.zeros_like(slope)),
)

MISCONCEPTIONS = (
    Misconception("no_gradient",
        "the value is right, but no gradient comes back to x at all. In the backward pass the "
        "result must still depend on x.",
        lambda x, v, m: v + 0 * x),
    Misconception("slope_ignored",
        "the value is right, but the gradient comes back unchanged: the derivative is 1, whatever "
        "the slope.",
        lambda x, v, m: stop(v - x) + x),
    Misconception("value_moves",
        "the derivative is right, but slope times x is added to the value: {run} we expect {expected} and "
        "see {given}. Forward, the part with x must vanish.",
        lambda x, v, m: v + m * x),
    Misconception("value_missing",
        "the derivative is right, but you return slope times x, and the value isn't in it.",
        lambda x, v, m: m * x),
    Misconception("returns_x",
        "the derivative is right, but you return x itself. That is scale_gradient; here the value "
        "is an argument of its own.",
        lambda x, v, m: stop(x) + m * (x - stop(x))),
    Misconception("one_more",
        "the value is right, but the derivative is the slope plus 1: x counts twice, once by "
        "itself and once with the slope.",
        lambda x, v, m: stop(v - x) + x + m * (x - stop(x))),
    Misconception("one_less",
        "the value is right, but the derivative is the slope minus 1.",
        lambda x, v, m: v + m * (x - stop(x)) - (x - stop(x))),
    Misconception("reversed",
        "the value is right, but the gradient has the wrong sign: the two terms of the difference "
        "have changed places.",
        lambda x, v, m: v + m * (stop(x) - x)),
    Misconception("swapped",
        "value and slope have changed places: you return the slope, and the derivative is the "
        "value.",
        lambda x, v, m: m + v * (x - stop(x))),
    Misconception("relative",
        "the value is right, but the derivative is the value over x: you multiply the value by x "
        "and divide by x again. The slope isn't in it.",
        lambda x, v, m: v * x / stop(x)),
    Misconception("scaled_value",
        "the value is right, but the derivative is the slope times the value over x.",
        lambda x, v, m: v + m * (v * x / stop(x) - v)),
    Misconception("squared",
        "the value is right, but the derivative is the square of the slope: you multiply by the "
        "slope twice.",
        lambda x, v, m: v + m * m * (x - stop(x))),
    Misconception("divided",
        "the value is right, but the gradient is divided by the slope, not multiplied by it.",
        lambda x, v, m: v + (x - stop(x)) / m),
    Misconception("line_from_the_value",
        "the derivative is right, but you return the value plus slope times (x - value). Forward, "
        "the part with x must vanish.",
        lambda x, v, m: v + m * (x - v)),
    Misconception("cotangent_dropped",
        "the value is right, but the slope comes back whatever gradient went in. A backward rule "
        "gets the gradient of the result and has to multiply it.",
        _drops),
    Misconception("summed",
        "the derivative is summed over the array. Each element has a slope of its own.",
        lambda x, v, m: v + jnp.sum(m * (x - stop(x)))),
    Misconception("first_slope",
        "it's right for single numbers, but in an array every element gets the slope of the "
        "first.",
        lambda x, v, m: v + jnp.ravel(m)[0] * (x - stop(x))),
)  # fmt: skip


def _first(observations: Observations) -> None:
    for case, seen in zip(CASES, observations.seen, strict=False):
        found: Any = seen.value
        if not isinstance(found, dict) or VALUE not in found or {TRACED, FAILED} & found.keys():
            continue
        value, like = found[VALUE], case.arguments[0]
        require_not_none(value, case.words)
        if isinstance(value, np.ndarray) and value.shape == like.shape:
            raise Mistake(
                "dtype_changed",
                f"{case.words} all of dtype {like.dtype} it returned {value.dtype}. The dtype must be kept.",
            )
        raise Mistake(
            "shape_changed",
            f"{case.words} it returned {describe(value)}. It should return an array of the shape of x.",
        )


EXERCISE = Comparison(
    probe="at_tensor",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="the value is reported as it is, and the gradient arrives multiplied by the slope, element by "
    "element.",
    first=_first,
    quantity="what is seen",
).exercise(
    "report_and_differentiate",
    partial={
        "returns_x": 0.5,
        "value_moves": 0.25,
        "one_more": 0.5,
        "reversed": 0.5,
        "first_slope": 0.75,
        "summed": 0.75,
    },
)
