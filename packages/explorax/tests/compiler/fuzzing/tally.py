"""Many examples, in many processes, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing import get_context

import jax
from hypothesis import HealthCheck, Phase, given, seed, settings

from explorax.compiler import ProgramError, UnsupportedPrimitive
from explorax.compiler.rules import RULES
from tests.compiler.fuzzing.check import compare, lowered, primitives
from tests.compiler.fuzzing.programs import Example, examples
from tests.run_in_node import RunInNode

PART = 250  # programs that one run of Hypothesis makes
# primitives of the grammar that the compiler refuses, or refuses in some cases
OUT = {
    "polygamma": "the derivative of digamma",
    "reduce_precision": "to a width that is none of JavaScript's",
    "shift_right_arithmetic": "of unsigned integers",
}


@dataclass
class Tally:
    """Outcomes of some programs.

    Attributes:
      programs: how many were compiled, run and compared.
      verdicts: of their calls: ``agree``, or why they were set aside.
      features: how many programs have which kinds of statements.
      primitives: how often each was lowered.
      unsupported: programs that were refused, by the primitive.
      skipped: programs that JAX itself refuses.
      failures: what was found, each with a small program that shows it.
    """

    programs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    primitives: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __iadd__(self, other: Tally) -> Tally:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    @property
    def aside(self) -> float:
        """The share of calls that were set aside."""
        return 1 - self.verdicts["agree"] / max(self.verdicts.total(), 1)

    def missed(self, allowed: Iterable[str] = ()) -> list[str]:
        """Return the rules that nothing used."""
        return sorted(set(RULES) - set(self.primitives) - set(allowed))

    def take(self, example: Example, run: RunInNode) -> None:
        """Compare one program and note what became of it.

        Raises:
          Disagreement: where Node and JAX differ.
        """
        try:
            made = lowered(example.function(), example.calls[0], example.dtype)
            verdicts = compare(example, made, run)
        except UnsupportedPrimitive as error:
            self.unsupported[error.primitive] += 1
        except (NotImplementedError, TypeError, ValueError) as error:
            # a constant made to fit an array that was converted to the other precision
            if isinstance(error, ProgramError) and "captures a float" in str(error):
                self.skipped["captured"] += 1
            elif isinstance(error, ProgramError) or traces(example):
                raise
            else:
                self.skipped["refused by JAX"] += 1
        else:
            self.programs += 1
            self.verdicts.update(verdicts)
            self.features.update({*example.features, example.dtype})
            self.primitives.update(primitives(made.graph))


def traces(example: Example) -> bool:
    """Tell whether JAX alone can trace a program."""
    try:
        jax.make_jaxpr(example.function())(*example.calls[0])
    except (NotImplementedError, TypeError, ValueError):
        return False
    return True


def run_part(number: int, programs: int, shrink: bool = True) -> Tally:
    """Generate programs and compare, until one fails; with one seed always the same."""
    tally = Tally()
    counted = [tally]
    phases = (Phase.generate, Phase.shrink) if shrink else (Phase.generate,)

    @seed(number)
    @settings(
        max_examples=programs,
        database=None,
        deadline=None,
        phases=phases,
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


def run_parts(first: int, programs: int, processes: int, shrink: bool = True) -> Iterator[Tally]:
    """Run so many programs in so many processes, with the seeds ``first``, ``first`` + 1, ..."""
    sizes = [min(PART, programs - done) for done in range(0, programs, PART)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        numbers = range(first, first + len(sizes))
        yield from pool.map(run_part, numbers, sizes, repeat(shrink))
