"""A headless Chromium with a slowed CPU, and what it traces."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tools.browser import OPTIONS, BrowserError, find_browser

SLOWED = 4
"""How many times the page's CPU is slowed."""
CATEGORIES = ("devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing")


@contextmanager
def browser() -> Iterator[Any]:
    """A browser driven by Playwright."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=find_browser(), headless=True, args=list(OPTIONS)
        )
        try:
            yield running
        finally:
            running.close()


@contextmanager
def slow_page(browser: Any, width: int = 1280, height: int = 900) -> Iterator[tuple[Any, Any]]:
    """A page in a fresh context, and the session that slows it: call ``slow`` when it is ready."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    try:
        yield page, context.new_cdp_session(page)
    finally:
        context.close()


def slow(session: Any) -> None:
    """Slows a page's CPU from now on."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})


@contextmanager
def traced(page: Any, session: Any) -> Iterator[list[dict[str, Any]]]:
    """Traces what happens inside; the events are in the list when it ends."""
    events: list[dict[str, Any]] = []
    ended: list[Any] = []

    def collect(data: Any) -> None:
        events.extend(data["value"])

    def complete(data: Any) -> None:
        ended.append(data)

    session.on("Tracing.dataCollected", collect)
    session.on("Tracing.tracingComplete", complete)
    session.send(
        "Tracing.start",
        {
            "transferMode": "ReportEvents",
            "traceConfig": {
                "recordMode": "recordUntilFull",
                "includedCategories": list(CATEGORIES),
                "excludedCategories": ["*"],
            },
        },
    )
    yield events
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    session.remove_listener("Tracing.dataCollected", collect)
    session.remove_listener("Tracing.tracingComplete", complete)


def wait_until(page: Any, script: str, argument: Any = None, seconds: float = 30.0) -> Any:
    """Asks a page until what it answers is true, and returns the answer."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := page.evaluate(script, argument):
            return answer
        page.wait_for_timeout(50)
    raise BrowserError(f"{page.url}: in {seconds:g} s this did not become true: {script}")


def address(book: Path, page: str) -> str:
    """The address of a page of the built book."""
    return (book / page).as_uri()
