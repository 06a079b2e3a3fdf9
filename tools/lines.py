"""Count the logical lines of each room: `make lines`, or `python tools/lines.py [COMMIT]`.

A logical line is a statement, or the head of a block, however many lines it is written on: what
is left where each stands on a line of its own and comments and docstrings are gone. Python is
counted by its own `ast.unparse`, JavaScript and CSS by esbuild's printer.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRONTEND = ROOT / "packages" / "explorax" / "src" / "explorax" / "frontend"
PRINT = """
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
const files = JSON.parse(readFileSync(0, "utf8"));
const lines = (path, text) =>
  transformSync(text, { loader: path.endsWith(".css") ? "css" : "js", legalComments: "none" })
    .code.split("\\n").filter((line) => line.trim()).length;
console.log(JSON.stringify(Object.fromEntries(Object.entries(files).map(([p, t]) => [p, lines(p, t)]))));
"""


def python_lines(text: str) -> int:
    """Count the logical lines of a Python module, docstrings left out."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [s for s in body if not is_text(s)] or [ast.Pass()]  # type: ignore[attr-defined]
    return len([line for line in ast.unparse(tree).splitlines() if line.strip()])


def is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a docstring, or another text that nothing reads."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def room(path: str) -> str:
    """Name the room of a file: its folder, to a depth of two, or three in the front end."""
    folders = path.split("/")[:-1]
    depth = 3 if folders[:2] == ["explorax", "frontend"] else 2
    return "/".join(folders[:depth]) or "."


def git(*arguments: str) -> str:
    """Return what a git command prints."""
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def count(commit: str | None = None) -> dict[str, int]:
    """Count the lines of every file that git tracks, in the working tree or at a commit."""
    listed = git("ls-tree", "-r", "--name-only", commit) if commit else git("ls-files")
    paths = [p for p in listed.splitlines() if p.endswith((".py", ".js", ".mjs", ".css"))]
    texts = {
        p: git("show", f"{commit}:{p}") if commit else (ROOT / p).read_text(encoding="utf-8")
        for p in paths
        if commit or (ROOT / p).is_file()
    }
    printed = subprocess.run(
        ["node", "--input-type=module", "--eval", PRINT],
        input=json.dumps({p: t for p, t in texts.items() if not p.endswith(".py")}),
        cwd=FRONTEND, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    counted: dict[str, int] = json.loads(printed)
    return counted | {p: python_lines(t) for p, t in texts.items() if p.endswith(".py")}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("commit", nargs="?", help="default: the working tree")
    lines = count(parser.parse_args().commit)
    rooms: Counter[str] = Counter()
    for path, number in lines.items():
        rooms[room(path)] += number
    for name, number in sorted(rooms.items()):
        print(f"{number:7,}  {name}")
    teaching = sum(number for name, number in rooms.items() if name.startswith("classroom"))
    print(f"{sum(rooms.values()) - teaching:7,}  outside classroom/")
    print(f"{sum(rooms.values()):7,}  in all, {len(lines)} files")


if __name__ == "__main__":
    main()
