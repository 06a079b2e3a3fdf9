"""Ways through a program: the contents of its statements, and the same with parts replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping

from gradlab.program import ir

Change = Callable[[ir.Expression], ir.Expression]
Block = list[ir.Statement]


def blocks(statement: ir.Statement) -> tuple[Block, ...]:
    """Return the blocks of a statement."""
    match statement:
        case ir.If(_, then, otherwise):
            return (then, otherwise)
        case ir.For() | ir.Loop():
            return (statement.body,)
    return ()


def with_blocks(statement: ir.Statement, change: Callable[[Block], Block]) -> ir.Statement:
    """Return a statement with each of its blocks changed."""
    match statement:
        case ir.If(condition, then, otherwise):
            return ir.If(condition, change(then), change(otherwise))
        case ir.For() | ir.Loop():
            return dataclasses.replace(statement, body=change(statement.body))
    return statement


def walk(block: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
    """Yield the statements of a block, and after each those in its blocks."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from walk(inner)


def own_expressions(statement: ir.Statement) -> tuple[ir.Expression, ...]:
    """Return the expressions that stand in a statement itself, not in its blocks."""
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
    for expression in own_expressions(statement):
        yield from nodes(expression)


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

    def argument(given: ir.Buffer | ir.Expression) -> ir.Buffer | ir.Expression:
        return swap.get(given, given) if isinstance(given, ir.Buffer) else changed(given, node)

    def own(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Let(name, value, mutable):
                return ir.Let(name, changed(value, node), mutable)
            case ir.Assign(name, value):
                return ir.Assign(name, changed(value, node))
            case ir.Store(buffer, index, value):
                target = swap.get(buffer, buffer)
                return ir.Store(target, changed(index, node), changed(value, node))
            case ir.Call(helper, arguments, writes):
                given = tuple(map(argument, arguments))
                return ir.Call(helper, given, tuple(swap.get(b, b) for b in writes))
            case ir.If(condition, then, otherwise):
                return ir.If(changed(condition, node), then, otherwise)
            case ir.Stop(unless):
                return ir.Stop(changed(unless, node))
        return statement

    def whole(statements: Iterable[ir.Statement]) -> Block:
        return [with_blocks(own(statement), whole) for statement in statements]

    return whole(block)
