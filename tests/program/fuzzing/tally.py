"""Many examples, in many processes, and what became of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

import jax
from hypothesis import HealthCheck, Phase, given, seed, settings

from gradlab.program import ProgramError, UnsupportedPrimitive
from gradlab.program.rules import RULES
from tests.program.fuzzing.check import Judge
from tests.program.fuzzing.control import TooLong
from tests.program.fuzzing.node import Node
from tests.program.fuzzing.programs import WRITER, Example, examples

PART = 250  # programs that one run of Hypothesis makes
TASKS_PER_PROCESS = 12  # such runs
LONGEST = 1800  # seconds without an answer: a process has died, and its pool does not say so
# primitives of the grammar that the compiler refuses, or refuses in some cases
OUT = {
    "polygamma": "the derivative of digamma",
    "reduce_precision": "to a width that is none of JavaScript's",
    "shift_right_arithmetic": "of unsigned integers",
}


@dataclass
class Tally:
    """What became of some programs.

    Attributes:
      programs: how many were compiled, run and compared.
      verdicts: of their calls: ``agree``, or why they were set aside.
      features: how many programs have which kinds of statements.
      rows: how often each kind and row of a table gave a statement.
      primitives: how often each primitive was run by the oracle.
      unsupported: programs that were refused, by the primitive.
      skipped: programs that JAX itself refuses, or that take too long.
      failures: what was found, each with a small program that shows it.
      seconds: of processor time, of all processes together, without Node's.
    """

    programs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    primitives: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __iadd__(self, other: Tally) -> Tally:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    @property
    def aside(self) -> float:
        """The share of calls that were set aside."""
        calls = self.verdicts.total()
        return 1 - self.verdicts["agree"] / calls if calls else 0.0


_judge: Judge | None = None


def judge() -> Judge:
    """This process's, with its Node."""
    global _judge
    if _judge is None:
        _judge = Judge(Node())
    return _judge


def close() -> None:
    """Ends this process's Node."""
    global _judge
    if _judge is not None:
        _judge.node.close()
        _judge = None


def run_part(number: int, programs: int, shrink: bool = True) -> Tally:
    """Generates programs and compares, until one fails; with one seed always the same."""
    tally = Tally()
    counted = [tally]
    start = time.process_time()
    judging = judge()
    judging.oracle.seen = tally.primitives
    WRITER.used = tally.rows
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
    def compare(example: Example) -> None:
        try:
            one(example, judging, counted[-1])
        except Exception:
            counted.append(Tally())  # what follows only makes the example smaller
            raise

    with jax.enable_x64(True):
        try:
            compare()
        except Exception as error:  # it is reported, with all that it says
            notes = "\n".join(getattr(error, "__notes__", ()))
            tally.failures.append(f"seed {number}: {type(error).__name__}: {error}\n{notes}")
    tally.seconds = time.process_time() - start
    return tally


def one(example: Example, judging: Judge, tally: Tally) -> None:
    """Compares one program and notes what became of it; raises where Node and JAX differ."""
    try:
        verdicts = judging.verdict(example)
    except UnsupportedPrimitive as error:
        tally.unsupported[error.primitive] += 1
        return
    except TooLong:
        tally.skipped["too long"] += 1
        return
    except ProgramError as error:
        # a constant made to fit an array that was converted to the other precision
        if "captures a float" not in str(error):
            raise
        tally.skipped["captured"] += 1
        return
    except (NotImplementedError, TypeError, ValueError):
        if traces(example):
            raise
        tally.skipped["refused by JAX"] += 1
        return
    tally.programs += 1
    tally.verdicts.update(verdicts)
    tally.features.update(set(example.features))
    tally.features[example.dtype] += 1


def traces(example: Example) -> bool:
    """Whether JAX alone can trace a program."""
    try:
        jax.make_jaxpr(example.function())(*example.calls[0])
    except (NotImplementedError, TypeError, ValueError):
        return False
    return True


def run(
    first: int,
    programs: int,
    processes: int,
    shrink: bool = True,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Runs so many programs in so many processes, with the seeds ``first``, ``first`` + 1, ..."""
    total = Tally()
    parts = [min(PART, programs - done) for done in range(0, programs, PART)]
    if processes == 1:
        for tally in (run_part(first + i, size, shrink) for i, size in enumerate(parts)):
            total += tally
            progress(total)
        close()
        return total
    # a process ends after some parts: what JAX has compiled stays in memory
    with get_context("spawn").Pool(processes, maxtasksperchild=TASKS_PER_PROCESS) as pool:
        run_numbered = partial(_run_numbered, shrink=shrink)
        answers = pool.imap_unordered(run_numbered, enumerate(parts, first))
        for _ in parts:
            total += answers.next(timeout=LONGEST)
            progress(total)
        pool.close()
        pool.join()
    return total


def _run_numbered(part: tuple[int, int], shrink: bool) -> Tally:
    return run_part(*part, shrink)


def missed(tally: Tally, allowed: Iterable[str] = ()) -> list[str]:
    """The rules that nothing used."""
    return sorted(set(RULES) - set(tally.primitives) - set(allowed))
