"""One rule for each JAX primitive: how its results read its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from gradlab.program import ir
from gradlab.program.lower import Indices, Lowering, Rule, Value, scalar, stored

RULES: dict[str, Rule] = {}

# Primitives that are one scalar operation, by the name that `emit` gives it.
ELEMENTWISE = {
    "abs": "abs", "add": "add", "add_any": "add", "and": "and", "cos": "cos", "div": "div",
    "eq": "eq", "exp": "exp", "expm1": "expm1", "floor": "floor", "ge": "ge", "gt": "gt",
    "is_finite": "is_finite", "le": "le", "log": "log", "log1p": "log1p", "logistic": "logistic",
    "lt": "lt", "max": "max", "min": "min", "mul": "mul", "ne": "ne", "neg": "neg", "not": "not",
    "or": "or", "rsqrt": "rsqrt", "sign": "sign", "sin": "sin", "sqrt": "sqrt", "sub": "sub",
    "tan": "tan", "tanh": "tanh",
}  # fmt: skip
REDUCTIONS = {
    "reduce_sum": ("add", 0),
    "reduce_prod": ("mul", 1),
    "reduce_max": ("max", -np.inf),
    "reduce_min": ("min", np.inf),
    "reduce_and": ("and", True),
    "reduce_or": ("or", False),
}
LOGIC = ("and", "or", "not")  # of booleans alone; integers are refused
# Primitives that call a jaxpr in place, by the parameter that holds it.
CALLS = {
    "jit": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule under the primitives' names."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def _result(equation: JaxprEqn, number: int = 0) -> tuple[tuple[int, ...], str]:
    aval: Any = equation.outvars[number].aval
    return tuple(aval.shape), np.dtype(aval.dtype).name


def _operands(lowering: Lowering, shape: tuple[int, ...], values: Sequence[Value]) -> list[Value]:
    """The operands of an elementwise operation; scalars and axes of length 1 go with any."""
    return [value if value.shape == shape else _fit(lowering, shape, value) for value in values]


def _fit(lowering: Lowering, shape: tuple[int, ...], value: Value) -> Value:
    kept = lowering.keep(value)

    def index(indices: Indices) -> Indices:
        axes = zip(indices, kept.shape, strict=True) if kept.shape else ()
        return tuple(ir.Number(0) if length == 1 else i for i, length in axes)

    return _reindexed(shape, kept, index)


@rule(*ELEMENTWISE)
def _elementwise(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    operation = ELEMENTWISE[equation.primitive.name]
    if operation in LOGIC and dtype != "bool":
        raise lowering.unsupported(equation, f"bitwise, of {dtype}")
    operands = _operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        return ir.Apply(operation, tuple(v.at(indices) for v in operands), dtype)

    return [Value(shape, dtype, at)]


@rule("select_n")
def _select(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    which, *cases = _operands(lowering, shape, values)
    if which.dtype == "bool":
        cases = cases[::-1]
        tests: list[int | None] = [None] * (len(cases) - 1)
    else:
        which = lowering.keep(which)
        tests = list(range(len(cases) - 1))

    def at(indices: Indices) -> ir.Expression:
        chosen = cases[-1].at(indices)
        for test, case in reversed(list(zip(tests, cases[:-1], strict=True))):
            condition = which.at(indices)
            if test is not None:
                condition = ir.Apply("eq", (condition, ir.Number(test, which.dtype)), "bool")
            chosen = ir.Apply("select", (condition, case.at(indices), chosen), dtype)
        return chosen

    return [Value(shape, dtype, at)]


@rule("clamp")
def _clamp(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    low, x, high = _operands(lowering, shape, values)

    def at(indices: Indices) -> ir.Expression:
        raised = ir.Apply("max", (x.at(indices), low.at(indices)), dtype)
        return ir.Apply("min", (raised, high.at(indices)), dtype)

    return [Value(shape, dtype, at)]


@rule("integer_pow", "square")
def _integer_power(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    x = lowering.keep(values[0])
    exponent = equation.params.get("y", 2)

    def power(base: ir.Expression, n: int) -> ir.Expression:
        if n == 1:
            return base
        half = power(base, n // 2)
        squared = ir.Apply("mul", (half, half), dtype)
        return ir.Apply("mul", (squared, base), dtype) if n % 2 else squared

    def at(indices: Indices) -> ir.Expression:
        if exponent == 0:
            return ir.Number(1, dtype)
        raised = power(x.at(indices), abs(exponent))
        return raised if exponent > 0 else ir.Apply("div", (ir.Number(1, dtype), raised), dtype)

    return [Value(shape, dtype, at)]


@rule("convert_element_type")
def _convert(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    (x,) = values
    shape, dtype = _result(equation)
    if x.dtype == dtype:
        return [x]
    if (x.dtype.startswith("float") and dtype.startswith("int")) or (x.dtype, dtype) == (
        "int64",
        "int32",
    ):
        raise lowering.unsupported(equation, f"{x.dtype} to {dtype}")
    operation = "truth" if dtype == "bool" else "number"

    def at(indices: Indices) -> ir.Expression:
        return ir.Apply(operation, (x.at(indices),), dtype)

    return [Value(shape, dtype, at, x.cheap)]


@rule("stop_gradient", "copy", "optimization_barrier")
def _identity(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    return list(values)


@rule("iota")
def _iota(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    axis = equation.params["dimension"]
    return [
        Value(shape, dtype, lambda indices: ir.Apply("number", (indices[axis],), dtype), cheap=True)
    ]


def _reindexed(shape: tuple[int, ...], value: Value, index: Callable[[Indices], Indices]) -> Value:
    return Value(shape, value.dtype, lambda indices: value.at(index(indices)), value.cheap)


@rule("broadcast_in_dim")
def _broadcast(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, _ = _result(equation)
    x = values[0]
    axes = equation.params["broadcast_dimensions"]
    if int(np.prod(shape, dtype=int)) > int(np.prod(x.shape, dtype=int)):
        x = lowering.keep(x)

    def index(indices: Indices) -> Indices:
        return tuple(
            ir.Number(0) if length == 1 else indices[axis]
            for length, axis in zip(x.shape, axes, strict=True)
        )

    return [_reindexed(shape, x, index)]


@rule("reshape")
def _reshape(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, _ = _result(equation)
    (x,) = values
    if equation.params.get("dimensions") is not None and equation.primitive.name == "reshape":
        raise lowering.unsupported(equation, "in another order than row-major")
    if [n for n in shape if n != 1] == [n for n in x.shape if n != 1]:
        kept = [axis for axis, n in enumerate(shape) if n != 1]

        def index(indices: Indices) -> Indices:
            position = iter(kept)
            return tuple(ir.Number(0) if n == 1 else indices[next(position)] for n in x.shape)

        return [_reindexed(shape, x, index)]
    buffer = lowering.buffer(x.shape, x.dtype)
    lowering.fill(buffer, x)
    return [stored(buffer, shape)]


@rule("squeeze")
def _squeeze(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    return list(_reshape(lowering, equation, values))


@rule("transpose")
def _transpose(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, _ = _result(equation)
    order = np.argsort(equation.params["permutation"])
    return [_reindexed(shape, values[0], lambda indices: tuple(indices[axis] for axis in order))]


@rule("rev")
def _reverse(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, _ = _result(equation)
    flipped = equation.params["dimensions"]

    def index(indices: Indices) -> Indices:
        return tuple(
            ir.plus(ir.times(i, -1), ir.Number(n - 1)) if axis in flipped else i
            for axis, (i, n) in enumerate(zip(indices, shape, strict=True))
        )

    return [_reindexed(shape, values[0], index)]


def _window(
    x: Value, starts: Sequence[int], strides: Sequence[int], shape: tuple[int, ...]
) -> Value:
    def index(indices: Indices) -> Indices:
        return tuple(
            ir.plus(ir.times(i, stride), ir.Number(start))
            for i, start, stride in zip(indices, starts, strides, strict=True)
        )

    return _reindexed(shape, x, index)


@rule("slice")
def _slice(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, _ = _result(equation)
    strides = equation.params["strides"] or (1,) * len(shape)
    return [_window(values[0], equation.params["start_indices"], strides, shape)]


@rule("split")
def _split(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    x = lowering.keep(values[0])
    axis = equation.params["axis"]
    starts = [0] * len(x.shape)
    parts = []
    for number, size in enumerate(equation.params["sizes"]):
        parts.append(_window(x, tuple(starts), (1,) * len(starts), _result(equation, number)[0]))
        starts[axis] += size
    return parts


def _place(lowering: Lowering, target: ir.Buffer, part: Value, window: Value) -> None:
    """Writes ``part`` where ``window``, an array of positions in ``target``, says."""
    if 0 in part.shape:
        return
    with lowering.loops(part.shape) as indices:
        lowering.emit(ir.Store(target, window.at(indices), part.at(indices)))


def _positions(shape: tuple[int, ...]) -> Value:
    return Value(shape, "int64", lambda indices: ir.flat(indices, shape), cheap=True)


def _joined(
    lowering: Lowering, equation: JaxprEqn, parts: Sequence[Value], axis: int
) -> list[Value]:
    shape, dtype = _result(equation)
    target = lowering.buffer(shape, dtype)
    starts = [0] * len(shape)
    for part in parts:
        window = _window(_positions(shape), tuple(starts), (1,) * len(shape), part.shape)
        _place(lowering, target, part, window)
        starts[axis] += part.shape[axis]
    return [stored(target, shape)]


@rule("concatenate")
def _concatenate(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    return _joined(lowering, equation, values, equation.params["dimension"])


@rule("stack")
def _stack(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    axis = equation.params["axis"]
    layers = []
    for value in values:
        shape = (*value.shape[:axis], 1, *value.shape[axis:])
        layers.append(_reindexed(shape, value, lambda i: (*i[:axis], *i[axis + 1 :])))
    return _joined(lowering, equation, layers, axis)


@rule("pad")
def _pad(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    x, padding = values[0], lowering.keep(values[1])
    config = equation.params["padding_config"]
    if any(low < 0 or high < 0 for low, high, _ in config):
        raise lowering.unsupported(equation, "negative padding")
    target = lowering.buffer(shape, dtype)
    lowering.fill(target, Value(shape, dtype, lambda _: padding.at(())))
    starts = [low for low, _, _ in config]
    strides = [interior + 1 for _, _, interior in config]
    _place(lowering, target, x, _window(_positions(shape), starts, strides, x.shape))
    return [stored(target, shape)]


def _accumulate(
    lowering: Lowering,
    shape: tuple[int, ...],
    extent: tuple[int, ...],
    start: ir.Number,
    combine: Callable[[ir.Expression, Indices, Indices], ir.Expression],
) -> Value:
    """For each index into ``shape``, folds ``combine`` over the indices into ``extent``."""

    def fold(outer: Indices) -> ir.Local:
        total = ir.Local(lowering.fresh("sum"), start.dtype)
        lowering.emit(ir.Let(total.name, start, mutable=True))
        if 0 not in extent:
            with lowering.loops(extent) as inner:
                lowering.emit(ir.Assign(total.name, combine(total, outer, inner)))
        return total

    if shape == ():
        return scalar(fold(()))
    target = lowering.buffer(shape, start.dtype)
    if 0 not in shape:
        with lowering.loops(shape) as outer:
            lowering.emit(ir.Store(target, ir.flat(outer, shape), fold(outer)))
    return stored(target, shape)


@rule(*REDUCTIONS)
def _reduce(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    x = values[0]
    operation, start = REDUCTIONS[equation.primitive.name]
    axes = equation.params["axes"]
    if operation in LOGIC and dtype != "bool":
        raise lowering.unsupported(equation, f"bitwise, of {dtype}")
    if dtype == "bool":
        start = start > 0
    elif dtype.startswith("int") and not np.isfinite(start):
        start = np.iinfo(dtype).min if start < 0 else np.iinfo(dtype).max

    def combine(total: ir.Expression, outer: Indices, inner: Indices) -> ir.Expression:
        kept, reduced = iter(outer), iter(inner)
        indices = tuple(next(reduced if axis in axes else kept) for axis in range(len(x.shape)))
        return ir.Apply(operation, (total, x.at(indices)), dtype)

    extent = tuple(x.shape[axis] for axis in sorted(axes))
    return [_accumulate(lowering, shape, extent, ir.Number(start, dtype), combine)]


@rule("dot_general")
def _dot(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    shape, dtype = _result(equation)
    if dtype == "bool":
        raise lowering.unsupported(equation, "of booleans")
    a, b = (lowering.keep(value) for value in values)
    (a_sum, b_sum), (a_batch, b_batch) = equation.params["dimension_numbers"]
    a_free = [i for i in range(len(a.shape)) if i not in (*a_sum, *a_batch)]
    b_free = [i for i in range(len(b.shape)) if i not in (*b_sum, *b_batch)]

    def operand(value: Value, axes: Sequence[int], indices: Indices) -> ir.Expression:
        return value.at(tuple(indices[list(axes).index(axis)] for axis in range(len(value.shape))))

    def combine(total: ir.Expression, outer: Indices, inner: Indices) -> ir.Expression:
        batch, rest = outer[: len(a_batch)], outer[len(a_batch) :]
        left = operand(a, (*a_batch, *a_free, *a_sum), (*batch, *rest[: len(a_free)], *inner))
        right = operand(b, (*b_batch, *b_free, *b_sum), (*batch, *rest[len(a_free) :], *inner))
        return ir.Apply("add", (total, ir.Apply("mul", (left, right), dtype)), dtype)

    extent = tuple(a.shape[axis] for axis in a_sum)
    return [_accumulate(lowering, shape, extent, ir.Number(0, dtype), combine)]


@rule(*CALLS)
def _call(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    return lowering.call(equation.params[CALLS[equation.primitive.name]], values)


@rule("scan")
def _scan(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    params = equation.params
    length, constants, carries = params["length"], params["num_consts"], params["num_carry"]
    outer = [lowering.keep(value) for value in values]
    state = [_variable(lowering, value) for value in outer[constants : constants + carries]]
    sequences = outer[constants + carries :]
    stacks = []
    for number in range(carries, len(equation.outvars)):
        shape, dtype = _result(equation, number)
        stacks.append((lowering.buffer(shape, dtype), shape))
    if length:
        with lowering.loop(length, reverse=params["reverse"], prefix="t") as t:
            elements = [
                _reindexed(x.shape[1:], x, lambda indices: (t, *indices)) for x in sequences
            ]
            arguments = [*outer[:constants], *(value for _, value in state), *elements]
            results = lowering.call(params["jaxpr"], arguments)
            following = [lowering.compute(value) for value in results[:carries]]
            for (buffer, _), value in zip(stacks, results[carries:], strict=True):
                size = int(np.prod(value.shape, dtype=int))
                lowering.fill(buffer, value, ir.times(t, size))
            for (target, _), value in zip(state, following, strict=True):
                if isinstance(target, ir.Buffer):
                    lowering.fill(target, value)
                else:
                    lowering.emit(ir.Assign(target.name, value.at(())))
    return [*(value for _, value in state), *(stored(buffer, shape) for buffer, shape in stacks)]


def _variable(lowering: Lowering, value: Value) -> tuple[ir.Local | ir.Buffer, Value]:
    """A place of its own for a value that a loop changes, and how to read it."""
    if value.shape == ():
        local = ir.Local(lowering.fresh("carry"), value.dtype)
        lowering.emit(ir.Let(local.name, value.at(()), mutable=True))
        return local, scalar(local)
    buffer = lowering.buffer(value.shape, value.dtype)
    lowering.fill(buffer, value)
    return buffer, stored(buffer, value.shape)
