"""Send each picture and each part of a figure once: fallback pictures lazily, as files.

A figure's stills are for readers without scripts. They are files, as plots are, so a page with scripts
never asks for them; it draws its own for paper. Live pictures below the first figure are left out too:
the page draws them when they come near, in the space kept for them. And where a page shows a figure twice, its program
travels once.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

from explorax.frontend import asset
from sccbook.site.figures import MARK, OWN

FOLDER = "_images"
STILLS = re.compile(r'<div class="gl-stills">.*(?=<script type="application/json")', re.DOTALL)
PICTURE = re.compile(
    r'(<svg class="gl-picture (gl-\w+)"[^>]*viewBox="([^"]*)"[^>]*>)(.*?)(</svg>)', re.DOTALL
)
DESCRIPTION = re.compile(r'(?<=class="gl-description">).*?(?=</script>)', re.DOTALL)
LONG = 1000
"""Characters from which a part of a description is sent once."""
BARE = re.compile(r" (class|d|style)(?=[ >/])(?=[^<]*>)")
"""An attribute without a value, which is fine in HTML."""

FILE = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="gl-picture gl-file" viewBox="{box}">'
    "<style>{styles}</style>{inside}</svg>"
)


def lightened(
    figure: str, styles: str, folder: str, *, first: bool = True
) -> tuple[str, dict[str, str]]:
    """Return a figure without hidden pictures, and its stills as files by name.

    Args:
        figure: its HTML.
        styles: of a picture that is a file.
        folder: where the page finds the files.
        first: whether it is the page's first figure, whose live picture stays.
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

    light = STILLS.sub(lambda all: f"<noscript>{PICTURE.sub(image, all[0])}</noscript>", figure)
    return light if first else PICTURE.sub(r"\1\5", light), files


def without_repeats(description: str, n: int, seen: dict[tuple[str, str], int]) -> str:
    """Return the description of the nth figure of a page, without long parts that an earlier one has.

    What is left out is named in ``same``, with the place of the figure that has it.

    Args:
        description: JSON text.
        n: its place, from 0.
        seen: the long parts so far, with their places; those of this figure are added.
    """
    parts = {name: (json.dumps(part), part) for name, part in json.loads(description).items()}
    places = {
        name: seen.setdefault((name, text), n)
        for name, (text, _) in parts.items()
        if len(text) > LONG
    }
    same = {name: place for name, place in places.items() if place != n}
    if not same:
        return description
    own = {name: part for name, (_, part) in parts.items() if name not in same}
    text = json.dumps({**own, "same": same}, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def lighten_figures(page: SphinxPostTransform) -> None:
    """Lighten the figures of one page, and write their stills."""
    out = Path(page.app.outdir) / FOLDER
    out.mkdir(exist_ok=True)
    picture = asset("picture.css").read_text(encoding="utf-8").strip()
    folder = relative_uri(page.app.builder.get_target_uri(page.env.docname), FOLDER)
    figures = [node for node in page.document.findall(nodes.raw) if MARK in node]
    seen: dict[tuple[str, str], int] = {}
    for n, node in enumerate(figures):
        styles = picture + "".join(view["style"].strip() for view in node[OWN].values())
        light, files = lightened(node.astext(), styles, folder, first=n == 0)
        whole = DESCRIPTION.search(light)
        if whole:
            light = light.replace(whole[0], without_repeats(whole[0], n, seen))
        node.children = [nodes.Text(light)]
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8")
