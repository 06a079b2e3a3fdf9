"""Run every check that needs no test run, two at a time; ``--fix`` formats, and fixes what can be fixed."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PYTHON = (sys.executable, "-m")
FRONTEND = Path("packages/explorax/src/explorax/frontend")
MODULES = FRONTEND / "node_modules"
BIOME = ("node", MODULES / "@biomejs/biome/bin/biome")
TYPESCRIPT = ("node", MODULES / "typescript/bin/tsc")
ZIZMOR = Path(sys.executable).with_name("zizmor")
CHECKS: dict[str, tuple[str | Path, ...]] = {
    "mypy": (*PYTHON, "mypy"),
    "Biome": (*BIOME, "ci", "--colors=off", "--error-on-warnings"),
    "TypeScript": (*TYPESCRIPT, "--project", FRONTEND),
    "TypeScript, views": (*TYPESCRIPT, "--project", "packages"),
    "Node": ("node", "--import", f"./{FRONTEND}/resolve.mjs", "--test", "packages/**/*.test.js"),
    "workflows": ("node", "tools/workflows.mjs"),
    "workflows, security": (ZIZMOR, "--offline", "--quiet", "--strict-collection", ".github"),
    "imports": (Path(sys.executable).with_name("lint-imports"), "--no-logo"),
    "imports through strings": (*PYTHON, "tools.string_imports"),
    "form of the chapters": (*PYTHON, "tools.notebooks", "check"),
    "addresses and versions": (*PYTHON, "tools.addresses", "--check"),
    "budgets of lines": (*PYTHON, "tools.lines", "--check"),
    "ruff check": (*PYTHON, "ruff", "check", "."),
    "ruff format": (*PYTHON, "ruff", "format", "--check", "."),
}
FIXES: dict[str, tuple[str | Path, ...]] = {
    "Biome": (*BIOME, "check", "--write"),
    "ruff check": (*PYTHON, "ruff", "check", "--fix", "."),
    "ruff format": (*PYTHON, "ruff", "format", "."),
}


def run(name: str, command: tuple[str | Path, ...]) -> bool:
    """Run one check, print its outcome, and say whether it passed."""
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    outcome = "FAILED" if done.returncode else "passed"
    said = f"\n{done.stdout}{done.stderr}" if done.returncode else ""
    if said and name in FIXES and command is not FIXES[name]:
        said += "`make format` fixes what can be fixed automatically.\n"
    print(f"{outcome} in {time.monotonic() - began:4.0f} s: {name}{said}", flush=True)
    return done.returncode == 0


def main() -> None:
    """Run them all."""
    fixing = "--fix" in sys.argv
    commands = FIXES if fixing else CHECKS
    with ThreadPoolExecutor(1 if fixing else 2) as pool:
        if not all(list(pool.map(run, commands, commands.values()))):
            sys.exit(1)


if __name__ == "__main__":
    main()
