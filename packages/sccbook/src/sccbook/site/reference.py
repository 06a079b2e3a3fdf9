"""Make docstrings, which are written to be read in a terminal, into what the reference shows."""

from __future__ import annotations

import os
import re
from typing import Any

SOURCE = re.compile(r"^Source: (.*)$", re.MULTILINE)


def prepare(app: Any) -> None:
    """Let autodoc import the parts for Keras and PyTorch; the latter isn't installed here.

    Keras is imported before autodoc mocks PyTorch, because it wouldn't import beside the mock, and
    on JAX, which is installed. A mock lacks what ``float | torch.Tensor | None`` needs.
    """
    from sphinx.ext.autodoc.mock import _MockObject

    os.environ.setdefault("KERAS_BACKEND", "jax")
    import keras  # noqa: F401

    _MockObject.__or__ = _MockObject.__ror__ = _either  # type: ignore[assignment, method-assign]


def _either(mock: Any, other: Any) -> Any:
    return mock


def arrange(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Make ``Source:`` a section of its own, which reStructuredText would take for a definition.

    It runs before Napoleon, which finds the sections.
    """
    if what == "property":  # of "The norms: float [n]" Napoleon would make a type
        lines[0] = lines[0].replace(": ", " – ")
    lines[:] = SOURCE.sub(r"Source:\n\n  \1", "\n".join(lines)).split("\n")


def shorten(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: str | None, result: Any
) -> tuple[str, Any] | None:
    """Write ``…`` for the default that a dataclass makes; its ``<factory>`` would be a tag in Markdown."""
    return (signature.replace("<factory>", "…"), result) if signature else None
