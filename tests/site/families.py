"""Fonts: a page as two readers see it, whatever fonts this machine has.

Arimo has the widths of Arial and Helvetica; DejaVu Sans, which matplotlib brings along, is the widest
in common use. In pictures DejaVu is adjusted as the stylesheet adjusts it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib

from tests.fixtures import FRONTEND

FAMILIES = ("Arimo", "DejaVu Sans")
"""Layouts are tested in both."""

ARIMO = FRONTEND / "node_modules" / "@fontsource" / "arimo" / "files"
DEJAVU = Path(matplotlib.get_data_path(), "fonts", "ttf")
STYLE = FRONTEND / "src" / "styles" / "views.css"

LOADED = """async (names) => {
  const faces = names.flatMap((name) => [`14px "${name}"`, `bold 14px "${name}"`]);
  await Promise.all(faces.map((face) => document.fonts.load(face, "nκ")));
  return faces.every((face) => document.fonts.check(face, "nκ"));
}"""


def face(name: str, path: Path, weight: int, more: str = "") -> str:
    """Return a rule that gives a page a font from this machine's disk."""
    source = f"data:font/{path.suffix[1:]};base64,{b64encode(path.read_bytes()).decode()}"
    return (
        f'@font-face {{ font-family: "{name}"; font-weight: {weight}; src: url({source}); {more} }}'
    )


@cache
def style(family: str) -> tuple[str, list[str]]:
    """Return a stylesheet that gives figures a family's fonts, and what it calls them.

    It has names of its own for them: the page's stylesheet asks the machine for its fonts.
    """
    if family == "Arimo":
        faces = [
            face("Words", ARIMO / f"arimo-{script}-{weight}-normal.woff2", weight, more)
            for script, more in (("latin", ""), ("greek", "unicode-range: U+370-3FF;"))
            for weight in (400, 700)
        ]
        pictures = "Words"
    else:
        files = {400: DEJAVU / "DejaVuSans.ttf", 700: DEJAVU / "DejaVuSans-Bold.ttf"}
        faces = [face("Words", path, weight) for weight, path in files.items()]
        pictures = "Pictures"
        adjusting = re.findall(
            r'@font-face {[^}]*"Picture DejaVu"([^}]*)}', STYLE.read_text("utf-8")
        )
        for rule, (weight, path) in zip(adjusting, files.items(), strict=True):
            adjusted = "".join(re.findall(r"[a-z-]+(?:adjust|override): [^;]*;", rule))
            faces.append(face(pictures, path, weight, adjusted))
    rules = f"""{" ".join(faces)}
    .gl-figure {{ font-family: "Words" !important; }}
    .gl-picture text {{ font-family: "{pictures}" !important; }}"""
    return rules, ["Words", pictures]


def open_in_family(open_page: Any, url: str, family: str, **options: Any) -> Any:
    """Open a page of the book, or a saved figure, where words and pictures are in a family's fonts."""
    rules, names = style(family)
    page = open_page(url, alone=True, bypass_csp=True, **options)  # which admits no other style
    page.add_init_script(
        f"""addEventListener("DOMContentLoaded", () => {{
          const style = document.createElement("style");
          style.textContent = {json.dumps(rules)};
          document.head.append(style);
        }});"""
    )
    page.reload()
    assert page.evaluate(LOADED, names), "the fonts were not loaded"
    return page
