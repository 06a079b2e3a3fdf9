"""Give each cell of a wide table its column's heading, for windows too narrow for columns.

The stylesheet hides these headings where the table fits. Where it does not, it shows the table as
a list, and hides the row of headings instead.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

COLUMNS = 4
"""A table with as many columns or more does not fit a telephone."""


def name_columns(page: SphinxPostTransform) -> None:
    """Put each column's heading into the cells of a page's wide tables, but for the first, which names the row."""
    for table in page.document.findall(nodes.table):
        headings = [
            entry.astext()
            for row in table.findall(nodes.row)
            if isinstance(row.parent, nodes.thead)
            for entry in row.children
        ]
        if len(headings) < COLUMNS:
            continue
        for body in table.findall(nodes.tbody):
            for row in body.children:
                for heading, entry in list(zip(headings, row.children, strict=False))[1:]:
                    entry.insert(0, nodes.inline("", heading, classes=["column-name"]))
