"""A class's notebooks for two assignments, as students hand them in, and what each honestly earns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from classroom.tests.answers import AXIS, CAP, IMPORTS, PLACES, REPORT, SCALE
from classroom.tests.hostile import HOSTILE
from classroom.tests.paths import COURSE_FILE
from sccbook_classroom.course import load

COURSE = load(COURSE_FILE)
FIRST, FOURTH = "1_the_missing_function", "4_constraining"
GOOD = ("the smaller factor", "a wide row", "by value_and_grad")
Cells = list[dict[str, Any]]


def cell(text: str, name: str = "", kind: str = "code") -> dict[str, Any]:
    """A cell; ``name`` is nbgrader's for it."""
    own: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    metadata = {"nbgrader": {"grade_id": name, "schema_version": 3}} if name else {}
    return {"cell_type": kind, "metadata": metadata, "source": text.splitlines(True), **own}


def filled(assignment: str, answers: Sequence[str], words: str = "In words.") -> Cells:
    """An assignment's cells, with the answers in the order of its functions."""
    asked = COURSE.assignments[assignment]
    made = [cell(f"# {assignment}", kind="markdown"), cell(IMPORTS), cell('prediction = "c"')]
    for (name, points), answer in zip(asked.functions.items(), answers, strict=True):
        made += [cell(answer, f"{name}_answer"), cell(f'check("{name}", {name})')]
        made.append(cell(f'points("{name}", globals(), of={points:g})', name))
    (question,) = asked.written
    text = f"**Your answer ({question}):**\n\n{words}"
    return [*made, cell(text, f"written_{question}", "markdown")]


def first(scale: str, report: str, **more: str) -> Cells:
    return filled(FIRST, [SCALE[scale], REPORT[report]], **more)


def fourth(answers: Sequence[str], **more: str) -> Cells:
    cap, axis, places = answers
    return filled(FOURTH, [CAP[cap], AXIS[axis], PLACES[places]], **more)


def without(text: str, cells: Cells) -> Cells:
    return [one for one in cells if text not in "".join(one["source"])]


def hostile(name: str) -> Cells:
    """Honest answers to all but ``max_norm``, and then one of the hostile notebooks, which asks for it."""
    return [*without("def max_norm", fourth(GOOD)), *map(cell, HOSTILE[name].cells)]


def stored(cells: Cells, **metadata: Any) -> bytes:
    """The JSON of a notebook."""
    made = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(made).encode()


# Cells, and of each function what is found, and the part of its points.
RIGHT = ("passed", 1.0)
RICHER = [
    one | {"metadata": {"nbgrader": {"grade_id": "max_norm", "points": 100, "grade": True}}}
    for one in fourth(("rows", "lists", "by hand"))
]
CLASS: Mapping[str, tuple[bytes | Cells, Sequence[tuple[str, float | None]]]] = {
    "s01": (first("one line", "a difference"), (RIGHT, RIGHT)),
    "s02": (first("a rule", "with scale_gradient's trick"), (RIGHT, RIGHT)),
    "s03": (first("custom_gradient", "a rule"), (RIGHT, RIGHT)),
    "s04": (first("a lambda", "a difference"), (RIGHT, RIGHT)),
    "s05": (first("one line", "a difference"), (RIGHT, RIGHT)),
    "s06": (fourth(GOOD), (RIGHT, RIGHT, RIGHT)),
    "s07": (fourth(("where", "lists", "by hand")), (RIGHT, RIGHT, RIGHT)),
    "s08": (fourth(("a loop", "a wide row", "by hand")), (RIGHT, RIGHT, RIGHT)),
    "s09": (fourth(("NumPy", "lists", "by value_and_grad")), (RIGHT, RIGHT, RIGHT)),
    "s10": (fourth(("compiled", "a wide row", "by hand")), (RIGHT, RIGHT, RIGHT)),
    "s11": (first("the value too", "a difference"), (("value_scaled", 0), RIGHT)),
    "s12": (first("one minus", "the value moves"), (("one_minus_scale", 0.5), ("value_moves", 0.25))),
    "s13": (first("nothing", "not done"), (("identity", 0), ("not_attempted", 0))),
    "s14": (first("a rule", "reversed"), (RIGHT, ("reversed", 0.5))),
    "s15": (fourth(("rows", "the other way", "no cap")),
            (("rows", 0), ("other_way_round", 0.33), ("no_cap", 0.5))),
    "s16": (fourth(("Keras", "limit ignored", "by hand")),
            (("epsilon", 0.8), ("limit_ignored", 0.33), RIGHT)),
    "s17": (fourth(("by value", "zeros", "clipped after")),
            (("by_value", 0), ("zero", 0), ("clip_after_step", 0))),
    "s18": (fourth(("no return", "a wide row", "by value_and_grad")), (("returns_none", 0), RIGHT, RIGHT)),
    "s19": (without("def wrong_axis", fourth(GOOD)), (RIGHT, ("missing", 0), RIGHT)),
    "s20": ([cell(CAP["rows"]), *fourth(GOOD), cell("of_a_friend = max_norm")], (RIGHT, RIGHT, RIGHT)),
    "s21": ([cell("# notes", kind="markdown"), *reversed(fourth(GOOD))], (RIGHT, RIGHT, RIGHT)),
    "s22": (stored(fourth(GOOD))[:-700], ()),
    "s23": (b"", ()),
    "s24": ([*fourth(GOOD), cell("print('0123456789abcde' * 10**6)")], (RIGHT, RIGHT, RIGHT)),
    "s25": (RICHER, (("rows", 0), RIGHT, RIGHT)),
    "s26": (hostile("an endless loop in a cell"), (RIGHT, RIGHT, RIGHT)),
    "s27": (hostile("an exit of the process"), (RIGHT, RIGHT, RIGHT)),
    "s28": (hostile("a gigabyte of output"), (RIGHT, RIGHT, RIGHT)),
    "s29": (hostile("comparisons replaced"), (("unchanged", 0), RIGHT, RIGHT)),
    "s30": (hostile("messages on every descriptor"), (("unchanged", 0), RIGHT, RIGHT)),
}  # fmt: skip


def file_of(student: str) -> str:
    """A file's name: as Moodle's for two of one name, nbgrader's for assignment 1, else Canvas's."""
    number = int(student[1:])
    if number in (4, 5):
        return f"Ann Lee_{40_000 + number}_assignsubmission_file_/{FIRST}.ipynb"
    if number < 15 and number not in range(6, 11):
        return f"submitted/{student}/{FIRST}/{FIRST}.ipynb"
    return f"doe{student}_{1000 + number}_{90_000 + number}_{FOURTH}.ipynb"


def roster() -> str:
    """The class, as a table."""
    lines = ["student id,name,canvas_id,moodle_id,email"]
    for n in range(1, 31):
        name = "Ann Lee" if n in (4, 5) else f"Student {n}"
        lines.append(f"s{n:02},{name},{1000 + n},{40000 + n},s{n:02}@example.org")
    return "\n".join(lines) + "\n"
