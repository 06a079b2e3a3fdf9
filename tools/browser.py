"""Find the browser on this machine that tests and pictures use."""

from __future__ import annotations

import os
import shutil
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
    named = os.environ.get("SCC_BROWSER")
    if named:
        if found := shutil.which(named):
            return found
        raise BrowserError(f"SCC_BROWSER names {named!r}, which isn't a program.")
    for name in (*BROWSERS, *FILES):
        if found := shutil.which(Path(name).expanduser()):
            return str(found)
    raise BrowserError(NO_BROWSER)
