"""Statements again, with their expressions or buffers replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gradlab.program import ir

Change = Callable[[ir.Expression], ir.Expression]


def changed(node: ir.Expression, change: Change) -> ir.Expression:
    """An expression with ``change`` applied to each of its nodes, from the leaves up."""
    match node:
        case ir.Load(buffer, index, dtype):
            node = ir.Load(buffer, changed(index, change), dtype)
        case ir.Apply(operation, arguments, dtype):
            node = ir.Apply(operation, tuple(changed(a, change) for a in arguments), dtype)
    return change(node)


def rewritten(
    block: Iterable[ir.Statement],
    change: Change = lambda node: node,
    buffers: Mapping[ir.Buffer, ir.Buffer] | None = None,
) -> list[ir.Statement]:
    """A block with its expressions changed and its buffers replaced."""
    swap = buffers or {}

    def each(node: ir.Expression) -> ir.Expression:
        if isinstance(node, ir.Load) and node.buffer in swap:
            node = ir.Load(swap[node.buffer], node.index, node.dtype)
        return change(node)

    def walk(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Let(name, value, mutable):
                return ir.Let(name, changed(value, each), mutable)
            case ir.Assign(name, value):
                return ir.Assign(name, changed(value, each))
            case ir.Store(buffer, index, value):
                target = swap.get(buffer, buffer)
                return ir.Store(target, changed(index, each), changed(value, each))
            case ir.Call(helper, arguments, writes):
                given = tuple(
                    swap.get(a, a) if isinstance(a, ir.Buffer) else changed(a, each)
                    for a in arguments
                )
                return ir.Call(helper, given, tuple(swap.get(b, b) for b in writes))
            case ir.If(condition, then, otherwise):
                return ir.If(changed(condition, each), blockwise(then), blockwise(otherwise))
            case ir.Loop(body):
                return ir.Loop(blockwise(body))
            case ir.Stop(unless):
                return ir.Stop(changed(unless, each))
            case ir.For(index, count, body, reverse):
                return ir.For(index, count, blockwise(body), reverse)

    def blockwise(statements: Iterable[ir.Statement]) -> list[ir.Statement]:
        return [walk(statement) for statement in statements]

    return blockwise(block)
