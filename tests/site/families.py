"""Fonts: a page as a reader sees it whose only sans-serif is DejaVu Sans, the widest in common use.

matplotlib brings the font along. Words get it as it is; words in pictures get it as the stylesheet
adjusts it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib

from tests.site.book import ROOT

FAMILIES = ("the machine's own", "DejaVu Sans")
"""Layouts are tested in both: what this machine has, and the widest."""

FONTS = Path(matplotlib.get_data_path(), "fonts", "ttf")
STYLE = ROOT / "gradlab" / "frontend" / "src" / "styles" / "views.css"


@cache
def style() -> str:
    """Return a stylesheet that gives figures DejaVu Sans, adjusted in pictures as ours adjusts it."""
    sources = {
        name: f"url(data:font/ttf;base64,{b64encode((FONTS / name).read_bytes()).decode()})"
        for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
    }
    faces = re.findall(r'@font-face \{[^}]*"Picture DejaVu"[^}]*\}', STYLE.read_text("utf-8"))
    regular, bold = (
        re.sub(r"src: [^;]*;", lambda _, source=source: f"src: {source};", face)
        for face, source in zip(faces, sources.values(), strict=True)
    )
    words = "".join(
        f'@font-face {{ font-family: "Words"; font-weight: {weight}; src: {source}; }}'
        for weight, source in zip(("400", "700"), sources.values(), strict=True)
    )
    return f"""{words} {regular} {bold}
    .gl-figure {{ font-family: "Words" !important; }}
    .gl-picture text {{ font-family: "Picture DejaVu" !important; }}"""


def open_in_family(open_page: Any, url: str, family: str, **options: Any) -> Any:
    """Open a page of the book, or a saved figure, where the system's sans-serif is ``family``."""
    if family == FAMILIES[0]:
        return open_page(url, **options)
    page = open_page(url, alone=True, **options)
    page.add_init_script(
        f"""addEventListener("DOMContentLoaded", () => {{
          const style = document.createElement("style");
          style.textContent = {json.dumps(style())};
          document.head.append(style);
        }});"""
    )
    page.reload()
    loaded = page.evaluate(
        """async () => {
          const faces = ["14px Words", "bold 14px Words", '14px "Picture DejaVu"', 'bold 14px "Picture DejaVu"'];
          await Promise.all(faces.map((face) => document.fonts.load(face)));
          return faces.every((face) => document.fonts.check(face));
        }"""
    )
    assert loaded, "the font was not loaded"
    return page
