"""The class in numbers: how each function went, what was found, and what was predicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gradlab_classroom.course import Assignment
from gradlab_classroom.grading.result import GRADED, MACHINE, UNREADABLE, Mark, Result


@dataclass(frozen=True)
class FunctionCounts:
    """Results of one function: how many got all of its points, a part and none, and the mean."""

    name: str
    of: float
    all: int
    part: int
    none: int
    mean: float


@dataclass(frozen=True)
class FindingCount:
    """A finding, how often it was made, and what one of those students was told."""

    name: str
    finding: str
    count: int
    message: str


@dataclass(frozen=True)
class AssignmentCounts:
    """One assignment, in numbers."""

    name: str
    title: str
    functions: Sequence[FunctionCounts]
    findings: Sequence[FindingCount]
    question: str
    predictions: Sequence[tuple[str, int]]


def count_assignment(assignment: Assignment, found: Sequence[Result]) -> AssignmentCounts:
    """Count what was found, among those that are graded. Functions left open are not counted."""
    graded = [
        result
        for result in found
        if result.assignment == assignment.name and result.status == GRADED
    ]
    marks = [mark for result in graded for mark in result.marks if mark.points is not None]
    functions = [
        _function(name, of, [mark for mark in marks if mark.name == name])
        for name, of in assignment.functions.items()
    ]
    wrong = [mark for mark in marks if mark.credit < 1]
    messages = {(mark.name, mark.finding): mark.message for mark in reversed(wrong)}
    counts = Counter((mark.name, mark.finding) for mark in wrong)
    findings = [
        FindingCount(name, finding, count, messages[name, finding])
        for (name, finding), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    question = assignment.prediction.question if assignment.prediction else ""
    return AssignmentCounts(
        assignment.name,
        assignment.title,
        functions,
        findings,
        question,
        list(_predictions(assignment, graded)),
    )


def _function(name: str, of: float, marks: Sequence[Mark]) -> FunctionCounts:
    full = sum(mark.credit == 1 for mark in marks)
    none = sum(mark.credit == 0 for mark in marks)
    mean = sum(mark.points or 0.0 for mark in marks) / len(marks) if marks else 0.0
    return FunctionCounts(name, of, full, len(marks) - full - none, none, mean)


def _predictions(assignment: Assignment, graded: Sequence[Result]) -> Iterator[tuple[str, int]]:
    if assignment.prediction is None:
        return
    choices = assignment.prediction.choices
    made = Counter(result.prediction.strip().lower() for result in graded)
    for key, words in choices.items():
        yield f"{key}: {words}", made[key]
    if others := sum(count for key, count in made.items() if key and key not in choices):
        yield "something else", others
    if made[""]:
        yield "none", made[""]


def count_statuses(found: Sequence[Result]) -> Mapping[str, int]:
    """Count the submissions of each status."""
    return {
        name: sum(result.status == name for result in found)
        for name in (GRADED, UNREADABLE, MACHINE)
    }
