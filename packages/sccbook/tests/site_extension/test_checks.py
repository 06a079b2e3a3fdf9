"""A check that fails on a reader's machine is shown and listed; any other failure stops the build."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_output
from sphinx.errors import ExtensionError
from tests.site_extension.made_up import build, code, notebook

from sccbook.site import checks

pytestmark = pytest.mark.slow

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
    out, _ = build(tmp_path, chapter("check"))
    page = BeautifulSoup((out / "chapter.html").read_text("utf-8"), "html.parser")
    first, second = page.select("details.check > summary")
    assert (first.text, second.text) == ("failed on this machine", "checked")
    assert "AssertionError: it is 8" in first.parent.text  # type: ignore[union-attr]
    told = out.with_name(checks.REPORT).read_text("utf-8")
    assert capsys.readouterr().err == told
    assert told.startswith("warning: 1 check failed on this machine")
    assert "chapter: the cell that begins 'assert norm > 9': AssertionError: it is 8" in told

    build(tmp_path, chapter("check", fails=False))
    assert not out.with_name(checks.REPORT).exists()


def test_a_failed_cell_that_is_no_check_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"chapter: the cell .*norm > 9.*: Assert.* it is 8"):
        build(tmp_path, chapter("plot"))
