"""Show in a page's header which chapter it is, and how many there are."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def place(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give a chapter's template its number (from its file name) and its place among the chapters."""
    relations = getattr(app.builder, "relations", {})  # in reading order
    chapters = [name for name in relations if str(app.env.doc2path(name)).endswith(".ipynb")]
    if page in chapters:
        context["chapter"] = {
            "number": PurePath(page).name.split("_")[0],
            "place": chapters.index(page) + 1,
            "of": len(chapters),
        }
