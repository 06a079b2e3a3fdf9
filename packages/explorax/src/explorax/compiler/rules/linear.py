"""Linear systems by plain elimination, of the sizes that figures have.

Factorisations for least squares, singular values and eigenvalues have become other primitives
before (``substitution``).
"""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.substitution import FACTORISATIONS, refusal
from explorax.compiler.values import Indices, Value, stored


def _start(batch: Indices, shape: tuple[int, ...]) -> ir.Expression:
    """Return where in an array the matrix, or vector, of an index into a batch begins."""
    rest = (ir.Number(0),) * (len(shape) - len(batch))
    return ir.flat((*batch, *rest), shape)


def _numbers(*values: int) -> tuple[ir.Number, ...]:
    return tuple(ir.Number(value) for value in values)


@rule("cholesky")
def _cholesky(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    """Factor each matrix; of the result only the lower triangle counts: JAX hides the other."""
    shape, _ = result(equation)
    a = lowering.copy(values[0])
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
    table = values[0].buffer or lowering.copy(values[0])
    x = lowering.copy(values[1])
    # X op(A) = B is op(A)' X' = B'
    left, flips = params["left_side"], params["transpose_a"] == params["left_side"]
    lower = params["lower"] != flips
    steps = _numbers(*((1, n) if flips else (n, 1)))
    count, along = (columns, _numbers(columns, 1)) if left else (rows, _numbers(1, columns))
    kind = (ir.Number(lower, "bool"), ir.Number(params["unit_diagonal"], "bool"))
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
    a = lowering.copy(values[0])
    swaps = lowering.buffer(swaps_shape, swaps_dtype)
    rows = lowering.buffer(rows_shape, rows_dtype)
    with lowering.loops(shape[:-2]) as batch:
        matrix = (a, _start(batch, shape), *_numbers(*shape[-2:]))
        orders = (swaps, _start(batch, swaps_shape), rows, _start(batch, rows_shape))
        lowering.emit(ir.Call("lu", (*matrix, *orders), (a, swaps, rows)))
    return [stored(a, shape), stored(swaps, swaps_shape), stored(rows, rows_shape)]


@rule(*FACTORISATIONS)
def _refused(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    raise lowering.unsupported(equation, refusal(equation))
