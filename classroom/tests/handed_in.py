"""Thirty submissions of a class to two assignments, and what each honestly earns; and four of them.

Ten are right, eight wrong, seven damaged on their way, and five hostile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classroom.tests.answers import AXIS, CAP, PLACES, REPORT, SCALE
from classroom.tests.hostile import HOSTILE
from classroom.tests.notebooks_for_tests import (
    FIRST,
    FOURTH,
    as_bytes,
    cells,
    code,
    markdown,
    notebook,
    of_colab,
    of_vs_code,
    with_output,
)

RIGHT = ("passed", 1.0)


@dataclass(frozen=True)
class Handed:
    """One file, and what the grader should say of it.

    Attributes:
      student: as the roster has it.
      file: its path.
      data: its content.
      findings: of each function, and the part of its points.
      note: a part of a note or, of one that is not graded, of the reason.
    """

    student: str
    file: str
    data: bytes
    assignment: str
    findings: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    status: str = "graded"
    note: str = ""
    prediction: str = "c"


def _first(
    student: str,
    scale: str,
    report: str,
    *found: tuple[str, float],
    file: str = "",
    data: bytes | None = None,
    **more: Any,
) -> Handed:
    own = notebook(cells(FIRST, [SCALE[scale], REPORT[report]], words=f"By {student}."), FIRST)
    file = file or f"submitted/{student}/{FIRST}/{FIRST}.ipynb"
    findings = dict(zip(("scale_gradient", "report_and_differentiate"), found, strict=True))
    return Handed(student, file, data or as_bytes(own), FIRST, findings, **more)


def _fourth(
    student: str,
    answers: Sequence[str],
    *found: tuple[str, float],
    file: str = "",
    data: bytes | None = None,
    **more: Any,
) -> Handed:
    own = as_bytes(notebook(_cells(answers), FOURTH)) if data is None else data
    number = int(student[1:])
    file = file or f"doe{student}_{1000 + number}_{90_000 + number}_{FOURTH}.ipynb"
    findings = dict(zip(("max_norm", "wrong_axis", "three_places"), found, strict=False))
    return Handed(student, file, own, FOURTH, findings, **more)


def _cells(answers: Sequence[str]) -> list[dict[str, Any]]:
    cap, axis, places = answers
    return cells(FOURTH, [CAP[cap], AXIS[axis], PLACES[places]])


GOOD = ("the smaller factor", "a wide row", "by value_and_grad")
ALL_RIGHT = (RIGHT, RIGHT, RIGHT)
FOURTH_RIGHT = notebook(_cells(GOOD), FOURTH)

PASSING = [
    _first("s01", "one line", "a difference", RIGHT, RIGHT),
    _first("s02", "a rule", "with scale_gradient's trick", RIGHT, RIGHT),
    _first("s03", "custom_gradient", "a rule", RIGHT, RIGHT),
    _first(
        "s04",
        "a lambda",
        "a difference",
        *(RIGHT, RIGHT),
        file=f"Ann Lee_40004_assignsubmission_file_/{FIRST}.ipynb",
    ),
    _first(
        "s05",
        "one line",
        "a difference",
        *(RIGHT, RIGHT),
        file="Ann Lee_40005_assignsubmission_file_work.ipynb",
    ),
    _fourth("s06", GOOD, *ALL_RIGHT),
    _fourth("s07", ("where", "lists", "by hand"), *ALL_RIGHT),
    _fourth("s08", ("a loop", "a wide row", "by hand"), *ALL_RIGHT),
    _fourth("s09", ("NumPy", "lists", "by value_and_grad"), *ALL_RIGHT, file="s09/final.ipynb"),
    _fourth("s10", ("compiled", "a wide row", "by hand"), *ALL_RIGHT, file=f"s10_{FOURTH}.ipynb"),
]

WRONG = [
    _first("s11", "the value too", "a difference", ("value_scaled", 0), RIGHT),
    _first("s12", "one minus", "the value moves", ("one_minus_scale", 0.5), ("value_moves", 0.25)),
    _first("s13", "nothing", "not done", ("identity", 0), ("not_attempted", 0)),
    _first("s14", "a rule", "reversed", RIGHT, ("reversed", 0.5)),
    _fourth(
        "s15",
        ("rows", "the other way", "no cap"),
        *(("rows", 0), ("other_way_round", 0.33), ("no_cap", 0.5)),
    ),
    _fourth(
        "s16",
        ("Keras", "limit ignored", "by hand"),
        *(("epsilon", 0.8), ("limit_ignored", 0.33), RIGHT),
    ),
    _fourth(
        "s17",
        ("by value", "zeros", "clipped after"),
        *(("by_value", 0), ("zero", 0), ("clip_after_step", 0)),
    ),
    _fourth(
        "s18", ("no return", "a wide row", "by value_and_grad"), ("returns_none", 0), RIGHT, RIGHT
    ),
]

without_a_function = notebook(
    [cell for cell in _cells(GOOD) if "def wrong_axis" not in "".join(cell["source"])], FOURTH
)
twice = notebook(
    [code(CAP["rows"]), *_cells(GOOD), code("max_norm_of_a_friend = max_norm")], FOURTH
)
reordered = notebook([markdown("# notes"), *reversed(_cells(GOOD))], "")
cut_short = as_bytes(FOURTH_RIGHT)[:-700]
richer = notebook(
    [
        cell | {"metadata": {"nbgrader": {"grade_id": "max_norm", "points": 100, "grade": True}}}
        for cell in _cells(("rows", "lists", "by hand"))
    ],
    FOURTH,
    kernelspec={"name": "ir", "language": "R"},
    scores={"max_norm": 100},
)

DAMAGED = [
    _fourth("s19", GOOD, RIGHT, ("missing", 0), RIGHT, data=as_bytes(without_a_function)),
    _fourth("s20", GOOD, *ALL_RIGHT, data=as_bytes(of_colab(twice))),
    _fourth("s21", GOOD, *ALL_RIGHT, data=as_bytes(of_vs_code(reordered))),
    _fourth("s22", GOOD, *ALL_RIGHT, data=cut_short, note="the file is damaged"),
    _fourth("s23", GOOD, data=b"", status="unreadable", note="the file is empty"),
    _fourth("s24", GOOD, *ALL_RIGHT, data=as_bytes(with_output(FOURTH_RIGHT, 12))),
    _fourth("s25", GOOD, ("rows", 0), RIGHT, RIGHT, data=as_bytes(richer)),
]


def _hostile(student: str, name: str, *found: tuple[str, float], note: str) -> Handed:
    """One of the bank's, with honest answers to the other two questions before it."""
    own = _cells(GOOD)
    own = [cell for cell in own if "def max_norm" not in "".join(cell["source"])]
    made = notebook([*own, *(code(text) for text in HOSTILE[name].cells)], FOURTH)
    return _fourth(student, GOOD, *found, data=as_bytes(made), note=note)


