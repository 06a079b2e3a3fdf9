"""Put HTML around parts of a page: a box knows what begins it and what ends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from docutils import nodes
from sphinx.util.docutils import SphinxTranslator

Element = TypeVar("Element", bound=nodes.Element)


class Box(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils carries no types
    """Contents that HTML wraps in ``begin`` and ``end``; elsewhere they come alone."""


class Aside(nodes.comment):  # type: ignore[misc]  # a comment: search passes it over
    """The same, of what is no part of the text."""


def box(begin: str, end: str, *inside: nodes.Node, of: type[nodes.Element] = Box) -> nodes.Element:
    """Return a box."""
    found = of("", begin=begin, end=end)
    found += inside
    return found


def wrapped(parts: Sequence[nodes.Element], around: Element) -> Element:
    """Put siblings that follow one another into an element, which takes their place, and return it."""
    parent, at = parts[0].parent, parts[0].parent.index(parts[0])
    for part in parts:
        parent.remove(part)
        around.append(part)
    parent.insert(at, around)
    return around


def visit(self: SphinxTranslator, node: nodes.Element) -> None:
    """Begin a box in HTML."""
    self.body.append(node["begin"])


def depart(self: SphinxTranslator, node: nodes.Element) -> None:
    """End a box in HTML."""
    self.body.append(node["end"])


def leave_out(self: SphinxTranslator, node: nodes.Element) -> None:
    """Write nothing around the contents, where there is no HTML."""
