"""What the tests of figures in a page share: waiting for one, and reading it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

WINDOWS = {"wide": {"width": 1280, "height": 1000}, "narrow": {"width": 360, "height": 800}}
OPEN_FOLDS = "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"


def ready_figure(page: Any, name: str, *, predict: bool = False) -> Any:
    """The figure of that name when it answers; its question is skipped unless ``predict``."""
    figure = page.locator(f"figure[data-figure={name}].gl-ready")
    figure.wait_for()
    skip = figure.get_by_role("button", name="Skip, show me")
    if skip.count() and not predict:
        skip.click()
    return figure


def sentence(figure: Any) -> str:
    """The sentence that states the present."""
    return str(figure.locator(".gl-live .gl-sentence").inner_text())


def asked(page: Any) -> dict[str, str]:
    """What the page's address says, by control."""
    return {key.split(".")[1]: value for key, value in parse_qsl(urlsplit(page.url).query)}