UNCHANGED = ("unchanged", 0.0)
OTHERS_RIGHT = (RIGHT, RIGHT)
HARMFUL = [
    _hostile("s26", "an endless loop in a cell", *ALL_RIGHT, note="ran longer than"),
    _hostile("s27", "an exit of the process", *ALL_RIGHT, note="the process ended by itself"),
    _hostile("s28", "a gigabyte of output", *ALL_RIGHT, note="it printed more than"),
    _hostile(
        "s29", "comparisons replaced", UNCHANGED, *OTHERS_RIGHT, note="numpy.allclose was replaced"
    ),
    _hostile(
        "s30",
        "messages on every descriptor",
        *(UNCHANGED, *OTHERS_RIGHT),
        note="grader's own channel",
    ),
]

THIRTY = [*PASSING, *WRONG, *DAMAGED, *HARMFUL]
FOUR = [handed for handed in THIRTY if handed.student in ("s01", "s15", "s23", "s30")]
"""One of each kind."""


def roster() -> str:
    """The class, as a table."""
    lines = ["student id,name,canvas_id,moodle_id,email"]
    for n in range(1, 31):
        name = "Ann Lee" if n in (4, 5) else f"Student {n}"
        lines.append(f"s{n:02},{name},{1000 + n},{40000 + n},s{n:02}@example.org")
    return "\n".join(lines) + "\n"
