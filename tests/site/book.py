"""The built book, as its tests read it: its pages in reading order, and the figures on each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tools.weights import described, pages

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
READ = pages()
LANDING = READ[0]
CHAPTERS = [name for name in READ if name.startswith("notebooks/")]
PALETTE = json.loads(
    (ROOT / "packages/explorax/src/explorax/frontend/src/palette.json").read_text(encoding="utf-8")
)


@cache
def descriptions(page: str) -> list[dict[str, Any]]:
    """Return the figures of a page, as they are described in it."""
    path = HTML / page
    return described(path.read_text(encoding="utf-8")) if path.is_file() else []


def names(page: str) -> list[str]:
    """Return the names of the figures of a page."""
    return [described["name"] for described in descriptions(page)]


def rgb(mode: str, role: str) -> str:
    """Return a colour of the palette as a browser writes it."""
    colour = PALETTE[mode][role]
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"
