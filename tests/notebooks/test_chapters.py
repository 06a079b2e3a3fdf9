"""Each chapter is in the contents and lets its reader try. `make lint` checks its form and its numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sccbook.exercises.catalogue import EXERCISES
from sccbook.notebook_form import read, tags

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_chapters() -> None:
    assert CHAPTERS


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_the_table_of_contents(chapter: Path) -> None:
    assert f"file: notebooks/{chapter.stem}\n" in (ROOT / "_toc.yml").read_text(encoding="utf-8")


def tagged(chapter: Path, tag: str) -> list[str]:
    """The sources of a chapter's cells that have a tag."""
    cells = read(chapter.read_text(encoding="utf-8")).cells
    return [cell.source for cell in cells if tag in tags(cell)]


WRITTEN = [chapter for chapter in CHAPTERS if tagged(chapter, "exercise")]
"""The chapters that have their exercise; others are still drafts."""


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_quiz_has_two_or_three_questions(chapter: Path) -> None:
    questions = len(tagged(chapter, "quiz"))  # of the form that tools.notebooks checks
    assert questions in (2, 3) or (questions == 0 and chapter not in WRITTEN)


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda path: path.stem)
def test_each_exercise_is_checked_and_solved(chapter: Path) -> None:
    solution = "\n".join(tagged(chapter, "solution"))
    for stub in tagged(chapter, "exercise"):
        name = re.search(r'^check\("(\w+)", \w+\)$', stub, re.MULTILINE)
        assert name, stub
        assert name[1] in EXERCISES
        assert f'check("{name[1]}", worked' in solution
