"""Execute the chapters and store them in normal form, or check that they are in it.

    python -m tools.notebooks execute [notebook ...]
    python -m tools.notebooks check [notebook ...]

Without names, all of ``notebooks/`` in the present folder.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sccbook.notebook_form import normalise, read, text_of
from tools.frame import unframed
from tools.prose import unpaired
from tools.quizzes import misshapen
from tools.rules import Fault, faults
from tools.snippets import fill, stale
from tools.solutions import needed

COLOURED = re.compile(r"\x1b\[[0-9;]*m")
CELL_SECONDS, START_SECONDS = 300, 60
"""Seconds that a cell may run, and that a kernel may take to start."""


def executed(path: Path) -> str:
    """Run a notebook in a fresh kernel and return its file's text, in normal form, its tabs filled.

    The kernel is as a reader's would be, but on the CPU, where numbers are the same on
    every machine, and figures leave out their pictures.

    Raises:
        ValueError: where a cell is to show snippets that there are not.
        nbclient.exceptions.CellExecutionError: where a cell fails that is not tagged so.
        nbclient.exceptions.CellTimeoutError: where a cell runs for more than ``CELL_SECONDS``.
    """
    from nbclient import NotebookClient

    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "EXPLORAX_OUTPUT": "text"}
    notebook = normalise(read(path.read_text(encoding="utf-8")))
    fill(notebook)
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        startup_timeout=START_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
    )
    client.execute(env=environment)
    return text_of(normalise(notebook))


def execute(paths: Sequence[Path]) -> int:
    """Execute notebooks in place; return how many broke a rule or failed."""
    bad = 0
    for path in paths:
        begun = time.monotonic()
        print(f"{path}: ", end="", flush=True)
        try:
            text = executed(path)
        except Exception as failure:  # a cell may raise anything; the file stays as it was
            print(f"failed\n{COLOURED.sub('', str(failure))}")
            bad += 1
            continue
        changed = text != path.read_text(encoding="utf-8")
        if changed:
            path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{'written' if changed else 'unchanged'}, {time.monotonic() - begun:.1f} s")
        bad += report(path, problems(path))
    return bad


def problems(path: Path) -> list[Fault]:
    """Return every rule that a stored notebook breaks: of its form, frame, prose, quiz, snippets, solution."""
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    notebook = read(text)
    others = (unframed, unpaired, misshapen, needed, stale)
    return faults(text) + [fault for rule in others for fault in rule(notebook)]


def report(path: Path, found: Sequence[Fault]) -> int:
    """Print what was found; return 1 where anything was."""
    for fault in found:
        print(f"{path}: {fault}")
    return int(bool(found))


def chosen(path: Path) -> Path:
    """Return the notebook that a path means: a file, or the beginning of one name."""
    matches = [path] if path.is_file() else list(path.parent.glob(f"{path.stem}*.ipynb"))
    return matches[0] if len(matches) == 1 else path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.notebooks", description=__doc__.split("\n")[0]
    )
    parser.add_argument("command", choices=("execute", "check"))
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="notebook", help="default: notebooks/*.ipynb"
    )
    options = parser.parse_args(arguments)
    paths = options.paths or sorted(Path("notebooks").glob("*.ipynb"))
    paths = [chosen(path) for path in paths]
    missing = [str(path) for path in paths if not path.is_file()]
    if missing or not paths:
        there = ", ".join(path.stem for path in sorted(Path("notebooks").glob("*.ipynb")))
        parser.error(f"no such notebook: {', '.join(missing)}; there are {there}")
    if options.command == "execute":
        return int(execute(paths) > 0)
    bad = sum(report(path, problems(path)) for path in paths)
    print(f"{len(paths)} notebooks checked, {bad} to fix")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
