"""Measure the grader: submissions a minute, beside ``nbgrader autograde`` as it comes.

A class hands in one assignment. It is graded by turns: by ``nbgrader autograde`` with nbgrader's own
settings, which runs every notebook in a kernel and isolates none; by the same command with the
course's settings, which run each in a sandbox; and by ``python -m sccbook_classroom grade`` with one
worker and with two, feedback, tables and summary included. The times are those of the whole
commands, and nothing is kept between them. The points are held against each other too. Printed is
Markdown, which is also written to ``benchmarks/grading/results.md``, with the numbers in
``results.json``. The exit status is 1 where a target is missed.

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
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.grading.submissions import a_class, filled_in
from benchmarks.report import ROOT, Benchmark, Row, Tables, Target, say
from benchmarks.turns import by_turns, summary

PEER, PLUGIN = "nbgrader autograde", "nbgrader autograde, in the sandbox"
OURS = {1: "grade, one worker", 2: "grade, two workers"}
ASSIGNMENT = "4_constraining"
COURSE = ROOT / "classroom" / "assignments"
NBGRADER = str(Path(sys.executable).with_name("nbgrader"))
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
ENVIRONMENT = {**os.environ, "PATH": PATH, "JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"}

BENCHMARK = Benchmark(
    name="grading",
    title="The grader, measured",
    packages=("jax", "nbgrader", "dask"),
    prose={
        "throughput": """\
## Throughput

{students} submissions of the assignment {assignment}, half of them right, the others wrong in several
ways or untouched. A time is that of the whole command: the median over {rounds} rounds, in which the
commands took turns. A ratio is that of one round: the median, with the lowest and the highest.
`nbgrader autograde` runs a kernel for each submission and isolates none; all others run each in a
sandbox of its own, and observe its answers with its definitions alone. `grade` also writes every
student's feedback, the tables and the summary.""",
        "large": """\
## A large class

A class of its own, graded once with two workers, then a second time with the runs kept: what is left is
nbgrader's loop, which judges, saves, and writes feedback, one submission after another. A thousand
students are planned from that: runs go to as many cores, or to as many of Dask's workers, as there
are, and the loop stays.""",
        "scores": """\
## Scores

The points for every function of every student: how many were compared, and how many differ.""",
    },
    targets=(
        Target("no slower than nbgrader's own autograde", "throughput", ["times nbgrader"], at_least=1),
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
    """Two courses of nbgrader, with its own settings and with ours, and the class's submissions."""
    path = Path(ASSIGNMENT) / f"{ASSIGNMENT}.ipynb"
    source, release = (
        json.loads((COURSE / kind / path).read_text(encoding="utf-8"))
        for kind in ("source", "release")
    )
    for student, kind in a_class(students):
        own = folder / "submitted" / student / path
        own.parent.mkdir(parents=True)
        notebook = filled_in(source, release, kind)
        # each student's is another file, so that nothing is graded once for several
        notebook["cells"][0]["source"] = ["A notebook of ", student]
        notebook["cells"].append(
            {"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "execution_count": None,
             "source": f"whose = {student!r}"}
        )  # fmt: skip
        own.write_text(json.dumps(notebook), encoding="utf-8")
    for name in ("peer", "plugin"):
        root = folder / name
        shutil.copytree(COURSE / "source" / ASSIGNMENT, root / "source" / ASSIGNMENT)
        shutil.copytree(folder / "submitted", root / "submitted")
        shutil.copy(COURSE / "course.yml", root)
        shutil.copy(COURSE / "nbgrader_config.py", root)
        if name == "peer":
            (root / "nbgrader_config.py").write_text("c = get_config()\n")
        seconds([NBGRADER, "generate_assignment", ASSIGNMENT, "--create"], root)


def ways(folder: Path) -> Mapping[str, Callable[[], float]]:
    """List what is timed."""

    def autograde(name: str) -> float:
        shutil.rmtree(folder / name / "runs", ignore_errors=True)
        return seconds([NBGRADER, "autograde", ASSIGNMENT, "--force"], folder / name)

    def grade(workers: int) -> float:
        shutil.rmtree(folder / "out", ignore_errors=True)
        own = [
            "grade",
            "submitted",
            "--course",
            str(COURSE),
            "--out",
            "out",
            "--workers",
            str(workers),
        ]
        return seconds([sys.executable, "-m", "sccbook_classroom", *own], folder)

    both = {PEER: partial(autograde, "peer"), PLUGIN: partial(autograde, "plugin")}
    return {**both, **{name: partial(grade, workers) for workers, name in OURS.items()}}


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
    connection = sqlite3.connect(folder / "peer" / "gradebook.db")
    try:
        for student, name, points in connection.execute(query):
            found.setdefault(student, {})[name] = points
    finally:
        connection.close()
    return found


def own_scores(folder: Path) -> dict[str, dict[str, float]]:
    """The same, as our grader has them."""
    scores = json.loads((folder / "out" / "scores.json").read_text(encoding="utf-8"))
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


def a_large_class(folder: Path, students: int) -> Row:
    """Grade a class with two workers, and once more with what was run kept; plan a thousand from that."""
    prepare(folder, students)
    first = ways(folder)[OURS[2]]()
    own = ["grade", "submitted", "--course", str(COURSE), "--out", "out", "--again"]
    again = seconds([sys.executable, "-m", "sccbook_classroom", *own], folder)
    return {
        "students": students,
        "all, s": first,
        "of that in nbgrader's loop, s": again,
        "1,000 students, two cores, min": 1000 / students * first / 60,
        "1,000 students, many cores, min": 1000 / students * again / 60,
    }


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    students, rounds, many = (6, 1, 6) if options.quick else (16, options.rounds, 60)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder, students)
        times = by_turns(ways(folder), rounds)
        compared = scores(folder)
        large = a_large_class(folder / "large", many)
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
    return how, {"throughput": rows, "large": [large], "scores": [compared]}


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__))
