"""Refuse a release whose tag isn't the packages' version: the first step of ``make release TAG=v0.1.0``."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PACKAGES = ("scaleclip", "explorax", "sccbook")


def problems(root: Path, tag: str) -> list[str]:
    """List what keeps a tag from being released: other versions, and no dated section of changes."""
    found = []
    for name in PACKAGES:
        text = (root / "packages" / name / "pyproject.toml").read_text("utf-8")
        version = tomllib.loads(text)["project"]["version"]
        if tag != f"v{version}":
            found.append(f"{name} is at {version}: the tag must be v{version}, and it's {tag!r}")
    heading = rf"^## \[{re.escape(tag.removeprefix('v'))}\] - \d{{4}}-\d\d-\d\d$"
    if not re.search(heading, (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        found.append(f"CHANGELOG.md needs a heading such as '## [{tag[1:]}] - 2026-12-31'")
    return found


if __name__ == "__main__" and (found := problems(Path(), sys.argv[1])):
    sys.exit("error: this can't be released:\n" + "\n".join(found))
