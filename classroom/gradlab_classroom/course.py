"""``course.yml``: what each assignment asks for, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


class CourseError(ValueError):
    """A course file that cannot be used, and what to change in it."""


@dataclass(frozen=True)
class Written:
    """A question that is answered in words, and marked by hand.

    Attributes:
      points: of a full answer.
      question: as it stands in the assignment.
      rubric: what earns a point, one line each.
    """

    points: float
    question: str
    rubric: Sequence[str]


@dataclass(frozen=True)
class Prediction:
    """A guess before anything is run. It is recorded, and never marked for being right."""

    question: str
    choices: Mapping[str, str]


@dataclass(frozen=True)
class Assignment:
    """One assignment.

    Attributes:
      name: of its folder and notebook.
      minutes: an estimate.
      chapters: the numbers of the chapters that it follows.
      functions: the points of each graded function, by name.
      written: by name.
    """

    name: str
    title: str
    minutes: int
    chapters: Sequence[str]
    functions: Mapping[str, float]
    prediction: Prediction | None
    written: Mapping[str, Written]

    @property
    def points(self) -> float:
        """Points of a perfect submission."""
        return sum(self.functions.values()) + sum(
            question.points for question in self.written.values()
        )


@dataclass(frozen=True)
class Course:
    """The assignments by name, in their order."""

    title: str
    install: str
    assignments: Mapping[str, Assignment]


def load(path: Path) -> Course:
    """Read a course file.

    Raises:
      CourseError: if it is missing, no YAML, or has not what an assignment needs; it says where.
    """
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({error.strerror}). Run this in the root of the repository, or "
            "name the course's file with --course."
        ) from error
    except yaml.YAMLError as error:
        raise CourseError(f"{path} is no YAML: {error}") from error
    top = _Part(path, "", found)
    return Course(
        title=top.text("title"),
        install=str(top.given.get("install") or ""),
        assignments={
            name: _assignment(name, part) for name, part in top.parts("assignments").items()
        },
    )


def _assignment(name: str, part: _Part) -> Assignment:
    return Assignment(
        name=name,
        title=part.text("title"),
        minutes=int(part.number("minutes")),
        chapters=[str(number) for number in part.given.get("chapters", [])],
        functions=part.numbers("functions"),
        prediction=_prediction(part.part("prediction")) if "prediction" in part.given else None,
        written={
            key: Written(
                question.number("points"), question.text("question"), question.texts("rubric")
            )
            for key, question in (part.parts("written") if "written" in part.given else {}).items()
        },
    )


def _prediction(part: _Part) -> Prediction:
    choices = part.part("choices").given
    return Prediction(
        part.text("question"), {str(key): str(choice).strip() for key, choice in choices.items()}
    )


class _Part:
    """A mapping of the file, and where it stands, for messages."""

    def __init__(self, path: Path, where: str, given: Any) -> None:
        self.path, self.where = path, where
        if not isinstance(given, dict):
            raise self.error("a mapping", given)
        self.given = given

    def error(self, expected: str, given: Any, key: str = "") -> CourseError:
        where = " / ".join(name for name in (self.where, key) if name) or "its top level"
        return CourseError(f"{self.path}: {where} should be {expected}, and is {given!r}.")

    def part(self, key: str) -> _Part:
        return _Part(self.path, f"{self.where} / {key}" if self.where else key, self.given.get(key))

    def parts(self, key: str) -> dict[str, _Part]:
        whole = self.part(key)
        return {str(name): whole.part(name) for name in whole.given}

    def text(self, key: str) -> str:
        given = self.given.get(key)
        if not isinstance(given, str) or not given.strip():
            raise self.error("text", given, key)
        return given.strip()

    def texts(self, key: str) -> list[str]:
        given = self.given.get(key)
        if not isinstance(given, list) or not given:
            raise self.error("a list of lines", given, key)
        return [str(text) for text in given]

    def number(self, key: str) -> float:
        given = self.given.get(key)
        if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
            raise self.error("a number above 0", given, key)
        return given

    def numbers(self, key: str) -> dict[str, float]:
        whole = self.part(key)
        return {str(name): whole.number(name) for name in whole.given}
