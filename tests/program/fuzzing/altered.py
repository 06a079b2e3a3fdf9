"""Lowered programs with one statement that is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gradlab.program import ir


def _shifted(index: ir.Expression) -> ir.Expression:
    return ir.plus(index, ir.Number(1))


def _otherwise(statement: Any, kind: str) -> list[Any] | None:
    """What a statement becomes: None where the kind does not apply."""
    match kind, statement:
        case "a store left out", ir.Store():
            return []
        case "a store in the next place", ir.Store():
            return [dataclasses.replace(statement, index=_shifted(statement.index))]
        case "an assignment left out", ir.Assign():
            return []
        case "a call left out", ir.Call():
            return []
        case "branches swapped", ir.If(condition, then, otherwise):
            return [ir.If(condition, otherwise, then)]
        case "a while loop left at once", ir.Stop():
            return [ir.Stop(ir.Number(False, "bool"))]
        case "a loop one turn short", ir.For(count=count) if count > 0:
            return [dataclasses.replace(statement, count=count - 1)]
        case "a scan backwards", ir.For(index=index) if index.startswith("t"):
            return [dataclasses.replace(statement, reverse=not statement.reverse)]
        case "a load from the next place", _:
            changed = _loads(statement)
            return None if changed == statement else [changed]
    return None


def _loads(value: Any) -> Any:
    """A statement's expressions with each load from the next place."""
    match value:
        case ir.Load(buffer, index, dtype):
            return ir.Load(buffer, _shifted(index), dtype)
        case ir.Apply(operation, arguments, dtype):
            return ir.Apply(operation, tuple(map(_loads, arguments)), dtype)
        case ir.Let() | ir.Assign() | ir.Store():
            return dataclasses.replace(value, value=_loads(value.value))
    return value


KINDS = (
    "a store left out",
    "a store in the next place",
    "an assignment left out",
    "a call left out",
    "branches swapped",
    "a while loop left at once",
    "a loop one turn short",
    "a scan backwards",
    "a load from the next place",
)


def altered(module: ir.Module, kind: str) -> Iterator[ir.Module]:
    """The module with one statement wrong in some way, for each statement where it applies."""

    def variants(block: Sequence[Any], rebuild: Callable[[list[Any]], Any]) -> Iterator[Any]:
        for position, statement in enumerate(block):
            before, after = list(block[:position]), list(block[position + 1 :])
            other = _otherwise(statement, kind)
            if other is not None:
                yield rebuild([*before, *other, *after])
            for field in dataclasses.fields(statement):
                inner = getattr(statement, field.name)
                if isinstance(inner, list):

                    def around(
                        made: list[Any],
                        statement: Any = statement,
                        name: str = field.name,
                        before: list[Any] = before,
                        after: list[Any] = after,
                    ) -> Any:
                        whole = dataclasses.replace(statement, **{name: made})
                        return rebuild([*before, whole, *after])

                    yield from variants(inner, around)

    yield from variants(module.body, lambda made: dataclasses.replace(module, body=tuple(made)))
