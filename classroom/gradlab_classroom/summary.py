"""The class on one page: how points are spread, what went wrong most often, and what needs a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from gradlab_classroom import sheets
from gradlab_classroom.course import Assignment, Course
from gradlab_classroom.results import GRADED, Item, Result
from gradlab_classroom.roster import Roster

LONG = 60
"""Letters of an answer in words: shorter ones are the same by chance."""


def write(out: Path, found: Sequence[Result], course: Course, roster: Roster) -> None:
    """Write ``summary.html``."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: sheets.printable(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["points"] = sheets.number
    assigned = [
        one for name, one in course.assignments.items() if any(r.assignment == name for r in found)
    ]
    page = environment.get_template("summary.html").render(
        course=course,
        looks=list(looks(found)),
        alike=list(alike(found)),
        absent=[(one.title, absent(one, found, roster)) for one in assigned],
        parts=[part(one, [r for r in found if r.assignment == one.name]) for one in assigned],
    )
    (out / "summary.html").write_text(page, encoding="utf-8")


def looks(found: Sequence[Result]) -> Iterator[Mapping[str, Any]]:
    """Yield what needs a look: first what isn't graded, then what is left open, then notes."""
    for one in sorted(found, key=lambda one: (one.status == GRADED, one.points is not None)):
        details = [
            f"{item.name}: {item.why}" for item in one.marks if item.why and item.points is None
        ]
        details += [one.reason] if one.reason else []
        details += one.notes
        if details:
            kind = "note" if one.status == GRADED else one.status
            open_ = any(item.points is None for item in one.marks)
            yield {"one": one, "what": "left open" if open_ and kind == "note" else kind,
                   "details": details, "link": link(one)}  # fmt: skip


def link(one: Result) -> str:
    """Return the address of a graded notebook's page, from the summary."""
    if one.status != GRADED:
        return ""
    return quote(f"feedback/{one.student}/{one.assignment}/{one.assignment}.html")


def alike(found: Sequence[Result]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the assignment, the question and the students whose answers in words are the same."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in found:
        for question, text in one.texts.items():
            plain = " ".join(text.lower().split())
            if len(plain) >= LONG:
                groups.setdefault((one.assignment, question, plain), []).append(one.student)
    for (assignment, question, _), students in groups.items():
        if len(students) > 1:
            yield assignment, question, students


def absent(assignment: Assignment, found: Sequence[Result], roster: Roster) -> list[str]:
    """Return who has handed in nothing for an assignment."""
    have = {one.student for one in found if one.assignment == assignment.name}
    return [student for student in roster.people if student not in have]


def part(assignment: Assignment, found: Sequence[Result]) -> Mapping[str, Any]:
    """One assignment in numbers."""
    graded = [one for one in found if one.status == GRADED]
    totals = [one.points for one in graded if one.points is not None]
    functions = [_function(name, of, graded) for name, of in assignment.functions.items()]
    wrong = [(f["name"], finding) for f in functions for finding in f["findings"]]
    predictions = Counter(one.prediction.strip().lower() for one in graded)
    return {
        "assignment": assignment,
        "graded": len(graded),
        "totals": totals,
        "bars": spread(totals, assignment.points),
        "functions": functions,
        "monday": max(wrong, key=lambda pair: pair[1]["count"], default=None),
        "predictions": [
            (f"{key}: {text}", predictions[key])
            for key, text in (
                assignment.prediction.choices if assignment.prediction else {}
            ).items()
        ],
        "rows": [{"one": one, "link": link(one)} for one in found],
    }


def spread(totals: Sequence[float], of: float) -> list[Mapping[str, Any]]:
    """Return ten bars of a histogram of totals: the range, and how many fall into it."""
    counts = Counter(min(9, int(10 * total / of)) for total in totals)
    return [
        {"low": of * n / 10, "high": of * (n + 1) / 10, "count": counts[n],
         "height": 100 * counts[n] / max(1, 0, *counts.values())}
        for n in range(10)
    ]  # fmt: skip


def _function(name: str, of: float, graded: Sequence[Result]) -> Mapping[str, Any]:
    """One function in numbers, and its mistakes, the most frequent first."""
    items: list[Item] = [item for one in graded for item in one.marks if item.name == name]
    wrong = [item for item in items if item.finding != "passed"]
    told = {item.finding: item.message for item in reversed(wrong)}
    counts = Counter(item.finding for item in wrong)
    marked = [item.points for item in items if item.points is not None]
    return {
        "name": name,
        "of": of,
        "right": sum(item.finding == "passed" for item in items),
        "open": sum(item.points is None for item in items),
        "count": len(items),
        "mean": sum(marked) / len(marked) if marked else None,
        "findings": [
            {"name": finding, "count": count, "message": told[finding]}
            for finding, count in counts.most_common()
        ],
    }
