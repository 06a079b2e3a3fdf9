"""Store each plot with a palette: a page with plots is then half as heavy, and looks the same."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

COLOURS = 128
"""Of a plot's palette: a handful of inks, and the steps from each to the paper at its rims."""
MOST = 20_000
"""A picture with more colours is no plot, and is left as it is."""


def lighten(path: Path) -> None:
    """Write a PNG again with a palette; the paper, which its corner shows, keeps its colour exactly."""
    with Image.open(path) as picture:
        if picture.mode not in ("RGB", "RGBA") or picture.getcolors(MOST) is None:
            return
        if picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (255, 255):
            return  # a palette would lose what is transparent
        full = picture.convert("RGB")
    found = full.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    corner, palette = found.tobytes()[0], found.getpalette() or []
    palette[3 * corner : 3 * corner + 3] = full.tobytes()[:3]
    found.putpalette(palette)
    found.save(path, optimize=True)


def lighten_all(app: Sphinx) -> None:
    """Lighten what the chapters have plotted."""
    for path in (Path(app.outdir) / "_images").glob("*.png"):
        lighten(path)
