"""Salvage of a notebook's file that is no longer JSON.

Two things happen to files: version control leaves its marks of a conflict in them, and a disk or
an upload ends them too early. In the first case one side is taken; in the second, every cell that
is whole. All of it takes a time in proportion to the file, whoever wrote it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import Any

KIND = re.compile(r'"cell_type"\s*:\s*"(code|markdown)"')
SOURCE = re.compile(r'"source"\s*:\s*(?=[\["])')
GRADE_ID = re.compile(r'"grade_id"\s*:\s*(?=")')
MARKS = {"<<<<<<<": "first", "|||||||": "base", "=======": "second", ">>>>>>>": "both"}
MOST_CELLS = 2000


def salvaged(text: str) -> tuple[dict[str, Any] | None, str]:
    """Return a notebook that can be graded and a note on it, or None.

    Args:
      text: of the file, which JSON refuses.
    """
    if "<<<<<<<" in text:
        for side in ("first", "second"):
            found = _loaded(_side(text, side))
            if found is not None:
                return found, (
                    f"the file holds unmerged changes of version control: the {side} side of each "
                    "conflict was graded"
                )
    cells = _cells(text)
    if not any(cell["cell_type"] == "code" for cell in cells):
        return None, ""
    return {"cells": cells}, (
        f"the file is damaged: {len(cells)} whole cells were saved, and nothing else of it was graded"
    )


def _side(text: str, side: str) -> str:
    """The text with one side of each conflict."""
    part, lines = "both", []
    for line in text.splitlines(keepends=True):
        if line[:7] in MARKS:
            part = MARKS[line[:7]]
        elif part in (side, "both"):
            lines.append(line)
    return "".join(lines)


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _cells(text: str) -> list[dict[str, Any]]:
    """Every cell whose text is whole.

    Where one cell ends is not known. But each has one kind and one source: where the first kind
    stands before the first source, a cell's source is the first one after its kind and before the
    next kind; else it is the first one after the kind before.
    """
    kinds = [(match.start(), match[1]) for match in KIND.finditer(text)][:MOST_CELLS]
    sources = [match.end() for match in SOURCE.finditer(text)]
    if not kinds or not sources:
        return []
    starts = [start for start, _ in kinds]
    bounds = [*starts, len(text)] if sources[0] > starts[0] else [0, *starts]
    cells = []
    for (_, kind), low, high in zip(kinds, bounds, bounds[1:], strict=False):
        at = bisect_left(sources, low)
        if at < len(sources) and sources[at] < high:
            source = _value(text, sources[at], high)
            if source is not None:
                match = GRADE_ID.search(text, low, high)
                grade_id = _value(text, match.end(), high) if match else None
                metadata = {"nbgrader": {"grade_id": grade_id}}
                cells.append({"cell_type": kind, "source": source, "metadata": metadata})
    return cells


def _value(text: str, at: int, high: int) -> Any:
    """The value that begins at one place and ends before another, or None.

    What stands in quotes has no bare quotes, so a cell's value ends before the next kind. No part
    of the text is read twice.
    """
    try:
        return json.JSONDecoder().raw_decode(text[at:high])[0]
    except (ValueError, RecursionError):
        return None
