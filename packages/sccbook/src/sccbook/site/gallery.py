"""The chapters as a gallery: in a list of links within a ``gallery``, each gets its question and its minutes.

Both are the chapter's own: the bold sentence below its title, and the time that its first cell states.
"""

from __future__ import annotations

import re
from pathlib import Path

GALLERY = re.compile(r'<div class="gallery [^"]*">.*?</div>', re.DOTALL)
LINK = re.compile(
    r'<a class="reference internal" href="(?P<to>[^"#]+)">(?P<inside>.*?)</a>', re.DOTALL
)
MINUTES = re.compile(r"· (\d+) minutes</summary>")
QUESTION = re.compile(r"</h1>\s*<p><strong>(.*?)</strong></p>", re.DOTALL)


def told(page: str, folder: Path, at: Path) -> str:
    """Return a page with questions and minutes at the links of its galleries.

    Args:
      page: its HTML.
      folder: where the page lies.
      at: where the book lies.
    """

    def link(found: re.Match[str]) -> str:
        if 'class="named"' in found["inside"]:
            return found[0]  # the page was left as it was by the last build
        path = folder / found["to"]
        if not path.is_file() or at.resolve() not in path.resolve().parents:
            return found[0]
        chapter = path.read_text(encoding="utf-8")
        inside = f'<span class="named">{found["inside"]}</span>'
        if question := QUESTION.search(chapter):
            inside += f'<span class="asked">{question[1]}</span>'
        if minutes := MINUTES.search(chapter):
            inside += f'<span class="minutes">{minutes[1]} min</span>'
        return f'<a class="reference internal" href="{found["to"]}">{inside}</a>'

    return GALLERY.sub(lambda gallery: LINK.sub(link, gallery[0]), page)
