"""Read what is printed: the book's pages in reading order, with their titles and parts."""

from __future__ import annotations

import re
import subprocess
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"notebooks/(\d\d)_")


@dataclass(frozen=True)
class Page:
    """One page of the book."""

    name: str
    """Its address without ``.html``: ``notebooks/08_clipping``."""
    part: str = ""
    """The part of the contents that it's in; empty for the landing page."""

    @property
    def number(self) -> str:
        """A chapter's number, such as ``08``; empty for a page that isn't a chapter."""
        found = NUMBER.match(self.name)
        return found[1] if found else ""

    def soup(self, site: Path) -> BeautifulSoup:
        """Return the built page."""
        return BeautifulSoup((site / f"{self.name}.html").read_bytes(), "html.parser")


def reading_order() -> list[Page]:
    """Return the pages of ``_toc.yml``."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = contents["parts"]
    pages = [Page(page["file"], part["caption"]) for part in parts for page in part["chapters"]]
    return [Page(contents["root"]), *pages]


def article(soup: BeautifulSoup) -> Tag:
    """Return what is read on a page, without what surrounds it.

    Raises:
      ValueError: the page has no article, so it wasn't built by the book's theme.
    """
    found = soup.select_one("article.bd-article")
    if found is None:
        raise ValueError(f"No article in the page {soup.title}. Build the book again: make book")
    return found


def settings() -> dict[str, str]:
    """Return the book's title, author and address, as ``_config.yml`` has them."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    address = (config.get("html", {}).get("baseurl") or "").rstrip("/")
    return {"title": config["title"], "author": config["author"], "address": address}


def edition() -> tuple[str, datetime]:
    """Return the book's version, and the date of the last commit (today outside a repository)."""
    project = ROOT / "packages" / "sccbook" / "pyproject.toml"
    version = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    log = ["git", "log", "-1", "--format=%cI"]
    stamp = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    when = datetime.fromisoformat(stamp.strip()) if stamp.strip() else datetime.now(UTC)
    return version, when.astimezone(UTC)
