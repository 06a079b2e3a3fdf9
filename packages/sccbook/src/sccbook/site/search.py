"""Fix Sphinx's search: highlight the search terms only on the page that a result leads to.

Sphinx keeps the terms in the browser and highlights them on whichever page is opened next, in figures
too. Here a result's link carries them.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

FIXES = {
    "searchtools.js": (
        (
            "linkEl.href = linkUrl + anchor;",
            "linkEl.href = `${linkUrl}?${new URLSearchParams({ highlight: [...highlightTerms].join(' ') })}${anchor}`;",
        ),
        ('localStorage.setItem("sphinx_highlight_terms", [...highlightTerms].join(" "))', ""),
    ),
    "sphinx_highlight.js": (
        ('localStorage.getItem("sphinx_highlight_terms")\n        || ', ""),
        ('"button, select, textarea"', '"button, select, textarea, figure, math"'),
        ('document.querySelector("body")', 'document.querySelector("article")'),
    ),
}
"""Of each script: what is written there, and what instead."""

FIXED = f"// fixed by {__name__}\n"


def fix(app: Sphinx) -> None:
    """Fix the scripts that were copied into the site.

    Raises:
        ExtensionError: where a script is not as it was when this was written.
    """
    for name, fixes in FIXES.items():
        path = Path(app.outdir) / "_static" / name
        text = path.read_text(encoding="utf-8")
        if text.endswith(FIXED):
            continue  # in an earlier build
        for written, instead in fixes:
            if written not in text:
                raise ExtensionError(f"Sphinx's {name} no longer has {written!r}: see {__name__}")
            text = text.replace(written, instead)
        path.write_text(text + FIXED, encoding="utf-8")
