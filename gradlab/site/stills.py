"""Take the pictures for readers without scripts out of the pages: a page with scripts never asks for them.

They are files beside the page then, as its plots are. On paper a figure draws its own.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from sphinx.application import Sphinx

from gradlab.frontend import asset

FOLDER = "_images"
STILLS = re.compile(
    r'(?<!<noscript>)(<div class="gl-stills">.*?</div>)(?=\s*<script type="application/json")',
    re.DOTALL,
)
PICTURE = re.compile(
    r'<svg class="gl-picture (gl-\w+)"[^>]*viewBox="([^"]*)"[^>]*>.*?</svg>', re.DOTALL
)
BARE = re.compile(r" (class|d|style)(?=[ >/])(?=[^<]*>)")
"""An attribute without a value, which is fine in HTML."""

FILE = '<svg xmlns="http://www.w3.org/2000/svg" class="gl-picture gl-file" viewBox="{}"><style>{}</style>{}'


def taken_out(page: str, styles: str, folder: str) -> tuple[str, dict[str, str]]:
    """Return a page whose stills are images for readers without scripts, and their files by name."""
    files: dict[str, str] = {}

    def image(found: re.Match[str]) -> str:
        layout, box = found[1], found[2]
        inside = found[0][found[0].index(">") + 1 :]
        text = BARE.sub(r' \1=""', FILE.format(box, styles, inside))
        name = f"still-{hashlib.sha256(text.encode()).hexdigest()[:12]}.svg"
        files[name] = text
        width, height = box.split()[2:]
        return (
            f'<img class="gl-picture {layout}" src="{folder}/{name}" alt="" '
            f'width="{width}" height="{height}" loading="lazy">'
        )

    def without(found: re.Match[str]) -> str:
        return f"<noscript>{PICTURE.sub(image, found[1])}</noscript>"

    return STILLS.sub(without, page), files


def take_out(app: Sphinx) -> None:
    """Take the stills out of every page that was built."""
    out = Path(app.outdir)
    styles = asset("picture.css").read_text(encoding="utf-8").strip()
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        folder = os.path.relpath(out / FOLDER, path.parent).replace(os.sep, "/")
        lighter, files = taken_out(text, styles, folder)
        if files:
            (out / FOLDER).mkdir(exist_ok=True)
            path.write_text(lighter, encoding="utf-8")
        for name, file in files.items():
            (out / FOLDER / name).write_text(file, encoding="utf-8")
