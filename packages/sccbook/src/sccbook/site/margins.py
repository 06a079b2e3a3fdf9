"""Notes in the margin: a chapter's asides stand beside the paragraph before them.

A note comes before its paragraph in the page, so that the two begin on one line. The theme's
script gives it the margin while it is in sight, by its class. Where the window has no margin, the
stylesheet shows an aside below its paragraph.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxTranslator

from sccbook.site.marked import ASIDE

LOG = logging.getLogger(__name__)
MARGIN = "margin"
"""The class by which the theme's script knows what stands in the margin."""


class Note(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils carries no types
    """A note in the margin."""


def note(kind: str, *content: nodes.Node) -> Note:
    """Return a note of a kind, which the stylesheet knows by its class."""
    return Note("", *content, classes=[MARGIN, kind])


def visit(self: SphinxTranslator, node: Note) -> None:
    """Begin a note in HTML."""
    self.body.append(f'<aside class="{" ".join(node["classes"])}" role="note">\n')


def depart(self: SphinxTranslator, node: Note) -> None:
    """End a note in HTML."""
    self.body.append("</aside>\n")


class SetAsides(SphinxPostTransform):
    """Set the asides of one page beside what they are about."""

    default_priority = 710
    formats = ("html",)

    def run(self, **options: Any) -> None:
        """Run on one page."""
        for aside in list(self.document.findall(nodes.container)):
            if ASIDE not in aside["classes"]:
                continue
            parent, at = aside.parent, aside.parent.index(aside)
            before = parent.children[at - 1] if at else None
            if before is None or isinstance(before, nodes.title | nodes.section):
                LOG.warning(
                    "an aside stands beside the paragraph before it, and here is none: "
                    "put its cell after a paragraph",
                    location=aside,
                )
                continue
            parent[at - 1 : at + 1] = [
                nodes.container("", note(ASIDE, *aside.children), before, classes=["beside"])
            ]


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.add_node(Note, html=(visit, depart))
    app.add_post_transform(SetAsides)
