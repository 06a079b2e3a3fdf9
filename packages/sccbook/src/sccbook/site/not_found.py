"""Write ``404.html``, which a host serves for an address that leads nowhere, however deep that is.

So the page needs no other file, and its links start at the book's folder: the path of ``html_baseurl``, or where a
script finds the book if that isn't set. (sphinx-notfound-page makes all addresses of the theme's page absolute, so the
page would lose its styles where the folder isn't known.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from sccbook.site.markdown import contents


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page for Sphinx to write."""
    parts = [
        (caption, [(title, app.builder.get_target_uri(name)) for title, name in pages])
        for caption, pages in contents(app)
    ]
    base = urlsplit(app.config.html_baseurl).path.rstrip("/") + "/"
    known = bool(app.config.html_baseurl)
    home = app.builder.get_target_uri(app.config.root_doc)
    yield "404", {"parts": parts, "base": base, "base_is_known": known, "home": home}, "404.html"
