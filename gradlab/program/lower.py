"""The second step: a jaxpr becomes loops over buffers.

A value is a function from index expressions to a scalar expression, so chains of elementwise
operations and changes of index (broadcasting, slices, transposes) fuse by themselves. A value
is written to a buffer where reading it again would compute it again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from gradlab.program import ir
from gradlab.program.errors import ProgramError, UnsupportedPrimitive
from gradlab.program.trace import INSIDE, Trace

Indices = tuple[ir.Expression, ...]

EXACT = 2**53  # from here on a float64, which int64 is in JavaScript, skips integers


@dataclass(frozen=True)
class Value:
    """An array as a function of its indices.

    Attributes:
      shape, dtype: of the array.
      at: the scalar expression at some indices.
      cheap: whether reading costs no more than a load.
    """

    shape: tuple[int, ...]
    dtype: str
    at: Callable[[Indices], ir.Expression]
    cheap: bool = False


Rule = Callable[["Lowering", JaxprEqn, Sequence[Value]], Sequence[Value]]


class Lowering:
    """Collects the statements and buffers of one program."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        self.rules = rules
        self.buffers: list[ir.Buffer] = []
        self._block: list[ir.Statement] = []
        self._counts: Counter[str] = Counter()

    def emit(self, statement: ir.Statement) -> None:
        """Appends to the innermost open loop."""
        self._block.append(statement)

    def fresh(self, prefix: str) -> str:
        """A name that no variable has yet."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]}"

    @contextmanager
    def loop(
        self, count: int, *, reverse: bool = False, prefix: str = "i"
    ) -> Iterator[ir.Expression]:
        """Opens a loop; what is emitted inside goes into its body. One turn needs no loop."""
        if count == 1:
            yield ir.Number(0)
            return
        statement = ir.For(self.fresh(prefix), count, reverse=reverse)
        outer, self._block = self._block, statement.body
        try:
            yield ir.Local(statement.index)
        finally:
            self._block = outer
        self.emit(statement)

    @contextmanager
    def loops(self, shape: Sequence[int]) -> Iterator[Indices]:
        """Opens a nest of loops, one for each axis."""
        if not shape:
            yield ()
            return
        with self.loop(shape[0]) as first, self.loops(shape[1:]) as rest:
            yield (first, *rest)

    def buffer(self, shape: Sequence[int], dtype: str, data: np.ndarray | None = None) -> ir.Buffer:
        """A new scratch buffer, or a constant's."""
        role = "scratch" if data is None else "constant"
        name = self.fresh("b" if data is None else "constant")
        made = ir.Buffer(name, int(np.prod(shape, dtype=int)), dtype, role, data)
        self.buffers.append(made)
        return made

    def fill(self, buffer: ir.Buffer, value: Value, offset: ir.Expression | None = None) -> None:
        """Writes a value to a buffer, from ``offset`` on."""
        if 0 in value.shape:
            return
        with self.loops(value.shape) as indices:
            position = ir.plus(ir.flat(indices, value.shape), offset or ir.Number(0))
            self.emit(ir.Store(buffer, position, value.at(indices)))

    def keep(self, value: Value) -> Value:
        """The same value, computed here and now if reading it is not cheap."""
        return value if value.cheap else self.compute(value)

    def compute(self, value: Value) -> Value:
        """The same value, in a variable or a buffer of its own."""
        if value.shape == ():
            name = self.fresh("v")
            self.emit(ir.Let(name, value.at(())))
            return scalar(ir.Local(name, value.dtype))
        buffer = self.buffer(value.shape, value.dtype)
        self.fill(buffer, value)
        return stored(buffer, value.shape)

    def constant(self, array: Any) -> Value:
        """A literal or a captured array."""
        array = np.asarray(array)
        dtype = array.dtype.name
        if dtype not in INSIDE:
            raise ProgramError(
                f"A constant has dtype {dtype}; expected one of {', '.join(INSIDE)}."
            )
        if dtype == "int64" and np.any((array > EXACT) | (array < -EXACT)):
            raise ProgramError("An integer constant is beyond 2**53: JavaScript would round it.")
        if array.size == 1:
            number = ir.Number(array.reshape(()).item(), dtype)
            return Value(array.shape, dtype, lambda _: number, cheap=True)
        return stored(self.buffer(array.shape, dtype, array.reshape(-1)), array.shape)

    def call(self, closed: ClosedJaxpr, arguments: Sequence[Value]) -> list[Value]:
        """Lowers a jaxpr in place, dead equations left out."""
        jaxpr = closed.jaxpr
        equations, uses = live(jaxpr)
        values: dict[Var, Value] = {
            variable: self.keep(value) if uses[variable] > 1 else value
            for variable, value in zip(jaxpr.invars, arguments, strict=True)
        }
        for variable, constant in zip(jaxpr.constvars, closed.consts, strict=True):
            values[variable] = self.constant(constant)

        def read(atom: Var | Literal) -> Value:
            return self.constant(atom.val) if isinstance(atom, Literal) else values[atom]

        for equation in equations:
            results = self._apply(equation, [read(atom) for atom in equation.invars])
            for variable, value in zip(equation.outvars, results, strict=True):
                values[variable] = self.keep(value) if uses[variable] > 1 else value
        return [read(atom) for atom in jaxpr.outvars]

    def _apply(self, equation: JaxprEqn, values: Sequence[Value]) -> Sequence[Value]:
        rule = self.rules.get(equation.primitive.name)
        if rule is None:
            raise self.unsupported(equation)
        for variable in equation.outvars:
            dtype = str(getattr(variable.aval, "dtype", variable.aval))
            if dtype not in INSIDE:
                raise self.unsupported(equation, f"to {dtype}")
        return rule(self, equation, values)

    def unsupported(self, equation: JaxprEqn, detail: str = "") -> UnsupportedPrimitive:
        """The error for an equation without a translation, or with a parameter without one."""
        return UnsupportedPrimitive(
            equation.primitive.name, user_line(equation), detail, self.rules
        )

    def take(self) -> list[ir.Statement]:
        """What has been emitted outside all loops."""
        return self._block


