"""Find the browsers on this machine that tests and pictures use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
FILES = (  # not on the PATH, where the system puts it
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NO_BROWSER = (
    "No Chromium or Chrome was found. Install one "
    "(Debian: sudo apt-get install chromium; Ubuntu: sudo snap install chromium; "
    "macOS: brew install --cask google-chrome), or name one: SCC_BROWSER=/path/to/chrome"
)
FIREFOXES = ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")
NO_FIREFOX = (
    "No Firefox was found. Install one (Debian: sudo apt-get install firefox-esr; "
    "macOS: brew install --cask firefox), or name one: SCC_FIREFOX=/path/to/firefox"
)
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


def find_browser() -> str:
    """Return the path of a Chromium or Chrome: the one that SCC_BROWSER names, or the first found.

    Raises:
      BrowserError: there is none, or SCC_BROWSER names something else.
    """
    return _found("SCC_BROWSER", (*BROWSERS, *FILES), NO_BROWSER)


def find_firefox() -> str:
    """Return the path of a Firefox: the one that SCC_FIREFOX names, or the first found.

    Raises:
      BrowserError: there is none, or SCC_FIREFOX names something else.
    """
    return _found("SCC_FIREFOX", FIREFOXES, NO_FIREFOX)


def _found(variable: str, names: Sequence[str], missing: str) -> str:
    named = os.environ.get(variable)
    if named:
        if found := shutil.which(named):
            return found
        raise BrowserError(f"{variable} names {named!r}, which isn't a program.")
    for name in names:
        if found := shutil.which(Path(name).expanduser()):
            return str(found)
    raise BrowserError(missing)
