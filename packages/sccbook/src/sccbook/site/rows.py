"""Show one operation in several libraries as a table: a name in each row, with its code."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from sccbook.site.containers import ROWS

LOG = logging.getLogger(__name__)


class MakeRows(SphinxPostTransform):
    """Make the tables of one page."""

    default_priority = 5  # before blocks that have a language get more around them
    formats = ("html",)

    def run(self, **options: Any) -> None:
        """Run on one page."""
        for container in list(self.document.findall(nodes.container)):
            if ROWS not in container["classes"]:
                continue
            children = container.children
            blocks = [
                n for n, child in enumerate(children) if isinstance(child, nodes.literal_block)
            ]
            if not blocks or blocks != list(range(1, 2 * len(blocks), 2)):
                LOG.warning(
                    "a cell of rows holds names, each followed by a fenced block, and what else there is to say after them",
                    location=container,
                )
                continue
            rows = [_row(children[n - 1], children[n]) for n in blocks]
            columns = [nodes.colspec(colwidth=20, stub=1), nodes.colspec(colwidth=80)]
            group = nodes.tgroup("", *columns, nodes.tbody("", *rows), cols=2)
            container.children[: 2 * len(blocks)] = []
            container.insert(0, nodes.table("", group, classes=["rows"]))


def _row(name: nodes.Node, block: nodes.Node) -> nodes.row:
    return nodes.row("", nodes.entry("", name), nodes.entry("", block))
