"""Compare many random programs in Node and by JAX, and count what became of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import jax
from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.compiler.fuzzing.check import compare, lowered, primitives
from tests.compiler.fuzzing.programs import Example, examples
from tests.run_in_node import RunInNode

from explorax.compiler import UnsupportedPrimitive
from explorax.compiler.rules import RULES

PART = 250  # programs that one run of Hypothesis makes


@dataclass
class Tally:
    """What became of some programs.

    Attributes:
      programs: how many were ``compared``, ``refused by JAX``, or refused by the compiler, for which
        primitive.
      calls: how many ``agree``, or why they were set aside.
      primitives: how often each was lowered.
      failures: what was found, each with a small program that shows it.
    """

    programs: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    primitives: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: Tally) -> Tally:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    @property
    def aside(self) -> int:
        """How many calls were set aside."""
        return self.calls.total() - self.calls["agree"]

    def __str__(self) -> str:
        unused = sorted(set(RULES) - set(self.primitives))
        return (
            f"programs: {_listed(self.programs)}\ncalls: {_listed(self.calls)}\n"
            f"rules not used: {', '.join(unused) or 'none'}\nfailures: {len(self.failures)}"
        )

    def take(self, example: Example, run: RunInNode) -> None:
        """Compare one program and count what became of it.

        Raises:
          Disagreement: where Node and JAX differ.
        """
        try:
            made = lowered(example.function(), example.calls[0], example.dtype)
        except UnsupportedPrimitive as error:
            self.programs[f"refused: {error.primitive}"] += 1
        except (NotImplementedError, TypeError, ValueError) as error:
            # a constant made to fit an array that was converted to the other precision
            if "captures a float" not in str(error) and traces(example):
                raise
            self.programs["refused by JAX"] += 1
        else:
            self.calls.update(compare(example, made, run))
            self.programs["compared"] += 1
            self.primitives.update(primitives(made.graph))


def _listed(counts: Counter[str]) -> str:
    """List counts, the largest first."""
    return ", ".join(f"{name} {n}" for name, n in counts.most_common()) or "none"


def traces(example: Example) -> bool:
    """Tell whether JAX alone can trace a program."""
    try:
        jax.make_jaxpr(example.function())(*example.calls[0])
    except (NotImplementedError, TypeError, ValueError):
        return False
    return True


def run_part(number: int, programs: int = PART, shrink: bool = True) -> Tally:
    """Generate programs and compare, until one fails; with one seed always the same."""
    tally = Tally()
    counted = [tally]

    @seed(number)
    @settings(
        max_examples=programs,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(examples())
    def compare_one(example: Example) -> None:
        try:
            counted[-1].take(example, run)
        except Exception:
            counted.append(Tally())  # what follows only makes the example smaller
            raise

    with jax.enable_x64(True), RunInNode(patience=10) as run:
        try:
            compare_one()
        except Exception as error:  # it is reported, with all that it says
            notes = "\n".join(getattr(error, "__notes__", ()))
            tally.failures.append(f"seed {number}: {type(error).__name__}: {error}\n{notes}")
    jax.clear_caches()
    return tally
