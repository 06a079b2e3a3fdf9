"""Check one answer to one exercise (``check``), and grade it (``points``)."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sccbook.checking.findings import Exercise
    from sccbook.checking.variants import Variant

PUT_OFF = "later"
"""The finding of a check that is not made where it is called: beside an answer that is graded."""


@dataclass(frozen=True, repr=False)
class Result:
    """The outcome of a check. True where the answer is right.

    It is also true where the check is put off, so that ``assert check(...)`` ends no cell.

    Attributes:
      exercise: the exercise's name.
      passed: True if the answer is right.
      finding: a short name for what was found, such as ``"value_scaled"``.
      message: the same for the reader, in one or two sentences.
      credit: the part of an assignment's points that it earns, from 0 to 1.

    Examples:
      >>> result = check("half_step_factor", lambda gradient, epsilon: epsilon)
      >>> result.passed, result.finding, result.credit
      (False, 'gradient_ignored', 0.0)
    """

    exercise: str
    passed: bool
    finding: str
    message: str
    credit: float

    def __bool__(self) -> bool:
        return self.passed or self.finding == PUT_OFF

    def __repr__(self) -> str:
        return textwrap.fill(f"{'Passed' if self.passed else 'Not yet'}: {self.message}", 78)


def _find_exercise(name: str) -> Exercise:
    # not at the top: beside an answer that is being graded, the exercises are hidden
    from sccbook.exercises.catalogue import find_exercise

    return find_exercise(name)


def result_of(exercise: Exercise, answer: Any) -> Result:
    """Run an answer to this exercise."""
    finding = exercise.examine(answer)
    credit = exercise.credit(finding)
    return Result(exercise.name, finding.passed, finding.name, finding.message, credit)


def variant(name: str, seed: int) -> Variant:
    """Set an exercise with other numbers: a question that asks for one result.

    Args:
      name: the exercise.
      seed: any whole number. The same seed gives the same numbers, on every machine.

    Returns:
      A ``Variant``, which is displayed as the question; ``numbers`` has what is given, to calculate with.

    Raises:
      ValueError: if there is no exercise of that name, or it has no numbers to draw.

    Examples:
      >>> question = variant("half_step_factor", seed=3)
      >>> question
      gradient = -2.0
      epsilon = 1e-07
      What is the factor? Four figures are enough.
      >>> question.numbers["gradient"]
      -2.0
      >>> check("half_step_factor", 1e-7 / -2, seed=3).finding
      'sign_lost'
      >>> check("half_step_factor", 1e-7 / 2, seed=3)
      Passed: for the numbers of seed 3 this is right.
    """
    from sccbook.checking.variants import variant_of

    return variant_of(_find_exercise(name), seed)


def check(name: str, answer: Any, *, seed: int | None = None) -> Result:
    """Run an answer and say whether it is right or, if not, what it mistakes.

    The answer is judged by what it does, never by how it is written, and the message
    names the mistake and not the solution. The same answer always gets the same text.

    Args:
      name: the exercise, as its chapter calls it.
      answer: what the exercise asks for; most ask for a function. With a seed, it may be one result.
      seed: checks the answer on the numbers of ``variant(name, seed)``, and on no others.

    Raises:
      ValueError: if there is no exercise of that name, or it has no numbers to draw from a seed.

    Examples:
      >>> check("half_step_factor", lambda gradient, epsilon: epsilon)
      Not yet: the factor doesn't depend on the gradient. It's the product of the
      two that has to become as small as epsilon.
      >>> check("half_step_factor", lambda gradient, epsilon: epsilon / abs(gradient)).passed
      True
    """
    return result_of(_find_exercise(name) if seed is None else variant(name, seed), answer)


def points(name: str, namespace: Mapping[str, Any], *, of: float) -> float:
    """Check the function of an exercise's name, print what was found, and return its points.

    It ends a test cell of an assignment: nbgrader takes the number for the cell's score.

    Args:
      name: the exercise, and the function's name.
      namespace: where the function is looked up: ``globals()``. In which cell it stands is no
        matter.
      of: the points of a right answer, above 0.

    Returns:
      From 0 to ``of``, to two decimals.

    Raises:
      ValueError: if there is no exercise of that name.

    Examples:
      >>> def half_step_factor(gradient, epsilon):
      ...     return epsilon / abs(gradient)
      >>> points("half_step_factor", {"half_step_factor": half_step_factor}, of=4)
      Passed: at this factor Adam's first step is half a learning rate, for
      gradients of either sign and for every epsilon tried.
      4.0
    """
    return points_of(_find_exercise(name), namespace, of=of)


def points_of(exercise: Exercise, namespace: Mapping[str, Any], *, of: float) -> float:
    """Return the same as ``points``, for this exercise."""
    if exercise.name not in namespace:
        print(f"Not yet: there is no function called {exercise.name}.")
        return 0.0
    result = result_of(exercise, namespace[exercise.name])
    print(result)
    return round(of * result.credit, 2)
