"""The book's figures, one a folder: ``from sccbook.figures import UnrolledFlow``.

The folder ``unrolled_flow`` has the figure ``UnrolledFlow`` in ``figure.py``, its view if it has
one of its own, and its tests. A figure is imported when it is first asked for.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import scaleclip.figure  # noqa: F401 - a notebook draws recordings and ledgers

_FOLDERS = {
    "".join(part.capitalize() for part in module.name.split("_")): module.name
    for module in iter_modules(__path__)
    if module.ispkg
}


def __getattr__(name: str) -> Any:
    if name not in _FOLDERS:
        raise AttributeError(f"sccbook.figures has no {name!r}. There are {', '.join(__dir__())}.")
    return getattr(import_module(f"{__name__}.{_FOLDERS[name]}.figure"), name)


def __dir__() -> list[str]:
    return sorted(_FOLDERS)
