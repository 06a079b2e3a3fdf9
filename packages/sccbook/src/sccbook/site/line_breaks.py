"""Let a long name in the text break across lines: after an underscore or a dot, before a bracket or a capital."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.util.docutils import SphinxTranslator

PLACE = re.compile(
    r"(?<=[A-Za-z0-9]_)(?=[A-Za-z0-9])"
    r"|(?<=[A-Za-z0-9)\]]\.)(?=[A-Za-z_])"
    r"|(?<=[=,/])(?=[^\s=,/])"
    r"|(?<=[\w)\]])(?=[(\[{])"
    r"|(?<=[a-z0-9])(?=[A-Z])"
)
"""After an underscore, a dot, and the like; before a bracket; at a hump."""

PIECE = re.compile(r"<[^>]*>|&#?\w+;|[^<&]+")
"""A tag, an entity, or text."""
BREAK = "<wbr>"


def breakable(html: str) -> str:
    """Return inline code in HTML with the places in it where a line may end."""
    return PIECE.sub(
        lambda piece: piece[0] if piece[0][0] in "<&" else PLACE.sub(BREAK, piece[0]), html
    )


def visit(self: SphinxTranslator, node: nodes.literal) -> None:
    """Begin inline code in HTML, as ever."""
    node["begins"] = len(self.body)
    type(self).visit_literal(self, node)


def depart(self: SphinxTranslator, node: nodes.literal) -> None:
    """End inline code in HTML, and mark the places in it."""
    self.body[node["begins"] :] = [breakable("".join(self.body[node["begins"] :]))]
    type(self).depart_literal(self, node)
