"""Remove unused CSS from the stylesheets of the theme and of other extensions.

A rule is kept if each class, id and element that its selector needs is in a built page, or is a word
of a script that pages load, because the script may add it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sphinx.application import Sphinx

from sccbook.site.bundles import BUNDLE

OURS = ("block.css", "book.css", "figure.css", "maths.css", "palette.css", "search.css")
"""The book's own stylesheets, which lose only their comments."""

WORD = re.compile(r"[A-Za-z_][\w-]*")
NAMED = re.compile(r'<([a-z][\w-]*)|\s(?:class|id)="([^"]*)"')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
BREAK = re.compile(r"\s*\n\s*")
FONT_FACE = re.compile(r"@font-face\{[^}]*Font Awesome[^}]*\}")
RULE = re.compile(r"(?<=[{};])\s*([^{};@]+)\{([^{}]*)\}")
EMPTY = re.compile(r"@(?:media|supports|container|layer)[^{};]*\{\s*\}")
COMMA = re.compile(r",(?![^()]*\))")
NOT_NEEDED = re.compile(
    r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?"
)
NEEDED = re.compile(r"[.#]?-?[A-Za-z_](?:[\w-]|\\.)*")
DEFINED = re.compile(r"""(--[\w-]+):(?:"[^"]*"|'[^']*'|\([^()]*\)|[^;{}"'()])*(?:;|(?=\}))""")
USED = re.compile(r"--[\w-]+(?!\s*:|[\w-])")
ALWAYS = {"from", "to", "html", "body"}
"""The steps of animations, and what no page may leave out."""


def words(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Return the classes, ids and elements of pages, and the words of scripts."""
    found = set(ALWAYS)
    for page in pages:
        for tag, names in NAMED.findall(page):
            found.update([tag] if tag else names.split())
        found.update(WORD.findall(" ".join(re.findall(r"<script>(.*?)</script>", page, re.DOTALL))))
    for script in scripts:
        found.update(WORD.findall(script))
    return found


def is_met(selector: str, known: set[str]) -> bool:
    """Return whether all that a selector needs is known."""
    needed = NEEDED.findall(re.sub(r"[\d.]+%", "", NOT_NEEDED.sub("", selector)))
    return all(name.lstrip(".#").replace("\\", "") in known for name in needed)


def slim(stylesheet: str, known: set[str]) -> str:
    """Return a stylesheet without the selectors that need something unknown."""

    def kept(rule: re.Match[str]) -> str:
        selectors = [s.strip() for s in COMMA.split(rule[1]) if is_met(s, known)]
        return f"{','.join(selectors)}{{{rule[2]}}}" if selectors and rule[2].strip() else ""

    text = RULE.sub(kept, ";" + FONT_FACE.sub("", COMMENT.sub("", stylesheet)))[1:]
    while (shorter := EMPTY.sub("", text)) != text:
        text = shorter
    return text


def without_unused(stylesheets: dict[Path, str], others: Iterable[str]) -> dict[Path, str]:
    """Return stylesheets without the variables that neither they nor other texts use."""
    rest = "".join(others)
    used: set[str] = set()

    def kept(definition: re.Match[str]) -> str:
        return definition[0] if definition[1] in used else ""

    while True:
        used.clear()
        used.update(USED.findall(rest + "".join(stylesheets.values())))
        shorter = {path: DEFINED.sub(kept, text) for path, text in stylesheets.items()}
        if shorter == stylesheets:
            return stylesheets
        stylesheets = shorter


def prune(app: Sphinx) -> None:
    """Remove comments from our stylesheets, and unused rules from all others."""
    out = Path(app.outdir)
    pages = [path.read_text(encoding="utf-8") for path in out.rglob("*.html")]
    asked = {
        src.split("?")[0]
        for page in pages
        for src in re.findall(r'src="[^"]*_static/([^"]*\.js[^"]*)"', page)
    }
    scripts = [(out / "_static" / name).read_text(encoding="utf-8") for name in sorted(asked)]
    known = words(pages, scripts)
    sheets = {
        path: path.read_text(encoding="utf-8")
        for path in (out / "_static").rglob("*.css")
        if not BUNDLE.fullmatch(path.name)
    }
    ours = []
    for path in [path for path in sheets if path.name in OURS or path.parent.name == "views"]:
        ours.append(BREAK.sub("\n", COMMENT.sub("", sheets.pop(path))))
        path.write_text(ours[-1], encoding="utf-8")
    slimmed = {path: slim(text, known) for path, text in sheets.items()}
    for path, text in without_unused(slimmed, [*ours, *scripts, *pages]).items():
        path.write_text(text, encoding="utf-8")
