"""The common part of the families of private exercises.

A family is a set of operations that are alike. One of them is drawn; its exercise is an ordinary
one, with cases of its own and with the operation's neighbours for misconceptions.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jax
import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Function, Misconception
from gradlab.exercises.checking.findings import Case, Exercise, Finding
from gradlab.exercises.checking.probes import Observations

Operation = Mapping[str, Any]
"""One of a family's operations, as JSON has it: texts, numbers, and lists of these."""

CASES = "cases"
"""The key of the number that an exercise's inputs are drawn with."""

TRIES = 50


class NoSuchOperation(ValueError):
    """Parameters that no member of the family has."""


@dataclass(frozen=True)
class Texts:
    """Texts that a student reads, and the solution, which no student does.

    Attributes:
      task: what is asked for, in Markdown.
      docstring: of the function.
      body: of a solution, not indented.
      examples: Python that calls ``example(call, expected)`` for two public inputs.
    """

    task: str
    docstring: str
    body: str
    examples: str


@dataclass(frozen=True)
class Variant:
    """One exercise that was drawn."""

    family: str
    title: str
    signature: str
    parameters: Mapping[str, Any]
    texts: Texts
    exercise: Exercise

    @property
    def name(self) -> str:
        """Of the exercise, and of the function that is asked for."""
        return self.exercise.name

    def cell(self, before: str = "", after: str = "") -> str:
        """Return the solution's source text, with a line before and after the body if given."""
        body = "\n".join(part for part in (before, self.texts.body.strip("\n"), after) if part)
        return f'def {self.signature}:\n    """{self.texts.docstring}"""\n{textwrap.indent(body, "    ")}'


@dataclass(frozen=True, eq=False)
class Family:
    """Operations that are alike.

    Attributes:
      name: of the family, and of the function that is asked for.
      title: in a few words.
      signature: ``"clip_heads(grads, limit)"``.
      probe: how an answer is observed.
      space: all operations.
      cases: the inputs of one operation, drawn. The first two are for the public examples.
      right: what an operation does, in NumPy: called with a case's arguments, returns what the
        probe would see.
      neighbours: the same of what others may take it for. One may do the same as the
        operation itself, or as one before it: it is then left out.
      texts: for an operation and its two public examples.
      partial: as an ``Exercise`` has it.
      judged: makes the judge of the comparison with the right one and the neighbours.
      read: as a ``Comparison`` has it.
      passed: the message for a right answer.
    """

    name: str
    title: str
    signature: str
    probe: str
    space: Callable[[], Sequence[Operation]]
    cases: Callable[[Operation, np.random.Generator], list[Case]]
    right: Callable[[Operation], Function]
    neighbours: Callable[[Operation], Sequence[Misconception]]
    texts: Callable[[Operation, Sequence[Case]], Texts]
    passed: str
    partial: Mapping[str, float] = field(default_factory=dict)
    judged: Callable[[Comparison], Callable[[Observations], Finding]] = lambda comparison: (
        comparison
    )
    read: Callable[[Any, Case], Any] = lambda value, case: value

    def draw(self, random: np.random.Generator) -> Variant:
        """Draw an operation, and inputs that tell it and all of its neighbours apart."""
        space = self.space()
        operation = space[int(random.integers(len(space)))]
        for _ in range(TRIES):
            parameters = {**operation, CASES: int(random.integers(2**31))}
            if not untold(comparison := self.comparison(parameters)):
                return self._variant(parameters, comparison)
        raise AssertionError(f"no inputs tell {operation} of {self.name} from its neighbours")

    def make(self, parameters: Mapping[str, Any]) -> Variant:
        """Make an exercise again.

        Args:
          parameters: of a ``Variant``.

        Raises:
          NoSuchOperation: if they are no member's.
        """
        return self._variant(parameters, self.comparison(parameters))

    def comparison(self, parameters: Mapping[str, Any]) -> Comparison:
        """Return what judges an operation's answers.

        Raises:
          NoSuchOperation: if they are no member's.
        """
        operation = {key: value for key, value in parameters.items() if key != CASES}
        number = parameters.get(CASES)
        if operation not in self.space() or type(number) is not int or number < 0:
            raise NoSuchOperation(f"the family {self.name!r} has no operation {dict(parameters)!r}")
        return Comparison(
            cases=self.cases(operation, np.random.default_rng(number))[2:],
            right=self.right(operation),
            misconceptions=_misconceptions(self, json.dumps(operation)),
            passed=self.passed,
            reference_probe=in_numpy,
            read=self.read,
        )

    def misconceptions(self, operation: Operation) -> list[Misconception]:
        """Return the neighbours that do something else than the operation, and than each other.

        It does not depend on the inputs that a set draws: what is the same is the same on many.
        """
        many = [
            case.arguments
            for number in range(3)
            for case in self.cases(operation, np.random.default_rng(number))
        ]
        done, found = [_does(self.right(operation), many)], []
        for neighbour in self.neighbours(operation):
            does = _does(neighbour.answers[0], many)
            if not any(_alike([does], [other], 1e-6) for other in done):
                done.append(does)
                found.append(neighbour)
        return found

    def _variant(self, parameters: Mapping[str, Any], comparison: Comparison) -> Variant:
        operation = {key: value for key, value in parameters.items() if key != CASES}
        shown = self.cases(operation, np.random.default_rng(parameters[CASES]))[:2]
        absent = {neighbour.name for neighbour in self.neighbours(operation)}
        absent -= {neighbour.name for neighbour in comparison.misconceptions}
        exercise = Exercise(
            self.name,
            probe=self.probe,
            cases=comparison.cases,
            judge=self.judged(comparison),
            partial={name: part for name, part in self.partial.items() if name not in absent},
        )
        return Variant(
            self.name,
            self.title,
            self.signature,
            dict(parameters),
            self.texts(operation, shown),
            exercise,
        )


