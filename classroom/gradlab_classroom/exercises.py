"""The exercises of a course: the book's own, and those of an exam."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import gradlab.exercises
from gradlab.exercises.checking.catalogue import find_exercise
from gradlab.exercises.checking.findings import Exercise
from gradlab_classroom.course import Course, CourseError, load


@cache
def exercise(name: str) -> Exercise:
    """Return the exercise of a function's name.

    Raises:
      ValueError: if there is none.
    """
    return find_exercise(name)


def names_of(root: Path, assignment: str) -> dict[str, float]:
    """Return the graded functions of an assignment, and their points.

    Args:
      root: the folder of the course's ``course.yml``.
      assignment: its name.

    Raises:
      CourseError: if there is no such assignment.
    """
    course: Course = load(root / "course.yml")
    if assignment not in course.assignments:
        raise CourseError(
            f"{root / 'course.yml'} has no assignment {assignment!r}, but {', '.join(course.assignments)}."
        )
    return dict(course.assignments[assignment].functions)


def state(root: Path) -> str:
    """Return a hash of all that a mark depends on besides the notebook: the course, and what judges."""
    hashed = hashlib.sha256((root / "course.yml").read_bytes())
    hashed.update(_judges())
    return hashed.hexdigest()


@cache
def _judges() -> bytes:
    folder = Path(gradlab.exercises.__file__).parent
    own = Path(__file__).parent
    files = [*sorted(folder.rglob("*.py")), own / "judging.py", own / "executing.py"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()
