"""``make pictures`` takes a page whole, and its figures before and after their answer."""

from __future__ import annotations

from typing import Any

from sccbook.figures import ReportedTangent
from tools.pictures import on_screen


def test_a_figure_is_taken_before_and_after_its_answer(open_page: Any, page_of: Any) -> None:
    pictures = dict(on_screen(open_page(page_of(ReportedTangent()))))
    before, whole, after = pictures
    assert (before, after) == ("ReportedTangent-before", "ReportedTangent-after")
    assert whole == "from-00000"
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
    assert pictures[before] != pictures[after]
