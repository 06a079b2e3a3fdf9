"""Show a figure in a page: its first picture is drawn while the book is built."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes

from gradlab.frontend import MIME, asset, draw

if TYPE_CHECKING:
    from myst_nb.core.render import MimeData, NbElementRenderer

MARK = "gradlab_figure"
"""The attribute by which a page's tree tells that it has a figure."""


@lru_cache(maxsize=256)
def fragment(description: str) -> str:
    """Return the HTML of a figure, given its description as JSON text."""
    return draw([json.loads(description)])[0]


def has_figure(doctree: nodes.Node | None) -> bool:
    """Tell whether a page shows a figure."""
    return doctree is not None and any(node.get(MARK) for node in doctree.findall(nodes.raw))


class FigureRenderer:
    """Render a figure's MIME type for MyST-NB (entry point group ``myst_nb.mime_renderers``).

    HTML pages take the figure before any other form of the same output. Every other builder
    has no place for it in its order, and shows the output's ``text/plain``: the sentence that
    states the figure's state, and its small table.
    """

    mime_priority_overrides: ClassVar[Sequence[tuple[str, str, int | None]]] = [
        ("html", MIME, 1),
        ("dirhtml", MIME, 1),
        ("singlehtml", MIME, 1),
    ]

    @staticmethod
    def handle_mime(
        renderer: NbElementRenderer, data: MimeData, inline: bool
    ) -> list[nodes.Element] | None:
        """Return a figure's nodes, or None where the output is not a figure."""
        if data.mime_type != MIME:
            return None
        environment = renderer.renderer.sphinx_env
        if environment is not None:  # a page is read again when the drawing code changes
            environment.note_dependency(str(asset("prerender.mjs")))
        return [figure_node(data.content)]


def figure_node(description: Any) -> nodes.raw:
    """Return the node of one figure, marked so that its page loads what figures need."""
    text = description if isinstance(description, str) else json.dumps(description, sort_keys=True)
    return nodes.raw("", fragment(text), format="html", **{MARK: True})
