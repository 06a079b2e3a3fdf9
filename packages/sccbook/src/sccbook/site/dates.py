"""Say on each page when it was last changed, and which version of the book it belongs to.

Git knows the dates. Where it doesn't (an unpacked archive, a shallow clone, no git), no page has one. The extension
sphinx-last-updated-by-git warns there, which would stop the build, and takes the date of any package file that a
chapter's outputs depend on.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment


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


def last_changed(root: Path, paths: Iterable[str]) -> dict[str, date]:
    """Return when files were last changed, by path, as far as a whole history in git tells."""
    if printed("git", "rev-parse", "--is-shallow-repository", folder=root) != "false":
        return {}
    log = printed("git", "log", "--format=/%cs", "--name-only", "--relative", "--", *paths, folder=root)  # fmt: skip
    dates: dict[str, date] = {}
    day = date.min
    for line in filter(None, log.splitlines()):  # the newest commit comes first
        if line.startswith("/"):
            day = date.fromisoformat(line[1:])
        else:
            dates.setdefault(line, day)
    return dates


def note_version(app: Sphinx, config: Config) -> None:
    """Give the book the version of its package, so that Sphinx makes all pages again when it changes."""
    config.release = config.release or version("sccbook")


def note_dates(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Keep the dates of all pages; return the pages whose date isn't the one they show."""
    paths = {name: str(env.doc2path(name, base=False)) for name in env.found_docs}
    known = last_changed(Path(app.srcdir), paths.values())
    before = getattr(env, "sccbook_dates", {})
    now = {name: known.get(path) for name, path in paths.items()}
    env.sccbook_dates = now  # type: ignore[attr-defined]  # Sphinx stores it with the rest
    return [name for name, day in now.items() if day != before.get(name)]


def show(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give a page's template its date."""
    if day := getattr(app.env, "sccbook_dates", {}).get(page):
        context["changed"] = {"date": day.isoformat(), "words": in_words(day)}
