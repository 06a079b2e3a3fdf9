"""Show a figure in a page: its first picture is drawn while the book is built."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes

from explorax.frontend import MIME, asset, draw

if TYPE_CHECKING:
    from myst_nb.core.render import MimeData, NbElementRenderer

MARK, OWN = "sccbook_views", "sccbook_own_views"
"""The attributes by which a page's tree tells which of the engine's views draw a figure, and which others, with their scripts."""


@lru_cache(maxsize=256)
def fragment(description: str) -> str:
    """Return the HTML of a figure, given its description as JSON text."""
    return draw([json.loads(description)])[0]


def views_of(description: Any) -> set[str]:
    """Return the names of the engine's views that draw a figure, those that are in others too."""
    known = {path.stem for path in asset("views").glob("*.js")}

    def named(spec: Any) -> set[str]:
        inside = spec.values() if isinstance(spec, dict) else spec if isinstance(spec, list) else ()
        own = {spec["kind"]} & known if isinstance(spec, dict) and "kind" in spec else set()
        return own.union(*map(named, inside))

    return named(description.get("view", {}))


def views_shown(doctree: nodes.Node | None) -> set[str] | None:
    """Return the views that a page's figures need, and None where it shows no figure."""
    if doctree is None:
        return None
    found = [node[MARK] for node in doctree.findall(nodes.raw) if MARK in node]
    return set().union(*found) if found else None


def own_views_shown(doctree: nodes.Node) -> dict[str, dict[str, str]]:
    """Return the script and the style of each view that a page's figures bring along, by kind."""
    found = (node[OWN] for node in doctree.findall(nodes.raw) if OWN in node)
    return {kind: view for views in found for kind, view in views.items()}


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
        return [figure_node(data.content)] if data.mime_type == MIME else None


def figure_node(description: Any) -> nodes.raw:
    """Return the node of one figure, marked so that its page loads what it needs."""
    if isinstance(description, str):
        description = json.loads(description)
    text = json.dumps(description, sort_keys=True)
    marks = {MARK: sorted(views_of(description)), OWN: description.get("views", {})}
    html = fragment(text)
    if not description.get("width"):  # the theme's name for what takes the margin too
        html = html.replace('class="gl-figure"', 'class="gl-figure full-width"', 1)
    return nodes.raw("", html, format="html", **marks)
