"""The third step: a graph becomes loops over buffers, primitive by primitive, by its rules.

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

from explorax.compiler import constants, ir
from explorax.compiler.errors import ProgramError, UnsupportedPrimitive
from explorax.compiler.graph import Atom, Constant, Equation, Graph, Var, count_uses, expansions
from explorax.compiler.trace import INSIDE, Leaf, Trace
from explorax.compiler.traverse import rewritten
from explorax.compiler.values import Indices, Value, scalar, stored

EXACT = 2**53  # from here on a float64, which int64 is in JavaScript, skips integers
DEEPEST = 48  # equations in one expression: more are no longer read, and exhaust Python's stack

Rule = Callable[["Lowering", Equation, Sequence[Value]], Sequence[Value]]


class Lowering:
    """The statements and buffers of one program, while they are collected."""

    def __init__(self, rules: dict[str, Rule], uses: Counter[Var]) -> None:
        self.rules = rules
        self.buffers: list[ir.Buffer] = []
        self.block: list[ir.Statement] = []  # the innermost that is open
        self._counts: Counter[str] = Counter()
        self._values: dict[Var, Value] = {}
        self._uses = uses
        self._constants: dict[Hashable, ir.Buffer] = {}

    def emit(self, statement: ir.Statement) -> None:
        """Append to the innermost open block."""
        self.block.append(statement)

    def fresh(self, prefix: str) -> str:
        """Return a name that no variable has yet."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]}"

    def let(self, prefix: str, value: ir.Expression, *, mutable: bool = False) -> ir.Local:
        """Declare a variable with its first value."""
        made = ir.Local(self.fresh(prefix), value.dtype)
        self.emit(ir.Let(made.name, value, mutable))
        return made

    @contextmanager
    def inside(self, block: list[ir.Statement]) -> Iterator[None]:
        """Open a block: what is emitted inside goes there."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    @contextmanager
    def loop(
        self, count: int, *, reverse: bool = False, prefix: str = "i"
    ) -> Iterator[ir.Expression]:
        """Open a loop: what is emitted inside goes into its body. None or one turn needs no loop."""
        if count == 1:
            yield ir.Number(0)
            return
        statement = ir.For(self.fresh(prefix), count, reverse=reverse)
        with self.inside(statement.body):
            yield ir.Local(statement.index)
        if count:
            self.emit(statement)

    @contextmanager
    def loops(self, shape: Sequence[int]) -> Iterator[Indices]:
        """Open a nest of loops, one for each axis."""
        if not shape:
            yield ()
            return
        with self.loop(shape[0]) as first, self.loops(shape[1:]) as rest:
            yield (first, *rest)

    def buffer(self, shape: Sequence[int], dtype: str) -> ir.Buffer:
        """Make a new scratch buffer."""
        size = int(np.prod(shape, dtype=int))
        words, element = (2, "uint32") if dtype == "key" else (1, dtype)
        made = ir.Buffer(self.fresh("b"), words * size, element)
        self.buffers.append(made)
        return made

    def fill(self, buffer: ir.Buffer, value: Value, offset: ir.Expression | None = None) -> None:
        """Write a value to a buffer, from its element ``offset`` on."""
        with self.loops(value.shape) as indices:
            position = ir.plus(ir.flat(indices, value.shape), offset or ir.Number(0))
            self.store(buffer, position, value.at(indices))

    def store(self, buffer: ir.Buffer, position: ir.Expression, value: ir.Expression) -> None:
        """Write one element; a key takes two places."""
        if value.dtype != "key":
            self.emit(ir.Store(buffer, position, value))
            return
        for number in (0, 1):
            at = ir.plus(ir.times(position, 2), ir.Number(number))
            self.emit(ir.Store(buffer, at, ir.word(value, number)))

    def keep(self, value: Value) -> Value:
        """Return the same value, computed here and now if reading it is not cheap."""
        return value if value.cheap else self.materialize(value)

    def copy(self, value: Value) -> ir.Buffer:
        """Write a value to a buffer of its own."""
        buffer = self.buffer(value.shape, value.dtype)
        self.fill(buffer, value)
        return buffer

    def materialize(self, value: Value) -> Value:
        """Return the same value, in a variable or a buffer of its own."""
        if np.prod(value.shape, dtype=int) == 1 and value.dtype != "key":
            return scalar(self.let("v", value.at((ir.Number(0),) * len(value.shape))), value.shape)
        return stored(self.copy(value), value.shape, value.dtype)

    def constant(self, array: Any) -> Value:
        """Return a literal or a captured array as a value."""
        if jnp.issubdtype(getattr(array, "dtype", np.float64), jax.dtypes.prng_key):
            data = np.asarray(jax.random.key_data(array))
            return stored(self._table(data), tuple(array.shape), "key")
        array = np.asarray(array)
        dtype = array.dtype.name
        if dtype not in INSIDE:
            raise ProgramError(
                f"A constant has dtype {dtype}; expected one of {', '.join(INSIDE)}."
            )
        return constants.as_value(array, self._table)

    def _table(self, array: np.ndarray) -> ir.Buffer:
        """Return the buffer of a constant array, one for all that are equal."""
        flat = np.ascontiguousarray(array).reshape(-1)
        key = flat.dtype.name, flat.tobytes()
        if key not in self._constants:
            made = ir.Buffer(self.fresh("constant"), flat.size, flat.dtype.name, "constant", flat)
            self.buffers.append(made)
            self._constants[key] = made
        return self._constants[key]

    def run(self, graph: Graph, arguments: Sequence[Value]) -> list[Value]:
        """Lower a graph in place. What lies outside it has been lowered before."""
        for var, value in zip(graph.invars, arguments, strict=True):
            self._values[var] = self.keep(value) if self._uses[var] > 1 else value
        for equation in graph.equations:
            operands = [self._read(atom, equation) for atom in equation.invars]
            depth = 1 + max((value.depth for value in operands), default=0)
            for var, value in zip(equation.outvars, self._apply(equation, operands), strict=True):
                if self._uses[var] > 1 or depth > DEEPEST:
                    value = self.keep(value)
                elif not value.cheap:
                    value = replace(value, depth=depth)
                self._values[var] = value
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
        """Return the error for an equation, or a parameter of it, without a translation."""
        return UnsupportedPrimitive(
            equation.primitive.name,
            line_of(equation.sources),
            detail,
            {*self.rules, *expansions.EXPANSIONS},
        )


def _refuse_inexact(array: Any, equation: Equation | None) -> None:
    """Raise a ProgramError for integers that JavaScript would round, with the line that has them."""
    if getattr(array, "dtype", None) != np.int64:
        return
    array, limits = np.asarray(array), np.iinfo(np.int64)
    # the ends of the range are bounds for others, and above or below them all
    end = (array == limits.min) | (array == limits.max)
    wrong = array[((array > EXACT) | (array < -EXACT)) & ~end]
    if not wrong.size:
        return
    where = (
        f"for '{equation.primitive.name}' in {line_of(equation.sources)}"
        if equation
        else "in a result"
    )
    raise ProgramError(
        f"The integer constant {wrong.flat[0]} {where} is beyond 2**53: JavaScript would round it. "
        "Use a smaller one, or a float."
    )


def line_of(sources: Sequence[Any]) -> str:
    """Return ``file:line`` of the innermost frame outside JAX and this package.

    JAX traces its own jitted functions once and keeps them: what it knows inside such a call
    is who called first. So beyond the start of a jitted call the line is the call's own.

    Args:
      sources: of an equation, from the innermost call outwards.
    """
    inside = (jax.__path__[0], __file__.rpartition("lower.py")[0])
    for source in sources:
        traceback: Any = source.traceback
        for frame in traceback.frames if traceback else ():
            if not frame.file_name.startswith(inside):
                return f"{frame.file_name}:{frame.line_num}"
            if frame.file_name.endswith("pjit.py") and source is not sources[-1]:
                break
    return "a line that JAX does not know"


def identifier(role: str, number: int, name: str) -> str:
    """Name a leaf in JavaScript: no keyword, no global, and no other variable's name."""
    return f"{role}{number + 1}_{re.sub(r'[^A-Za-z0-9]', '_', name)}"


