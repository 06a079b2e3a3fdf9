"""Time the grader beside `nbgrader autograde`: `python -m benchmarks.grading.run` (15 minutes).

A class hands in one assignment, which is graded in turn by nbgrader with its own settings, by nbgrader
with the course's settings, and by our `grade` command. The times are those of whole commands, and nothing
is kept between them. The points of nbgrader and of `grade` must be the same.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.report import QUICK, ROOT, Row, by_turns, circumstances, clocked, summary, write

ASSIGNMENT = "4_constraining"
NOTEBOOK = Path(ASSIGNMENT) / f"{ASSIGNMENT}.ipynb"
COURSE = ROOT / "classroom" / "assignments"
STUDENTS, ROUNDS = (6, 1) if QUICK else (16, 3)
PEER, PLUGIN = "nbgrader autograde", "nbgrader autograde, in the sandbox"
OURS = {1: "grade, one worker", 2: "grade, two workers"}
NBGRADER = str(Path(sys.executable).with_name("nbgrader"))
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
ENVIRONMENT = {**os.environ, "PATH": PATH, "JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"}
POINTS = """
    select student.id, base_cell.name, grade.auto_score from grade
    join base_cell on base_cell.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    join student on student.id = submitted_assignment.student_id
    where grade.auto_score is not null
"""
RESULTS = f"""\
{STUDENTS} submissions of the assignment {ASSIGNMENT}, half of them right, the others wrong in several ways or
untouched. A time is that of the whole command: the median over {ROUNDS} rounds, in which the commands took
turns. A ratio is taken within a round: its median, lowest and highest. `nbgrader autograde` runs a kernel for
each submission and isolates none; all others run each in a sandbox of its own. `grade` also writes every
student's feedback, the tables and the summary. All points were compared, and are the same."""

KERAS = """\
def max_norm(w, limit):
    norms = jnp.sqrt(jnp.sum(w**2, axis=0, keepdims=True))
    return w * (jnp.clip(norms, 0, limit) / (1e-7 + norms))
"""
ROWS = """\
def max_norm(w, limit):
    norms = jnp.sqrt(jnp.sum(w**2, axis=1, keepdims=True))
    return w * jnp.minimum(1.0, limit / norms)
"""
SHORT = """\
def wrong_axis(limit):
    return 0.1 * limit * np.ones((2, 2))
"""
WRONG: Sequence[Mapping[str, str] | None] = (
    {"max_norm": KERAS},
    {"max_norm": ROWS, "wrong_axis": SHORT},
    None,
)
"""What students wrote in place of solutions, or None for the assignment as it was released."""


def submission(student: int, source: Any, release: Any) -> Any:
    """Return a student's notebook: every second one is right, the others are wrong in different ways.

    Args:
      student: their number.
      source: the assignment with its solutions.
      release: the assignment as students get it.
    """
    own = {} if student % 2 == 0 else WRONG[student // 2 % len(WRONG)]
    notebook = copy.deepcopy(release if own is None else source)
    for name, text in (own or {}).items():
        (cell,) = (each for each in notebook["cells"] if each["id"] == f"{name}-answer")
        cell["source"] = text
    # no two are the same file, so that nothing is graded once for several
    notebook["cells"][0]["source"] = f"The notebook of student {student}"
    return notebook


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command.

    Raises:
      RuntimeError: if it fails, with the end of its output.
    """
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-3000:]}")


def prepare(folder: Path) -> None:
    """Write the submissions, and two courses of nbgrader: with its own settings and with ours."""
    source, release = (
        json.loads((COURSE / kind / NOTEBOOK).read_text(encoding="utf-8"))
        for kind in ("source", "release")
    )
    for student in range(STUDENTS):
        own = folder / "submitted" / f"student{student:03}" / NOTEBOOK
        own.parent.mkdir(parents=True)
        own.write_text(json.dumps(submission(student, source, release)), encoding="utf-8")
    for name in ("peer", "plugin"):
        root = folder / name
        shutil.copytree(COURSE / "source" / ASSIGNMENT, root / "source" / ASSIGNMENT)
        shutil.copytree(folder / "submitted", root / "submitted")
        shutil.copy(COURSE / "course.yml", root)
        shutil.copy(COURSE / "nbgrader_config.py", root)
        if name == "peer":
            (root / "nbgrader_config.py").write_text("c = get_config()\n")
        run([NBGRADER, "generate_assignment", ASSIGNMENT, "--create"], root)


def autograde(root: Path) -> None:
    """Grade with nbgrader."""
    shutil.rmtree(root / "runs", ignore_errors=True)
    run([NBGRADER, "autograde", ASSIGNMENT, "--force"], root)


def grade(folder: Path, workers: int) -> None:
    """Grade with our command."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    own = ["grade", "submitted", "--course", str(COURSE), "--out", "out", "--workers", str(workers)]
    run([sys.executable, "-m", "sccbook_classroom", *own], folder)


def compare_points(folder: Path) -> None:
    """Check that nbgrader and our command gave the same points for every function of every student."""
    connection = sqlite3.connect(folder / "peer" / "gradebook.db")
    peer = {(student, name): points for student, name, points in connection.execute(POINTS)}
    connection.close()
    scores = json.loads((folder / "out" / "scores.json").read_text(encoding="utf-8"))
    own = {
        (submission["student"], mark["name"]): mark["points"]
        for submission in scores["submissions"]
        for mark in submission["marks"]
    }
    differ = [key for key, points in own.items() if peer.get(key) != points]
    if differ or not own:
        raise AssertionError(f"{len(differ)} of {len(own)} points differ: {differ[:10]}")


def measure(folder: Path) -> list[Row]:
    """Grade the class in every way, and compare the points."""
    prepare(folder)
    calls: dict[str, Callable[[], None]] = {
        PEER: partial(autograde, folder / "peer"),
        PLUGIN: partial(autograde, folder / "plugin"),
        **{name: partial(grade, folder, workers) for workers, name in OURS.items()},
    }
    times = by_turns({name: clocked(call) for name, call in calls.items()}, ROUNDS)
    compare_points(folder)
    ratios = summary(times, "s", *(f"{PEER} / {name}" for name in times))
    return [
        {
            "way": name,
            "the class, s": statistics.median(taken),
            "submissions a minute": 60 * STUDENTS / statistics.median(taken),
            "times nbgrader": ratios[f"{PEER} / {name}"],
        }
        for name, taken in times.items()
    ]


def main() -> None:
    """Measure everything and write the results."""
    paths = ("classroom/sccbook_classroom", "packages/sccbook/src/sccbook/exercises")
    where = circumstances(paths, ("jax", "nbgrader"))
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder))
    write(Path(__file__).with_name("results.md"), "The grader, measured", where, {RESULTS: rows})


if __name__ == "__main__":
    main()
