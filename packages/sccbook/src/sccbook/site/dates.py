"""Say on each page when it was last changed, and which version of the book it belongs to.

Git knows the dates. Where it doesn't (an unpacked archive, a shallow clone, no git), no page has one. The extension
sphinx-last-updated-by-git warns there, which would stop the build, and takes the date of any package file that a
chapter's outputs depend on.
"""

from __future__ import annotations

import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config


def printed(*command: str, folder: Path | None = None) -> str:
    """Return what a command prints; "" if it's missing or fails."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def in_words(day: date) -> str:
    """Return a date as one reads it: ``1 December 2026``."""
    return f"{day.day} {day:%B %Y}"


def last_changed(root: Path) -> dict[str, str]:
    """Return when each page was last changed, by its path, as far as a whole history in git tells."""
    if printed("git", "rev-parse", "--is-shallow-repository", folder=root) != "false":
        return {}
    log = printed("git", "log", "--format=/%cs", "--name-only", "--relative", "--", "*.md", "*.ipynb", folder=root)  # fmt: skip
    dates: dict[str, str] = {}
    day = ""
    for line in filter(None, log.splitlines()):  # the newest commit comes first
        if line.startswith("/"):
            day = line[1:]
        else:
            dates.setdefault(line, day)
    return dates


def note(app: Sphinx, config: Config) -> None:
    """Make settings of the version and of the dates, so that Sphinx writes all pages again when they change."""
    config.release = config.release or version("sccbook")
    config.sccbook_dates = last_changed(Path(app.srcdir))


def show(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give a page's template its date."""
    path = str(app.env.doc2path(page, base=False))
    if day := app.config.sccbook_dates.get(path):
        context["changed"] = {"date": day, "words": in_words(date.fromisoformat(day))}
