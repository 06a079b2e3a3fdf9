"""Find the browsers on this machine that tests and pictures use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BROWSERS = {
    "SCC_BROWSER": (
        "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
        # not on the PATH, where the system puts it
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "SCC_FIREFOX": ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"),
}  # fmt: skip
"""The programs that are tried, by the variable that may name another."""
MISSING = {
    "SCC_BROWSER": (
        "No Chromium or Chrome was found. Install one "
        "(Debian: sudo apt-get install chromium; Ubuntu: sudo snap install chromium; "
        "macOS: brew install --cask google-chrome), or name one: SCC_BROWSER=/path/to/chrome"
    ),
    "SCC_FIREFOX": (
        "No Firefox was found. Install one (Debian: sudo apt-get install firefox-esr; "
        "macOS: brew install --cask firefox), or name one: SCC_FIREFOX=/path/to/firefox"
    ),
}
"""What to do where there is none."""
OPTIONS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",  # Chromium's needs rights that containers withhold; only our pages are opened
)
"""Flags that Chromium is started with."""


class BrowserError(RuntimeError):
    """There is no browser, or a page didn't do what it should."""


def find_browser(variable: str = "SCC_BROWSER") -> str:
    """Return the path of a Chromium or Chrome, or of a Firefox: the one that the variable names, or the first found.

    Raises:
      BrowserError: there is none, or the variable names something else.
    """
    if named := os.environ.get(variable):
        if found := shutil.which(named):
            return found
        raise BrowserError(f"{variable} names {named!r}, which isn't a program.")
    for name in BROWSERS[variable]:
        if found := shutil.which(Path(name).expanduser()):
            return str(found)
    raise BrowserError(MISSING[variable])


@contextmanager
def chromium(*flags: str) -> Iterator[Any]:
    """Start Playwright's Chromium with these flags too, and end it."""
    from playwright.sync_api import sync_playwright

    program, arguments = find_browser(), [*OPTIONS, *flags]
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=program, args=arguments)
