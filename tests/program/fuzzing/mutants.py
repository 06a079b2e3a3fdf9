"""Compilers that are wrong in one place: would the comparison with JAX notice?

A mutant is killed by a program whose results it changes by more than the comparison allows.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradlab.program import ir, operations
from gradlab.program.emit import emit
from gradlab.program.graph import build
from gradlab.program.lower import lower
from gradlab.program.operations import OPERATIONS, ROUNDING, Form
from gradlab.program.passes import improve
from gradlab.program.rules import RULES
from gradlab.program.trace import Trace, trace
from tests.program.fuzzing.check import TOLERANCE, precisions, same
from tests.program.fuzzing.node import Node, NodeError
from tests.program.fuzzing.programs import Example

Results = list[list[np.ndarray]]

SWAPPED = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "-", "**": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
    "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", ">>>": "<<",
}  # fmt: skip


@dataclass(frozen=True)
class Specimen:
    """A program as it is lowered, and what it gives when nothing is broken."""

    trace: Trace
    module: ir.Module
    calls: list[list[np.ndarray]]
    results: Results

    @property
    def dtypes(self) -> list[str]:
        return [leaf.dtype for leaf in self.trace.outputs]


def specimen(example: Example, node: Node) -> Specimen:
    """Compiles an example, and runs it."""
    traced = trace(example.function(), *example.calls[0], dtype=example.dtype)
    module = improve(lower(build(traced.jaxpr), traced, RULES))
    calls = [[np.asarray(x) for x in call] for call in example.calls]
    text = emit(module, traced.inputs, traced.outputs)
    results = node.run(text, calls, [leaf.dtype for leaf in traced.outputs])
    return Specimen(traced, module, calls, results)


def notices(given: Specimen, module: ir.Module, node: Node) -> bool:
    """Whether the results of ``module`` are others than those of the specimen."""
    text = emit(module, given.trace.inputs, given.trace.outputs)
    try:
        results = node.run(text, given.calls, given.dtypes)
    except NodeError:
        return True
    held_to = precisions(given.trace.jaxpr)
    return any(
        not same(a, b, False, TOLERANCE[precision])
        for found, expected in zip(results, given.results, strict=True)
        for a, b, precision in zip(found, expected, held_to, strict=True)
    )


# ------------------------------------------------------------------ operations

Use = tuple[str, int]  # an operation, and which of its forms


def expressions(block: Sequence[Any]) -> Iterator[Any]:
    """All expressions in a block, outer ones first."""
    for statement in block:
        for field in dataclasses.fields(statement):
            value = getattr(statement, field.name)
            if isinstance(value, list):
                yield from expressions(value)
            else:
                yield from _inside(value)


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from _inside(each)
    elif isinstance(value, ir.Load):
        yield value
        yield from _inside(value.index)
    elif isinstance(value, ir.Apply):
        yield value
        yield from _inside(value.arguments)


def forms() -> dict[str, Form]:
    """The table's forms by a name, those that several families share once."""
    found = {}
    for operation, by_family in OPERATIONS.items():
        shared: dict[int, list[str]] = defaultdict(list)
        for family, form in by_family.items():
            shared[id(form)].append(family)
        for families in shared.values():
            found[f"{operation} of {', '.join(families)}"] = by_family[families[0]]
    return found


def used(module: ir.Module) -> set[int]:
    """The forms that a module's text has, by their ``id``."""
    return {
        id(operations.form(each.operation, each.arguments[0].dtype))
        for each in expressions(module.body)
        if isinstance(each, ir.Apply)
    }


def broken(text: str) -> str:
    """Another operation than a form's."""
    if text == "{0}":
        return "{0} + 1"
    if text == "{0} ? {1} : {2}":
        return "{0} ? {2} : {1}"
    for one, other in (("Math.max", "Math.min"), ("Math.min", "Math.max")):
        if text.startswith(one):
            return text.replace(one, other)
    for prefix in ("-", "~", "!", "+"):
        if text == prefix + "{0}":
            return "0 * {0}" if prefix == "+" else "{0}"
    sign = re.search(r"(?<=[}\d] )([-+*/%<>=!&|^]+)(?= [!{\d-])", text)
    if sign:
        return text[: sign.start()] + SWAPPED[sign.group()] + text[sign.end() :]
    # a call left out
    return f"[{', '.join(sorted(set(re.findall(r'{[0-9]}', text))))}][0]"


@contextmanager
def without(form: Form, text: str) -> Iterator[None]:
    """The table with another text in the place of a form's."""
    other = dataclasses.replace(form, text=text)
    places = [
        (by_family, family)
        for by_family in OPERATIONS.values()
        for family, each in by_family.items()
        if each is form
    ]
    try:
        for by_family, family in places:
            by_family[family] = other
        yield
    finally:
        for by_family, family in places:
            by_family[family] = form


@contextmanager
def unrounded(dtype: str) -> Iterator[None]:
    """Results that are not made values of their dtype."""
    kept = ROUNDING[dtype]
    try:
        ROUNDING[dtype] = "{0}"
        yield
    finally:
        ROUNDING[dtype] = kept
