"""Use the theme's layout without the scripts that the book doesn't need."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from sccbook.site.running_text import paragraphs

TEMPLATES = Path(__file__).parent / "templates"

MOST_CHARACTERS = 160
"""Of a page's description, which is about what searching machines show."""


def use_templates(app: Sphinx, config: Config) -> None:
    """Put the extension's templates before the theme's."""
    config.templates_path = [str(TEMPLATES), *config.templates_path]


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Describe a page by its first paragraph, and name the book once in its title."""
    if unescape(context.get("title", "")) == context.get("docstitle"):
        context["docstitle"] = ""
    for paragraph in paragraphs(doctree)[:1] if doctree else []:
        context["description"] = shorten(words(paragraph), MOST_CHARACTERS, placeholder=" …")
        content = escape(context["description"])
        context["metatags"] += f'\n<meta name="description" content="{content}">'


def words(node: nodes.Node) -> str:
    """Return what is read in a part of the text: no definition of a term, and no TeX."""
    if isinstance(node, nodes.comment | nodes.math):
        return ""
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(words, node.children))


def open_front_door(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield ``index.html``, which leads to the landing page, where that is another page."""
    if app.config.root_doc != "index":
        yield "index", {"site": app.config.html_baseurl or ""}, "front_door.html"
