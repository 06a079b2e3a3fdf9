"""A check that fails on a reader's machine is shown and listed; any other failure stops the build."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of
from sccbook.site import checks
from sccbook.site.folds import Fold, depart, visit

ERROR = new_output(
    "error", ename="AssertionError", evalue="it is 8", traceback=["...", "AssertionError: it is 8"]
)


def build(folder: Path, tag: str, *, fails: bool = True) -> Path:
    """Build a chapter of two cells, of which the first, with a tag, may have failed."""
    cells = [
        new_markdown_cell("# A chapter\n\nThe norm is above 9."),
        new_code_cell(
            "assert norm > 9", metadata={"tags": [tag]}, outputs=[ERROR] if fails else []
        ),
        new_markdown_cell("Then it falls."),
        new_code_cell("assert True", metadata={"tags": ["check"]}),
    ]
    text = text_of(new_notebook(cells=cells, metadata=METADATA))
    (folder / "chapter.ipynb").write_text(text, encoding="utf-8")
    settings = {
        "extensions": ["myst_nb"],
        "exclude_patterns": ["_build"],
        "html_theme": "basic",
        "nb_execution_mode": "off",
        "root_doc": "chapter",
    }
    out = folder / "_build" / "html"
    with patch_docutils(), docutils_namespace():
        app = Sphinx(folder, None, out, folder / "_build/trees", "html", settings, None, StringIO())
        checks.connect(app)
        app.add_node(Fold, html=(visit, depart))
        app.build(force_all=True)
        checks.report(app)
    return out


@pytest.mark.slow
def test_a_failed_check_is_marked_on_its_page_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = build(tmp_path, "check")
    page = BeautifulSoup((out / "chapter.html").read_text("utf-8"), "html.parser")
    first, second = page.select("details.check > summary")
    assert (first.text, second.text) == ("failed on this machine", "checked")
    assert "AssertionError: it is 8" in first.parent.text  # type: ignore[union-attr]
    told = (tmp_path / "_build" / checks.REPORT).read_text("utf-8")
    assert capsys.readouterr().err == told
    assert told.startswith("warning: 1 check failed on this machine")
    assert "chapter: the cell that begins 'assert norm > 9': AssertionError: it is 8" in told

    build(tmp_path, "check", fails=False)
    assert not (tmp_path / "_build" / checks.REPORT).exists()


@pytest.mark.slow
def test_a_failed_cell_that_is_no_check_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"chapter: the cell .*norm > 9.*: Assert.* it is 8"):
        build(tmp_path, "plot")
