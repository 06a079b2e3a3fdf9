"""Read what is published: the book's settings, and its pages in reading order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).parents[2]


def settings(root: Path = ROOT) -> dict[str, Any]:
    """Return what ``_config.yml`` says."""
    read: dict[str, Any] = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    return read


def reading_order() -> dict[str, str]:
    """Return the pages of ``_toc.yml`` in order, each with its part; the landing page has none."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    pages = {contents["root"]: ""}
    for part in contents["parts"]:
        for page in part["chapters"]:
            below = page.get("sections", ())  # the pages of the reference
            pages |= {each["file"]: part["caption"] for each in (page, *below)}
    return pages


def number(page: str) -> str:
    """Return a chapter's number, such as ``08``; "" for a page that isn't a chapter."""
    found = re.match(r"notebooks/(\d\d)_", page)
    return found[1] if found else ""


def article(site: Path, page: str) -> Tag:
    """Return what is read on a page, which is within the rest of it.

    Raises:
      ValueError: the page has no article, so it wasn't built by the book's theme.
    """
    soup = BeautifulSoup((site / f"{page}.html").read_bytes(), "html.parser")
    found = soup.select_one("article.bd-article")
    if found is None:
        raise ValueError(f"No article in {page}.html. Build the book again: make book")
    return found
