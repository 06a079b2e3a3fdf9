"""Text that comes from students: what of it reports can hold, and the answers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradlab.exercises.checking.plain_data import clean

if TYPE_CHECKING:
    from gradlab_classroom.grading.reading import Cell

CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
"""Characters that neither HTML nor a spreadsheet can hold."""
ANCHOR = re.compile(r"\*\*Your answer \((\w+)\):\*\*")
EMPTY = re.compile(r"YOUR ANSWER HERE|_?\(?write here\)?_?|\.\.\.", re.IGNORECASE)
LONGEST = 20_000
"""Letters of an answer in words that are kept."""


def printable(text: str) -> str:
    """The text as a page or a table can hold it: clean, and without control characters."""
    return CONTROL.sub("", clean(text))


def written_answers(cells: Sequence[Cell], questions: Sequence[str]) -> dict[str, str]:
    """Return the answers in words: by nbgrader's name of a cell, or by the line that they follow.

    Args:
      cells: of the notebook.
      questions: their names.

    Returns:
      The answer to each, or "". Of two cells for one question, both.
    """
    found: dict[str, list[str]] = {name: [] for name in questions}
    for cell in cells:
        if cell.code:
            continue
        parts = ANCHOR.split(cell.text)  # text, name, text, name, text
        named = list(zip(parts[1::2], parts[2::2], strict=True))
        if not named and cell.grade_id.startswith("written_"):
            named = [(cell.grade_id.removeprefix("written_"), cell.text)]
        for name, text in named:
            if name in found and EMPTY.sub("", text).strip():
                found[name].append(text.strip())
    return {name: printable("\n\n".join(texts))[:LONGEST] for name, texts in found.items()}
