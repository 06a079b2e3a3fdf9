"""Data that has a figure, named by its type: what is data imports no figure.

The figure is imported when the first one is drawn.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

FIGURES = {
    ("scaleclip.ledger._type", "Ledger"): "MeasuredLedger",
    ("scaleclip.probe.recording", "Recording"): "RecordedNorms",
}
"""By the module and the name of a type its figure, one of ``sccbook.figures`` that has a ``display``."""


def figure_of(data: Any) -> Any:
    """Return the figure of a ledger or a recording."""
    return _figure(FIGURES[type(data).__module__, type(data).__name__])(data)


def register() -> None:
    """Have IPython, where it runs, draw such data where it is displayed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    formatter = shell.display_formatter.mimebundle_formatter
    for (module, name), figure in FIGURES.items():
        formatter.for_type_by_name(module, name, lambda data, f=figure: _figure(f).display(data))


def _figure(name: str) -> Any:
    return getattr(import_module("sccbook.figures"), name)
