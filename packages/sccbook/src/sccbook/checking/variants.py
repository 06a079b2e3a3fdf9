"""Set an exercise with other numbers, drawn from a seed: as often as a reader likes.

A variant asks for one result, which can be worked out by hand, in place of a function. The exercise's
own judge judges it, so a wrong result gets the message of the same mistake.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from sccbook.checking.comparisons import Comparison
from sccbook.checking.descriptions import show
from sccbook.checking.findings import Case, Exercise, Finding
from sccbook.checking.forms import leaves
from sccbook.checking.plain_data import to_plain_data
from sccbook.checking.probes import PROBES, Observation, Observations


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Variant(Exercise):
    """An exercise with other numbers. It is displayed as the question.

    Attributes:
      numbers: what is given, by the names that the chapter uses.
      quantity: what is asked for.
    """

    numbers: dict[str, Any]
    quantity: str

    def __repr__(self) -> str:
        given = [
            f"{name} = {value if isinstance(value, int) else show(value)}"
            for name, value in self.numbers.items()
        ]
        return "\n".join([*given, f"What is {self.quantity}? Four figures are enough."])

    def examine(self, answer: Any) -> Finding:
        """Judge a result; or run a function on the numbers, and judge what it returns."""
        seen = Observations((Observation(to_plain_data(answer)),))
        return super().examine(answer) if callable(answer) else self.judge(seen)


def variant_of(exercise: Exercise, seed: int) -> Variant:
    """Draw other numbers for an exercise: the same for the same seed, on every machine.

    Args:
      exercise: one whose judge has a ``draw``.
      seed: any whole number.

    Raises:
      ValueError: if the exercise has no numbers to draw.
    """
    judge: Any = exercise.judge
    if getattr(judge, "draw", None) is None:
        raise ValueError(
            f"{exercise.name!r} has no other numbers. Leave out the seed, and check a function."
        )
    numbers = judge.draw(Random(seed))
    case = Case(tuple(numbers.values()), f"for the numbers of seed {seed}")
    changes: dict[str, Any] = {"cases": (case,), "passed": f"{case.words} this is right."}
    if isinstance(judge, Comparison):
        changes |= {
            "misconceptions": [m for m in judge.misconceptions if m.name not in judge.of_several],
            "reference_probe": lambda *given: _flat(
                (judge.reference_probe or PROBES[judge.probe])(*given)
            ),
            "read": lambda value, case: _flat(judge.read(value, case)),
            "parts": (),
            "tolerance": 1e-3,  # twice the error of four figures
        }
    return Variant(
        name=exercise.name,
        probe=exercise.probe,
        cases=(case,),
        judge=replace(judge, **changes),
        numbers=numbers,
        quantity=judge.quantity,
    )


def _flat(value: Any) -> Any:
    """Return the numbers of a result in one list, whether they are in arrays or in lists."""
    numbers = [
        number
        for leaf in leaves(value)
        for number in (leaf.ravel().tolist() if hasattr(leaf, "ravel") else [leaf])
    ]
    return numbers[0] if len(numbers) == 1 else numbers or value
