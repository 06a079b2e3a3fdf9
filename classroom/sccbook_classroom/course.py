"""``course.yml``: what each assignment asks for, and what it is worth."""

from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt

ASSIGNMENTS = Path("classroom", "assignments")  # from the root of the repository


class CourseError(ValueError):
    """A file of a course that can't be used: which, where, and what to change in it."""


class Part(BaseModel):
    """A part of a file: a key too many, an empty text or a value of another type is an error."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", str_min_length=1)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a YAML file. Raises ``CourseError``, which names each place that's wrong."""
        try:
            return cls.model_validate(yaml.safe_load(path.read_text("utf-8")))
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise CourseError(f"{path} can't be used: {error}") from error


class Written(Part):
    """A question that is answered in words, and what earns its points, one line each."""

    points: PositiveFloat
    question: str
    rubric: list[str] = Field(min_length=1)


class Prediction(Part):
    """A guess before anything is run. It's recorded, and never marked for being right."""

    question: str
    choices: dict[str, str]


class Assignment(Part):
    """One assignment: ``name`` is its key, ``functions`` has the points of each graded function."""

    name: str = ""
    title: str
    minutes: PositiveInt
    chapters: list[str] = []
    functions: dict[str, PositiveFloat]
    prediction: Prediction | None = None
    written: dict[str, Written] = {}

    @property
    def points(self) -> float:
        """Points of a perfect submission."""
        return sum(self.functions.values()) + sum(one.points for one in self.written.values())


class Course(Part):
    """The assignments by name, in order. ``install`` is the repository from which sccbook is installed where it's missing."""

    title: str
    install: str = Field("", min_length=0)
    assignments: dict[str, Assignment] = Field(min_length=1)

    def model_post_init(self, context: Any) -> None:
        for name, assignment in self.assignments.items():
            object.__setattr__(assignment, "name", name)


load = Course.read
