"""Compilers that are wrong in one place: would the comparison with JAX notice?

A mutant is killed by a program whose results it changes by more than the comparison allows.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from explorax.node import NodeError
from explorax.compiler import ir, operations
from explorax.compiler.operations import OPERATIONS, Form
from explorax.compiler.traverse import own_nodes, walk
from tests.compiler.fuzzing.check import TOLERANCE, Lowered, lowered, same
from tests.compiler.fuzzing.programs import Example
from tests.compiler.fuzzing.reference import Results, standards
from tests.run_in_node import RunInNode

SWAPPED = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "-", "**": "*",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
    "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", ">>>": "<<",
}  # fmt: skip


class Specimen(NamedTuple):
    """A program as it is lowered, and what it gives when nothing is broken."""

    made: Lowered
    calls: tuple[tuple[np.ndarray, ...], ...]
    results: list[Results]
    tolerances: list[float]


def specimen(example: Example, run: RunInNode) -> Specimen:
    """Compile an example, and run it."""
    made = lowered(example.function(), example.calls[0], example.dtype)
    results = run(made.text, example.calls, made.dtypes)
    tolerances = [TOLERANCE[held.precision] for held in standards(made.trace.jaxpr)]
    return Specimen(made, example.calls, results, tolerances)


def notices(given: Specimen, module: ir.Module, run: RunInNode) -> bool:
    """Tell whether the results of ``module`` are others than those of the specimen."""
    made = given.made._replace(module=module)
    try:
        results = run(made.text, given.calls, made.dtypes)
    except NodeError:
        return True
    return any(
        not same(a, b, False, tolerance)
        for found, expected in zip(results, given.results, strict=True)
        for a, b, tolerance in zip(found, expected, given.tolerances, strict=True)
    )


# ------------------------------------------------------------------ operations


def forms() -> dict[str, Form]:
    """Name the table's forms, those that several families share once."""
    found = {}
    for operation, by_family in OPERATIONS.items():
        shared: dict[int, list[str]] = defaultdict(list)
        for family, form in by_family.items():
            shared[id(form)].append(family)
        for families in shared.values():
            found[f"{operation} of {', '.join(families)}"] = by_family[families[0]]
    return found


def used(module: ir.Module) -> set[int]:
    """Return the forms that a module's text has, by their ``id``."""
    return {
        id(operations.form(node.operation, node.arguments[0].dtype))
        for statement in walk(module.body)
        for node in own_nodes(statement)
        if isinstance(node, ir.Apply)
    }


def broken(text: str) -> str:
    """Return another operation than a form's."""
    if text == "{0}":
        return "{0} + 1"
    if text == "{0} ? {1} : {2}":
        return "{0} ? {2} : {1}"
    for name, other in (("Math.max", "Math.min"), ("Math.min", "Math.max")):
        if text.startswith(name):
            return text.replace(name, other)
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
    """Put another text in the place of a form's, all over the table."""
    other = dataclasses.replace(form, text=text)
    with ExitStack() as stack:
        for by_family in OPERATIONS.values():
            places = [family for family, each in by_family.items() if each is form]
            stack.enter_context(patch.dict(by_family, dict.fromkeys(places, other)))
        yield
