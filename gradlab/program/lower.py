"""The second step: a jaxpr becomes loops over buffers.

A value is a function from index expressions to a scalar expression, so chains of elementwise
operations and changes of index (broadcasting, slices, transposes) fuse by themselves. A value
is written to a buffer where reading it again would compute it again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr

from gradlab.program import ir, passes, tables
from gradlab.program.errors import ProgramError, UnsupportedPrimitive
from gradlab.program.graph import Atom, Constant, Equation, Graph, Wire, build, uses
from gradlab.program.passes.rewrite import rewritten
from gradlab.program.trace import INSIDE, Trace
from gradlab.program.values import Indices, Value, scalar, stored

EXACT = 2**53  # from here on a float64, which int64 is in JavaScript, skips integers
DEEPEST = 48  # equations in one expression: more are no longer read, and exhaust Python's stack


Rule = Callable[["Lowering", Equation, Sequence[Value]], Sequence[Value]]


class Lowering:
    """Collects the statements and buffers of one program."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        self.rules = rules
        self.buffers: list[ir.Buffer] = []
        self._block: list[ir.Statement] = []
        self._counts: Counter[str] = Counter()
        self._values: dict[Wire, Value] = {}
        self._uses: Counter[Wire] = Counter()
        self._constants: dict[Hashable, ir.Buffer] = {}

    def emit(self, statement: ir.Statement) -> None:
        """Appends to the innermost open block."""
        self._block.append(statement)

    def fresh(self, prefix: str) -> str:
        """A name that no variable has yet."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]}"

    @contextmanager
    def inside(self, block: list[ir.Statement]) -> Iterator[None]:
        """Opens a block; what is emitted inside goes there."""
        outer, self._block = self._block, block
        try:
            yield
        finally:
            self._block = outer

    @contextmanager
    def loop(
        self, count: int, *, reverse: bool = False, prefix: str = "i"
    ) -> Iterator[ir.Expression]:
        """Opens a loop; what is emitted inside goes into its body. One turn needs no loop."""
        if count == 1:
            yield ir.Number(0)
            return
        statement = ir.For(self.fresh(prefix), count, reverse=reverse)
        with self.inside(statement.body):
            yield ir.Local(statement.index)
        self.emit(statement)

    @contextmanager
    def loops(self, shape: Sequence[int]) -> Iterator[Indices]:
        """Opens a nest of loops, one for each axis."""
        if not shape:
            yield ()
            return
        with self.loop(shape[0]) as first, self.loops(shape[1:]) as rest:
            yield (first, *rest)

    def buffer(self, shape: Sequence[int], dtype: str) -> ir.Buffer:
        """A new scratch buffer."""
        size = int(np.prod(shape, dtype=int))
        made = ir.Buffer(self.fresh("b"), size * (2 if dtype == "key" else 1), _element(dtype))
        self.buffers.append(made)
        return made

    def fill(self, buffer: ir.Buffer, value: Value, offset: ir.Expression | None = None) -> None:
        """Writes a value to a buffer, from its element ``offset`` on."""
        if 0 in value.shape:
            return
        with self.loops(value.shape) as indices:
            position = ir.plus(ir.flat(indices, value.shape), offset or ir.Number(0))
            self.store(buffer, position, value.at(indices))

    def store(self, buffer: ir.Buffer, position: ir.Expression, value: ir.Expression) -> None:
        """Writes one element; a key takes two places."""
        if value.dtype != "key":
            self.emit(ir.Store(buffer, position, value))
            return
        for number in (0, 1):
            at = ir.plus(ir.times(position, 2), ir.Number(number))
            self.emit(ir.Store(buffer, at, ir.word(value, number)))

    def keep(self, value: Value) -> Value:
        """The same value, computed here and now if reading it is not cheap."""
        return value if value.cheap else self.compute(value)

    def compute(self, value: Value) -> Value:
        """The same value, in a variable or a buffer of its own."""
        if np.prod(value.shape, dtype=int) == 1 and value.dtype != "key":
            name = self.fresh("v")
            self.emit(ir.Let(name, value.at((ir.Number(0),) * len(value.shape))))
            return scalar(ir.Local(name, value.dtype), value.shape)
        buffer = self.buffer(value.shape, value.dtype)
        self.fill(buffer, value)
        return stored(buffer, value.shape, value.dtype)

    def constant(self, array: Any) -> Value:
        """A literal or a captured array."""
        if jnp.issubdtype(getattr(array, "dtype", np.float64), jax.dtypes.prng_key):
            data = np.asarray(jax.random.key_data(array))
            return stored(self._table(data), tuple(array.shape), "key")
        array = np.asarray(array)
        dtype = array.dtype.name
        if dtype not in INSIDE:
            raise ProgramError(
                f"A constant has dtype {dtype}; expected one of {', '.join(INSIDE)}."
            )
        return tables.value(array, self._table)

    def _table(self, array: np.ndarray) -> ir.Buffer:
        """The buffer of a constant array, one for all that are equal."""
        flat = np.ascontiguousarray(array).reshape(-1)
        key = flat.dtype.name, flat.tobytes()
        if key not in self._constants:
            made = ir.Buffer(self.fresh("constant"), flat.size, flat.dtype.name, "constant", flat)
            self.buffers.append(made)
            self._constants[key] = made
        return self._constants[key]

    def call(self, closed: ClosedJaxpr, arguments: Sequence[Value]) -> list[Value]:
        """Lowers a jaxpr in place."""
        graph = build(closed)
        self._uses.update(uses(graph))
        return self.run(graph, arguments)

    def run(self, graph: Graph, arguments: Sequence[Value]) -> list[Value]:
        """Lowers a graph in place. What lies outside it has been lowered before."""
        for wire, value in zip(graph.invars, arguments, strict=True):
            self._values[wire] = self.keep(value) if self._uses[wire] > 1 else value
        for equation in graph.equations:
            operands = [self._read(atom, equation) for atom in equation.invars]
            depth = 1 + max((value.depth for value in operands), default=0)
            for wire, value in zip(equation.outvars, self._apply(equation, operands), strict=True):
                again = self._uses[wire] > 1 or depth > DEEPEST
                self._values[wire] = self.keep(value) if again else _deep(value, depth)
        return [self._read(atom) for atom in graph.outvars]

    def _read(self, atom: Atom, equation: Equation | None = None) -> Value:
        if isinstance(atom, Constant):
            _refuse_inexact(atom.value, equation)
            return self.constant(atom.value)
        return self._values[atom]

    def _apply(self, equation: Equation, values: Sequence[Value]) -> Sequence[Value]:
        rule = self.rules.get(equation.primitive.name)
        if rule is None:
            raise self.unsupported(equation)
        for variable in equation.outvars:
            dtype = variable.aval.dtype
            if str(dtype) not in INSIDE and not jnp.issubdtype(dtype, jax.dtypes.prng_key):
                raise self.unsupported(equation, f"to {dtype}")
        return rule(self, equation, values)

    def unsupported(self, equation: Equation, detail: str = "") -> UnsupportedPrimitive:
        """The error for an equation without a translation, or with a parameter without one."""
        return UnsupportedPrimitive(
            equation.primitive.name, user_line(equation), detail, self.rules
        )

    def take(self) -> list[ir.Statement]:
        """What has been emitted outside all loops."""
        return self._block


def _refuse_inexact(array: Any, equation: Equation | None) -> None:
    """Raises a ProgramError for integers that JavaScript would round, with the line that has them."""
    if getattr(array, "dtype", None) != np.int64:
        return
    array = np.asarray(array)
    wrong = array[((array > EXACT) | (array < -EXACT)) & ~_ends(array)]
    if not wrong.size:
        return
    where = (
        f"for '{equation.primitive.name}' in {user_line(equation)}" if equation else "in a result"
    )
    raise ProgramError(
        f"The integer constant {wrong.flat[0]} {where} is beyond 2**53: JavaScript would round it. "
        "Use a smaller one, or a float."
    )


def _ends(array: np.ndarray) -> np.ndarray:
    """Where an array is an end of int64's range: a bound for others, and above or below them all."""
    ends = np.iinfo(np.int64)
    found: np.ndarray = (array == ends.min) | (array == ends.max)
    return found


