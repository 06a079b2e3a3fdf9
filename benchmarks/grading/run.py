"""Measure the grader: submissions a minute, beside ``nbgrader autograde``.

A class hands in one assignment. It is graded by turns: by ``nbgrader autograde``, which runs one
submission after another and isolates none, and by ``python -m gradlab_classroom grade`` with one
worker and with two, each submission in a sandbox. The times are those of the whole commands. The
scores are held against each other too. Printed is Markdown, which is also written to
``benchmarks/grading/results.md``, with the numbers in ``results.json``. The exit status is 1 where
a target is missed.

Run it with ``make bench-grading``; ``make bench-grading ARGS='--quick'`` does less.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.grading.submissions import a_class, filled_in
from benchmarks.grading.tables import OURS, PEER, markdown, targets
from benchmarks.report import ROOT, finish, machine, say, spread

HERE = Path(__file__).parent
ASSIGNMENT = "4_constraining"
ENVIRONMENT = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"}


def seconds(command: list[str], folder: Path) -> float:
    """How long a command takes.

    Raises:
      RuntimeError: if it fails; with the end of what it said.
    """
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return taken


def prepare(folder: Path, students: int) -> None:
    """A course of nbgrader in a folder, with the class's submissions."""
    course = ROOT / "classroom" / "assignments"
    shutil.copy(course / "nbgrader_config.py", folder)
    shutil.copytree(course / "source" / ASSIGNMENT, folder / "source" / ASSIGNMENT)
    nbgrader = str(Path(sys.executable).with_name("nbgrader"))
    seconds([nbgrader, "generate_assignment", ASSIGNMENT, "--create"], folder)
    path = Path(ASSIGNMENT) / f"{ASSIGNMENT}.ipynb"
    source, release = (
        json.loads((folder / kind / path).read_text(encoding="utf-8"))
        for kind in ("source", "release")
    )
    for student, kind in a_class(students):
        own = folder / "submitted" / student / path
        own.parent.mkdir(parents=True)
        notebook = filled_in(source, release, kind)
        # each student's is another file, so that nothing is graded once for several
        notebook["cells"][0]["source"] = ["A notebook of ", student]
        own.write_text(json.dumps(notebook), encoding="utf-8")


def commands(folder: Path) -> Mapping[str, list[str]]:
    """What is timed."""
    nbgrader = str(Path(sys.executable).with_name("nbgrader"))
    ours = [sys.executable, "-m", "gradlab_classroom", "grade", "submitted", "--again"]
    ours += ["--course", str(ROOT / "classroom" / "assignments" / "course.yml"), "--out"]
    return {
        PEER: [nbgrader, "autograde", ASSIGNMENT, "--force"],
        **{OURS[n]: [*ours, str(folder / f"out{n}"), "--workers", str(n)] for n in (1, 2)},
    }


def peers_scores(folder: Path) -> dict[str, dict[str, float]]:
    """Each student's points by function, as nbgrader's gradebook has them."""
    query = """
        select student.id, base_cell.name, grade.auto_score from grade
        join base_cell on base_cell.id = grade.cell_id
        join submitted_notebook on submitted_notebook.id = grade.notebook_id
        join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
        join student on student.id = submitted_assignment.student_id
        where grade.auto_score is not null
    """
    found: dict[str, dict[str, float]] = {}
    connection = sqlite3.connect(folder / "gradebook.db")
    try:
        for student, name, points in connection.execute(query):
            found.setdefault(student, {})[name] = points
    finally:
        connection.close()
    return found


def own_scores(folder: Path) -> dict[str, dict[str, float]]:
    """The same, as our grader has them."""
    scores = json.loads((folder / "out2" / "scores.json").read_text(encoding="utf-8"))
    return {
        one["student"]: {mark["name"]: mark["points"] for mark in one["marks"]}
        for one in scores["submissions"]
    }


def compared(folder: Path) -> dict[str, int]:
    """How many points were given by both, and how many differ."""
    peer, own = peers_scores(folder), own_scores(folder)
    pairs = [
        (points, peer.get(student, {}).get(name))
        for student, marks in own.items()
        for name, points in marks.items()
    ]
    return {"compared": len(pairs), "differ": sum(one != other for one, other in pairs)}


def parsed() -> argparse.Namespace:
    """The command's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--students", type=int, default=24, help="in the class (24)")
    parser.add_argument("--rounds", type=int, default=3, help="of all commands (3)")
    parser.add_argument(
        "--quick", action="store_true", help="a class of 6, one round; nothing is written"
    )
    parser.add_argument("--no-write", action="store_true", help="print the tables, write no files")
    options = parser.parse_args()
    options.write = not (options.no_write or options.quick)
    if options.quick:
        options.students, options.rounds = 6, 1
    return options


def main() -> int:
    """Run the command."""
    options = parsed()
    versions = {name: importlib.metadata.version(name) for name in ("jax", "nbgrader", "dask")}
    results: dict[str, Any] = {
        "machine": machine() | versions,
        "measured": {
            "assignment": ASSIGNMENT, "students": options.students, "rounds": options.rounds,
        },
        "seconds": {PEER: [], OURS[1]: [], OURS[2]: []},
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder, options.students)
        todo = commands(folder)
        order = list(todo)
        for n in range(options.rounds):
            for name in order:
                say(f"round {n + 1}: {name}")
                results["seconds"][name].append(seconds(todo[name], folder))
            order.reverse()
        results["scores"] = compared(folder)
    taken = results["seconds"]
    results["ratios"] = {
        name: spread([peer / own for peer, own in zip(taken[PEER], taken[name], strict=True)])
        for name in OURS.values()
    }
    results["machine"]["load_after"] = round(os.getloadavg()[0], 1)
    folder_of_results = HERE if options.write else None
    return finish("grading", results, markdown(results), targets(results), folder_of_results)


if __name__ == "__main__":
    sys.exit(main())
