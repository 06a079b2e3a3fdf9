"""Primitives with gradual underflow, in NumPy: JAX takes subnormal numbers for zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

Function = Callable[..., Any]


def _power(params: Any, x: np.ndarray) -> np.ndarray:
    """By squaring, as the exponent's bits say."""
    y = params["y"]
    result: Any = np.ones_like(x)
    for bit in f"{abs(y):b}":
        result = result * result
        result = result * x if bit == "1" else result
    return 1 / result if y < 0 else np.asarray(result)


def _product(params: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (a_sum, b_sum), (a_batch, b_batch) = params["dimension_numbers"]
    names = iter("abcdefghijklmnopqrstuvwxyz")
    left = [next(names) for _ in range(a.ndim)]
    right = [next(names) for _ in range(b.ndim)]
    for i, j in zip((*a_sum, *a_batch), (*b_sum, *b_batch), strict=True):
        right[j] = left[i]
    free = [left[i] for i in range(a.ndim) if i not in (*a_sum, *a_batch)]
    free += [right[j] for j in range(b.ndim) if j not in (*b_sum, *b_batch)]
    text = f"{''.join(left)},{''.join(right)}->{''.join([*(left[i] for i in a_batch), *free])}"
    return np.asarray(np.einsum(text, a, b))


def _of(function: Function) -> Function:
    return lambda params, *values: function(*values)


ELEMENTWISE: dict[str, Function] = {
    "add": np.add, "add_any": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "exp": np.exp, "exp2": np.exp2, "pow": np.power, "neg": np.negative, "abs": np.abs,
    "max": np.maximum, "min": np.minimum, "square": np.square, "sin": np.sin, "tan": np.tan,
    "tanh": np.tanh, "expm1": np.expm1, "log1p": np.log1p, "sinh": np.sinh, "asinh": np.arcsinh,
    "atan": np.arctan, "asin": np.arcsin, "atanh": np.arctanh, "atan2": np.arctan2,
    "rem": np.fmod, "nextafter": np.nextafter, "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "log": np.log,
    "cbrt": np.cbrt, "sign": np.sign, "floor": np.floor, "ceil": np.ceil,
    "erf": np.vectorize(math.erf, otypes=[float]),
    "erfc": np.vectorize(lambda x: math.erfc(x), otypes=[float]),
    "clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
}  # fmt: skip
FUNCTIONS: dict[str, Function] = {
    **{name: _of(function) for name, function in ELEMENTWISE.items()},
    "integer_pow": _power,
    "convert_element_type": lambda params, x: x.astype(params["new_dtype"]),
    "reduce_sum": lambda params, x: np.sum(x, params["axes"]),
    "reduce_prod": lambda params, x: np.prod(x, params["axes"]),
    "reduce_max": lambda params, x: np.max(x, params["axes"]),
    "reduce_min": lambda params, x: np.min(x, params["axes"]),
    "argmax": lambda params, x: np.argmax(x, params["axes"][0]),
    "argmin": lambda params, x: np.argmin(x, params["axes"][0]),
    "cumsum": lambda params, x: _cumulative(np.cumsum, params, x),
    "cumprod": lambda params, x: _cumulative(np.cumprod, params, x),
    "cummax": lambda params, x: _cumulative(np.maximum.accumulate, params, x),
    "cummin": lambda params, x: _cumulative(np.minimum.accumulate, params, x),
    "dot_general": _product,
}


def _cumulative(function: Function, params: Any, x: np.ndarray) -> Any:
    axis = params["axis"]
    if params["reverse"]:
        return np.flip(function(np.flip(x, axis), axis), axis)
    return function(x, axis)


def subnormal(x: Any) -> np.ndarray:
    """Where a float is not zero, and less than the least normal one or hardly more.

    What JAX computes in steps may be flushed to zero on its way to a normal number.
    """
    if getattr(x.dtype, "kind", "key") != "f":
        return np.zeros(x.shape, bool)
    return (np.abs(x) < 16 * np.finfo(x.dtype).tiny) & (x != 0)


def _sort(params: Any, *operands: np.ndarray) -> list[np.ndarray]:
    axis = params["dimension"]
    order = np.lexsort(operands[: params["num_keys"]][::-1], axis=axis)
    return [np.take_along_axis(x, order, axis) for x in operands]


def primitive(equation: JaxprEqn, values: list[Any]) -> list[np.ndarray] | None:
    """The results where an operand or one of them is subnormal somewhere; else None."""
    name, aval = equation.primitive.name, equation.outvars[0].aval
    if name == "sort":
        return (
            _sort(equation.params, *values) if any(np.any(subnormal(x)) for x in values) else None
        )
    function = FUNCTIONS.get(name)
    if function is None or not any(x.dtype.kind == "f" for x in values):
        return None
    if not all(x.size for x in values):
        return None
    odd = any(np.any(subnormal(x)) for x in values)
    with np.errstate(all="ignore"):
        whole = aval.dtype.kind in "iu" and name == "convert_element_type"
        if whole:
            return None
        if name != "nextafter":  # exp(100) in float32, of which the inverse is wanted
            values = [x.astype(float) if x.dtype == np.float32 else x for x in values]
        given = np.asarray(function(equation.params, *values))
        result = np.broadcast_to(given, aval.shape).astype(aval.dtype)
    return [result] if odd or np.any(subnormal(result)) else None
