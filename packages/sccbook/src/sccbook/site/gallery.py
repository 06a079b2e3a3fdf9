"""The chapters as a gallery: in a list of links within a ``gallery``, each gets a picture and its minutes.

Both are the chapter's own: a still of its first figure, without words, which would be too small to read, and
the time that its first cell states.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from html import escape
from pathlib import Path

from sccbook.site.stylesheets import slim, without_unused, words

GALLERY = re.compile(r'<div class="gallery [^"]*">.*?</div>', re.DOTALL)
LINK = re.compile(
    r'<a class="reference internal" href="(?P<to>[^"#]+)">(?P<inside>.*?)</a>', re.DOTALL
)
STILL = re.compile(r'<img class="gl-picture gl-wide" src="(?P<src>[^"]+)"')
MINUTES = re.compile(r"· (?P<minutes>\d+) minutes</summary>")
QUESTION = re.compile(r"</h1>\s*<p><strong>(?P<question>.*?)</strong></p>", re.DOTALL)
TEXT = re.compile(r"<text\b.*?</text>", re.DOTALL)
STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
PATH = re.compile(r'(?<= d=")[^"]*')
NUMBER = re.compile(r"\d*\.\d+")
RUN = re.compile(r"(?:L-?\d+ -?\d+){2,}")
END = re.compile(r"L(-?\d+) (-?\d+)")
DOTS = re.compile(r"(M-?\d+ -?\d+a[^MLHVCQz]*z){2}")
"""Two dots of a cloud, one after the other."""
NAMED = re.compile(r' data-[\w-]+="[^"]*"| class=""')
"""Attributes by which parts are found, where there is somebody to ask."""
NOT_HERE = re.compile(r"\s*(?:@media screen\{)?html\[[^{]*\{[^}]*\}+|@font-face\{[^}]*\}")
"""Rules of a page's theme, and fonts: an image has no page around it, and this one no words."""
APART = 7
"""Units between the ends of a curve's pieces: less than a pixel, where it is so small."""


def thumbnail(picture: str) -> str:
    """Return a still without words, with half of a cloud's dots, in whole numbers, and only the rules it needs.

    Its colours follow the reader's settings, since an image has no page theme around it.
    """
    shapes = PATH.sub(
        lambda path: DOTS.sub(r"\1", RUN.sub(_thinned, NUMBER.sub(_rounded, path[0]))),
        NAMED.sub("", TEXT.sub("", picture)),
    )
    bare = STYLES.sub("", shapes)
    known = words([bare], [])

    def rules(styles: re.Match[str]) -> str:
        met = {Path(): slim(NOT_HERE.sub("", styles[1]), known)}
        return f"<style>{without_unused(met, [bare])[Path()]}</style>"

    return STYLES.sub(rules, shapes)


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.0f}"


def _thinned(run: re.Match[str]) -> str:
    """A run of straight pieces without those ends that are near the one before; the last one stays."""
    kept: list[tuple[int, int]] = []
    ends = [(int(x), int(y)) for x, y in END.findall(run[0])]
    for end in ends[:-1]:
        if not kept or math.dist(kept[-1], end) >= APART:
            kept.append(end)
    return "".join(f"L{x} {y}" for x, y in (*kept, ends[-1]))


def card(chapter: str) -> tuple[str, str, str]:
    """Return what a chapter's page shows of it: a picture's address, its question, its minutes.

    A chapter without a figure, a question or a time has an empty text there.
    """
    figure = chapter.split("</figure>", 1)[0]
    stills = STILL.findall(figure) if "gl-figure" in figure else []
    question, minutes = QUESTION.search(chapter), MINUTES.search(chapter)
    return (
        stills[min(1, len(stills) - 1)] if stills else "",
        question["question"] if question else "",
        minutes["minutes"] if minutes else "",
    )


def illustrated(page: str, folder: Path, at: Path) -> str:
    """Return a page with pictures, questions and minutes at the links of its galleries.

    Args:
      page: its HTML.
      folder: where the page lies.
      at: where the book lies.
    """

    def drawn(still: Path) -> str:
        text = thumbnail(still.read_text(encoding="utf-8"))
        name = f"thumb-{hashlib.sha256(text.encode()).hexdigest()[:12]}.svg"
        still.with_name(name).write_text(text, encoding="utf-8")
        return os.path.relpath(still.with_name(name), folder).replace(os.sep, "/")

    def link(found: re.Match[str]) -> str:
        if 'class="named"' in found["inside"]:
            return found[0]  # the page was left as it was by the last build
        path = folder / found["to"]
        if not path.is_file() or at.resolve() not in path.resolve().parents:
            return found[0]
        still, question, minutes = card(path.read_text(encoding="utf-8"))
        picture = (
            f'<span class="thumb"><img src="{escape(drawn(path.parent / still))}" alt="" loading="lazy"></span>'
            if still
            else ""
        )
        asked = f'<span class="asked">{question}</span>' if question else ""
        time = f'<span class="minutes">{minutes} min</span>' if minutes else ""
        return (
            f'<a class="reference internal" href="{found["to"]}">{picture}'
            f'<span class="named">{found["inside"]}</span>{asked}{time}</a>'
        )

    return GALLERY.sub(lambda gallery: LINK.sub(link, gallery[0]), page)
