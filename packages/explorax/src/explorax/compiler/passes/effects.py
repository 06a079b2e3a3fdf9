"""Reads and writes of a statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorax.compiler import ir
from explorax.compiler.traverse import blocks, own_nodes


@dataclass(frozen=True)
class Access:
    """An element of a buffer that is read or written, or, where ``index`` is None, any of it.

    ``inner`` has the loops between the statement and the access, by variable: their counts.
    """

    buffer: ir.Buffer
    index: ir.Expression | None
    writes: bool
    inner: Mapping[str, int]


@dataclass(frozen=True)
class Effects:
    """All that a statement does.

    Attributes:
      accesses: to buffers, in order.
      sets: the variables of the block around it that it declares or changes.
      uses: the variables that it reads.
      within: the variables that it declares inside itself, loop variables apart.
      buffers, written: what it accesses, and what of that it writes.
      leaves: whether it may leave the loop around it, so that nothing passes it.
    """

    accesses: tuple[Access, ...]
    sets: frozenset[str]
    uses: frozenset[str]
    within: frozenset[str]
    buffers: frozenset[ir.Buffer]
    written: frozenset[ir.Buffer]
    leaves: bool


def effects(statement: ir.Statement) -> Effects:
    """Return everything that a statement does."""
    accesses: list[Access] = []
    declared: set[str] = set()
    changed: set[str] = set()
    used: set[str] = set()
    counters: set[str] = set()

    def visit(each: ir.Statement, inner: dict[str, int], depth: int) -> None:
        for node in own_nodes(each):
            if isinstance(node, ir.Local):
                used.add(node.name)
            elif isinstance(node, ir.Load):
                accesses.append(Access(node.buffer, node.index, False, inner))
        match each:
            case ir.Store(buffer, index, _):
                accesses.append(Access(buffer, index, True, inner))
            case ir.Call(_, arguments, writes):
                accesses.extend(
                    Access(argument, None, argument in writes, inner)
                    for argument in arguments
                    if isinstance(argument, ir.Buffer)
                )
            case ir.Let(name, _):
                (declared if depth else changed).add(name)
            case ir.Assign(name, _):
                changed.add(name)
            case ir.For(index, count):
                if depth:
                    inner = inner | {index: count}
                counters.add(index)
        for block in blocks(each):
            for below in block:
                visit(below, inner, depth + 1)

    visit(statement, {}, 0)
    return Effects(
        tuple(accesses),
        frozenset(changed - declared),
        frozenset(used - declared - counters),
        frozenset(declared),
        frozenset(a.buffer for a in accesses),
        frozenset(a.buffer for a in accesses if a.writes),
        isinstance(statement, ir.Stop),
    )


def affine(index: ir.Expression) -> tuple[dict[ir.Expression, int], int]:
    """Return an index as a sum of strides times expressions, and a constant."""
    terms: dict[ir.Expression, int] = {}

    def add(node: ir.Expression, factor: int) -> int:
        match node:
            case ir.Number(value):
                return factor * int(value)
            case ir.Apply("index_add", (left, right)):
                return add(left, factor) + add(right, factor)
            case ir.Apply("index_mul", (left, ir.Number(by))):
                return add(left, factor * int(by))
        terms[node] = terms.get(node, 0) + factor
        return 0

    constant = add(index, 1)
    return {node: stride for node, stride in terms.items() if stride}, constant


def commute(a: Effects, b: Effects) -> bool:
    """Tell whether two statements can change places."""
    return not (
        a.leaves
        or b.leaves
        or a.written & b.buffers
        or b.written & a.buffers
        or a.sets & (b.uses | b.sets)
        or b.sets & a.uses
    )
