"""Refuse a release whose tag isn't the version: the first step of ``make release TAG=v0.1.0``."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from tools.addresses import versions
from tools.site.contents import ROOT


def problems(tag: str, found: Mapping[str, str], changes: str) -> list[str]:
    """List what keeps a tag from being released.

    Args:
        tag: that was pushed, ``v`` and a version.
        found: the version in each file that has one.
        changes: the text of CHANGELOG.md, which needs a dated section.
    """
    named = [
        f"{file} has version {version}, which is released as v{version} and not as {tag!r}"
        for file, version in found.items()
        if tag != f"v{version}"
    ]
    if not re.search(rf"^## \[{re.escape(tag[1:])}\] - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        named.append(f"CHANGELOG.md needs a heading such as '## [{tag[1:]}] - 2026-12-31'")
    return named


if __name__ == "__main__":
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if named := problems(sys.argv[1], versions(ROOT), changes):
        sys.exit("error: this can't be released:\n" + "\n".join(named))
