"""JAX's primitives at a few fixed shapes, so that few of them are compiled.

An operand is laid out flat, or as (kept, reduced), filled up with what does not change the
result, and the result is cut out again. The values are JAX's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

ELEMENTWISE = frozenset(
    """
    abs acos acosh add add_any and asin asinh atan atan2 atanh bessel_i0e bessel_i1e
    bitcast_convert_type cbrt ceil clamp clz convert_element_type cos cosh digamma div eq eq_to erf
    erf_inv erfc exp exp2 expm1 floor ge gt igamma igammac igamma_grad_a integer_pow is_finite le
    le_to lgamma log log1p logistic lt lt_to max min mul ne neg nextafter not or polygamma
    population_count pow reduce_precision regularized_incomplete_beta rem round rsqrt
    shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt square sub tan tanh
    to_edtype xor zeta
    """.split()  # noqa: SIM905 - eighty names in quotes are no easier to read
)
# what an axis that is reduced is filled up with; None is its last element again
REDUCTIONS: dict[str, Any] = {
    "reduce_sum": 0,
    "reduce_prod": 1,
    "reduce_xor": 0,
    "reduce_max": None,
    "reduce_min": None,
    "reduce_and": None,
    "reduce_or": None,
    "argmax": None,
    "argmin": None,
}
CUMULATIVE = ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")


def bucket(size: int, sizes: tuple[int, ...]) -> int:
    """The least of some sizes that holds ``size``, or ``size`` itself."""
    return next((each for each in sizes if each >= size), size)


def bind(equation: JaxprEqn, operands: Sequence[Any], **changed: Any) -> list[Any]:
    """Runs one primitive by JAX, op by op."""
    params = equation.primitive.get_bind_params({**equation.params, **changed})
    results = equation.primitive.bind(*operands, **params)
    return list(results) if equation.primitive.multiple_results else [results]


def elementwise(equation: JaxprEqn, operands: Sequence[np.ndarray]) -> np.ndarray:
    """An elementwise primitive; the operands broadcast."""
    shape = equation.outvars[0].aval.shape
    count = int(np.prod(shape, dtype=int))
    padded = []
    for operand in operands:
        line = np.ones(bucket(count, (128, 512)), operand.dtype)
        line[:count] = (
            operand.reshape(-1)
            if operand.shape == shape
            else np.broadcast_to(operand, shape).reshape(-1)
        )
        padded.append(line)
    changed = {"sharding": None} if "sharding" in equation.params else {}
    return np.asarray(bind(equation, padded, **changed)[0])[:count].reshape(shape)


def _rows(x: np.ndarray, axes: Sequence[int]) -> tuple[np.ndarray, tuple[int, ...]]:
    """``x`` as (kept, reduced), and the shape of what is kept."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    shape = tuple(x.shape[axis] for axis in kept)
    rows = int(np.prod(shape, dtype=int))
    columns = int(np.prod([x.shape[axis] for axis in axes], dtype=int))
    return x.transpose([*kept, *sorted(axes)]).reshape(rows, columns), shape


def _grid(rows: np.ndarray, filling: Any, reverse: bool = False) -> np.ndarray:
    """``rows`` in the corner of a larger array; to the right of it, or left in reverse, a filling."""
    height, width = rows.shape
    grid = np.ones((bucket(height, (16, 128)), bucket(width, (8, 128))), rows.dtype)
    if width == 0:
        grid[:height] = filling
        return grid
    if reverse:
        grid[:height, -width:] = rows
        return grid
    grid[:height, :width] = rows
    grid[:height, width:] = rows[:, -1:] if filling is None else filling
    return grid


def reduction(equation: JaxprEqn, x: np.ndarray) -> np.ndarray | None:
    """A reduction, or None where there is nothing to reduce and no number that says so."""
    filling = REDUCTIONS[equation.primitive.name]
    rows, shape = _rows(x, equation.params["axes"])
    if rows.shape[1] == 0 and filling is None:
        return None
    (result,) = bind(equation, [_grid(rows, filling)], axes=(1,))
    return np.asarray(result)[: rows.shape[0]].reshape(shape)


def cumulative(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    """A cumulative sum, product or extreme."""
    axis, reverse = equation.params["axis"], equation.params["reverse"]
    rows, shape = _rows(x, [axis])
    if x.size == 0:
        return x
    (result,) = bind(equation, [_grid(rows, 1, reverse)], axis=1)
    grid = np.asarray(result)[: rows.shape[0]]
    cut = grid[:, -rows.shape[1] :] if reverse else grid[:, : rows.shape[1]]
    return np.moveaxis(cut.reshape(*shape, x.shape[axis]), -1, axis)


def sort(equation: JaxprEqn, operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """A sort of several arrays by the first of them; what is filled up goes last."""
    axis = equation.params["dimension"]
    grids = []
    for operand in operands:
        last = np.nan if operand.dtype.kind == "f" else True
        if operand.dtype.kind in "iu":
            last = np.iinfo(operand.dtype).max
        rows, shape = _rows(operand, [axis])
        grids.append(_grid(rows, last))
    results = bind(equation, grids, dimension=1, is_stable=True)
    length = operands[0].shape[axis]
    height = int(np.prod(shape, dtype=int))
    return [
        np.moveaxis(np.asarray(result)[:height, :length].reshape(*shape, length), -1, axis)
        for result in results
    ]


def product(equation: JaxprEqn, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A ``dot_general``, as a batch of matrix products, filled up with zeros."""
    (a_sum, b_sum), (a_batch, b_batch) = equation.params["dimension_numbers"]
    a_free = [axis for axis in range(a.ndim) if axis not in (*a_sum, *a_batch)]
    b_free = [axis for axis in range(b.ndim) if axis not in (*b_sum, *b_batch)]

    def lengths(x: np.ndarray, axes: Sequence[int]) -> int:
        return int(np.prod([x.shape[axis] for axis in axes], dtype=int))

    batch, rows, inner = lengths(a, a_batch), lengths(a, a_free), lengths(a, a_sum)
    columns = lengths(b, b_free)
    size = bucket(max(rows, columns, inner), (8, 32))
    deep = bucket(batch, (1, 8))
    left = np.zeros((deep, size, size), a.dtype)
    right = np.zeros((deep, size, size), b.dtype)
    left[:batch, :rows, :inner] = a.transpose((*a_batch, *a_free, *a_sum)).reshape(
        batch, rows, inner
    )
    right[:batch, :inner, :columns] = b.transpose((*b_batch, *b_sum, *b_free)).reshape(
        batch, inner, columns
    )
    (result,) = bind(
        equation, [left, right], dimension_numbers=(((2,), (1,)), ((0,), (0,))), out_sharding=None
    )
    return np.asarray(result)[:batch, :rows, :columns].reshape(equation.outvars[0].aval.shape)
