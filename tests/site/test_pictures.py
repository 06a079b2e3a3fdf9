"""``make pictures`` takes a page whole, and its figures before and after their answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sccbook.figures import ReportedTangent
from tools.pictures import sheet, taken


def test_a_figure_is_taken_before_and_after_its_answer(open_page: Any, page_of: Any) -> None:
    pictures = dict(taken(open_page(page_of(ReportedTangent())), "page"))
    whole, before, after = pictures
    assert whole == "page, from 0 px"
    assert (before, after) == (
        "page, figure 1, ReportedTangent, before",
        "page, figure 1, ReportedTangent, after",
    )
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
    assert pictures[before] != pictures[after]


def test_pictures_are_shown_below_their_captions() -> None:
    assert '<img src="a.png" alt="a &lt;b&gt;"' in sheet([("a <b>", Path("x/a.png"))])
