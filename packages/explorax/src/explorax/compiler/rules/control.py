"""Branches and loops; calls have been inlined before (``jaxprs.CALLS``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.registry import reindexed, result, rule
from explorax.compiler.values import Indices, Value, scalar, stored


class _Variable:
    """A place of its own for a value that a loop or a branch sets."""

    def __init__(
        self,
        lowering: Lowering,
        shape: tuple[int, ...],
        dtype: str,
        name: str,
        initial: Value | None = None,
    ) -> None:
        """Declare it, with its first value; without one, every branch to come sets it."""
        self._lowering = lowering
        self._shape = shape
        self.single = int(np.prod(shape, dtype=int)) == 1 and dtype != "key"
        if self.single:
            first = self._at(initial) if initial else ir.Number(0, dtype)
            self._local = lowering.let(name, first, mutable=True)
            self.value = scalar(self._local, shape)
        else:
            self._buffer = lowering.buffer(shape, dtype)
            self.value = stored(self._buffer, shape, dtype)
            if initial:
                lowering.fill(self._buffer, initial)

    def set(self, value: Value) -> None:
        """Give it another value, which must not read this place elsewhere."""
        if self.single:
            self._lowering.emit(ir.Assign(self._local.name, self._at(value)))
        else:
            self._lowering.fill(self._buffer, value)

    def _at(self, value: Value) -> ir.Expression:
        return value.at((ir.Number(0),) * len(self._shape))


def _carried(lowering: Lowering, initial: Sequence[Value]) -> list[_Variable]:
    """Declare the variables that a loop carries."""
    return [_Variable(lowering, value.shape, value.dtype, "carry", value) for value in initial]


def _advance(lowering: Lowering, state: Sequence[_Variable], following: Sequence[Value]) -> None:
    """Set all variables at once: no new value sees another's."""
    direct = len(state) - 1 if state and state[-1].single else len(state)
    computed = [lowering.materialize(value) for value in following[:direct]]
    for variable, value in zip(state[direct:], following[direct:], strict=True):
        variable.set(value)
    for variable, value in zip(state[:direct], computed, strict=True):
        variable.set(value)


@rule("scan")
def _scan(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    params = equation.params
    carries, length = params["carries"], params["length"]
    sequences = [lowering.keep(value) for value in values[carries:]]
    state = _carried(lowering, values[:carries])
    forms = [result(equation, number) for number in range(carries, len(equation.outvars))]
    stacks = [lowering.buffer(shape, dtype) for shape, dtype in forms]
    with lowering.loop(length, reverse=params["reverse"], prefix="t") as t:
        elements = [reindexed(x.shape[1:], x, lambda indices: (t, *indices)) for x in sequences]
        results = lowering.run(params["body"], [*(v.value for v in state), *elements])
        for stack, value in zip(stacks, results[carries:], strict=True):
            size = int(np.prod(value.shape, dtype=int))
            lowering.fill(stack, value, ir.times(t, size))
        _advance(lowering, state, results[:carries])
    whole = (stored(stack, *form) for stack, form in zip(stacks, forms, strict=True))
    return [*(v.value for v in state), *whole]


@rule("while")
def _while(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    state = _carried(lowering, values)
    statement = ir.Loop()
    with lowering.inside(statement.body):
        (test,) = lowering.run(equation.params["test"], [v.value for v in state])
        test = lowering.keep(test) if test.shape else test
        lowering.emit(ir.Stop(_any(lowering, test)))
        following = lowering.run(equation.params["body"], [v.value for v in state])
        if test.shape:
            following = [
                _where(test, new, old.value) for new, old in zip(following, state, strict=True)
            ]
        _advance(lowering, state, following)
    lowering.emit(statement)
    return [v.value for v in state]


def _any(lowering: Lowering, test: Value) -> ir.Expression:
    """Tell whether some loop of a batch goes on."""
    if test.shape == ():
        return test.at(())
    some = lowering.let("some", ir.Number(False, "bool"), mutable=True)
    with lowering.loops(test.shape) as indices:
        lowering.emit(ir.Assign(some.name, ir.Apply("or", (some, test.at(indices)), "bool")))
    return some


def _where(test: Value, new: Value, old: Value) -> Value:
    """Return the new values of those loops of a batch that go on; the others keep theirs."""

    def at(indices: Indices) -> ir.Expression:
        going = test.at(indices[: len(test.shape)])
        return ir.Apply("select", (going, new.at(indices), old.at(indices)), new.dtype)

    return Value(new.shape, new.dtype, at)


@rule("cond")
def _cond(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    index = values[0]
    branches = equation.params["branches"]
    results = [
        _Variable(lowering, *result(equation, number), "chosen")
        for number in range(len(equation.outvars))
    ]

    def branch(number: int) -> None:
        for variable, value in zip(results, lowering.run(branches[number], []), strict=True):
            variable.set(value)

    def choose(number: int) -> None:
        """Emit the branches from ``number`` on; an index beyond them takes the last."""
        if number == len(branches) - 1:
            branch(number)
            return
        operation = "eq" if number else "le"
        least = ir.Number(number, index.dtype)
        statement = ir.If(ir.Apply(operation, (index.at(()), least), "bool"))
        with lowering.inside(statement.then):
            branch(number)
        with lowering.inside(statement.otherwise):
            choose(number + 1)
        lowering.emit(statement)

    question = _question(index.at(()))
    if question is not None and len(branches) == 2:
        statement = ir.If(question)
        for block, number in ((statement.then, 1), (statement.otherwise, 0)):
            with lowering.inside(block):
                branch(number)
        lowering.emit(statement)
    else:
        index = lowering.keep(index)
        choose(0)
    return [variable.value for variable in results]


def _question(index: ir.Expression) -> ir.Expression | None:
    """Return the boolean that an index is made of, if it is."""
    if isinstance(index, ir.Apply) and index.operation == "number":
        (inner,) = index.arguments
        return inner if inner.dtype == "bool" else None
    return None
