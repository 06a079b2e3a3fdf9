"""Use the theme's layout without the scripts that the book doesn't need."""

from __future__ import annotations

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

FRONT_DOOR = """\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={url}">
<link rel="canonical" href="{canonical}">
<link rel="icon" href="{icon}">
<title>{title}</title>
</head>
<body><main><h1>{title}</h1><p><a href="{url}">Open the book</a></p></main></body>
</html>
"""


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


def open_front_door(app: Sphinx) -> None:
    """Write ``index.html``, which leads to the landing page, where that is another page."""
    if app.builder.name == "html" and app.config.root_doc != "index":
        url = escape(app.builder.get_target_uri(app.config.root_doc))
        canonical = escape(app.config.html_baseurl or "") + url
        icon = app.config.html_favicon
        page = FRONT_DOOR.format(
            url=url,
            canonical=canonical,
            title=escape(app.config.html_title),
            lang=escape(app.config.language),
            icon=escape(f"_static/{Path(icon).name}") if icon else "data:,",  # or browsers ask
        )
        (Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")
