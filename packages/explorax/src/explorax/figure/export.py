"""A figure as a page of its own, and as a picture that stays where no widget can be."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import warnings
from collections.abc import Mapping
from typing import Any

from explorax.frontend import asset, draw, draw_svg
from explorax.node import NodeError, find_node

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
{scripts}
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
    scripts = [text_of("page.js"), *(view["script"] for view in description["views"].values())]
    return PAGE.format(
        title=html.escape(description["title"]),
        css=styles(description).replace("</", "<\\/"),
        figure=figure,
        scripts="\n".join(map(inline, scripts)),
    )


def text_of(name: str) -> str:
    """Return the text of a file of the built front end."""
    return asset(name).read_text(encoding="utf-8")


def styles(description: Mapping[str, Any]) -> str:
    """Return the styles of a figure: the engine's, and those of its own views."""
    own = [view["style"] for view in description["views"].values()]
    return "".join([text_of("figure.css"), *own])


def inline(script: str) -> str:
    """Return a script as an element of a page."""
    text = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return f"<script>{text}</script>"


def undrawn(description: Mapping[str, Any], text: str) -> str:
    """Return a figure as HTML that is drawn when its script runs."""
    kept = {name: each for name, each in description.items() if name != "views"}
    data = json.dumps(kept, ensure_ascii=False).replace("<", "\\u003c")
    return UNDRAWN.format(
        key=hashlib.sha256(data.encode()).hexdigest()[:8],
        name=html.escape(description["name"]),
        text=html.escape(text),
        data=data,
    )


def still(description: Mapping[str, Any], text: str) -> dict[str, str]:
    """Return the figure's picture by its MIME type, and nothing where there is no Node.

    It is HTML with an image that holds its SVG. SVG that stands by itself is put inline by code
    hosts, and loses its styles there; notebooks that are not trusted do not show it at all.

    Args:
      description: the figure, as plain data.
      text: what the picture shows, for who cannot see it.

    Warns:
      UserWarning: where Node is there, and fails.
    """
    try:
        find_node()
    except NodeError:
        return {}
    try:
        picture = base64.b64encode(draw_svg(description).encode()).decode()
    except NodeError as failure:
        warnings.warn(f"No picture is kept beside the figure: {failure}", stacklevel=2)
        return {}
    alternative = html.escape(f"{description['title']}. {text}")
    return {
        "text/html": f'<img src="data:image/svg+xml;base64,{picture}" alt="{alternative}">',
    }
