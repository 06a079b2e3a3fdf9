"""Leave out of the pages the pictures that nobody sees in them.

A figure's stills are for readers without scripts: they are files, as plots are, and a page with scripts
never asks for them; on paper it draws them itself. Below the first figure the live pictures, too, are drawn
when they come near, in the room that is kept for them.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from sphinx.application import Sphinx

from explorax.frontend import asset

FOLDER = "_images"
FIGURE = re.compile(r'<figure class="gl-figure".*?</figure>', re.DOTALL)
STILLS = re.compile(
    r'(?<!<noscript>)<div class="gl-stills">.*(?=<script type="application/json")', re.DOTALL
)
PICTURE = re.compile(
    r'(<svg class="gl-picture (gl-\w+)"[^>]*viewBox="([^"]*)"[^>]*>)(.*?)(</svg>)', re.DOTALL
)
BARE = re.compile(r" (class|d|style)(?=[ >/])(?=[^<]*>)")
"""An attribute without a value, which is fine in HTML."""

FILE = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="gl-picture gl-file" viewBox="{box}">'
    "<style>{styles}</style>{inside}</svg>"
)


def lightened(page: str, styles: str, folder: str) -> tuple[str, dict[str, str]]:
    """Return a page without the pictures that nobody sees in it, and its stills as files by name.

    Args:
        page: its HTML.
        styles: of a picture that is a file.
        folder: where the page finds the files.
    """
    files: dict[str, str] = {}

    def image(found: re.Match[str]) -> str:
        _, layout, box, inside, _ = found.groups()
        text = BARE.sub(r' \1=""', FILE.format(box=box, styles=styles, inside=inside))
        name = f"still-{hashlib.sha256(text.encode()).hexdigest()[:12]}.svg"
        files[name] = text
        width, height = box.split()[2:]
        return (
            f'<img class="gl-picture {layout}" src="{folder}/{name}" alt="" '
            f'width="{width}" height="{height}" loading="lazy">'
        )

    def apart(stills: re.Match[str]) -> str:
        return f"<noscript>{PICTURE.sub(image, stills[0])}</noscript>"

    figures = 0

    def figure(found: re.Match[str]) -> str:
        nonlocal figures
        figures += 1
        light = STILLS.sub(apart, found[0])
        return light if figures == 1 else PICTURE.sub(r"\1\5", light)

    return FIGURE.sub(figure, page), files


def lighten_all(app: Sphinx) -> None:
    """Lighten every page that was built, and write its stills."""
    out = Path(app.outdir)
    sheets = [asset("picture.css"), *sorted((out / "_static" / "views").glob("*.css"))]
    styles = "".join(sheet.read_text(encoding="utf-8").strip() for sheet in sheets)
    (out / FOLDER).mkdir(exist_ok=True)
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        folder = os.path.relpath(out / FOLDER, path.parent).replace(os.sep, "/")
        light, files = lightened(text, styles, folder)
        if light != text:
            path.write_text(light, encoding="utf-8")
        for name, file in files.items():
            (out / FOLDER / name).write_text(file, encoding="utf-8")
