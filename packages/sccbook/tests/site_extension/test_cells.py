"""Cells of a chapter on its page, by their tags: folded, hidden, or a mark at what they prove."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of
from sccbook.site import checks, folds

pytestmark = pytest.mark.slow


def code(source: str, *tags: str, printed: str = "") -> Any:
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, metadata={"tags": list(tags)}, outputs=outputs)


CELLS = [
    new_markdown_cell("# Title"),
    code("a_figure = 1\na_figure", "figure", printed="the figure"),
    code("import math\n\nset_up = 2", "set-up"),
    code("set_up += 1", "set-up"),
    new_markdown_cell("## Marks\n\nNot here.\n\nA *claim* with [a link](https://example.org)."),
    code("assert one", "check"),
    code("assert two", "check"),
    new_markdown_cell("- first\n- last\n\n  of the last"),
    code("assert of_the_list", "check"),
    code("print(3)", printed="three"),
    code("assert of_the_output", "check"),
    new_markdown_cell("| a |\n|---|\n| b |"),
    code("assert of_the_table", "check"),
    new_markdown_cell("$$x = 1$$"),
    code("assert of_the_formula", "check"),
    new_markdown_cell("(run-a-chapter)=\n## A heading"),
    code("assert of_nothing", "check"),
    code("draw()\nmore()", "plot", printed="the plot"),
    code("assert of_the_plot", "check"),
    code("worked = 1", "solution"),
    code("worked += 1", "solution", printed="passed"),
    code("your_turn = 1", "exercise"),
    code("shown = 1"),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Build the chapter; return the text of what was built."""

    def run(builder: str, name: str) -> str:
        folder = tmp_path_factory.mktemp(builder)
        chapter = new_notebook(cells=CELLS, metadata=METADATA)
        (folder / "page.ipynb").write_text(text_of(chapter), encoding="utf-8")
        settings: dict[str, Any] = {
            "extensions": ["myst_nb"],
            "html_theme": "basic",
            "myst_enable_extensions": ["dollarmath"],
            "nb_execution_mode": "off",
            "project": "page",
            "root_doc": "page",
        }
        warned = StringIO()
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                folder, None, folder / "out", folder / "trees", builder, settings, None, warned
            )
            folds.connect(app)
            checks.connect(app)
            app.build()
        assert warned.getvalue() == ""
        return Path(folder, "out", name).read_text(encoding="utf-8")

    return run


@pytest.fixture(scope="module")
def page(build: Any) -> Any:
    return BeautifulSoup(build("html", "page.html"), "html.parser")


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
def test_a_mark_of_an_output_stands_below_it_in_its_cell(
    page: Any, proof: str, proved: str
) -> None:
    mark = fold_with(page, proof)
    assert "cell" in mark.parent["class"]
    assert proved in mark.find_previous_sibling().get_text()


@pytest.mark.parametrize("proof", ["of_the_table", "of_the_formula", "of_nothing"])
def test_any_other_mark_stands_where_its_cell_did(page: Any, proof: str) -> None:
    mark = fold_with(page, proof)
    assert mark.parent.name == "section"
    before = mark.find_previous_sibling()
    assert before is not None
    assert (before.name, before.get("class", [""])[0]) in {
        ("table", "docutils"), ("div", "math"), ("h2", "")
    }  # fmt: skip


def test_a_mark_tells_those_who_listen_what_it_opens(page: Any) -> None:
    marks = page.select("details.check > summary")
    assert len(marks) == 7
    assert {mark.get_text() for mark in marks} == {"checked"}
    assert {mark["aria-label"] for mark in marks} == {"checked: show the code that proves this"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("builder", "name"), [("text", "page.txt"), ("latex", "page.tex")])
def test_where_nothing_opens_the_code_is_shown(build: Any, builder: str, name: str) -> None:
    shown = build(builder, name)
    assert all(words in shown for words in ("math", "assert", "worked"))
