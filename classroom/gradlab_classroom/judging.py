"""What a notebook's functions earn, judged from what was seen of them, in this process and not in theirs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gradlab.exercises.checking.findings import Exercise, Finding
from gradlab.exercises.checking.plain_data import describe_error
from gradlab.exercises.checking.probes import NOT_ATTEMPTED, Observations
from gradlab_classroom.sandbox.definitions import BUILTINS, only_definitions
from gradlab_classroom.sandbox.running import Pass, Question

ELSEWHERE = re.compile(
    r"(ModuleNotFoundError|FileNotFoundError|URLError|ConnectionError|HTTPError): |.*\bnot installed\b"
)
"""Errors that the same code needn't raise where it was written."""
REACHES = re.compile(
    r"\b(gc|ctypes|inspect|_getframe|settrace|setprofile|exec|eval|compile|__import__|setattr|globals|vars"
    r"|__code__|__closure__|__globals__|__dict__|__subclasses__|__builtins__|sys\.modules)\b"
)
"""Words of code that can reach what observes it. Students' answers seldom have one."""
LARGEST = 200_000
"""Letters of a cell: what is longer was not typed."""
NOT_JUDGED = (
    "what it returned could not be judged. It should return what the assignment asks for: numbers, "
    "arrays, and dicts or tuples of these."
)


@dataclass(frozen=True)
class Mark:
    """What one function earns.

    Attributes:
      name: of the function.
      of: the points of a right one.
      points: None where it's left open, for a person to decide.
      finding: a short name for what was found.
      message: the same for the student.
      quote: the first lines of the cell that defines it, or "".
      why: of a function that is left open: why, and what to do, for the teacher.
    """

    name: str
    of: float
    points: float | None
    finding: str
    message: str
    quote: str = ""
    why: str = ""


def judge(
    exercise: Exercise,
    of: float,
    cells: Sequence[str],
    texts: Sequence[str],
    definitions: Pass,
    notebook: Pass,
) -> Mark:
    """Judge one function.

    Args:
      exercise: that asks for it.
      of: the points of a right one.
      cells: the code cells' texts.
      texts: those of the other cells.
      definitions: what was seen with the definitions alone.
      notebook: what was seen after all cells, where that was not right.
    """
    question = Question.of(exercise)
    alone, with_all = definitions.seen(question), notebook.seen(question)
    first, second = found_in(exercise, alone), found_in(exercise, with_all)
    credit, more = exercise.credit(first), exercise.credit(second)
    finding = first if credit > 0 or second.name in ("missing", first.name) else second
    quoted = _defining(exercise.name, cells)
    why = ""
    if more > credit:
        finding = second
        why = (
            (
                "It is right with the whole notebook, and not with its definitions alone. Look at what the "
                "other cells do to it."
            )
            if second.passed
            else "It gets more points with the whole notebook than with its definitions alone."
        )
    elif credit == 1 and not quoted:
        why = "It is right, but no cell defines it. Look at where it comes from."
    elif credit == 1 and (word := _reaching(cells, [exercise.name])):
        why = f"It is right, and the notebook uses {word!r}, which can reach what observes it. Read its code."
    elif credit < 1:
        why = _not_run(exercise.name, cells, texts, definitions, notebook, [alone, with_all])
    points = None if why else round(of * credit, 2)
    return Mark(exercise.name, of, points, finding.name, finding.message, quoted, why)


def found_in(exercise: Exercise, seen: Observations | None) -> Finding:
    """Judge what was seen. Whatever the data make a judge raise is no fault of the machine."""
    if seen is None:
        return Finding("missing", f"there is no function called {exercise.name}.")
    try:
        return exercise.judge(seen)
    except Exception as error:
        return Finding("not_judged", f"{NOT_JUDGED} ({describe_error(error)})")


def _defining(name: str, cells: Sequence[str]) -> str:
    """The first lines of the last cell that defines a name."""
    defines = re.compile(
        rf"^\s*(?:(?:async\s+)?def|class)\s+{name}\b|^\s*{name}\s*(?::[^=]*)?=[^=]|^\s*(?:from|import)\b.*\b{name}\b",
        re.MULTILINE,
    )
    for source in reversed(cells):
        if match := defines.search(source):
            lines = source[match.start() :].strip("\n").splitlines()
            return "\n".join(line[:120] for line in lines[:6])
    return ""


def _reaching(cells: Sequence[str], names: Collection[str]) -> str:
    """The first word of what the cells define that can reach beyond it."""
    harmless = set(BUILTINS)
    for source in cells:
        kept = only_definitions(source, names, harmless) if len(source) < LARGEST else source
        for line in kept.splitlines():
            if not line.lstrip().startswith(("import ", "from ")) and (
                match := REACHES.search(line)
            ):
                return match[0]
    return ""


def _not_run(
    name: str,
    cells: Sequence[str],
    texts: Sequence[str],
    definitions: Pass,
    notebook: Pass,
    seen: Sequence[Observations | None],
) -> str:
    """Why a function that isn't right may be right where it was written, and what to do; or ""."""
    errors = [run.error or "" for one in seen if one for run in one.seen]
    if NOT_ATTEMPTED in errors[:1]:
        return ""
    for text in texts:
        if re.search(rf"^\s*def\s+{name}\b", text, re.MULTILINE) and not _defining(name, cells):
            return f"The text cell that begins {_first(text)} defines it, and text isn't run. Make it code."
    for number, error in {**definitions.errors, **notebook.errors}.items():
        if ELSEWHERE.match(error):
            return f"The cell that begins {_first(cells[number])} did not run here: {error}. Run it where you can."
    for error in errors:
        if ELSEWHERE.match(error):
            return f"It did not run here: {error}. Run it where you can."
    return ""


def _first(source: str) -> str:
    return repr(source.strip().partition("\n")[0][:80])


def notes_on(
    names: Sequence[str], cells: Sequence[str], definitions: Pass, notebook: Pass
) -> list[str]:
    """What a teacher may want to look at. It takes no points off."""
    notes = [*dict.fromkeys([*definitions.ended, *notebook.ended])]
    if definitions.foreign or notebook.foreign:
        notes.append("something was written to the grader's own channel; it was ignored")
    for name in names:
        origin = definitions.origins.get(name) or notebook.origins.get(name, "")
        imports = rf"^\s*from\s+gradlab(?!\.exercises)[\w.]*\s+import\b.*(\b{name}\b|\*)"
        if origin.startswith("gradlab.") and not origin.startswith("gradlab.exercises"):
            notes.append(f"{name} is the package's own, from {origin}")
        elif any(re.search(imports, source, re.MULTILINE) for source in cells):
            notes.append(f"it imports {name} from the package, and is asked to write it")
    return notes
