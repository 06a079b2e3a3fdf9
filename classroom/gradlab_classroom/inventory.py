"""``inventory``: questions for before and after, in two forms that ask the same; and their score."""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import model_validator

from gradlab_classroom.course import ASSIGNMENTS, CourseError, Part

Choice = dict[Literal["text", "right", "misconception", "shows"], str | bool]
Sheets = Mapping[str, Sequence[str]]  # of each student: the kinds of the choices, "" if left out


class Form(Part):
    """A question in one form. Each wrong choice shows a misconception."""

    stem: str
    choices: dict[str, Choice]

    def kinds(self) -> dict[str, str]:
        """Return what each letter is: ``right``, or a misconception."""
        return {at: str(one.get("misconception", "right")) for at, one in self.choices.items()}


class Question(Part):
    """A question, in both forms."""

    id: int
    concept: str
    forms: dict[str, Form]


class Inventory(Part):
    """The questions, and the misconceptions in words."""

    title: str
    instructions: str
    misconceptions: dict[str, str]
    questions: list[Question]

    @model_validator(mode="after")
    def _checked(self) -> Self:
        used = set[str]()
        for n, one in enumerate(self.questions, start=1):
            letters = "".join(name + "".join(form.choices) for name, form in one.forms.items())
            kinds = [{*form.kinds().values()} for form in one.forms.values()]
            if (one.id, letters) != (n, "AABCDBABCD") or len(kinds[0]) < 4 or kinds[0] != kinds[1]:
                needs = f"id {n}; forms A and B, choices A to D; one right, the same misconceptions"
                raise ValueError(f"question {n} needs {needs}. It has {one.id}, {letters}, {kinds}")
            used |= kinds[0]
        if odd := used ^ {"right", *self.misconceptions}:
            raise ValueError(f"{odd}: without words, or not shown by a choice")
        return self


def as_markdown(inventory: Inventory, form: str) -> str:
    """Return one form as a sheet to print, without the key."""
    text = f"# {inventory.title}\n\nForm {form}. Student: ______________ (before / after)\n\n"
    text += inventory.instructions.strip()
    for question in inventory.questions:
        text += f"\n\n**{question.id}.** {question.forms[form].stem.strip()}\n"
        for letter, choice in question.forms[form].choices.items():
            text += f"\n- **{letter}.** {choice['text']}"
    return f"{text}\n"


def sheets_of(path: Path, inventory: Inventory) -> tuple[Sheets, Sheets]:
    """Read a CSV of student, form, when, q1, ...; return the sheets of before and of after."""
    times: dict[str, dict[str, list[str]]] = {"BEFORE": {}, "AFTER": {}}
    # ids may be in another encoding: nobody reads them
    lines = path.read_text("utf-8-sig", errors="replace").upper().splitlines()
    rows = csv.DictReader(lines, restkey="MORE", restval="no cell")
    for row in rows:
        cells = {name.strip(): str(cell).strip() for name, cell in row.items()}
        where = f"{path}, line {rows.line_num}"
        try:
            student, sheets = cells["STUDENT"], times[cells["WHEN"]]
            forms = {f"Q{one.id}": one.forms[cells["FORM"]] for one in inventory.questions}
            sheet = [{**form.kinds(), "": ""}[cells[name]] for name, form in forms.items()]
        except KeyError as error:
            words = "student, form (A, B), when (before, after), q1, ... (A to D or empty)"
            raise CourseError(f"{where}: {error} is no column or value of {words}") from error
        if not student or student in sheets or "MORE" in cells:
            raise CourseError(f"{where}: no student, their second sheet, or a cell too many")
        sheets[student] = sheet
    return times["BEFORE"], times["AFTER"]


def as_table(inventory: Inventory, sheets: tuple[Sheets, Sheets]) -> str:
    """Return the shares that had each question right, how often each kind was chosen, and the gain.

    With N questions, a student's normalised gain is (after - before) / (N - before). A student who
    had all of them right before has none.
    """
    before, after = sheets
    lines = [f"{'sheets':58}{len(before):8} before {len(after):8} after", ""]
    for k, one in enumerate(inventory.questions):
        right = [[own[k] == "right" for own in at.values()] for at in sheets]
        shares = "".join(f"{sum(some) / max(len(some), 1):8.0%}" for some in right)
        lines.append(f"{f'{one.id:2} {one.concept}':58}{shares}")
    first, last = (Counter(kind for own in at.values() for kind in own) for at in sheets)
    lines.append("")
    for kind, _ in (first + last).most_common():
        lines.append(f"{kind or 'left out':58}{first[kind]:8}{last[kind]:8}")
    n = len(inventory.questions)
    pairs = [(before[s].count("right"), after[s].count("right")) for s in before if s in after]
    gains = [(post - pre) / (n - pre) for pre, post in pairs if pre < n]
    gain = f"{sum(gains) / len(gains):.2f}, the mean of {len(gains)}" if gains else "none"
    return "\n".join([*lines, "", f"Normalised gain of {len(pairs)} pairs: {gain}", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a form, or score a class; return 0, or 2 where that can't be done."""
    parser = argparse.ArgumentParser("python -m gradlab_classroom inventory", description=__doc__)
    commands = parser.add_subparsers(required=True)
    printing = commands.add_parser("print", help="one form as Markdown, without the key")
    printing.add_argument("--form", choices=("A", "B"), required=True)
    scoring = commands.add_parser("score", help="a CSV: student, form, when, q1, q2, ...")
    scoring.add_argument("file", type=Path)
    given = parser.parse_args(arguments)
    try:
        own, printed = Inventory.read(ASSIGNMENTS / "inventory.yml"), "form" in given
        text = (
            as_markdown(own, given.form) if printed else as_table(own, sheets_of(given.file, own))
        )
    except (OSError, CourseError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(text)
    return 0
