"""The book's figures, one a file: ``from sccbook.figures import UnrolledFlow``.

A file's figure has the file's name in capitals: ``unrolled_flow`` holds ``UnrolledFlow``. It is
imported when it is first asked for, and none is listed by hand.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

_FILES = {
    "".join(part.capitalize() for part in module.name.split("_")): module.name
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"sccbook.figures has no {name!r}. There are {', '.join(__dir__())}.")
    return getattr(import_module(f"{__name__}.{_FILES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_FILES)