def _leaf_buffer(role: str, number: int, leaf: Leaf) -> ir.Buffer:
    name = identifier(role, number, leaf.name)
    return ir.Buffer(name, int(np.prod(leaf.shape, dtype=int)), leaf.dtype, f"{role}put")


def lower(graph: Graph, trace: Trace, rules: dict[str, Rule]) -> ir.Module:
    """Lower a graph to loops over buffers.

    Args:
      graph: of the traced function.
      trace: it names the leaves.
      rules: by the names of the primitives.

    Raises:
      UnsupportedPrimitive: for a primitive, or one of its parameters, without a translation.
    """
    lowering = Lowering(rules, count_uses(graph))
    inputs = [
        _leaf_buffer("in", number, leaf)
        if leaf.shape
        else ir.Local(identifier("in", number, leaf.name), leaf.dtype)
        for number, leaf in enumerate(trace.inputs)
    ]
    arguments = [
        scalar(given) if isinstance(given, ir.Local) else stored(given, leaf.shape)
        for given, leaf in zip(inputs, trace.inputs, strict=True)
    ]
    outputs = [_leaf_buffer("out", number, leaf) for number, leaf in enumerate(trace.outputs)]
    direct: dict[ir.Buffer, ir.Buffer] = {}  # scratch that is a result needs no copy
    for buffer, value in zip(outputs, lowering.run(graph, arguments), strict=True):
        if value.buffer and value.buffer.role == "scratch" and value.buffer not in direct:
            direct[value.buffer] = buffer
        else:
            lowering.fill(buffer, value)
    body = tuple(rewritten(lowering.block, buffers=direct))
    return ir.Module(trace.name, tuple(inputs), tuple(outputs), tuple(lowering.buffers), body)
