"""The status page shows when chapters were executed, and what failed."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.site_extension.made_up import Book, build, code, notebook

from sccbook.site import execution
from sccbook.site.dates import in_words

PAGES = {
    "status.md": "# Status\n\n```{build-status} chapters\n```\n\n```{build-status} build\n```\n\n"
    "```{toctree}\ngood\nbad\n```\n",
    "good.ipynb": notebook(["# Good", code("1")]),
    "bad.ipynb": notebook(["# Bad", "A claim.", code("assert 1 == 2", "check")]),
}


@pytest.mark.slow
def test_it_shows_when_chapters_ran_in_utc_and_which_checks_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "packages", dict)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    before = datetime.now(UTC)
    try:
        settings = {"nb_execution_mode": "cache", "nb_execution_allow_errors": True}
        page = Book(*build(tmp_path, PAGES, **settings)).page("status.html")
    finally:
        monkeypatch.undo()
        time.tzset()
    chapters, built = ([[cell.get_text(" ", strip=True) for cell in row("td")] for row in body("tr")]
                       for body in page.article("tbody"))  # fmt: skip
    assert [row[0] for row in chapters] == ["Good", "Bad"]
    for row in chapters:
        day, hour = re.match(r"(.+), (\d\d):\d\d UTC, in \d+\.\d s$", row[1]).groups()  # type: ignore[union-attr]
        assert (day, int(hour)) in [(in_words(t.date()), t.hour) for t in (before, datetime.now(UTC))]  # fmt: skip
    assert chapters[0][2] == "all hold"
    assert chapters[1][2].startswith("1 failed: the cell that begins 'assert 1 == 2'")
    assert dict(built)["from commit"] == "not known"
    assert "sccbook 0.1" in dict(built)["the book"]