@lru_cache(maxsize=64)
def _misconceptions(family: Family, operation: str) -> list[Misconception]:
    """The same, when inputs are drawn several times. The operation is JSON, to be a key."""
    return family.misconceptions(json.loads(operation))


def in_numpy(function: Function, *arguments: Any) -> Any:
    """Call a rule with plain data; 0 / 0 is one of the mistakes."""
    with np.errstate(all="ignore"):
        return function(*arguments)


def untold(comparison: Comparison) -> list[str]:
    """Return the misconceptions that the cases do not tell plainly from the rest.

    Plainly: by much more than the rounding that is forgiven when an answer is judged.
    """
    done, found = [_each(comparison.right, comparison.cases)], []
    for misconception in comparison.misconceptions:
        does = _each(misconception.answers[0], comparison.cases)
        if any(_alike(does, other, 20 * comparison.tolerance) for other in done):
            found.append(misconception.name)
        done.append(does)
    return found


def _each(rule: Function, cases: Sequence[Case]) -> list[np.ndarray]:
    return [_does(rule, [case.arguments]) for case in cases]


def _alike(found: Sequence[np.ndarray], other: Sequence[np.ndarray], tolerance: float) -> bool:
    for given, expected in zip(found, other, strict=True):
        size = np.max(np.abs(expected), initial=0.0, where=np.isfinite(expected))
        if given.shape != expected.shape or not np.allclose(
            given, expected, rtol=tolerance, atol=0.1 * tolerance * size, equal_nan=True
        ):
            return False
    return True


def _does(rule: Function, many: Sequence[tuple[Any, ...]]) -> np.ndarray:
    """Return in one row what a rule gives for many arguments."""
    results = [in_numpy(rule, *arguments) for arguments in many]
    leaves = [np.ravel(np.asarray(leaf, float)) for leaf in jax.tree.leaves(results)]
    return np.concatenate(leaves)
