"""Tell which results are older than what they measure: ``python -m benchmarks.stale``.

A benchmark names the paths that it measures (``MEASURES``, in its folder's ``__init__.py``), and
its results name the commit that they were measured at. They are stale when those paths have
changed since.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.report import ROOT, git, table


def state(commit: str, paths: Sequence[str], *, changes: bool = False) -> str:
    """Tell whether results are ``fresh``, or why not.

    Args:
      commit: that they were measured at.
      paths: of what they measure.
      changes: whether there were changes that were not committed.
    """
    try:
        git("merge-base", "--is-ancestor", commit, "HEAD")
    except subprocess.CalledProcessError:
        return "unknown: that commit is not in this history"
    since = git("log", "--format=%h", f"{commit}..HEAD", "--", *paths).split()
    if since:
        return f"stale: {len(since)} commit{'s' * (len(since) > 1)} since"
    if changes or git("status", "--porcelain", "--", *paths):
        return "stale: changes that are not committed"
    return "fresh"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--strict", action="store_true", help="exit with 1 unless all are fresh")
    strict = parser.parse_args().strict
    rows = []
    for file in sorted(Path(ROOT, "benchmarks").glob("*/results.json")):
        name = file.parent.name
        results = json.loads(file.read_text(encoding="utf-8"))
        paths = import_module(f"benchmarks.{name}").MEASURES
        for part, its in {"": results, **results.get("later", {})}.items():
            measured = its["measured"]
            rows.append(
                {
                    "benchmark": f"{name}: {part}" if part else name,
                    "measured at": f"{measured['commit']} ({measured['date']})",
                    "last change": git("log", "-1", "--format=%h (%cs)", "--", *paths),
                    "results": state(measured["commit"], paths, changes=measured["changes"]),
                    "renew": f"make bench-{name}" + f" ARGS='--only {part}'" * bool(part),
                }
            )
    print(table(rows))
    return int(strict and any(row["results"] != "fresh" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
