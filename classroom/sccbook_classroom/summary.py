"""The class on one page: how points are spread, what went wrong most often, and what needs a look."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from sccbook_classroom.course import Assignment, Course
from sccbook_classroom.exporting import number
from sccbook_classroom.results import GRADED, Item, Result
from sccbook_classroom.roster import Roster, printable

LONG = 60
"""Letters of an answer in words: shorter ones are the same by chance."""


def write(out: Path, found: Sequence[Result], course: Course, roster: Roster) -> None:
    """Write ``summary.html``, with everything that a student wrote escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: printable(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(points=number, link=link)
    names = {one.assignment for one in found}
    parts = [
        part(one, [each for each in found if each.assignment == name], roster)
        for name, one in course.assignments.items()
        if name in names
    ]
    page = environment.get_template("summary.html").render(
        course=course, looks=list(looks(found)), alike=list(alike(found)), parts=parts
    )
    (out / "summary.html").write_text(page, encoding="utf-8")


def link(one: Result) -> str:
    """Return the address of a graded notebook's page, from the summary; "" where there is none."""
    path = f"feedback/{one.student}/{one.assignment}/{one.assignment}.html"
    return quote(path) if one.status == GRADED else ""


def looks(found: Sequence[Result]) -> Iterator[tuple[str, Result, Sequence[str]]]:
    """Yield what needs a look, and why: first what isn't graded, then what is left open, then notes."""
    for one in sorted(
        found, key=lambda one: (one.status == GRADED, not any(map(_open, one.marks)))
    ):
        changed = "it was marked by hand, and is another answer now: look again"
        left = [f"{each.name}: {each.why or changed}" for each in filter(_open, one.marks)]
        details = [*left, *filter(None, [one.reason]), *one.notes]
        if details:
            kind = one.status if one.status != GRADED else "left open" if left else "note"
            yield kind, one, details


def _open(item: Item) -> bool:
    return item.points is None


def alike(found: Sequence[Result]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield the assignment, the question and the students whose answers in words are the same."""
    groups = defaultdict(list)
    for one in found:
        for question, text in one.texts.items():
            plain = " ".join(text.lower().split())
            if len(plain) >= LONG:
                groups[one.assignment, question, plain].append(one.student)
    yield from ((at, what, who) for (at, what, _), who in groups.items() if len(who) > 1)


def part(assignment: Assignment, found: Sequence[Result], roster: Roster) -> Mapping[str, Any]:
    """One assignment in numbers."""
    graded = [one for one in found if one.status == GRADED]
    totals = [one.points for one in graded if one.points is not None]
    bars = Counter(min(9, int(10 * total / assignment.points)) for total in totals)
    functions = [_function(name, graded) for name in assignment.functions]
    wrong = [(one["name"], *mistake) for one in functions for mistake in one["mistakes"]]
    predicted = Counter(one.prediction.strip().lower() for one in graded)
    choices = assignment.prediction.choices if assignment.prediction else {}
    return {
        "assignment": assignment,
        "rows": found,
        "asked": [*assignment.functions, *assignment.written],
        "totals": totals,
        "bars": [bars[tenth] for tenth in range(10)],
        "functions": functions,
        "discuss": max(wrong, key=lambda one: one[2], default=None),
        "predictions": [(f"{key}: {text}", predicted[key]) for key, text in choices.items()],
        "absent": sorted({*roster.people} - {one.student for one in found}),
    }


def _function(name: str, graded: Sequence[Result]) -> Mapping[str, Any]:
    """One function in numbers, and its mistakes, the most frequent first."""
    items = [item for one in graded for item in one.marks if item.name == name]
    wrong = Counter(item.finding for item in items if item.finding != "passed")
    told = {item.finding: item.message for item in items}
    marked = [item.points for item in items if item.points is not None]
    return {
        "name": name,
        "count": len(items),
        "right": sum(item.finding == "passed" for item in items),
        "open": sum(item.points is None for item in items),
        "mean": sum(marked) / len(marked) if marked else None,
        "mistakes": [(finding, count, told[finding]) for finding, count in wrong.most_common()],
    }
