"""Fix the theme's screen-reader problems; axe-core finds the rest."""

from __future__ import annotations

import re

FIXES: tuple[tuple[str, str], ...] = (
    # a name that is not what is written there: it is what voice control listens for
    (
        r'(<button class="btn search-button-field[^"]*"(?:(?!>)[^"]|"[^"]*")*?)\s+aria-label="Search"',
        r"\1",
    ),
    # the book's name stood in no landmark
    (
        r'<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar">',
        '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar" role="region" '
        'aria-label="The book">',
    ),
    # a role that is no longer one, in a list that wants items
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # book.css hides it, with no style in the page for its policy to allow
    (r"<!--\s*this give us a css class(?:(?!-->).)*-->\s*<noscript>.*?</noscript>\s*", ""),
)
"""Patterns in a page, and what stands there instead."""


def fixed(page: str) -> str:
    """Return a page of the theme's with names and roles that fit."""
    for pattern, instead in FIXES:
        page = re.sub(pattern, instead, page, flags=re.DOTALL)
    return page
