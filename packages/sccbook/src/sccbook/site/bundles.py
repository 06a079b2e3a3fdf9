"""Join what pages ask for before they're drawn: all stylesheets into one file, and the theme's scripts into another.

Every page has the same two, so a reader fetches them once. The script doesn't hold a page up. The scripts of figures
stay files of their own, since pages differ in them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

from sphinx.application import Sphinx

SHEET = re.compile(r'<link\b[^>]*\bhref="[^"?]*_static/([^"?]+\.css)[^"]*"[^>]*>\s*')
SCRIPT = re.compile(
    r'<script(?: defer(?:="defer")?)? src="[^"?]*_static/([^"?]+\.js)[^"]*"></script>\s*'
)
BUNDLE = re.compile(r"book-\w{10}\.(css|js)")
IMPORT = re.compile(r"""@import\s*(?:url\()?["']([^"']+)["']\)?;""")
ADDRESS = re.compile(r"""url\(\s*["']?(?!data:|#|[a-z]+:|/)([^"')]+)["']?\s*\)""")
APART = ("figure.js", "scrubber.js")
"""Scripts that stay as they are, besides those of views."""
OPTION = re.compile(r"\s*<script>DOCUMENTATION_OPTIONS\.\w+ = [^<]*</script>")
"""Options of a page that nothing here reads."""
LEFT_OUT = ("sphinx_highlight.js",)
"""It marks words on every page after a search; ``search.js`` marks them where a result leads."""
LAST = "book.css"
"""What wins over all others."""
LATE = "scripts/pydata-sphinx-theme.js"
"""The theme's own, which measures the page. It's a task of its own, before which browsers can draw the page."""
ALL_CODE, CODE_IN_SIGHT = '["pre",', '["pre:not(details:not([open]) *)",'
"""What the theme's script measures. Browsers lay folded code out for that, one box after the other."""


def stylesheet(path: Path, static: Path) -> str:
    """Return a stylesheet with what it imports, and with addresses as the static folder has them."""

    def moved(found: re.Match[str]) -> str:
        target = os.path.relpath(os.path.normpath(path.parent / found[1]), static)
        return f"url({target.replace(os.sep, '/')})"

    text = ADDRESS.sub(moved, path.read_text(encoding="utf-8"))
    return IMPORT.sub(lambda found: stylesheet(path.parent / found[1], static), text)


def joins(script: str) -> bool:
    """Tell whether a script becomes a part of the bundle."""
    return not script.startswith("views/") and script not in APART


def script(path: Path, static: Path) -> str:
    """Return a part of the script; raise ``ValueError`` if the theme no longer measures as ``ALL_CODE`` says."""
    text = path.read_text(encoding="utf-8")
    if path != static / LATE:
        return text
    if ALL_CODE not in text:
        raise ValueError(
            f"{path} doesn't look for {ALL_CODE} any more: change ALL_CODE to what it looks for."
        )
    return f"setTimeout(() => {{\n{text.replace(ALL_CODE, CODE_IN_SIGHT)}\n}})"


def join(app: Sphinx) -> None:
    """Write both bundles, and put them into every page in place of their parts."""
    static = Path(app.outdir, "_static")
    paths = list(Path(app.outdir).rglob("*.html"))
    pages = {path: path.read_text(encoding="utf-8") for path in paths}
    parts = static / "bundles.json"  # of the last build, which has left some pages as they are
    known = (
        json.loads(parts.read_text(encoding="utf-8")) if parts.is_file() else {"css": [], "js": []}
    )
    found = BUNDLE.sub("", "".join(pages.values()))
    known["css"] = list(dict.fromkeys([*known["css"], *SHEET.findall(found)]))
    known["css"].sort(key=lambda name: name == LAST)
    scripts = dict.fromkeys([*known["js"], *filter(joins, SCRIPT.findall(found))])
    known["js"] = [name for name in scripts if name not in LEFT_OUT]
    parts.write_text(json.dumps(known), encoding="utf-8")
    texts = {
        "css": "\n".join(stylesheet(static / name, static) for name in known["css"]),
        "js": ";\n".join(script(static / name, static) for name in known["js"]),
    }
    names = {}
    for kind, text in texts.items():
        names[kind] = f"book-{hashlib.sha256(text.encode()).hexdigest()[:10]}.{kind}"
        (static / names[kind]).write_text(text, encoding="utf-8")
    for path in static.glob("book-*.*"):
        if BUNDLE.fullmatch(path.name) and path.name not in names.values():
            path.unlink()
    for path, text in pages.items():
        sheet = SHEET.search(text)
        if sheet and not BUNDLE.search(sheet[1]):
            base = os.path.relpath(static, path.parent).replace(os.sep, "/")
            head, rest = text[: sheet.start()], SHEET.sub("", text[sheet.start() :])
            rest = SCRIPT.sub(
                lambda tag: "" if joins(tag[1]) else tag[0],
                f'<link rel="stylesheet" href="{base}/{names["css"]}">\n{OPTION.sub("", rest)}',
            )
            joined = f'<script defer src="{base}/{names["js"]}"></script>\n</body>'
            text = head + rest.replace("</body>", joined)
        finished = BUNDLE.sub(lambda old: names[old[1]], text)
        if finished != pages[path]:
            path.write_text(finished, encoding="utf-8")
