"""The files of ``snippets/``, imported."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

SNIPPETS = Path(__file__).parents[2] / "snippets"


def imported(operation: str, stem: str) -> Any:
    """Import a snippet's file: an operation, and the name of a library's file."""
    path = SNIPPETS / operation / f"{stem}.py"
    spec: Any = importlib.util.spec_from_file_location(f"{operation}_{stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_of(operation: str, stem: str) -> Any:
    """Return the function of a snippet, which has the name of its folder."""
    return getattr(imported(operation, stem), operation)
