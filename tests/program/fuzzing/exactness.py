"""Which primitives are exact, and where int64 is more than JavaScript has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from tests.program.fuzzing.gathers import MOVES

# Exact for floats; every primitive is exact for integers and booleans.
EXACT = frozenset(
    """
    abs add add_any and bitcast_convert_type ceil clamp convert_element_type cummax cummin div eq
    eq_to floor ge gt is_finite le le_to lt lt_to max min mul ne neg nextafter not or
    reduce_and reduce_max reduce_min reduce_or reduce_precision reduce_xor rem round sign sort sqrt
    square sub top_k xor argmax argmin random_seed random_bits random_wrap random_unwrap
    random_fold_in random_split random_clone threefry2x32 unstack
    reduce_window_max reduce_window_min shift_left shift_right_arithmetic shift_right_logical
    population_count clz empty empty2 create_token
    """.split()  # noqa: SIM905
) | (frozenset(MOVES) - {"scatter-add", "scatter-sub", "scatter-mul"})
# Sums of many terms: what is off is each term, and the sum may be small beside them.
SUMS = frozenset(
    [
        "reduce_sum",
        "reduce_prod",
        "dot_general",
        "cumsum",
        "cumprod",
        "cumlogsumexp",
        "scatter-add",
        "scatter-sub",
        "scatter-mul",
        "conv_general_dilated",
        "reduce_window_sum",
        "select_and_scatter_add",
        "lu",
        "cholesky",
        "triangular_solve",
        "custom_linear_solve",
    ]
)
# Of these, what comes to no more than it does for the magnitudes of its terms.
LINEAR = frozenset(
    [
        "reduce_sum",
        "dot_general",
        "cumsum",
        "scatter-add",
        "conv_general_dilated",
        "reduce_window_sum",
    ]
)

# Near their zeros JAX's own are good to a unit in the last place of 1, not of the result.
NEAR_ZERO = frozenset(["lgamma", "digamma"])


def loose(equation: JaxprEqn) -> bool:
    """Whether an equation is inexact though its primitive is exact as a rule.

    JAX multiplies by the inverse where an array is divided by a scalar; and an update may be a
    function of the reader's own.
    """
    if equation.primitive.name == "div":
        return equation.invars[1].aval.shape != equation.outvars[0].aval.shape
    if equation.primitive.name == "scatter":
        return bool(getattr(equation.params["update_jaxpr"], "eqns", ()))
    return False


WIDE: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "square": np.square, "neg": np.negative,
    "shift_left": lambda a, b: a * 2.0 ** np.clip(b, 0, 64),
    "reduce_sum": lambda x: np.sum(np.abs(x)), "cumsum": lambda x: np.sum(np.abs(x)),
    "reduce_prod": lambda x: np.prod(np.maximum(np.abs(x), 1)),
    "cumprod": lambda x: np.prod(np.maximum(np.abs(x), 1)),
    "dot_general": lambda a, b: np.max(np.abs(a), initial=0) * np.sum(np.abs(b)),
    "scatter-add": lambda x, _, new: np.sum(np.abs(x)) + np.sum(np.abs(new)),
    "scatter-sub": lambda x, _, new: np.sum(np.abs(x)) + np.sum(np.abs(new)),
    "scatter-mul": lambda x, _, new: np.prod(np.maximum(np.abs(np.append(x, new)), 1)),
}  # fmt: skip


def magnitude(name: str, values: Sequence[Any]) -> Any:
    """The largest magnitude that a primitive of ``WIDE`` may come to on its way."""
    with np.errstate(all="ignore"):
        return np.abs(WIDE[name](*(x.astype(float) for x in values)))


def beyond(equation: JaxprEqn, values: Sequence[Any], results: Sequence[Any]) -> bool:
    """Whether an int64 is beyond 2**53, or was before it wrapped around."""
    for result in (*results, *values):
        if (
            result.dtype == np.int64
            and result.size
            and np.max(np.abs(result.astype(float))) > 2**53
        ):
            return True
    name = equation.primitive.name
    if name in ("integer_pow", "pow"):
        base = values[0].astype(float)
        with np.errstate(all="ignore"):
            exponent = equation.params["y"] if name == "integer_pow" else values[1].astype(float)
            return bool(np.any(np.abs(np.power(base, exponent)) > 2**53))
    return name in WIDE and bool(np.any(magnitude(name, values) > 2**53))