def scalar(expression: ir.Expression) -> Value:
    """A value of shape () that is cheap to read."""
    return Value((), expression.dtype, lambda _: expression, cheap=True)


def stored(buffer: ir.Buffer, shape: tuple[int, ...]) -> Value:
    """The whole of a buffer, as an array of ``shape``."""

    def at(indices: Indices) -> ir.Expression:
        return ir.Load(buffer, ir.flat(indices, shape), buffer.dtype)

    return Value(shape, buffer.dtype, at, cheap=True)


def live(jaxpr: Jaxpr) -> tuple[list[JaxprEqn], Counter[Var]]:
    """The equations that some output needs, in order, and how often each variable is read."""
    uses = Counter(atom for atom in jaxpr.outvars if not isinstance(atom, Literal))
    equations = []
    for equation in reversed(jaxpr.eqns):
        if any(uses[variable] for variable in equation.outvars):
            equations.append(equation)
            uses.update(atom for atom in equation.invars if not isinstance(atom, Literal))
    return equations[::-1], uses


def user_line(equation: JaxprEqn) -> str:
    """``file:line`` of the innermost frame outside JAX and this package."""
    traceback: Any = equation.source_info.traceback
    inside = (jax.__path__[0], __file__.rpartition("lower.py")[0])
    for frame in traceback.frames if traceback else ():
        if not frame.file_name.startswith(inside):
            return f"{frame.file_name}:{frame.line_num}"
    return "a line that JAX does not know"


def identifier(role: str, number: int, name: str) -> str:
    """A leaf's name in JavaScript: no keyword, no global, and no other variable's name."""
    return f"{role}{number + 1}_{re.sub(r'[^A-Za-z0-9]', '_', name)}"


def lower(trace: Trace, rules: dict[str, Rule]) -> ir.Module:
    """Lowers a traced function.

    Raises:
      UnsupportedPrimitive: for a primitive, or one of its parameters, without a translation.
    """
    lowering = Lowering(rules)
    inputs: list[ir.Local | ir.Buffer] = []
    arguments = []
    for leaf in trace.inputs:
        name = identifier("in", len(inputs), leaf.name)
        if leaf.shape == ():
            local = ir.Local(name, leaf.dtype)
            inputs.append(local)
            arguments.append(scalar(local))
        else:
            buffer = ir.Buffer(name, int(np.prod(leaf.shape)), leaf.dtype, "input")
            inputs.append(buffer)
            arguments.append(stored(buffer, leaf.shape))
    results = lowering.call(trace.jaxpr, arguments)
    outputs: list[ir.Buffer] = []
    for leaf, value in zip(trace.outputs, results, strict=True):
        size = int(np.prod(leaf.shape, dtype=int))
        name = identifier("out", len(outputs), leaf.name)
        buffer = ir.Buffer(name, size, leaf.dtype, "output")
        lowering.fill(buffer, value)
        outputs.append(buffer)
    return ir.Module(
        trace.name, tuple(inputs), tuple(outputs), tuple(lowering.buffers), tuple(lowering.take())
    )
