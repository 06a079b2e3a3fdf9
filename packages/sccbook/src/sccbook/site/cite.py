"""Say how to cite the book: the directive ``cite-this``, from CITATION.cff beside _config.yml."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

FILE = "CITATION.cff"


def in_words(record: dict[str, Any]) -> str:
    """Return a citation in words.

    >>> in_words({"authors": [{"name": "A"}], "title": "T", "version": "1", "date-released": date(2026, 1, 2)})
    'A (2026). T, version 1 (2 January 2026).'
    """
    day: date = record["date-released"]
    text = (
        f"{people(record)} ({day.year}). {record['title']}, version {record['version']} "
        f"({day.day} {day:%B %Y})."
    )
    return f"{text} {record['url']}" if "url" in record else text


def bibtex(record: dict[str, Any]) -> str:
    """Return a citation as an entry for BibTeX."""
    day: date = record["date-released"]
    fields = {
        "author": people(record, "{{{}}}"),  # in braces, a group's name isn't taken apart
        "title": f"{{{record['title']}}}",
        "year": str(day.year),
        "month": f"{day:%b}".lower(),
        "note": f"Version {record['version']}",
        **({"url": record["url"]} if "url" in record else {}),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join(["@misc{scaleclipconstrain,", *lines, "}"])


def people(record: dict[str, Any], group: str = "{}") -> str:
    """Return who wrote it, with the form that a group's name takes."""
    names = [
        group.format(one["name"][0].upper() + one["name"][1:])
        if "name" in one
        else f"{one['family-names']}, {one['given-names']}"
        for one in record["authors"]
    ]
    return " and ".join(names)


def record(folder: Path) -> dict[str, Any]:
    """Read the record in a folder."""
    read: dict[str, Any] = yaml.safe_load((folder / FILE).read_text(encoding="utf-8"))
    return read


class CiteThis(SphinxDirective):
    """Show the citation in words, and as BibTeX."""

    def run(self) -> list[nodes.Node]:
        """Return both."""
        self.env.note_dependency(str(Path(self.env.srcdir, FILE)))
        cited = record(Path(self.env.srcdir))
        entry = bibtex(cited)
        return [
            nodes.paragraph("", in_words(cited)),
            nodes.literal_block(entry, entry, language="text"),
        ]
