"""Write each figure as two files that can be used elsewhere: a picture, and a page to embed.

The picture is the figure as it's set at first, as SVG. The page has everything that the figure needs written
in it, so it opens alone, from a file too. The page's own script (book.js) offers both while the figure's
fold is open; neither the engine nor the page's HTML knows of them.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from pathlib import Path
from string import Template

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from explorax.frontend import asset, draw_svg
from sccbook.site.figures import MARK, OWN
from sccbook.site.stills import DESCRIPTION, PICTURE, STILLS

FOLDER = "figures"
PAGE = Path(__file__).parent / "templates" / "embedded_figure.txt"


def embedded(figure: str, title: str, views: list[str], own: dict[str, dict[str, str]]) -> str:
    """Return a page with one figure and nothing outside it.

    Args:
        figure: its HTML, with its description.
        title: of the page.
        views: the names of the engine's views that draw it.
        own: the script and the style of each view that it brings along.
    """
    files = ["figure.js", *(f"views/{view}.js" for view in views)]
    scripts = [asset(*name.split("/")).read_text(encoding="utf-8") for name in files]
    scripts += [view["script"] for view in own.values()]
    styles = [asset("figure.css").read_text(encoding="utf-8"), *(v["style"] for v in own.values())]
    return Template(PAGE.read_text(encoding="utf-8")).substitute(
        title=html.escape(title),
        styles="".join(styles),
        figure=PICTURE.sub(r"\1\5", STILLS.sub("", figure)),  # the script draws them
        scripts="".join(map(inline, scripts)),
    )


def inline(script: str) -> str:
    """Return a script as an element of a page."""
    text = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return f"<script>{text}</script>"


def offer_files(page: SphinxPostTransform) -> None:
    """Write the files of a page's large figures, named after page and figure."""
    folder = Path(page.app.outdir) / FOLDER
    folder.mkdir(exist_ok=True)
    seen: Counter[str] = Counter()
    for node in [node for node in page.document.findall(nodes.raw) if MARK in node]:
        figure = node.astext()
        data = DESCRIPTION.search(figure)
        description = json.loads(data[0]) if data else {}
        if data is None or description.get("width"):
            continue  # a small figure has no fold
        name = f"{Path(page.env.docname).name}-{description['name']}"
        seen[name] += 1
        name += f"-{seen[name]}" if seen[name] > 1 else ""
        picture = draw_svg({**description, "views": node[OWN]})
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
        whole = embedded(figure, description["title"], node[MARK], node[OWN])
        (folder / f"{name}.html").write_text(whole, encoding="utf-8")
