"""Cells on their page, by their tags: folded, hidden, or a mark at what they prove, which may have failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_output
from sphinx.errors import ExtensionError
from tests.site_extension.made_up import PAGES, Book, build, code, notebook

from sccbook.site import checks

pytestmark = pytest.mark.slow


@pytest.fixture
def page(book: Any) -> Any:
    return book.page("cells.html").article


def fold_with(page: Any, words: str) -> Any:
    """The one fold that has some code in it."""
    (found,) = (fold for fold in page.find_all("details") if words in fold.get_text())
    return found


@pytest.mark.parametrize(
    ("words", "reads"),
    [
        ("import math", "Set-up: 2 lines of code"),
        ("set_up += 1", "Set-up: 1 line of code"),
        ("draw()", "How this is drawn: 2 lines of code"),
        ("worked = 1", "A solution"),
    ],
)
def test_a_fold_says_what_it_holds(page: Any, words: str, reads: str) -> None:
    fold = fold_with(page, words)
    assert fold.summary.get_text() == reads
    assert not fold.has_attr("open")
    assert ("passed" in fold.get_text()) == ("worked += 1" in fold.get_text()) == (words[0] == "w")


def test_code_of_figures_is_left_out_and_what_figures_and_plots_show_stays(page: Any) -> None:
    assert "a_figure" not in page.get_text()
    for shown in ("the figure", "the plot", "shown = 1"):
        assert shown in page.get_text()
        assert not any(shown in fold.get_text() for fold in page.find_all("details"))


def test_an_exercise_says_where_it_can_be_run(page: Any) -> None:
    (cell,) = (cell for cell in page.select("div.cell") if "your_turn" in cell.get_text())
    line = cell.find_previous_sibling("p")
    assert (
        line.get_text()
        == "To change this and run it in JupyterLab, open the chapter as a notebook."
    )
    assert line.a["href"] == "#run-a-chapter"


@pytest.mark.parametrize(
    ("proof", "inside", "proved"),
    [
        ("assert one", "section > div.claim", "A claim with a link."),
        ("assert two", "section > div.claim", "A claim with a link."),
        ("of_the_list", "li > div.claim", "of the last"),
        ("of_the_output", "div.cell", "three"),
        ("of_the_plot", "div.cell", "the plot"),
        ("of_the_table", "section", "b"),
        ("of_the_formula", "section", "="),
        ("of_nothing", "section", "A heading"),
    ],
)
def test_a_mark_is_at_the_end_of_what_its_cells_prove(
    page: Any, proof: str, inside: str, proved: str
) -> None:
    mark = fold_with(page, proof)
    assert any(mark.parent is found for found in page.select(inside))
    before = mark.find_previous_sibling()
    assert proved in before.get_text()
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


ERROR = new_output(
    "error", ename="AssertionError", evalue="it is 8", traceback=["...", "AssertionError: it is 8"]
)


def chapter(tag: str, *, fails: bool = True) -> dict[str, str]:
    """A chapter of two cells, of which the first, with a tag, may have failed."""
    first = code("assert norm > 9", tag, outputs=[ERROR] if fails else [])
    text = "# A chapter\n\nThe norm is above 9."
    return {
        "chapter.ipynb": notebook([text, first, "Then it falls.", code("assert True", "check")])
    }


def test_a_failed_check_is_marked_on_its_page_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book(*build(tmp_path, chapter("check")))
    first, second = book.page("chapter.html").select("details.check > summary")
    assert (first.text, second.text) == ("failed on this machine", "checked")
    assert "AssertionError: it is 8" in first.parent.text  # type: ignore[union-attr]
    told = book.folder.with_name(checks.REPORT).read_text("utf-8")
    assert capsys.readouterr().err == told
    assert told.startswith("warning: 1 check failed on this machine")
    assert "chapter: the cell that begins 'assert norm > 9': AssertionError: it is 8" in told

    build(tmp_path, chapter("check", fails=False))
    assert not book.folder.with_name(checks.REPORT).exists()


def test_a_failed_cell_that_is_no_check_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"chapter: the cell .*norm > 9.*: Assert.* it is 8"):
        build(tmp_path, chapter("plot"))
