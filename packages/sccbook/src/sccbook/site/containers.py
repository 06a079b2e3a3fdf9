"""Keep the Markdown cells of some tags together, each in a container of its own on the page.

MyST-NB passes a Markdown cell's tags over. So a chapter is read with such a cell inside a
``container`` directive, whose class is the tag. The file itself stays as it is.
"""

from __future__ import annotations

import json

from sphinx.application import Sphinx

TABS, ROWS = "tabs", "rows"
FENCE = ":" * 12
"""More colons than a directive within a cell may have."""


def wrapped(text: str) -> str:
    """Return a notebook's text with each Markdown cell of these tags in a container."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        tags = cell["metadata"].get("tags", [])
        if cell["cell_type"] == "markdown" and (found := {TABS, ROWS} & {*tags}):
            source = "".join(cell["source"])
            cell["source"] = f"{FENCE}{{container}} {' '.join(found)}\n\n{source}\n\n{FENCE}"
    return json.dumps(notebook)


def wrap(app: Sphinx, page: str, source: list[str]) -> None:
    """Wrap the cells of one chapter as it is read."""
    if str(app.env.doc2path(page)).endswith(".ipynb"):
        source[0] = wrapped(source[0])
