"""Convolutions, and sums and extremes over windows that move along an array.

What lies around an array, and the gaps that dilation opens, are padded first; what is left
are plain strides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.indexing import window
from explorax.compiler.rules.parts import padded
from explorax.compiler.rules.reductions import (
    combine,
    converted,
    fold,
    for_each,
    neutral,
    ordered,
    precision,
)
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Indices, Value, scalar, stored

SUMS = {"reduce_window_sum": "add", "reduce_window_max": "max", "reduce_window_min": "min"}


@dataclass(frozen=True)
class _Sweep:
    """A window that moves: element ``k`` of window ``o`` is at ``o * strides + k * gaps``."""

    size: tuple[int, ...]
    strides: tuple[int, ...]
    gaps: tuple[int, ...]

    def at(self, number: Indices, inside: Indices) -> Indices:
        """Return where in the padded array an element of a window is."""
        steps = zip(number, self.strides, inside, self.gaps, strict=True)
        return tuple(ir.plus(ir.times(o, s), ir.times(k, g)) for o, s, k, g in steps)


def _sweep(params: dict[str, Any]) -> _Sweep:
    size = params["window_dimensions"]
    gaps = params.get("window_dilation", (1,) * len(size))
    return _Sweep(tuple(size), tuple(params["window_strides"]), tuple(gaps))


def _around(
    lowering: Lowering,
    x: Value,
    value: ir.Number,
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> Value:
    """Put ``value`` around ``x`` and in the gaps of a dilation; stored, if not cheap."""
    config = [(low, high, d - 1) for (low, high), d in zip(padding, dilation, strict=True)]
    if all(each == (0, 0, 0) for each in config):
        return lowering.keep(x)
    shape = tuple(
        low + high + n + max(n - 1, 0) * between
        for n, (low, high, between) in zip(x.shape, config, strict=True)
    )
    return padded(lowering, x, scalar(value), config, shape)


def _inside(
    lowering: Lowering,
    x: Value,
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> Value | None:
    """Tell which elements of ``_around(lowering, x, ...)`` are those of ``x``; None for all."""
    if all(pair == (0, 0) for pair in padding) and all(wide == 1 for wide in dilation):
        return None
    real = Value(x.shape, "bool", lambda _: ir.Number(True, "bool"), cheap=True)
    return _around(lowering, real, ir.Number(False, "bool"), padding, dilation)


@rule(*SUMS)
def _reduce_window(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    params, operation = equation.params, SUMS[equation.primitive.name]
    start, sweep = neutral(operation, dtype), _sweep(params)
    x = _around(lowering, values[0], start, params["padding"], params["base_dilation"])

    def over(number: Indices) -> ir.Expression:
        return fold(
            lowering,
            sweep.size,
            start,
            lambda total, k: combine(operation, total, x.at(sweep.at(number, k)), dtype),
        )

    return [for_each(lowering, shape, dtype, over)]


def _pick(
    lowering: Lowering,
    equation: Equation,
    x: Value,
    number: Indices,
    first: ir.Expression,
    take: Callable[[Indices], ir.Expression],
    real: Value | None = None,
) -> ir.Local:
    """Take what ``take`` gives at the extreme of a window; ``first`` where all are infinite.

    Elements that ``real`` denies are passed over: after a NaN even an infinity would be taken.
    """
    sweep, select = _sweep(equation.params), equation.params["select_prim"].name
    start = neutral("max" if select == "ge" else "min", x.dtype)
    best = lowering.let("best", start, mutable=True)
    taken = lowering.let("taken", first, mutable=True)
    with lowering.loops(sweep.size) as inside:
        at = sweep.at(number, inside)
        each = lowering.let("each", x.at(at))
        stays = ir.Apply(select, (best, each), "bool")
        better: list[ir.Statement] = [
            ir.Assign(best.name, each),
            ir.Assign(taken.name, take(at)),
        ]
        moves: ir.Expression = ir.Apply("not", (stays,), "bool")
        if real is not None:
            moves = ir.Apply("and", (real.at(at), moves), "bool")
        lowering.emit(ir.If(moves, better))
    return taken


@rule("select_and_gather_add")
def _gather_selected(
    lowering: Lowering, equation: Equation, values: Sequence[Value]
) -> list[Value]:
    """Gather the tangents of what each window selects."""
    shape, dtype = result(equation)
    params = equation.params
    start = neutral("max" if params["select_prim"].name == "ge" else "min", dtype)
    around = params["padding"], params["base_dilation"]
    x = _around(lowering, values[1], start, *around)
    real = _inside(lowering, values[1], *around)
    tangents = _around(lowering, values[0], ir.Number(0, dtype), *around)

    def selected(number: Indices) -> ir.Expression:
        return _pick(lowering, equation, x, number, ir.Number(0, dtype), tangents.at, real)

    return [for_each(lowering, shape, dtype, selected)]


@rule("select_and_scatter_add")
def _scatter_selected(
    lowering: Lowering, equation: Equation, values: Sequence[Value]
) -> list[Value]:
    """Add each cotangent to what its window selects."""
    shape, dtype = result(equation)
    params, cotangents = equation.params, values[0]
    start = neutral("max" if params["select_prim"].name == "ge" else "min", dtype)
    x = _around(lowering, values[1], start, params["padding"], (1,) * len(shape))
    sums = lowering.buffer(x.shape, dtype)
    lowering.fill(sums, Value(x.shape, dtype, lambda _: ir.Number(0, dtype)))
    with lowering.loops(cotangents.shape) as number:
        first = ir.flat(_sweep(params).at(number, (ir.Number(0),) * len(shape)), x.shape)
        # here JAX pads with infinities, which are taken after a NaN: none is passed over
        place = _pick(lowering, equation, x, number, first, lambda at: ir.flat(at, x.shape))
        total = ir.Apply("add", (ir.Load(sums, place, dtype), cotangents.at(number)), dtype)
        lowering.emit(ir.Store(sums, place, total))
    lows = [low for low, _ in params["padding"]]
    return [window(stored(sums, x.shape), lows, (1,) * len(shape), shape)]


@rule("conv_general_dilated")
def _convolution(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    shape, dtype = result(equation)
    params, (x, kernel) = equation.params, values
    within = precision(x.dtype, kernel.dtype, dtype)
    x_axes, kernel_axes, out_axes = params["dimension_numbers"]
    by_features, by_batches = params["feature_group_count"], params["batch_group_count"]
    groups = by_features * by_batches  # one of them is 1
    padding, dilation = [(0, 0)] * len(x.shape), [1] * len(x.shape)
    for axis, around, wide in zip(
        x_axes[2:], params["padding"], params["lhs_dilation"], strict=True
    ):
        padding[axis], dilation[axis] = around, wide
    # a zero of the padding has no product: times infinity it would be NaN
    real = _inside(lowering, x, padding, dilation)
    x = _around(lowering, x, ir.Number(0, x.dtype), padding, dilation)
    kernel = lowering.keep(kernel)
    features, inputs, *size = (kernel.shape[axis] for axis in kernel_axes)
    sweep = _Sweep(tuple(size), tuple(params["window_strides"]), tuple(params["rhs_dilation"]))
    batches, _, *places = (shape[axis] for axis in out_axes)

    target = lowering.buffer(shape, dtype)
    with lowering.loops((batches, groups, features // groups, *places)) as at:
        batch, group, of_group, *number = at
        feature = ir.plus(ir.times(group, features // groups), of_group)

        def step(total: ir.Expression, inner: Indices) -> ir.Expression:
            channel, inside = inner[0], inner[1:]
            if by_batches > 1:
                source = (ir.plus(ir.times(group, batches), batch), channel)
            else:
                source = (batch, ir.plus(ir.times(group, inputs), channel))
            where = ordered((*source, *sweep.at(tuple(number), inside)), x_axes)
            weight = kernel.at(ordered((feature, channel, *inside), kernel_axes))
            product = combine(
                "mul", converted(x.at(where), within), converted(weight, within), within
            )
            if real is not None:
                choice = (real.at(where), product, neutral("add", within))
                product = ir.Apply("select", choice, within)
            return combine("add", total, product, within)

        total = fold(lowering, (inputs, *size), neutral("add", within), step)
        position = ir.flat(ordered((batch, feature, *number), out_axes), shape)
        lowering.emit(ir.Store(target, position, converted(total, dtype)))
    return [stored(target, shape)]
