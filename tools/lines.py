"""Count the logical lines of each part, and compare them with budgets.toml.

    python -m tools.lines            # the table: `make lines`
    python -m tools.lines --check    # what is above its budget: part of `make lint`

A logical line is a statement, or the head of a block, however many lines it is written on.
Comments and docstrings don't count. Python is counted as `ast.unparse` prints it, JavaScript and
CSS as esbuild does. Tests are files in a folder named `tests`, and `test_*.py`, `conftest.py` and
`*.test.js` anywhere.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
BUDGETS = ROOT / "budgets.toml"
KINDS = ("product", "tests")
SUFFIXES = (".py", ".js", ".mjs", ".css")
TESTS = ("test_*.py", "conftest.py", "*.test.js", "*.test.mjs")
PRINT = """
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
const files = JSON.parse(readFileSync(0, "utf8"));
const lines = (path, text) =>
  transformSync(text, { loader: path.endsWith(".css") ? "css" : "js", legalComments: "none" })
    .code.split("\\n").filter((line) => line.trim()).length;
console.log(JSON.stringify(Object.fromEntries(Object.entries(files).map(([p, t]) => [p, lines(p, t)]))));
"""

Lines = Counter[tuple[str, str]]
"""Logical lines by part and kind."""


def python_lines(text: str) -> int:
    """Count the logical lines of a Python module."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [s for s in body if not is_text(s)] or [ast.Pass()]  # type: ignore[attr-defined]
    return len([line for line in ast.unparse(tree).splitlines() if line.strip()])


def is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a docstring, or another string on its own."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def count() -> dict[str, int]:
    """Count the lines of every file that git tracks, as it is in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    texts = {
        path: (ROOT / path).read_text("utf-8")
        for path in listed
        if path.endswith(SUFFIXES) and (ROOT / path).is_file()
    }
    folders = [(ROOT / path).parent for path in listed if path.endswith("package.json")]
    frontend = [folder for folder in folders if (folder / "node_modules" / "esbuild").exists()]
    if not frontend:
        raise FileNotFoundError(
            "esbuild counts JavaScript and isn't installed: run 'make installed' first"
        )
    printed = subprocess.run(
        ["node", "--input-type=module", "--eval", PRINT],
        input=json.dumps({p: text for p, text in texts.items() if not p.endswith(".py")}),
        cwd=frontend[0], check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    counted: dict[str, int] = json.loads(printed)
    return counted | {p: python_lines(text) for p, text in texts.items() if p.endswith(".py")}


def part(path: str, parts: Iterable[str]) -> str:
    """Return the part that a file belongs to, or "" if none."""
    return max((name for name in parts if f"{path}/".startswith(f"{name}/")), key=len, default="")


def kind(path: str) -> str:
    """Tell product from tests."""
    file = PurePosixPath(path)
    is_test = "tests" in file.parts[:-1] or any(file.match(pattern) for pattern in TESTS)
    return "tests" if is_test else "product"


def by_part(lines: Mapping[str, int], parts: Iterable[str]) -> Lines:
    """Add up the lines of each part and kind."""
    found: Lines = Counter()
    for path, number in lines.items():
        found[part(path, parts) or "(no part)", kind(path)] += number
    return found


def problems(lines: Mapping[str, int], budgets: Mapping[str, Any]) -> list[str]:
    """Return a message for each budget that is exceeded and each file that belongs to no part."""
    parts, total = budgets["parts"], budgets["total"]
    found = [
        f"{path} belongs to no part: move it, or add its part to budgets.toml"
        for path in lines
        if not part(path, parts)
    ]
    for (name, what), number in by_part(lines, parts).items():
        allowed = parts.get(name, {}).get(what, 0)
        if name in parts and number > allowed:
            found.append(
                f"{name} has {number:,} logical lines of {what}; its budget is {allowed:,}"
            )
    planned = sum(sum(budget.values()) for budget in parts.values())
    if planned > total:
        found.append(f"the budgets add up to {planned:,}, more than the total of {total:,}")
    return found


def table(lines: Mapping[str, int], budgets: Mapping[str, Any]) -> str:
    """Return the lines of each part beside its budgets."""
    parts = budgets["parts"]
    found = by_part(lines, parts)
    rows = [f"{'part':22}{'product':>9}{'budget':>9}{'tests':>9}{'budget':>9}"]
    for name in [*parts, *sorted({name for name, _ in found} - parts.keys())]:
        cells = [(found[name, what], parts.get(name, {}).get(what, 0)) for what in KINDS]
        rows.append(f"{name:22}" + "".join(f"{a:9,}{b:9,}" for a, b in cells))
    sums = [sum(n for (_, of), n in found.items() if of == what) for what in KINDS]
    rows.append(f"{'all':22}{sums[0]:9,}{'':9}{sums[1]:9,}")
    rows.append(f"{sum(sums):,} of {budgets['total']:,} in {len(lines)} files")
    return "\n".join(rows)


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.lines", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="fail above a budget; print no table")
    options = parser.parse_args()
    budgets = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))
    lines = count()
    if not options.check:
        print(table(lines, budgets))
        return 0
    found = problems(lines, budgets)
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
