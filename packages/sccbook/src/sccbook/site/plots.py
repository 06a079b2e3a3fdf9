"""Store each plot with a palette, and as WebP: it is then a third as heavy, and looks the same."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

PLOT = re.compile(r"(_images/([\w-]+))\.png")
COLOURS = 48
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
    found = full.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    corner, palette = found.tobytes()[0], found.getpalette() or []
    palette[3 * corner : 3 * corner + 3] = full.tobytes()[:3]
    found.putpalette(palette)
    found.save(path, optimize=True)


def as_webp(path: Path) -> Path | None:
    """Store a PNG as a lossless WebP beside it, and return that; None where it would be no lighter."""
    smaller = path.with_suffix(".webp")
    with Image.open(path) as picture:
        picture.convert("RGBA" if "transparency" in picture.info else "RGB").save(
            smaller, lossless=True, quality=80, method=4
        )
    if smaller.stat().st_size < path.stat().st_size:
        return smaller
    smaller.unlink()
    return None


def lighten_all(app: Sphinx) -> None:
    """Lighten what the chapters have plotted."""
    out = Path(app.outdir)
    for path in (out / "_images").glob("*.png"):
        lighten(path)
    lighter = {path.name for path in (out / "_images").glob("*.png") if as_webp(path)}
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        better = PLOT.sub(
            lambda plot: plot[1] + ".webp" if f"{plot[2]}.png" in lighter else plot[0], text
        )
        if better != text:
            page.write_text(better, encoding="utf-8")
    for name in lighter:
        (out / "_images" / name).unlink()
