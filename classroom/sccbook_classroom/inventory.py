"""``inventory``: questions for before and after, in two forms that ask the same; and their key."""

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from typing import Literal

from sccbook_classroom.course import ASSIGNMENTS, Part

Choice = dict[Literal["text", "right", "misconception", "shows"], str | bool]


class Form(Part):
    """A question in one form. Each wrong choice shows a misconception."""

    stem: str
    choices: dict[str, Choice]


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


def as_markdown(inventory: Inventory, form: str) -> str:
    """Return one form as a sheet to print, without the key."""
    text = f"# {inventory.title}\n\nForm {form}. Student: ______________ (before / after)\n\n"
    text += inventory.instructions.strip()
    for question in inventory.questions:
        text += f"\n\n**{question.id}.** {question.forms[form].stem.strip()}\n"
        for letter, choice in question.forms[form].choices.items():
            text += f"\n- **{letter}.** {choice['text']}"
    return f"{text}\n"


def key(inventory: Inventory, form: str) -> Iterator[list[str]]:
    """Yield of each choice: "A1B" to look it up by, form, question, letter, its kind, its words."""
    for question in inventory.questions:
        for letter, choice in question.forms[form].choices.items():
            kind = str(choice.get("misconception", "right"))
            where, words = [form, str(question.id), letter], inventory.misconceptions.get(kind, "")
            yield ["".join(where), *where, kind, words]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print sheets, or the key as a CSV, and return 0. May raise ``CourseError``."""
    parser = argparse.ArgumentParser("python -m sccbook_classroom inventory", description=__doc__)
    parser.add_argument("what", choices=("print", "key"), help="a sheet without the key, or a CSV")
    parser.add_argument("--form", choices=("A", "B"), help="default: both")
    given, own = parser.parse_args(arguments), Inventory.read(ASSIGNMENTS / "inventory.yml")
    if given.what == "print":
        sys.stdout.writelines(as_markdown(own, form) for form in given.form or "AB")
        return 0
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["lookup", "form", "question", "letter", "kind", "words"])
    table.writerows(row for form in given.form or "AB" for row in key(own, form))
    return 0
