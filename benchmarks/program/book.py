"""The figures in the pages of the built book, and what a program weighs on its way there."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, Row

BOOK = ROOT / "_build" / "html"
RECORDED = re.compile(r'"[A-Za-z0-9+/=]{64,}"')
"""An array in a module's text."""
DESCRIPTION = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)


@dataclass(frozen=True)
class Shown:
    """A figure in a page of the built book.

    Attributes:
      page: the page's path under the book.
      place: its number among the page's figures, from 0.
      description: what the page holds of it.
    """

    page: str
    place: int
    description: dict[str, Any]

    @property
    def name(self) -> str:
        """The figure's class."""
        return str(self.description["name"])


def figures_in(book: Path) -> list[Shown]:
    """Find the figures in the pages of a built book.

    One that stands in several pages is found once, or once for each choice of controls that
    it has in sight.
    """
    found: dict[str, Shown] = {}
    for page in sorted(book.rglob("*.html")):
        texts = DESCRIPTION.findall(page.read_text(encoding="utf-8"))
        for place, text in enumerate(texts):
            shown = Shown(page.relative_to(book).as_posix(), place, json.loads(text))
            key = [shown.description[part] for part in ("name", "program", "sight", "more")]
            found.setdefault(json.dumps(key), shown)
    return list(found.values())


def weigh(module: str) -> Row:
    """Weigh a module, and apart from it the arrays that are written in it."""
    program, arrays = RECORDED.sub('""', module), "".join(RECORDED.findall(module))
    return {
        "bytes": len(program.encode()),
        "gzip, bytes": _gzip(program),
        "arrays, gzip, bytes": _gzip(arrays) if arrays else None,
    }


def _gzip(text: str) -> int:
    return len(gzip.compress(text.encode(), 9, mtime=0))
