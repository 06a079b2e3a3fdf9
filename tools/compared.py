"""Compare pictures with those of the same name in another folder, and show what changed on one sheet.

Each pixel counts, because on one machine a page at rest looks the same each time.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from functools import reduce
from html import escape
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

NOW, STORED, BEFORE, DIFFERENCE = "now", "stored", "before", "difference"
"""Folders: what was taken, what it is compared with, and copies and differences for the sheet."""
UNSEEN = 2
"""Of 255: how much a pixel may differ unseen; a curve that is painted again may do so by 1."""


class Change(NamedTuple):
    """How a picture differs from the stored one."""

    pixels: int
    share: float
    sizes: tuple[tuple[int, int], tuple[int, int]]

    def __str__(self) -> str:
        (width, height), now = self.sizes
        grown = "" if (width, height) == now else f", {width} × {height} is now {now[0]} × {now[1]}"
        return f"{self.share:.2%}, {self.pixels:,} pixels{grown}"


class Compared(NamedTuple):
    """Pictures by what became of them: the most changed first, others by name."""

    changed: dict[str, Change]
    new: list[str]
    gone: list[str]
    unchanged: list[str]

    def __str__(self) -> str:
        return ", ".join(f"{len(those)} {what}" for what, those in self._asdict().items())


def change(before: Path, after: Path, difference: Path) -> Change | None:
    """Compare two pictures, and draw the difference: the later one pale, with red where it changed.

    Where only one of two sizes has pixels, they have changed.
    """
    if before.read_bytes() == after.read_bytes():
        return None
    first, second = (Image.open(file).convert("RGB") for file in (before, after))
    (wide, high), (narrow, low) = (
        [pick(sides) for sides in zip(first.size, second.size, strict=True)] for pick in (max, min)
    )
    common = (0, 0, narrow, low)
    bands = ImageChops.difference(first.crop(common), second.crop(common)).split()
    mask = Image.new("L", (wide, high), 255)
    mask.paste(reduce(ImageChops.lighter, bands).point([255 * (by > UNSEEN) for by in range(256)]))
    pixels = mask.histogram()[255]
    if not pixels:
        return None
    pale = second.convert("L").point([179 + 3 * light // 10 for light in range(256)])
    drawn = Image.new("RGB", mask.size, "white")
    drawn.paste(pale.convert("RGB"))
    drawn.paste("#ffec99", None, mask.filter(ImageFilter.MaxFilter(9)))  # a pixel alone is seen too
    drawn.paste("red", None, mask)
    difference.parent.mkdir(parents=True, exist_ok=True)
    drawn.save(difference)
    return Change(pixels, pixels / (wide * high), (first.size, second.size))


def pictures(folder: Path) -> set[str]:
    """Return the names of a folder's pictures: their paths in it."""
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*.png")}


def compare(out: Path, concerns: Callable[[str], bool]) -> Compared:
    """Compare the pictures of ``out`` with the stored ones that this concerns, and write its sheet."""
    now, stored = pictures(out / NOW), set(filter(concerns, pictures(out / STORED)))
    both = sorted(now & stored)
    found = [change(*(out / at / name for at in (STORED, NOW, DIFFERENCE))) for name in both]
    changes = {name: each for name, each in zip(both, found, strict=True) if each}
    compared = Compared(
        dict(sorted(changes.items(), key=lambda item: -item[1].share)),
        sorted(now - stored),
        sorted(stored - now),
        [name for name in both if name not in changes],
    )
    copy([*compared.changed, *compared.gone], out / STORED, out / BEFORE)
    (out / "index.html").write_text(sheet(compared), encoding="utf-8")
    return compared


def keep(out: Path, compared: Compared) -> None:
    """Make the pictures that were taken the stored ones."""
    copy([*compared.changed, *compared.new], out / NOW, out / STORED)
    for name in compared.gone:
        (out / STORED / name).unlink()


def copy(names: Iterable[str], source: Path, target: Path) -> None:
    """Copy pictures from folder to folder."""
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def sheet(compared: Compared) -> str:
    """Return an HTML page that shows the changed pictures, the new, the gone, and, folded, the others."""

    def shown(name: str, *folders: str, said: object = "") -> str:
        images = "".join(
            f'<a href="{at}/{escape(name)}"><img src="{at}/{escape(name)}" alt="{at}" loading="lazy"></a>'
            for at in folders
        )
        caption = f"{escape(name.removesuffix('.png'))} <b>{said}</b>"
        return f"<figure><figcaption>{caption}</figcaption>{images}</figure>"

    def part(what: str, figures: list[str], opened: str = " open") -> str:
        heading = f"<summary>{len(figures)} {what}</summary>"
        return f"<details{opened}>{heading}<div>{''.join(figures)}</div></details>"

    changed = [
        shown(name, BEFORE, NOW, DIFFERENCE, said=each) for name, each in compared.changed.items()
    ]
    return f"""<!DOCTYPE html>
<html lang="en-GB"><meta charset="utf-8"><title>The book in pictures: {compared}</title>
<style>
  body {{ font: 13px system-ui; background: #eee; }}
  summary {{ font-size: 1.5rem; margin: 1rem 0; }}
  div {{ display: flex; flex-wrap: wrap; gap: 1rem; }}
  figure {{ margin: 0; width: 22rem; }}
  img {{ max-height: 40rem; max-width: 100%; border: 1px solid #ccc; }}
  .changed figure {{ width: 100%; }}
  .changed img {{ max-height: 90vh; max-width: 32%; margin-right: 0.5%; vertical-align: top; }}
</style>
<section class="changed">{part("changed: before, after, difference", changed)}</section>
{part("new", [shown(name, NOW) for name in compared.new])}
{part("gone", [shown(name, BEFORE) for name in compared.gone])}
{part("unchanged", [shown(name, NOW) for name in compared.unchanged], opened="")}
</html>
"""
