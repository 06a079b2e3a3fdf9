"""Every figure of the book in Firefox: it answers the keys and the hand, and the page complains of nothing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.fixtures import CI
from tests.site.book import CHAPTERS, LANDING, READ, names
from tools.browser import BrowserError, find_firefox

SCRIPT = Path(__file__).with_name("firefox.mjs")
FROM_FILES = (LANDING, CHAPTERS[8], "search.html")
LIMIT = 900
"""Seconds, several times what it takes on two cores of their own."""


@pytest.fixture
def firefox() -> str:
    """The path of Firefox. Where there is none: skip loudly, and fail in CI."""
    try:
        return find_firefox()
    except BrowserError as error:
        if CI or os.environ.get("SCC_FIREFOX"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.mark.exhaustive
def test_every_figure_answers_in_firefox_and_no_page_complains(
    firefox: str, site: Path, server: str, tmp_path: Path
) -> None:
    addresses = [server + name for name in (*READ, "search.html")]
    addresses += [(site / name).as_uri() for name in FROM_FILES]
    run = ["node", str(SCRIPT), firefox, str(tmp_path), *addresses]
    done = subprocess.run(run, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["faults"] == []
    shown = sum(len(names(name)) for name in (*READ, *FROM_FILES[:2]))
    assert report["stepped"] > 0.6 * shown, "most figures have a slider"
    assert report["told"] > 0.8 * report["stepped"], "most say in words what it changes"
    assert report["dragged"] > 0.6 * shown, "most have a handle"
    assert report["pressed"] > 0.4 * shown, "many have a question or a run"
