"""A figure as a page of its own."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping
from typing import Any

from gradlab.frontend import asset, draw
from gradlab.node import NodeError, find_node

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}
body {{ margin: 0 auto; padding: 0 16px; max-width: 720px; background: var(--gl-page); }}
</style>
</head>
<body>
<main>
<h1 class="gl-aloud">{title}</h1>
{figure}
</main>
<script>{script}</script>
</body>
</html>
"""

UNDRAWN = """<figure class="gl-figure" id="gl-{key}" data-figure="{name}">
<div class="gl-root"></div>
<noscript><pre>{text}</pre></noscript>
<script type="application/json" class="gl-description">{data}</script>
</figure>"""


def page(description: Mapping[str, Any], text: str) -> str:
    """Return one self-contained page with one figure, drawn already where there is a Node.

    Args:
      description: the figure, as plain data.
      text: what it says at present, for where neither Node nor scripts draw it.

    Raises:
      NodeError: where Node is there, and fails.
    """
    try:
        find_node()
    except NodeError:
        figure = undrawn(description, text)
    else:
        (figure,) = draw([description])
    style, script = (
        asset(name).read_text(encoding="utf-8") for name in ("figure.css", "figure.js")
    )
    return PAGE.format(
        title=html.escape(description["title"]),
        css=style.replace("</", "<\\/"),
        figure=figure,
        script=script.replace("</script", "<\\/script").replace("<!--", "<\\!--"),
    )


def undrawn(description: Mapping[str, Any], text: str) -> str:
    """Return a figure as HTML that is drawn when its script runs."""
    data = json.dumps(description, ensure_ascii=False).replace("<", "\\u003c")
    return UNDRAWN.format(
        key=hashlib.sha256(data.encode()).hexdigest()[:8],
        name=html.escape(description["name"]),
        text=html.escape(text),
        data=data,
    )
