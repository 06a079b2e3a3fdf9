"""Weigh the pages of the built book: ``python -m tools.weights [FOLDER]``.

A page weighs what a reader who scrolls to its end has to fetch, compressed: the page, its styles, scripts
and pictures, and the maths font where it has a formula. The next page weighs what the page before it in
the contents has not brought along, or the nearest before it that has a figure. Of each figure, what it
computes with is weighed by itself.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.site.contents import reading_order

BUILT = Path("_build", "html")
FIRST, NEXT = 200_000, 60_000
"""How heavy a page may be: the first of a visit, and each that follows."""

PROGRAM = 4_000
"""How heavy the program of a figure may be: a run's step and its start, each."""

HEAVIER = {
    "GrowthOnTheWay": "two gradients carried back through twenty steps, with a clip at every state",
    "HalfMatters": "what the half changed in 96 pairs of agents, at four K, by two optimizers and three measures",
    "LinkedLedger": "a recurrent network, and its ledger by the package's own function",
    "NormLog": "the norms of three recorded runs of 1,000 steps, and two limits that set themselves",
    "PolicyRun": "three surrogates and their gradients, two optimizers, and random draws",
    "ThreePlaces": "five of the book's operators with their derivatives, in one step, for 60 combinations",
    "TotalsInTraining": "medians, quartiles and the bound at up to twelve lengths, seven times in sixteen kinds of training",
    "TrainItHere": "a recurrent network, its gradient, seven remedies, three optimizers, and random draws",
}
"""Figures whose programs are heavier, and why."""

DESCRIPTION = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)
UNSEEN = re.compile(r"<noscript>.*?</noscript>|<!--.*?-->", re.DOTALL)
ASKED = (
    re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="([^"#?:]+)["#?]'),
    re.compile(r'<(?:script|img)\b[^>]*\bsrc="([^"#?:]+)["#?]'),
    re.compile(r'<object\b[^>]*\bdata="([^"#?:]+)["#?]'),
)
IMPORTED = re.compile(r"""@import\s*(?:url\()?["']?([^"')?#:;]+)""")
FONT, FIGURE = Path("_static", "maths.woff2"), Path("_static", "figure.js")


def pages() -> list[str]:
    """Return the book's pages in reading order."""
    return [f"{name}.html" for name in reading_order()]


@cache
def weight(file: Path) -> int:
    """Return how many bytes of a file travel."""
    return len(gzip.compress(file.read_bytes()))


def files(root: Path, page: str) -> set[Path]:
    """Return what a reader of a page fetches, as paths below the root of the site."""
    text = UNSEEN.sub("", (root / page).read_text(encoding="utf-8"))
    folder = Path(page).parent
    links = {link for asked in ASKED for link in asked.findall(text)}
    found = {Path(os.path.normpath(folder / link)) for link in links}
    for sheet in [path for path in found if path.suffix == ".css"]:
        for link in IMPORTED.findall((root / sheet).read_text(encoding="utf-8")):
            found.add(Path(os.path.normpath(sheet.parent / link)))
    font = {FONT} if re.search("<math|gl-symbol", text) and (root / FONT).is_file() else set()
    return found | font | {Path(page)}


def weights(root: Path, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return what each page weighs first, and after the page before it."""
    needed = {name: files(root, name) for name in names}
    whole = {name: sum(weight(root / file) for file in needed[name]) for name in names}
    found = {names[0]: (whole[names[0]], 0)}
    brought = needed[names[0]]
    for before, name in pairwise(names):
        brought = needed[before] if FIGURE in needed[before] else needed[before] | brought
        new = needed[name] - brought
        found[name] = (whole[name], sum(weight(root / file) for file in new))
    return found


def described(text: str) -> list[dict[str, Any]]:
    """Return the figures of a page, as they are described in it, each whole."""
    found: list[dict[str, Any]] = [json.loads(data) for data in DESCRIPTION.findall(text)]
    return [
        {**figure, **{part: found[n][part] for part, n in figure.get("same", {}).items()}}
        for figure in found
    ]


def programs(root: Path, names: Sequence[str]) -> dict[str, int]:
    """Return what the program of each figure weighs, and the start of each run."""
    found: dict[str, int] = {}
    for name in names:
        for figure in described((root / name).read_text(encoding="utf-8")):
            parts = {figure["name"]: figure["program"]}
            if figure.get("run"):
                parts[f"{figure['name']}, start"] = figure["run"]["start"]
            for part, text in parts.items():
                weighs = len(gzip.compress(text.encode()))
                found[part] = max(found.get(part, 0), weighs)
    return found


def main() -> None:
    """Print each page's weights."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILT
    print(f"{'first':>7} {'next':>7}  kB, compressed")
    names = [name for name in pages() if (root / name).is_file()]
    for name, (first, following) in weights(root, names).items():
        print(f"{first / 1000:7.1f} {following / 1000:7.1f}  {name}")


if __name__ == "__main__":
    main()
