"""Measure the chapters: words, lines of code that are seen, asserts among them, figures, minutes, seconds.

    python -m tools.chapters [--seconds]

Minutes are those that `tools.frame` reckons with; seconds are those that a chapter takes to execute, one
after the other, with its kernel's start.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from sccbook.notebook_form import read
from tools.frame import account
from tools.notebooks import executed

COLUMNS = ("words", "lines", "asserts", "figures", "exercises", "minutes", "seconds")


def row(path: Path, timed: bool) -> list[str]:
    """Return the cells of one chapter's row."""
    found = account(read(path.read_text(encoding="utf-8")))
    counts = [found.words, found.lines, found.asserts, found.figures, found.exercises]
    begun = time.monotonic()
    if timed:
        executed(path)
    seconds = f"{time.monotonic() - begun:.1f}" if timed else ""
    return [path.stem, *map(str, counts), f"{found.minutes:.0f}", seconds]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tools.chapters")
    parser.add_argument(
        "--seconds", action="store_true", help="execute them, and say how long it takes"
    )
    timed = parser.parse_args(arguments).seconds
    print(f"| chapter | {' | '.join(COLUMNS)} |")
    print(f"|---|{'---:|' * len(COLUMNS)}")
    for path in sorted(Path("notebooks").glob("[0-9][0-9]_*.ipynb")):
        print(f"| {' | '.join(row(path, timed))} |", flush=True)


if __name__ == "__main__":
    main()
