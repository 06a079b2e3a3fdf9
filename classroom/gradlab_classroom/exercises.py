"""A course's exercises: the book's own, and those of an exam; and what a mark depends on."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import gradlab.exercises
from gradlab.exercises.checking.catalogue import find_exercise
from gradlab.exercises.checking.findings import Exercise
from gradlab_classroom import exam
from gradlab_classroom.course import Course, CourseError, load


def exercise(name: str, drawn: str = "") -> Exercise:
    """Return the exercise of a function's name.

    Args:
      name: of the function.
      drawn: the text of an exam's ``exam.json``, or "".

    Raises:
      ValueError: if there is none.
    """
    return exam.exercises(drawn).get(name) or find_exercise(name)


def drawn_in(root: Path) -> str:
    """Return the text of a course's ``exam.json``, or "" where it's no exam."""
    path = root / exam.FILE
    return path.read_text("utf-8") if path.is_file() else ""


def names_of(root: Path, assignment: str) -> dict[str, float]:
    """Return the graded functions of an assignment, and their points.

    Raises:
      CourseError: if the folder's ``course.yml`` has no such assignment.
    """
    course: Course = load(root / "course.yml")
    if assignment not in course.assignments:
        names = ", ".join(course.assignments)
        raise CourseError(f"{root / 'course.yml'} has no assignment {assignment!r}, but {names}.")
    return dict(course.assignments[assignment].functions)


def state(root: Path) -> str:
    """Return a hash of all that a mark depends on besides the notebook: the course, and what judges."""
    own = (root / "course.yml").read_bytes() + drawn_in(root).encode()
    return hashlib.sha256(own + _judges()).hexdigest()


@cache
def _judges() -> bytes:
    folder, own = Path(gradlab.exercises.__file__).parent, Path(__file__).parent
    files = [*sorted(folder.rglob("*.py")), *sorted(own.glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()
