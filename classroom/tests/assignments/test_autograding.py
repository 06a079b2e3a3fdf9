"""nbgrader's own autograding, as on a JupyterHub, gives the points that ``check`` gives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from classroom.tests.assigned import COURSE, notebook, of_grade_id, run
from classroom.tests.paths import ASSIGNMENTS
from gradlab.exercises import points
from gradlab.notebook_form import read, text_of

NAME = "4_constraining"
ASSIGNMENT = COURSE.assignments[NAME]

# A right answer whose NumPy warns, on stderr, where it divides by the norm of a column of zeros.
WARNS = """def max_norm(w, limit):
    w = np.asarray(w)
    return w * np.minimum(1.0, limit / np.linalg.norm(w, axis=0))"""

# Right but for Keras's epsilon, which leaves a part of the points.
EPSILON = """def max_norm(w, limit):
    n = jnp.linalg.norm(w, axis=0)
    return w * jnp.clip(n, 0.0, limit) / (1e-7 + n)"""

RAISES = """def three_places(w, x, y, scale, limit, cap):
    return w.reshape(-1, 7)"""

ROWS = """def wrong_axis(limit):
    return np.full((4, 2), 0.6 * limit)"""


def solved(**answers: str) -> NotebookNode:
    """The source, with some answers in place of its own."""
    book = notebook("source", NAME)
    for function, source in answers.items():
        of_grade_id(book, f"answer_{function}").source = source
    return book


def with_a_test_deleted() -> NotebookNode:
    book = solved(max_norm=WARNS, three_places=RAISES)
    book.cells.remove(of_grade_id(book, "max_norm"))
    of_grade_id(book, "wrong_axis").source = "3.0"  # a locked cell, edited
    return book


SUBMITTED: dict[str, Callable[[], NotebookNode]] = {
    "untouched": lambda: notebook("release", NAME),
    "partly": lambda: solved(max_norm=EPSILON, wrong_axis=ROWS),
    "tampered": with_a_test_deleted,
}


def graded(course: Path) -> Path:
    """Make a course in which nbgrader has graded what was handed in; return its gradebook."""
    shutil.copy(ASSIGNMENTS / "nbgrader_config.py", course)
    shutil.copytree(ASSIGNMENTS / "source" / NAME, course / "source" / NAME)
    (course / "release" / NAME).mkdir(parents=True)  # there already, as in a copy of the course
    for student, make in SUBMITTED.items():
        path = course / "submitted" / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text_of(make()), encoding="utf-8")
    for command in (["generate_assignment", NAME, "--force"], ["autograde", NAME]):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=course,
            env={
                **{key: value for key, value in os.environ.items() if key != "JAX_PLATFORMS"},
                "JUPYTER_CONFIG_DIR": str(course / "nothing"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    return course / "gradebook.db"


def scores(gradebook: Path, student: str) -> dict[str, float | None]:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{gradebook}") as book:
        found = book.find_submission_notebook(NAME, NAME, student)
        return {grade.name: grade.auto_score for grade in found.grades}


def directly(student: str) -> dict[str, float]:
    """Return what ``points`` gives for the functions of a submission."""
    cells = SUBMITTED[student]().cells
    wanted = {"imports", "id", *(f"{name}-answer" for name in ASSIGNMENT.functions)}
    namespace, _ = run([cell.source for cell in cells if cell.id in wanted])
    return {name: points(name, namespace, of=of) for name, of in ASSIGNMENT.functions.items()}


EXPECTED = {
    "untouched": {"max_norm": 0, "wrong_axis": 0, "three_places": 0},
    "partly": {"max_norm": 4, "wrong_axis": 0.99, "three_places": 6},
    "tampered": {"max_norm": 5, "wrong_axis": 3, "three_places": 0},
}


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_nbgrader_gives_the_points_that_the_checks_give(tmp_path: Path) -> None:
    # all in one test, so that nbgrader runs once
    gradebook = graded(tmp_path)
    found = {student: scores(gradebook, student) for student in SUBMITTED}
    points_of_functions = {
        student: {name: own[name] for name in ASSIGNMENT.functions}
        for student, own in found.items()
    }
    assert points_of_functions == EXPECTED

    # an answer in words waits for a person, and one that is missing does not
    assert found["untouched"]["written_not_a_gradient"] == 0
    assert found["partly"]["written_not_a_gradient"] is None

    # what its own command generates is what is handed out
    path = f"release/{NAME}/{NAME}.ipynb"
    generated = read((tmp_path / path).read_text(encoding="utf-8"))
    assert text_of(generated) == (ASSIGNMENTS / path).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
@pytest.mark.parametrize("student", SUBMITTED)
def test_the_checks_give_these_points(student: str) -> None:
    assert directly(student) == EXPECTED[student]


@pytest.mark.slow
def test_a_right_answer_may_warn() -> None:
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert directly("tampered")["max_norm"] == 5
