"""The concept inventory: twelve questions for before and after, in two forms that ask the same.

``classroom/assignments/inventory.yml`` holds the questions and their key; ``responses`` scores a class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gradlab_classroom.paths import INVENTORY

FORMS = ("A", "B")
LETTERS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Choice:
    """One choice: its words, and the misconception of one that is wrong, which it ``shows``."""

    text: str
    misconception: str | None = None
    shows: str = ""


@dataclass(frozen=True)
class Question:
    """One question, in one form: its choices by their letters."""

    id: int
    concept: str
    stem: str
    choices: Mapping[str, Choice]

    @property
    def right(self) -> str:
        """The letter of the right choice."""
        return next(
            letter for letter, choice in self.choices.items() if choice.misconception is None
        )


@dataclass(frozen=True)
class Inventory:
    """The questions by form, and the misconceptions in words."""

    title: str
    instructions: str
    misconceptions: Mapping[str, str]
    forms: Mapping[str, tuple[Question, ...]]


def read(path: str | Path = INVENTORY) -> Inventory:
    """Read the inventory, and refuse one that could not be scored, or is not parallel.

    Args:
      path: a YAML file of the form of ``classroom/assignments/inventory.yml``.

    Returns:
      The inventory; each form has the same questions in the same order.

    Raises:
      FileNotFoundError: if there is no such file.
      ValueError: if it is malformed; it names the question, the form and what is wrong.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(
            f"There is no inventory at {path}. Run this in the root of the repository, or name the "
            "file with --inventory."
        )
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    _keys(raw, {"title", "instructions", "misconceptions", "questions"}, str(path))
    words = raw["misconceptions"]
    questions = raw["questions"]
    for place, question in enumerate(questions, start=1):
        _keys(question, {"id", "concept", "forms"}, f"question {place}")
        if question["id"] != place:
            raise ValueError(f"Question {place} has the id {question['id']!r}. Ids count from 1.")
        _keys(question["forms"], set(FORMS), f"the forms of question {place}")
    forms = {
        form: tuple(_question(question, form, words) for question in questions) for form in FORMS
    }
    for pair in zip(*forms.values(), strict=True):
        offered = [
            sorted(filter(None, map(_misconception, question.choices.values())))
            for question in pair
        ]
        if offered[0] != offered[1]:
            raise ValueError(
                f"Question {pair[0].id} offers {', '.join(offered[0])} in form A, and "
                f"{', '.join(offered[1])} in form B. Both must offer the same."
            )
    used = {_misconception(c) for question in forms["A"] for c in question.choices.values()}
    if unused := sorted(set(words) - used):
        raise ValueError(f"No choice stands for {', '.join(unused)}. Use it, or take it out.")
    return Inventory(raw["title"], raw["instructions"], words, forms)


def as_markdown(inventory: Inventory, form: str) -> str:
    """Return one form as a sheet to print. The key is not in it.

    Raises:
      ValueError: if there is no such form.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, but {form!r} was given.")
    lines = [
        f"# {inventory.title}",
        "",
        f"Form {form}. Student: ______________ (before / after)",
        "",
    ]
    lines += [inventory.instructions.strip(), ""]
    for question in inventory.forms[form]:
        lines += [f"**{question.id}.** {question.stem.strip()}", ""]
        lines += [
            f"- **{letter}.** {choice.text}" for letter, choice in question.choices.items()
        ] + [""]
    return "\n".join(lines)


def _question(raw: Mapping[str, Any], form: str, words: Mapping[str, str]) -> Question:
    where = f"question {raw['id']}, form {form}"
    asked = raw["forms"][form]
    _keys(asked, {"stem", "choices"}, where)
    _keys(asked["choices"], set(LETTERS), f"the choices of {where}")
    choices = {at: _choice(asked["choices"][at], f"{where}, choice {at}", words) for at in LETTERS}
    right = [letter for letter, choice in choices.items() if choice.misconception is None]
    if len(right) != 1:
        raise ValueError(f"{where} has {len(right)} right choices ({', '.join(right)}), not one.")
    texts = {" ".join(choice.text.split()).casefold() for choice in choices.values()}
    kinds = {choice.misconception for choice in choices.values()}
    if min(len(texts), len(kinds)) < len(LETTERS):
        raise ValueError(f"{where} has two choices that are equal, in words or in misconception.")
    return Question(raw["id"], raw["concept"], asked["stem"], choices)


def _choice(raw: Any, where: str, words: Mapping[str, str]) -> Choice:
    right = isinstance(raw, dict) and raw.get("right") is True
    _keys(raw, {"text", "right"} if right else {"text", "misconception", "shows"}, where)
    for key in set(raw) - {"right"}:
        if not isinstance(raw[key], str) or not raw[key].strip():
            raise ValueError(f"{where}: {key} must be text, but it is {raw[key]!r}. Quote it.")
    if right:
        return Choice(raw["text"])
    if raw["misconception"] not in words:
        raise ValueError(f"{where}: {raw['misconception']!r} is not among the misconceptions.")
    return Choice(raw["text"], raw["misconception"], raw["shows"])


def _keys(raw: Any, expected: set[str], where: str) -> None:
    """Refuse what is no mapping with exactly these keys."""
    given = set(raw) if isinstance(raw, dict) else None
    if given != expected:
        names = "no keys at all" if given is None else ", ".join(sorted(map(str, given)))
        raise ValueError(f"{where} must have {', '.join(sorted(expected))}; it has {names}.")


def _misconception(choice: Choice) -> str | None:
    return choice.misconception
