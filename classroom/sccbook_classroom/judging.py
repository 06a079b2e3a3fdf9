"""What a notebook's functions earn, judged from what was seen of them, outside their process."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sccbook.checking.findings import Exercise, Finding
from sccbook.checking.plain_data import describe_error
from sccbook.checking.probes import NOT_ATTEMPTED, Observations
from sccbook_classroom.sandbox.running import TWICE, Pass, Question

ELSEWHERE = re.compile(
    r"(ModuleNotFound|FileNotFound|URL|Connection|HTTP)Error: |.*\bnot installed\b"
)
"""Errors that the same code needn't raise where it was written."""
OURS = ("sccbook.", "scaleclip.", "explorax.")
"""Beginnings of the names of the book's own modules."""


@dataclass(frozen=True)
class Mark:
    """What one function earns.

    Attributes:
      name: of the function; of: the points of a right one.
      points: None where it's left open, for a person to decide.
      finding: a short name for what was found; message: the same for the student.
      quote: the first lines of the cell that defines it, or "".
      why: for the teacher, why it's left open, and what to do.
    """

    name: str
    of: float
    points: float | None
    finding: str
    message: str
    quote: str = ""
    why: str = ""


def judge(
    exercise: Exercise, of: float, cells: Sequence[str], texts: Sequence[str],
    definitions: Pass, notebook: Pass,
) -> Mark:  # fmt: skip
    """Judge one function.

    Args:
      exercise: that asks for it; of: the points of a right one.
      cells: the code cells' texts; texts: those of the other cells.
      definitions: what was seen with the definitions alone.
      notebook: what was seen after all cells, where that was not right.
    """
    name, question = exercise.name, Question.of(exercise)
    seen = [definitions.seen(question), notebook.seen(question)]
    first, second = (found_in(exercise, one) for one in seen)
    credit, more = exercise.credit(first), exercise.credit(second)
    finding = second if more > credit or (credit == 0 and second.name != "missing") else first
    quote = _defining(name, cells)
    if more > credit:
        why = (
            "It earns more with the whole notebook than with its definitions alone. Read its code."
        )
    elif credit == 1 and not quote:
        why = "It is right, but no cell defines it. Look at where it comes from."
    else:
        errors = [run.error or "" for one in seen if one for run in one.seen]
        reasons = _not_run(name, cells, texts, (definitions, notebook), errors)
        why = next(reasons, "") if credit < 1 and NOT_ATTEMPTED not in errors[:1] else ""
    points = None if why else round(of * credit, 2)
    return Mark(name, of, points, finding.name, finding.message, quote, why)


def found_in(exercise: Exercise, seen: Observations | None) -> Finding:
    """Judge what was seen. Whatever the data make a judge raise is no fault of the machine."""
    if seen is None:
        return Finding("missing", f"there is no function called {exercise.name}.")
    try:
        return exercise.judge(seen)
    except Exception as error:
        asked = "It should return what the assignment asks for: numbers, arrays, and dicts or tuples of these"
        why = f"what it returned could not be judged. {asked}. ({describe_error(error)})"
        return Finding("not_judged", why)


def _defining(name: str, cells: Sequence[str]) -> str:
    """The first lines of the last cell that defines a name."""
    defines = re.compile(
        rf"^\s*(?:(?:async\s+)?def|class)\s+{name}\b|^\s*{name}\s*(?::[^=]*)?=[^=]"
        rf"|^\s*(?:from|import)\b.*\b{name}\b",
        re.MULTILINE,
    )
    found = ((source, defines.search(source)) for source in reversed(cells))
    lines = next((source[at.start() :].strip("\n").splitlines() for source, at in found if at), [])
    return "\n".join(line[:120] for line in lines[:6])


def _not_run(
    name: str, cells: Sequence[str], texts: Sequence[str], passes: Sequence[Pass], errors: Sequence[str]
) -> Iterator[str]:  # fmt: skip
    """Why a function that isn't right may be right where it was written, and what to do."""
    if TWICE in errors:
        yield "It was answered twice: something in the notebook answers in its place. Read its code."
    for text in texts:
        if re.search(rf"^\s*def\s+{name}\b", text, re.MULTILINE) and not _defining(name, cells):
            yield f"The text cell that begins {_first(text)} defines it, and text isn't run. Make it code."
    failed = [
        (f"The cell that begins {_first(cells[n])}", one.errors[n])
        for one in passes
        for n in one.errors
    ]
    for what, error in [*failed, *(("It", error) for error in errors)]:
        if ELSEWHERE.match(error):
            yield f"{what} didn't run here: {error}. Run it where you can."


def _first(source: str) -> str:
    return repr(source.strip().partition("\n")[0][:80])


def notes_on(
    names: Sequence[str], cells: Sequence[str], definitions: Pass, notebook: Pass, handed_out: str = ""
) -> list[str]:  # fmt: skip
    """What a teacher may want to look at. It takes no points off.

    Args:
      names: of the functions; cells: the code cells' texts; definitions, notebook: what was seen.
      handed_out: the text of the notebook that was handed out.
    """
    notes = [*dict.fromkeys([*definitions.ended, *notebook.ended])]
    if definitions.foreign or notebook.foreign:
        notes.append("something was written to the grader's own channel; it was ignored")
    for name in names:
        origin = definitions.origins.get(name) or notebook.origins.get(name, "")
        if origin.startswith(OURS) and not origin.startswith("sccbook.exercises"):
            notes.append(f"{name} is the package's own, from {origin}")
    if taken := _taken("\n".join(cells)) - _taken(handed_out):
        notes.append(
            f"it takes from the package, beyond what was handed out: {', '.join(sorted(taken))}"
        )
    return notes


def _taken(text: str) -> set[str]:
    """The names that a text takes from the package."""
    found = re.findall(
        r"from\s+(?:sccbook|scaleclip)[\w.]*\s+import\s+(\([^)]*|[^\n]*)|\b(?:sccbook|scaleclip)\.([\w.]+)",
        text,
    )
    names = re.sub(
        r"\bas\s+\w+", "", " ".join(part.replace(".", " ") for pair in found for part in pair)
    )
    return {*re.findall(r"\w+|\*", names)}
