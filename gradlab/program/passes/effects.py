"""What a statement reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gradlab.program import ir


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
    buffers: frozenset[ir.Buffer] = field(default_factory=frozenset)
    written: frozenset[ir.Buffer] = field(default_factory=frozenset)
    leaves: bool = False


def expressions(node: ir.Expression) -> Iterator[ir.Expression]:
    """A node and all nodes below it, in the order in which they are evaluated."""
    if isinstance(node, ir.Apply):
        for argument in node.arguments:
            yield from expressions(argument)
    elif isinstance(node, ir.Load):
        yield from expressions(node.index)
    yield node


def own_expressions(statement: ir.Statement) -> tuple[ir.Expression, ...]:
    """The expressions that stand in a statement itself, not in its blocks."""
    match statement:
        case ir.Let(_, value) | ir.Assign(_, value):
            return (value,)
        case ir.Store(_, index, value):
            return (index, value)
        case ir.Call(_, arguments, _):
            return tuple(a for a in arguments if not isinstance(a, ir.Buffer))
        case ir.If(condition):
            return (condition,)
        case ir.Stop(unless):
            return (unless,)
    return ()


def blocks(statement: ir.Statement) -> tuple[list[ir.Statement], ...]:
    """The blocks of a statement."""
    match statement:
        case ir.If(_, then, otherwise):
            return (then, otherwise)
        case ir.For() | ir.Loop():
            return (statement.body,)
    return ()


def effects(statement: ir.Statement) -> Effects:
    """Everything that a statement does."""
    accesses: list[Access] = []
    declared: set[str] = set()
    changed: set[str] = set()
    used: set[str] = set()
    counters: set[str] = set()

    def visit(each: ir.Statement, inner: dict[str, int], depth: int) -> None:
        for expression in own_expressions(each):
            for node in expressions(expression):
                if isinstance(node, ir.Local):
                    used.add(node.name)
                elif isinstance(node, ir.Load):
                    accesses.append(Access(node.buffer, node.index, False, inner))
        match each:
            case ir.Store(buffer, index, _):
                accesses.append(Access(buffer, index, True, inner))
            case ir.Call(_, arguments, writes):
                for argument in arguments:
                    if isinstance(argument, ir.Buffer):
                        accesses.append(Access(argument, None, argument in writes, inner))
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
    """An index as a sum of strides times expressions, and a constant."""
    terms: dict[ir.Expression, int] = {}

    def add(node: ir.Expression, factor: int) -> int:
        if isinstance(node, ir.Number):
            return factor * int(node.value)
        if isinstance(node, ir.Apply) and node.operation == "index_add":
            return add(node.arguments[0], factor) + add(node.arguments[1], factor)
        if isinstance(node, ir.Apply) and node.operation == "index_mul":
            by = node.arguments[1]
            if isinstance(by, ir.Number):
                return add(node.arguments[0], factor * int(by.value))
        terms[node] = terms.get(node, 0) + factor
        return 0

    constant = add(index, 1)
    return {node: stride for node, stride in terms.items() if stride}, constant


def apart(a: Effects, b: Effects) -> bool:
    """Whether two statements can change places."""
    return not (
        a.leaves
        or b.leaves
        or a.written & b.buffers
        or b.written & a.buffers
        or a.sets & (b.uses | b.sets)
        or b.sets & a.uses
    )


def names(expressions_: Iterable[ir.Expression]) -> set[str]:
    """The variables in expressions."""
    return {n.name for e in expressions_ for n in expressions(e) if isinstance(n, ir.Local)}
