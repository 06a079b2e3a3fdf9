"""The language between the jaxpr and JavaScript: scalar expressions, and loops over buffers.

A buffer is a flat typed array in row-major order. Expressions have no side effects.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Number:
    """A literal."""

    value: float | int | bool
    dtype: str = "int64"


@dataclass(frozen=True)
class Local:
    """A scalar variable of the emitted program."""

    name: str
    dtype: str = "int64"


@dataclass(frozen=True)
class Load:
    """The element of a buffer at a flat index."""

    buffer: Buffer
    index: Expression
    dtype: str


@dataclass(frozen=True)
class Apply:
    """A scalar operation by its name in ``emit``'s table; ``dtype`` is the result's."""

    operation: str
    arguments: tuple[Expression, ...]
    dtype: str


Expression = Number | Local | Load | Apply


@dataclass(frozen=True, eq=False)
class Buffer:
    """A flat typed array.

    Attributes:
      name: its name in the emitted program.
      size: its length.
      dtype: its element type.
      data: its contents, for a constant.
      role: ``"input"`` (a parameter), ``"output"`` (made anew in each call, the caller's to
        keep), ``"constant"`` or ``"scratch"`` (made once).
    """

    name: str
    size: int
    dtype: str
    role: str = "scratch"
    data: np.ndarray | None = None


@dataclass(frozen=True)
class Let:
    """Declaration of a variable; ``mutable`` where ``Assign`` changes it later."""

    name: str
    value: Expression
    mutable: bool = False


@dataclass(frozen=True)
class Assign:
    """New value for a mutable variable."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Store:
    """Write to an element of a buffer."""

    buffer: Buffer
    index: Expression
    value: Expression


@dataclass(frozen=True)
class Call:
    """Call of one of ``operations.HELPERS`` for what it does to buffers.

    Attributes:
      helper: its name.
      arguments: buffers and scalars, in order.
      writes: those of the buffers that it changes; it may read them all.
    """

    helper: str
    arguments: tuple[Buffer | Expression, ...]
    writes: tuple[Buffer, ...]


@dataclass(frozen=True)
class If:
    """Choice between two blocks."""

    condition: Expression
    then: list[Statement] = field(default_factory=list)
    otherwise: list[Statement] = field(default_factory=list)


@dataclass(frozen=True)
class Loop:
    """Loop that runs ``body`` until it comes to a ``Stop``."""

    body: list[Statement] = field(default_factory=list)


@dataclass(frozen=True)
class Stop:
    """Exit from the innermost ``Loop`` unless the condition holds."""

    unless: Expression


@dataclass(frozen=True)
class For:
    """Loop that runs ``body`` for each index 0..count-1, or from the last to the first."""

    index: str
    count: int
    body: list[Statement] = field(default_factory=list)
    reverse: bool = False


Statement = Let | Assign | Store | Call | If | Loop | Stop | For


@dataclass(frozen=True)
class Module:
    """A lowered function: what ``emit`` prints."""

    name: str
    inputs: tuple[Local | Buffer, ...]
    outputs: tuple[Buffer, ...]
    buffers: tuple[Buffer, ...]
    body: tuple[Statement, ...]


def plus(a: Expression, b: Expression) -> Expression:
    """Add two index expressions, constants folded."""
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(int(a.value) + int(b.value))
    if isinstance(a, Number):
        a, b = b, a
    if isinstance(b, Number):
        if b.value == 0:
            return a
        if isinstance(a, Apply) and a.operation == "index_add":
            left, right = a.arguments
            if isinstance(right, Number):
                return plus(left, Number(int(right.value) + int(b.value)))
    if isinstance(b, Apply) and b.operation == "index_add" and isinstance(b.arguments[1], Number):
        return plus(plus(a, b.arguments[0]), b.arguments[1])
    return Apply("index_add", (a, b), "int64")


def times(a: Expression, factor: int) -> Expression:
    """Multiply an index expression by a constant, folded and distributed over sums."""
    if factor == 0:
        return Number(0)
    if factor == 1:
        return a
    if isinstance(a, Number):
        return Number(int(a.value) * factor)
    if isinstance(a, Apply) and a.operation == "index_add":
        return plus(times(a.arguments[0], factor), times(a.arguments[1], factor))
    if isinstance(a, Apply) and a.operation == "index_mul":
        constant = a.arguments[1]
        assert isinstance(constant, Number)
        return times(a.arguments[0], int(constant.value) * factor)
    return Apply("index_mul", (a, Number(factor)), "int64")


def flat(indices: tuple[Expression, ...], shape: tuple[int, ...]) -> Expression:
    """Return the row-major position of ``indices`` in an array of ``shape``."""
    position: Expression = Number(0)
    stride = 1
    for index, length in zip(reversed(indices), reversed(shape), strict=True):
        if length != 1:
            position = plus(times(index, stride), position)
        stride *= length
    return position


def word(key: Expression, number: int) -> Expression:
    """Return one of the two words of a key."""
    assert isinstance(key, Apply)
    if key.operation == "select":
        test, yes, no = key.arguments
        return Apply("select", (test, word(yes, number), word(no, number)), "uint32")
    return key.arguments[number]
