"""Each chapter is in the contents and lets its reader try. `make lint` checks its form and its numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sccbook.exercises.catalogue import EXERCISES
from sccbook.notebook_form import read, tags

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_the_table_of_contents(chapter: Path) -> None:
    assert f"file: notebooks/{chapter.stem}\n" in (ROOT / "_toc.yml").read_text(encoding="utf-8")


def tagged(chapter: Path, tag: str) -> list[str]:
    """The sources of a chapter's cells that have a tag."""
    cells = read(chapter.read_text(encoding="utf-8")).cells
    return [cell.source for cell in cells if tag in tags(cell)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_a_quiz_and_an_exercise_that_is_checked_and_solved(chapter: Path) -> None:
    assert tagged(chapter, "quiz")  # `make lint` counts its questions
    solution = "\n".join(tagged(chapter, "solution"))
    stubs = tagged(chapter, "exercise")
    assert stubs or chapter.stem == "16_rosetta"
    for stub in stubs:
        name = re.search(r'^check\("(\w+)", \w+\)$', stub, re.MULTILINE)
        assert name, stub
        assert name[1] in EXERCISES
        assert f'check("{name[1]}", worked' in solution
