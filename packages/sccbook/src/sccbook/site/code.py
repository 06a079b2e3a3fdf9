"""Leave out of highlighted code the marks that colour nothing: names and brackets are as plain as the rest."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

STYLE = "pygments.css"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]*\.highlight) \.(\w+)\s*\{\s*([^{}]*?)\s*\}")
BASE = re.compile(r"([^{},]*\.highlight)\s*\{[^{}]*?(?<![-\w])(color:\s*[^;{}]+?)\s*[;}]")
SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')


def plain(style: str) -> set[str]:
    """Return the kinds of token that a style shows as it shows code without a kind, in every theme."""
    style = COMMENT.sub("", style)
    base = {theme.strip(): colour for theme, colour in BASE.findall(style)}
    shown: dict[str, set[bool]] = {}
    for theme, kind, says in RULE.findall(style):
        shown.setdefault(kind, set()).add(says.rstrip(";") == base.get(theme.strip()))
    return {kind for kind, same in shown.items() if same == {True}}


def unmarked(page: str, kinds: set[str]) -> str:
    """Return a page whose code has no marks of these kinds."""
    return SPAN.sub(lambda span: span[2] if span[1] in kinds else span[0], page)


def lighten_all(app: Sphinx) -> None:
    """Lighten the code of every page that was built."""
    out = Path(app.outdir)
    kinds = plain((out / "_static" / STYLE).read_text(encoding="utf-8"))
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if (light := unmarked(text, kinds)) != text:
            path.write_text(light, encoding="utf-8")
