"""Each chapter is stored in normal form, and its prose states no number that no cell establishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradlab.site.notebooks import problems

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_chapters() -> None:
    assert CHAPTERS


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_normal_form_and_its_numbers_are_established(chapter: Path) -> None:
    grave = [str(fault) for fault in problems(chapter) if fault.grave]
    assert not grave, "\n".join(grave)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_is_in_the_table_of_contents(chapter: Path) -> None:
    assert f"file: notebooks/{chapter.stem}\n" in (ROOT / "_toc.yml").read_text(encoding="utf-8")
