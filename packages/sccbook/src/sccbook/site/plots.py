"""Store each plot with a palette, and as WebP: it is then a third as heavy, and looks the same."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.transforms import SphinxTransform

from sccbook.site.cells import cells

COLOURS = 48
"""Of a plot's palette: a handful of inks, and the steps from each to the paper at its rims."""
MOST = 20_000
"""A picture with more colours is no plot, and is left as it is."""


def lighter(path: Path) -> Path:
    """Store a plot with a palette beside its PNG, and return that file; any other picture's own.

    The paper, which the corner shows, keeps its colour exactly.
    """
    with Image.open(path) as picture:
        if picture.mode not in ("RGB", "RGBA") or picture.getcolors(MOST) is None:
            return path
        if picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (255, 255):
            return path  # a palette would lose what is transparent
        full = picture.convert("RGB")
    found = full.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    corner, palette = found.tobytes()[0], found.getpalette() or []
    palette[3 * corner : 3 * corner + 3] = full.tobytes()[:3]
    found.putpalette(palette)
    stored = path.with_suffix(".webp")
    found.convert("RGB").save(stored, lossless=True, quality=80, method=4)
    return stored


def lighten_plots(page: SphinxTransform) -> None:
    """Show the lighter files of what the cells of one page have plotted."""
    if page.app.builder.format != "html":
        return
    for cell in cells(page.document):
        for image in cell.findall(nodes.image):
            if image["uri"].endswith(".png"):
                _, path = page.env.relfn2path(image["uri"], page.env.docname)
                image["uri"] = image["uri"][: -len(".png")] + lighter(Path(path)).suffix
