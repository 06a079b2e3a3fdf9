"""Lowered programs with one statement that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from explorax.compiler import ir
from explorax.compiler.traverse import blocks, changed, with_blocks

Block = list[ir.Statement]


def _shifted(index: ir.Expression) -> ir.Expression:
    return ir.plus(index, ir.Number(1))


def _load_next(node: ir.Expression) -> ir.Expression:
    return replace(node, index=_shifted(node.index)) if isinstance(node, ir.Load) else node


def _loads_next(s: ir.Let | ir.Assign | ir.Store) -> Block:
    value = changed(s.value, _load_next)
    return [s if value == s.value else replace(s, value=value)]


# What a statement of some kind becomes.
KINDS: dict[str, tuple[tuple[type, ...], Callable[..., Block]]] = {
    "a store left out": ((ir.Store,), lambda s: []),
    "a store in the next place": ((ir.Store,), lambda s: [replace(s, index=_shifted(s.index))]),
    "an assignment left out": ((ir.Assign,), lambda s: []),
    "a call left out": ((ir.Call,), lambda s: []),
    "branches swapped": ((ir.If,), lambda s: [ir.If(s.condition, s.otherwise, s.then)]),
    "a while loop left at once": ((ir.Stop,), lambda s: [ir.Stop(ir.Number(False, "bool"))]),
    "a loop one turn short": ((ir.For,), lambda s: [replace(s, count=max(s.count - 1, 0))]),
    "a scan backwards": (
        (ir.For,), lambda s: [replace(s, reverse=s.reverse ^ s.index.startswith("t"))]
    ),
    "a load from the next place": ((ir.Let, ir.Assign, ir.Store), _loads_next),
}  # fmt: skip


def altered(module: ir.Module, kind: str) -> Iterator[ir.Module]:
    """Yield the module with one statement wrong in some way, for each where that is a change."""
    statements, change = KINDS[kind]

    def variants(block: Sequence[ir.Statement]) -> Iterator[Block]:
        for position, statement in enumerate(block):
            before, after = list(block[:position]), list(block[position + 1 :])
            if isinstance(statement, statements) and (other := change(statement)) != [statement]:
                yield [*before, *other, *after]
            for inner in blocks(statement):
                for variant in variants(inner):
                    whole = with_blocks(statement, lambda b, i=inner, v=variant: v if b is i else b)
                    yield [*before, whole, *after]

    for body in variants(module.body):
        yield replace(module, body=tuple(body))
