"""Equations of constants alone, evaluated when a function is compiled.

What NumPy computes to the same bits is left to NumPy, which has nothing to compile; all else
is evaluated by JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorax.compiler.graph.nodes import Atom, Constant

FOLDED = 4096  # bytes; a larger result of constants is computed in the page


def _broadcast(params: Any, x: Any) -> Any:
    shape = [1] * len(params["shape"])
    for axis, length in zip(params["broadcast_dimensions"], x.shape, strict=True):
        shape[axis] = length
    return np.broadcast_to(x.reshape(shape), params["shape"])


def _slice(params: Any, x: Any) -> Any:
    steps = params["strides"] or (1,) * x.ndim
    bounds = zip(params["start_indices"], params["limit_indices"], steps, strict=True)
    return x[tuple(slice(*bound) for bound in bounds)]


def _binary(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda params, a, b: function(a, b)


# Exact in IEEE arithmetic, for floating-point numbers that are not subnormal.
OF_FLOATS: dict[str, Callable[..., Any]] = {
    "add": _binary(np.add),
    "add_any": _binary(np.add),
    "sub": _binary(np.subtract),
    "mul": _binary(np.multiply),
    "div": _binary(np.divide),
    "neg": lambda params, x: np.negative(x),
    "sqrt": lambda params, x: np.sqrt(x),
    "floor": lambda params, x: np.floor(x),
    "abs": lambda params, x: np.abs(x),
    "square": lambda params, x: np.square(x),
}
OF_ALL: dict[str, Callable[..., Any]] = {
    "broadcast_in_dim": _broadcast,
    "reshape": lambda params, x: x.reshape(params["new_sizes"]),
    "squeeze": lambda params, x: x.reshape(
        [n for axis, n in enumerate(x.shape) if axis not in params["dimensions"]]
    ),
    "expand_dims": lambda params, x: np.expand_dims(x, params["dimensions"]),
    "transpose": lambda params, x: np.transpose(x, params["permutation"]),
    "rev": lambda params, x: np.flip(x, params["dimensions"]),
    "copy": lambda params, x: x,
    "stop_gradient": lambda params, x: x,
    "select_n": lambda params, which, *cases: np.choose(
        np.broadcast_to(which.astype(np.int64), cases[0].shape), cases
    ),
    "split": lambda params, x: np.split(x, np.cumsum(params["sizes"])[:-1], params["axis"]),
    "concatenate": lambda params, *xs: np.concatenate(xs, params["dimension"]),
    "slice": _slice,
    "eq": _binary(np.equal),
    "ne": _binary(np.not_equal),
    "lt": _binary(np.less),
    "le": _binary(np.less_equal),
    "gt": _binary(np.greater),
    "ge": _binary(np.greater_equal),
}
OF_INTEGERS: dict[str, Callable[..., Any]] = {
    "add": _binary(np.add),
    "sub": _binary(np.subtract),
    "mul": _binary(np.multiply),
    "neg": lambda params, x: np.negative(x),
    "max": _binary(np.maximum),
    "min": _binary(np.minimum),
    "sign": lambda params, x: np.sign(x),
    "and": _binary(np.bitwise_and),
    "or": _binary(np.bitwise_or),
    "xor": _binary(np.bitwise_xor),
    "not": lambda params, x: np.invert(x),
}


def evaluate(equation: Any, values: Sequence[Any]) -> list[Any]:
    """Compute the results of an equation at known values. To be called with x64 enabled."""
    name, params = equation.primitive.name, equation.params
    aval: Any = equation.outvars[0].aval
    if name == "iota" and not values:
        line = np.arange(aval.shape[params["dimension"]], dtype=aval.dtype)
        axis = [1] * len(aval.shape)
        axis[params["dimension"]] = -1
        return [np.broadcast_to(line.reshape(axis), aval.shape)]
    function = _exact(name, params, values)
    if function is not None:
        arrays = [np.asarray(value) for value in values]
        with np.errstate(all="ignore"):
            made = function(params, *arrays)
        results = [np.asarray(x) for x in (made if isinstance(made, list) else [made])]
        avals = [variable.aval for variable in equation.outvars]
        if all(
            x.shape == a.shape and x.dtype == a.dtype and not _subnormal(x)
            for x, a in zip(results, avals, strict=True)
        ):
            return results
    results = equation.primitive.bind(*values, **params)
    return list(results) if equation.primitive.multiple_results else [results]


def _exact(name: str, params: Any, values: Sequence[Any]) -> Callable[..., Any] | None:
    if any(jnp.issubdtype(v.dtype, jax.dtypes.extended) for v in values if hasattr(v, "dtype")):
        return None
    if name == "reshape" and params.get("dimensions") is not None:
        return None
    kinds = {np.asarray(value).dtype.kind for value in values}
    if name == "convert_element_type":
        target = np.dtype(params["new_dtype"])
        widens = kinds <= {"b", "i", "u"} or (kinds == {"f"} and target.kind in "fb")
        return (lambda params, x: x.astype(target)) if widens else None
    if name in OF_ALL:
        return OF_ALL[name]
    if kinds == {"f"} and not any(_subnormal(np.asarray(value)) for value in values):
        return OF_FLOATS.get(name)
    return OF_INTEGERS.get(name) if kinds <= {"b", "i", "u"} else None


def _subnormal(array: np.ndarray) -> bool:
    """Tell whether some number is one that XLA takes for zero."""
    if array.dtype.kind != "f":
        return False
    size = np.abs(array)
    return bool(np.any((size > 0) & (size < np.finfo(array.dtype).tiny)))


def fold(equation: Any, inputs: Sequence[Atom]) -> list[Atom] | None:
    """Evaluate an equation of constants alone by JAX, where its result is small enough."""
    values = [atom.value for atom in inputs if isinstance(atom, Constant)]
    if len(values) != len(inputs) or equation.effects:
        return None
    given = sum(_bytes(atom.aval) for atom in inputs)
    made = sum(_bytes(v.aval) for v in equation.outvars)
    if made > max(FOLDED, given) and not any(_inner(a.aval) for a in (*inputs, *equation.outvars)):
        return None
    results = evaluate(equation, values)
    return [Constant(r, v.aval) for r, v in zip(results, equation.outvars, strict=True)]


def _inner(aval: Any) -> bool:
    """Tell whether an array is of a kind that stays inside JAX: a key, or the bits of a draw."""
    dtype = aval.dtype
    return bool(jnp.issubdtype(dtype, jax.dtypes.extended)) or dtype in (
        np.uint32,
        np.uint64,
    )


def _bytes(aval: Any) -> int:
    return int(np.prod(aval.shape, dtype=int)) * int(getattr(aval.dtype, "itemsize", 8))
