"""Linear systems by plain elimination, of the sizes that figures have."""

from __future__ import annotations

from collections.abc import Sequence

from gradlab.program import ir
from gradlab.program.graph import Equation
from gradlab.program.lower import Lowering
from gradlab.program.rules.registry import result, rule
from gradlab.program.values import Indices, Value, stored


def _copied(lowering: Lowering, value: Value) -> ir.Buffer:
    """A buffer with the value, for a helper to change."""
    buffer = lowering.buffer(value.shape, value.dtype)
    lowering.fill(buffer, value)
    return buffer


def _start(batch: Indices, shape: tuple[int, ...]) -> ir.Expression:
    """Where in an array of ``shape`` the matrix, or vector, of an index into a batch begins."""
    rest = (ir.Number(0),) * (len(shape) - len(batch))
    return ir.flat((*batch, *rest), shape)


def _numbers(*values: int) -> tuple[ir.Number, ...]:
    return tuple(ir.Number(value) for value in values)


@rule("cholesky")
def _cholesky(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Only the lower triangle of the result means anything: JAX hides the other."""
    shape, _ = result(equation)
    a = _copied(lowering, values[0])
    if 0 not in shape:
        with lowering.loops(shape[:-2]) as batch:
            given = (a, _start(batch, shape), ir.Number(shape[-1]))
            lowering.emit(ir.Call("cholesky", given, (a,)))
    return [stored(a, shape)]


@rule("triangular_solve")
def _triangular_solve(
    lowering: Lowering, equation: Equation, values: Sequence[Value]
) -> list[Value]:
    shape, _ = result(equation)
    params, matrices = equation.params, values[0].shape
    n, (rows, columns) = matrices[-1], shape[-2:]
    a = lowering.keep(values[0])
    table = a.whole or _copied(lowering, a)
    x = _copied(lowering, values[1])
    # X op(A) = B is op(A)' X' = B'
    left, flips = params["left_side"], params["transpose_a"] == params["left_side"]
    lower = params["lower"] != flips
    steps = _numbers(*((1, n) if flips else (n, 1)))
    count, along = (columns, _numbers(columns, 1)) if left else (rows, _numbers(1, columns))
    kind = (ir.Number(lower, "bool"), ir.Number(params["unit_diagonal"], "bool"))
    if 0 not in shape:
        with lowering.loops(shape[:-2]) as batch:
            matrix = (table, _start(batch, matrices), *steps)
            solved = (x, _start(batch, shape), *along)
            given = (ir.Number(n), *kind, *matrix, ir.Number(count), *solved)
            lowering.emit(ir.Call("triangular_solve", given, (x,)))
    return [stored(x, shape)]


@rule("lu")
def _lu(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    (shape, _), (swaps_shape, swaps_dtype), (rows_shape, rows_dtype) = (
        result(equation, number) for number in range(3)
    )
    a = _copied(lowering, values[0])
    swaps = lowering.buffer(swaps_shape, swaps_dtype)
    rows = lowering.buffer(rows_shape, rows_dtype)
    if 0 not in shape:
        with lowering.loops(shape[:-2]) as batch:
            matrix = (a, _start(batch, shape), *_numbers(*shape[-2:]))
            orders = (swaps, _start(batch, swaps_shape), rows, _start(batch, rows_shape))
            lowering.emit(ir.Call("lu", (*matrix, *orders), (a, swaps, rows)))
    return [stored(a, shape), stored(swaps, swaps_shape), stored(rows, rows_shape)]


@rule("custom_linear_solve")
def _custom_solve(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Solves as its ``solve`` does; the rest of it is for derivatives, which JAX has taken."""
    lengths, jaxprs = equation.params["const_lengths"], equation.params["jaxprs"]
    before = lengths.matvec + lengths.vecmat
    constants = values[before : before + lengths.solve]
    return lowering.call(jaxprs.solve, [*constants, *values[sum(lengths) :]])
