"""Recognition of the assignment that a notebook is for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from gradlab_classroom.course import Course
from gradlab_classroom.grading.naming import assignment_in
from gradlab_classroom.grading.reading import Document


def recognised(
    document: Document, names: Sequence[str], course: Course, assignment: str = ""
) -> tuple[str, str]:
    """Return the assignment's name, or "", and a note where signs disagree.

    In this order it is told by the notebook's metadata, nbgrader's names of its cells, the names
    of file and folders, whoever calls the grader, and the functions that are defined.
    """
    known = course.assignments
    own = document.assignment if document.assignment in known else ""
    by_cells = _most(Counter(filter(None, (_of_cell(c.grade_id, course) for c in document.cells))))
    by_name = assignment_in(names, known)
    found = own or by_cells or by_name or assignment
    if not found:
        defined = defined_functions([cell.text for cell in document.cells if cell.code])
        found = _most(
            Counter(
                {name: len(defined & set(assigned.functions)) for name, assigned in known.items()}
            )
        )
    if not found and len(known) == 1:
        found = next(iter(known))
    others = {sign for sign in (own, by_cells, by_name, assignment) if sign} - {found}
    if others:
        return (
            found,
            f"it was graded as {found}, though some signs say {' and '.join(sorted(others))}",
        )
    return found, ""


def _of_cell(grade_id: str, course: Course) -> str:
    if not grade_id:
        return ""
    for name, assignment in course.assignments.items():
        plain = re.sub(r"^(test|points|written|prediction)_", "", grade_id)
        if (
            grade_id.startswith(name)
            or plain in assignment.functions
            or plain in assignment.written
        ):
            return name
    return ""


def _most(counts: Counter[str]) -> str:
    """Return what alone has the most votes, or ""."""
    best = counts.most_common(2)
    if not best or best[0][1] == 0 or (len(best) > 1 and best[0][1] == best[1][1]):
        return ""
    return best[0][0]


def defined_functions(sources: Iterable[str]) -> set[str]:
    """The names of the functions that cells define, by their look: nothing is parsed here."""
    return {
        name
        for source in sources
        for name in re.findall(r"^def\s+(\w+)\s*\(", source, re.MULTILINE)
    }
