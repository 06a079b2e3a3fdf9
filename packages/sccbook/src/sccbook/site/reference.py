"""Make docstrings, which are written to be read in a terminal, into what the reference shows."""

from __future__ import annotations

import os
import re
from typing import Any

CODE = re.compile(r"^    \S")
SOURCE = re.compile(r"^Source: (.*)$")
BARS = re.compile(r"\|(\w+)\|")
"""An absolute value, which reStructuredText would take for a substitution."""


def prepare(app: Any) -> None:
    """Let autodoc import the parts for Keras and PyTorch; the latter isn't installed here.

    Keras is imported before autodoc mocks PyTorch, because it wouldn't import beside the mock, and
    on JAX, which is installed. A mock lacks what ``float | torch.Tensor`` needs.
    """
    from sphinx.ext.autodoc.mock import _MockObject

    os.environ.setdefault("KERAS_BACKEND", "jax")
    import keras  # noqa: F401

    _MockObject.__ror__ = _either  # type: ignore[assignment, method-assign]


def _either(mock: Any, other: Any) -> Any:
    return mock


def arrange(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Make ``Source:`` a section of its own, and an indented block one of code.

    Otherwise reStructuredText would take the first for a definition, and the second for a
    quotation. It runs before Napoleon, which finds the sections.
    """
    if what == "property":  # of "The norms: float [n]" Napoleon would make a type
        lines[0] = lines[0].replace(": ", " – ")
    arranged: list[str] = []
    inside = False  # a section such as Args, whose lines are indented too
    for line in lines:
        line = BARS.sub(r"\\|\1\\|", line) if "`" not in line else line
        source = SOURCE.match(line)
        if source:
            line = "Source:\n"
        if line and not line.startswith(" "):
            inside = line.rstrip().endswith(":") and line.rstrip(":\n").istitle()
        before = next((text for text in reversed(arranged) if text.strip()), "")
        starts = CODE.match(line) and not inside and arranged and not arranged[-1]
        if starts and not before.startswith(" ") and not before.endswith("::"):
            arranged += ["::", ""]
        arranged += [line.rstrip("\n"), f"  {source[1]}"] if source else [line]
    lines[:] = arranged


def shorten(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str | None, result: Any
) -> tuple[str, Any] | None:
    """Write ``…`` for the default that a dataclass makes; its ``<factory>`` would be a tag in Markdown."""
    return (signature.replace("<factory>", "…"), result) if signature else None
