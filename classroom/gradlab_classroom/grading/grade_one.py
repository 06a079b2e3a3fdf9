"""One submission: what it is asked, what is made of its answers, and what that earns.

Its code runs in the sandbox and nowhere else. What comes out is plain data, and is judged here.
A function that is not found right where a part of the notebook was not run is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradlab.exercises.checking.findings import Exercise, Finding
from gradlab.exercises.checking.plain_data import describe_error
from gradlab_classroom.course import Assignment
from gradlab_classroom.grading import likeness
from gradlab_classroom.grading.result import (
    ERRORS,
    GRADED,
    MACHINE,
    UNREADABLE,
    Mark,
    Result,
    ungraded,
)
from gradlab_classroom.grading.student_text import written_answers
from gradlab_classroom.grading.submissions import Submission
from gradlab_classroom.grading.unrun import unrun, unrun_in

if TYPE_CHECKING:
    from gradlab_classroom.grading.sandbox import Ran

NOT_JUDGED = (
    "what it returned could not be judged. It should return what the assignment asks for: numbers, "
    "arrays, and dicts or tuples of these."
)


@dataclass(frozen=True)
class GradingOptions:
    """Options for the grading of all submissions.

    Attributes:
      private: a folder of private exercises, or None.
      unsafe: without bubblewrap.
      hidden: folders that nothing in a sandbox may see.
    """

    private: Path | None = None
    unsafe: bool = False
    hidden: tuple[Path, ...] = ()


def exercises_of(assignment: Assignment, private: Path | None) -> dict[str, Exercise]:
    """Return the exercise of each graded function, a private one before a public one.

    Raises:
      ValueError: if there is none for a function.
    """
    from gradlab.exercises.checking.catalogue import find_exercise

    own = _private_exercises(private)
    return {
        name: own[name] if name in own else find_exercise(name) for name in assignment.functions
    }


def require_exercises(assignment: Assignment, private: Path | None) -> None:
    """See to it that there is an exercise for each graded function. It imports no public one.

    Raises:
      ValueError: if there is none for a function.
    """
    from gradlab.exercises.checking.catalogue import require_exercise

    for name in assignment.functions.keys() - _private_exercises(private).keys():
        require_exercise(name)


def _private_exercises(private: Path | None) -> Mapping[str, Exercise]:
    if private is None:
        return {}
    # not at the top: it imports JAX, which grading without a private set does not need
    from gradlab_classroom.variants.private import load

    return load(private)


def grade_one(submission: Submission, assignment: Assignment, options: GradingOptions) -> Result:
    """Run a submission and say what it has earned, and what its code lets one note.

    Raises:
      SandboxMissing: if it cannot be run safely here.
    """
    if submission.document is None or submission.problem:
        return ungraded(submission, UNREADABLE, submission.problem)
    from gradlab_classroom.grading import sandbox

    cells = submission.document.cells
    sources = [cell.text for cell in cells if cell.code]
    exercises = exercises_of(assignment, options.private)
    questions = [
        sandbox.Question(name, exercise.probe, [case.arguments for case in exercise.cases])
        for name, exercise in exercises.items()
    ]
    ran = sandbox.run(
        sources,
        questions,
        ("prediction",) if assignment.prediction else (),
        unsafe=options.unsafe,
        hidden=options.hidden,
    )
    prints, remarks = _likeness(sources, assignment.functions)
    found = replace(
        ungraded(submission, GRADED, ""),
        prediction=_text(ran.variables.get("prediction")),
        written=written_answers(cells, list(assignment.written)),
        errors={number + 1: text for number, text in sorted(ran.errors.items())},
        prints=prints,
        notes=(*_notes(ran), *remarks),
        seconds=round(ran.seconds, 2),
    )
    if ran.status == "machine":
        return replace(found, status=MACHINE, reason=ran.detail)
    marked = [
        _grade_function(exercise, assignment.functions[name], ran)
        for name, exercise in exercises.items()
    ]
    cells_unrun = unrun(sources, ran.errors)
    own = {name: unrun_in(name, ran.answers.get(name)) for name in exercises}
    return replace(
        found,
        marks=tuple(
            replace(mark, points=None)
            if mark.credit < 1 and (cells_unrun or own[mark.name])
            else mark
            for mark, _ in marked
        ),
        notes=(*found.notes, *(note for _, note in marked if note)),
        unrun=(*cells_unrun[:ERRORS], *filter(None, own.values())),
    )


def _likeness(
    sources: Sequence[str], functions: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """Return prints and notes on the text of the cells. They change no points, and no status."""
    try:
        trees = likeness.trees(sources)
        return likeness.fingerprints(trees, functions), likeness.borrowed(trees, functions)
    except Exception as error:
        return {}, [f"the text of its code could not be looked at: {describe_error(error)}"]


def _notes(ran: Ran) -> list[str]:
    """The sandbox's notes, each once, though one may go on where another ends."""
    notes = [*([ran.detail] if ran.status != "finished" else []), *ran.notes]
    return [
        note
        for n, note in enumerate(notes)
        if not any(other != note and other.startswith(note) for other in notes)
        and note not in notes[:n]
    ]


def _grade_function(exercise: Exercise, of: float, ran: Ran) -> tuple[Mark, str]:
    """A function's mark, and a note for the instructor, or "".

    The data are the submission's own: whatever they make a judge raise is no fault of the machine.
    """
    note = ""
    try:
        finding = _found(exercise, ran)
        credit = exercise.credit(finding)
    except Exception as error:
        finding, credit = Finding("not_judged", NOT_JUDGED), 0.0
        note = f"{exercise.name} could not be judged, and has 0 points: {describe_error(error)}"
    mark = Mark(
        exercise.name, of, round(of * credit, 2), finding.name, finding.message, round(credit, 4)
    )
    return mark, note


def _found(exercise: Exercise, ran: Ran) -> Finding:
    answered = ran.answers.get(exercise.name)
    if answered is None:
        return Finding("missing", _missing(exercise.name, ran))
    return exercise.judge(answered)


def _missing(name: str, ran: Ran) -> str:
    message = f"there is no function called {name}."
    if ran.status != "finished":
        return f"{message} {ran.detail}"
    if ran.errors:
        number, text = next(iter(sorted(ran.errors.items())))
        return f"{message} The first cell that failed is number {number + 1} of those with code: {text}"
    return message


def _text(value: Any) -> str:
    """A prediction as text. What is no text is shown as Python writes it."""
    if value is None or value is Ellipsis:
        return ""
    return (value if isinstance(value, str) else repr(value)).strip()[:200]
