"""Every figure of the book in Firefox: it answers the keys and the hand, and the page complains of nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.fixtures import found_or_skipped
from tests.site.book import CHAPTERS, LANDING, READ, names

SCRIPT = Path(__file__).with_name("firefox.mjs")
FROM_FILES = (LANDING, CHAPTERS[8], "search.html")
LIMIT = 900
"""Seconds, several times what it takes on two cores of their own."""


@pytest.mark.exhaustive
def test_every_figure_answers_in_firefox_and_no_page_complains(site: Path, server: str) -> None:
    addresses = [server + name for name in (*READ, "search.html")]
    addresses += [(site / name).as_uri() for name in FROM_FILES]
    run = ["node", str(SCRIPT), found_or_skipped("SCC_FIREFOX"), *addresses]
    done = subprocess.run(run, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["faults"] == []
    shown = sum(len(names(name)) for name in (*READ, *FROM_FILES[:2]))
    assert report["stepped"] > 0.6 * shown, "most figures have a slider"
    assert report["told"] > 0.8 * report["stepped"], "most say in words what it changes"
    assert report["dragged"] > 0.6 * shown, "most have a handle"
    assert report["checked"] == 1, "the first exercise that Python in the page checks"
    assert report["pressed"] > 0.4 * shown, "many have a question or a run"
