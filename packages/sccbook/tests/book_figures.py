"""The book's figures, each made once for all tests."""

from __future__ import annotations

import functools
from typing import Any

from explorax.figure.widget import Figure
from sccbook import figures


@functools.cache
def made(name: str) -> Figure:
    """Make a figure of the book, once for all tests."""
    figure: Figure = getattr(figures, name)()
    return figure


def shown(name: str, **settings: Any) -> Figure:
    """Show a figure at these settings, its other controls as they start."""
    figure = made(name)
    figure.set(**{control.name: control.initial for control in figure.spec.controls} | settings)
    return figure
