"""Mend what the theme writes and those who listen trip over; axe-core finds the rest."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

MENDS: tuple[tuple[str, str], ...] = (
    # a name that is not what is written there: it is what voice control listens for
    (
        r'(<button class="btn search-button-field[^"]*"(?:(?!>)[^"]|"[^"]*")*?)\s+aria-label="Search"',
        r"\1",
    ),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    # the book's name stood in no landmark
    (
        r'<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar">',
        '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar" role="region" '
        'aria-label="The book">',
    ),
    # a role that is no longer one, in a list that wants items
    (r'role="doc-biblioentry"', 'role="listitem"'),
)
"""Patterns in a page, and what stands there instead."""


def mended(page: str) -> str:
    """A page of the theme's with names and roles that fit."""
    for pattern, instead in MENDS:
        page = re.sub(pattern, instead, page)
    return page


def mend(app: Sphinx) -> None:
    """Mend every page that was built."""
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        better = mended(text)
        if better != text:
            path.write_text(better, encoding="utf-8")
