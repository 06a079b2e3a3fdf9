"""Walk through a program, and replace parts of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, get_args

from explorax.compiler import ir

Change = Callable[[ir.Expression], ir.Expression]
Block = list[ir.Statement]
EXPRESSIONS = get_args(ir.Expression)  # in a tuple, which ``isinstance`` goes through quickly
PARTS = (*EXPRESSIONS, ir.Buffer)


def blocks(statement: ir.Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement."""
    return tuple(part for part in vars(statement).values() if isinstance(part, list))


def with_blocks(statement: ir.Statement, change: Callable[[Block], Block]) -> ir.Statement:
    """Return a statement with each of its blocks changed."""
    if not blocks(statement):
        return statement
    return _replaced(statement, lambda part: change(part) if isinstance(part, list) else part)


def _replaced(statement: ir.Statement, change: Callable[[Any], Any]) -> ir.Statement:
    """Return a statement with ``change`` applied to each of its attributes."""
    make: Any = type(statement)
    made: ir.Statement = make(*map(change, vars(statement).values()))
    return made


def walk(block: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
    """Yield the statements of a block, and after each those in its blocks."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from walk(inner)


def own_parts(statement: ir.Statement) -> Iterator[ir.Expression | ir.Buffer]:
    """Yield the expressions and buffers that stand in a statement itself, not in its blocks."""
    for part in vars(statement).values():
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, PARTS):
                yield each


def nodes(expression: ir.Expression) -> Iterator[ir.Expression]:
    """Yield the nodes of an expression in the order in which they are evaluated, itself last."""
    match expression:
        case ir.Apply(_, arguments):
            for argument in arguments:
                yield from nodes(argument)
        case ir.Load(_, index):
            yield from nodes(index)
    yield expression


def own_nodes(statement: ir.Statement) -> Iterator[ir.Expression]:
    """Yield the nodes of the expressions that stand in a statement itself."""
    for part in own_parts(statement):
        if not isinstance(part, ir.Buffer):
            yield from nodes(part)


def changed(expression: ir.Expression, change: Change) -> ir.Expression:
    """Return an expression with ``change`` applied to each of its nodes, from the leaves up."""
    match expression:
        case ir.Load(buffer, index, dtype):
            expression = ir.Load(buffer, changed(index, change), dtype)
        case ir.Apply(operation, arguments, dtype):
            expression = ir.Apply(operation, tuple(changed(a, change) for a in arguments), dtype)
    return change(expression)


def rewritten(
    block: Iterable[ir.Statement],
    change: Change = lambda node: node,
    buffers: Mapping[ir.Buffer, ir.Buffer] | None = None,
) -> Block:
    """Return a block with its expressions changed and its buffers replaced."""
    swap = buffers or {}

    def node(given: ir.Expression) -> ir.Expression:
        if isinstance(given, ir.Load) and given.buffer in swap:
            given = ir.Load(swap[given.buffer], given.index, given.dtype)
        return change(given)

    def own(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(own, part))
        if isinstance(part, EXPRESSIONS):
            return changed(part, node)
        return swap.get(part, part) if isinstance(part, ir.Buffer) else part

    def whole(statements: Iterable[ir.Statement]) -> Block:
        return [with_blocks(_replaced(statement, own), whole) for statement in statements]

    return whole(block)
