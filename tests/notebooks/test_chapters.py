"""Each chapter is stored in normal form, has its numbers established, and lets its reader try."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gradlab.exercises.checking.catalogue import EXERCISES
from gradlab.notebook_form import read, tags
from tools.notebooks import problems

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_chapters() -> None:
    assert CHAPTERS


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_normal_form_and_its_numbers_are_established(chapter: Path) -> None:
    grave = [str(fault) for fault in problems(chapter) if fault.grave]
    assert not grave, "\n".join(grave)


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
    questions = len(tagged(chapter, "quiz"))  # of the form that problems() checks
    assert questions in (2, 3) or (questions == 0 and chapter not in WRITTEN)


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda path: path.stem)
def test_each_exercise_is_checked_and_solved(chapter: Path) -> None:
    solution = "\n".join(tagged(chapter, "solution"))
    for stub in tagged(chapter, "exercise"):
        name = re.search(r'^check\("(\w+)", \w+\)$', stub, re.MULTILINE)
        assert name, stub
        assert name[1] in EXERCISES
        assert f'check("{name[1]}", worked' in solution
