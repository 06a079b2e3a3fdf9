"""What the tests of the built book share besides a browser: its figures in a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorax.figure.widget import Figure
from tests.site.book import READ, names
from tests.site.figure_page import WINDOWS, Shown


@pytest.fixture
def show(open_page: Any) -> Callable[..., Shown]:
    """Open the first page that shows a figure: ``show("Cliff", "narrow", predict=False)``."""

    def show(name: str, window: str = "wide", *, predict: bool = False) -> Shown:
        page = next(page for page in READ if name in names(page))
        return Shown(open_page(page, viewport=WINDOWS[window]), name, predict=predict)

    return show


@pytest.fixture
def twice(page_of: Any, tmp_path: Path) -> Callable[..., str]:
    """Save a page with a figure twice, the first one changed: ``twice(figure, change)``."""

    def save(figure: Figure, change: Callable[[str], str] = str) -> str:
        text = Path(page_of(figure).removeprefix("file://")).read_text(encoding="utf-8")
        before, fragment, after = re.split(r"(<figure.*</figure>)", text, flags=re.DOTALL)
        file = tmp_path / "twice.html"
        file.write_text(before + change(fragment) + fragment + after, encoding="utf-8")
        return file.as_uri()

    return save
