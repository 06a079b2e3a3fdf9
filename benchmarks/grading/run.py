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
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.grading.submissions import a_class, filled_in
from benchmarks.report import ROOT, Benchmark, Row, Tables, Target, say
from benchmarks.turns import by_turns, summary

PEER = "nbgrader autograde"
OURS = {1: "gradlab with one worker", 2: "gradlab with two workers"}
ASSIGNMENT = "4_constraining"
ENVIRONMENT = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"}

BENCHMARK = Benchmark(
    name="grading",
    title="The grader, measured",
    packages=("jax", "nbgrader", "dask"),
    prose={
        "throughput": """\
## Throughput

{students} submissions of the assignment {assignment}, half of them right, the others wrong in several
ways or untouched. A time is that of the whole command, its start and its reports included: the median
over {rounds} rounds, in which the commands took turns. A ratio is that of one round: the median, with
the lowest and the highest. `nbgrader autograde` runs a kernel for each submission, one after another,
and isolates none; `gradlab` runs each in a sandbox of its own.""",
        "scores": """\
## Scores

The points for every function of every student: how many were compared, and how many differ.""",
    },
    targets=(
        Target(
            "two workers, each submission in a sandbox: at least 3 times nbgrader's throughput",
            "throughput", ["times nbgrader"], at_least=3, rows=lambda row: row["way"] == OURS[2],
        ),
        Target("points were compared", "scores", ["compared"], at_least=1),
        Target("the points are the same", "scores", ["differ"], at_most=0),
    ),
)  # fmt: skip


def seconds(command: list[str], folder: Path) -> float:
    """Time a command.

    Raises:
      RuntimeError: if it fails; with the end of what it said.
    """
    say(" ".join(command))
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
    """List what is timed."""
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
        submission["student"]: {mark["name"]: mark["points"] for mark in submission["marks"]}
        for submission in scores["submissions"]
    }


def scores(folder: Path) -> Row:
    """Count the points that were given by both, and those that differ."""
    peer, own = peers_scores(folder), own_scores(folder)
    pairs = [
        (points, peer.get(student, {}).get(name))
        for student, marks in own.items()
        for name, points in marks.items()
    ]
    return {"compared": len(pairs), "differ": sum(mine != theirs for mine, theirs in pairs)}


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    students, rounds = (6, 1) if options.quick else (24, options.rounds)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder, students)
        ways = {name: partial(seconds, todo, folder) for name, todo in commands(folder).items()}
        times = by_turns(ways, rounds)
        compared = scores(folder)
    rows: list[Row] = [
        {
            "way": name,
            "the class, s": statistics.median(taken),
            "submissions a minute": 60 * students / statistics.median(taken),
            "times nbgrader": summary(times, "s", f"{PEER} / {name}")[f"{PEER} / {name}"],
        }
        for name, taken in times.items()
    ]
    how = {"assignment": ASSIGNMENT, "students": students, "rounds": rounds}
    return how, {"throughput": rows, "scores": [compared]}


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__))