def _deep(value: Value, depth: int) -> Value:
    return value if value.cheap else replace(value, depth=depth)


def _element(dtype: str) -> str:
    return "uint32" if dtype == "key" else dtype


def user_line(equation: Equation) -> str:
    """``file:line`` of the innermost frame outside JAX and this package.

    JAX traces its own jitted functions once and keeps them: what it knows inside such a call
    is who called first. So beyond the start of a jitted call the line is the call's own.
    """
    inside = (jax.__path__[0], __file__.rpartition("lower.py")[0])
    for source in equation.sources:
        traceback: Any = source.traceback
        for frame in traceback.frames if traceback else ():
            if not frame.file_name.startswith(inside):
                return f"{frame.file_name}:{frame.line_num}"
            if frame.file_name.endswith("pjit.py") and source is not equation.sources[-1]:
                break
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
    with jax.enable_x64(True):
        results = lowering.call(trace.jaxpr, arguments)
    outputs: list[ir.Buffer] = []
    direct: dict[ir.Buffer, ir.Buffer] = {}  # scratch that is a result needs no copy
    for leaf, value in zip(trace.outputs, results, strict=True):
        size = int(np.prod(leaf.shape, dtype=int))
        name = identifier("out", len(outputs), leaf.name)
        buffer = ir.Buffer(name, size, leaf.dtype, "output")
        outputs.append(buffer)
        if value.whole and value.whole.role == "scratch" and value.whole not in direct:
            direct[value.whole] = buffer
        else:
            lowering.fill(buffer, value)
    return passes.improve(
        ir.Module(
            trace.name,
            tuple(inputs),
            tuple(outputs),
            tuple(lowering.buffers),
            tuple(rewritten(lowering.take(), buffers=direct)),
        )
    )
