"""Cells of a chapter on its page, by their tags: folded, hidden, or a mark at what they prove."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.site_extension.made_up import PAGES, build

pytestmark = pytest.mark.slow


@pytest.fixture
def page(book: Any) -> Any:
    return book.page("cells.html").article


def fold_with(page: Any, words: str) -> Any:
    """The one fold that has some code in it."""
    (found,) = (fold for fold in page.find_all("details") if words in fold.get_text())
    return found


def reads(fold: Any) -> str:
    return str(fold.summary.get_text())


def test_the_code_of_a_figure_is_left_out_and_the_figure_stays(page: Any) -> None:
    assert "a_figure" not in page.get_text()
    assert "the figure" in page.get_text()


def test_set_up_and_drawing_are_folded_and_say_how_much_there_is(page: Any) -> None:
    assert reads(fold_with(page, "import math")) == "Set-up: 2 lines of code"
    assert reads(fold_with(page, "set_up += 1")) == "Set-up: 1 line of code"
    drawing = fold_with(page, "draw()")
    assert reads(drawing) == "How this is drawn: 2 lines of code"
    assert "the plot" not in drawing.get_text()
    assert "the plot" in drawing.parent.get_text()


def test_the_cells_of_a_solution_share_a_fold(page: Any) -> None:
    solution = fold_with(page, "worked = 1")
    assert reads(solution) == "A solution"
    assert "worked += 1" in solution.get_text()
    assert "passed" in solution.get_text()
    assert "hide" not in "".join(solution["class"])


def test_folds_are_closed_and_other_cells_are_not_folded(page: Any) -> None:
    assert not any(fold.has_attr("open") for fold in page.find_all("details"))
    (shown,) = (cell for cell in page.select("div.cell_input") if "shown = 1" in cell.get_text())
    assert shown.find_parent("details") is None


def test_an_exercise_says_where_it_can_be_run(page: Any) -> None:
    (cell,) = (cell for cell in page.select("div.cell") if "your_turn" in cell.get_text())
    line = cell.find_previous_sibling("p")
    assert line.get_text() == "To change this and run it, open the chapter as a notebook."
    assert line.a["href"] == "#run-a-chapter"


def test_a_mark_ends_the_paragraph_that_its_cells_prove(page: Any) -> None:
    mark = fold_with(page, "assert one")
    assert mark["class"] == ["check"]
    assert "assert two" in mark.get_text()
    (paragraph,) = (p for p in mark.parent.find_all("p", recursive=False))
    assert paragraph.get_text() == "A claim with a link."
    assert mark.find_previous_sibling() is paragraph
    assert mark.parent["class"][0] == "claim"


def test_a_mark_of_a_list_ends_its_last_paragraph(page: Any) -> None:
    claim = fold_with(page, "of_the_list").parent
    assert claim.p.get_text() == "of the last"
    assert claim.parent.name == "li"


@pytest.mark.parametrize(
    ("proof", "proved"), [("of_the_output", "three"), ("of_the_plot", "the plot")]
)
def test_a_mark_of_an_output_is_below_it_in_its_cell(page: Any, proof: str, proved: str) -> None:
    mark = fold_with(page, proof)
    assert "cell" in mark.parent["class"]
    assert proved in mark.find_previous_sibling().get_text()


@pytest.mark.parametrize("proof", ["of_the_table", "of_the_formula", "of_nothing"])
def test_any_other_mark_is_where_its_cell_was(page: Any, proof: str) -> None:
    mark = fold_with(page, proof)
    assert mark.parent.name == "section"
    before = mark.find_previous_sibling()
    assert before.name in ("div", "h2")  # of a table, of a formula, or a heading
    assert "cell" not in before.get("class", [])


def test_a_mark_tells_screen_readers_what_it_opens(page: Any) -> None:
    marks = page.select("details.check > summary")
    assert len(marks) == 7
    assert {mark.get_text() for mark in marks} == {"checked"}
    assert {mark["aria-label"] for mark in marks} == {"checked: show the code that proves this"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("builder", "ending"), [("text", "txt"), ("latex", "tex")])
def test_other_builders_show_the_code(tmp_path: Path, builder: str, ending: str) -> None:
    folder, warnings = build(tmp_path, {"cells.ipynb": PAGES["cells.ipynb"]}, builder)
    (shown,) = folder.glob(f"*.{ending}")
    assert warnings == []
    assert all(words in shown.read_text("utf-8") for words in ("math", "assert", "worked"))
