"""Show the same code in several languages or libraries as tabs: bold names, each with a block below.

A tab is a radio button, so that it needs no script: arrow keys move between them. Each is followed
by its panel in the page, which is the order that paper and other builders show, all panels open.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from sccbook.site.boxes import box
from sccbook.site.containers import TABS

LOG = logging.getLogger(__name__)
FEWEST = 2


END = "</div>\n"


def tabs(group: str, blocks: Mapping[str, nodes.Node]) -> nodes.Element:
    """Return tabs, of which one shows at a time: a block of code for each name."""
    panels = []
    for number, (name, block) in enumerate(blocks.items()):
        label, checked = f"{group}-{number}", "" if number else " checked"
        begin = (
            f'<input type="radio" name="{group}" id="{label}"{checked}>'
            f'<label for="{label}">{escape(name)}</label>\n<div class="panel">\n'
        )
        panels.append(box(begin, END, block))
    begin = f'<div class="tabs" role="radiogroup" aria-label="{escape(", ".join(blocks))}">\n'
    return box(begin, END, *panels, scripted=True)


def misshapen(container: nodes.Element) -> str:
    """Return what is wrong with the form of a cell of tabs, or nothing."""
    names, blocks = container.children[::2], container.children[1::2]
    for name in names:
        words = [child for child in name.children if child.astext()]
        if len(words) != 1 or not isinstance(words[0], nodes.strong):
            return f"{name.astext()!r} stands where a bold name is expected"
    for name, block in zip(names, [*blocks, None], strict=False):
        if not isinstance(block, nodes.literal_block):
            return f"the name {name.astext()!r} has no fenced block below it"
    read = [name.astext() for name in names]
    if len(read) < FEWEST:
        return f"it has {len(read)}, and {FEWEST} are the fewest"
    if len({*read}) < len(read):
        return f"two have the same name: {', '.join(read)}"
    return ""


class MakeTabs(SphinxPostTransform):
    """Make the tabs of one page."""

    default_priority = 5  # before blocks that have a language get more around them
    formats = ("html",)

    def run(self, **options: Any) -> None:
        """Run on one page."""
        found = [box for box in self.document.findall(nodes.container) if TABS in box["classes"]]
        for group, container in enumerate(found, start=1):
            if wrong := misshapen(container):
                LOG.warning(
                    "a cell of tabs holds bold names, each followed by a fenced block: %s",
                    wrong,
                    location=container,
                )
                continue
            names = [name.astext() for name in container.children[::2]]
            blocks = dict(zip(names, container.children[1::2], strict=True))
            container.replace_self(tabs(f"tabs-{group}", blocks))
