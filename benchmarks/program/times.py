"""Time one function three ways: its emitted module, ``jax.jit``, hand-written JavaScript."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np

from benchmarks.program.cases import Case
from gradlab.node import find_node
from gradlab.program import Program

HERE = Path(__file__).parent
CALLS = 16
"""How many different arguments the calls take in turn."""
AGREES = {"module": 1e-10, "handwritten": 1e-12}
"""How far results may be from JAX's, in units of the largest of their leaf."""
ARRAYS = {
    "float64": "Float64Array",
    "float32": "Float32Array",
    "int64": "Float64Array",
    "int32": "Int32Array",
    "bool": "Uint8Array",
}


class TimerError(RuntimeError):
    """Node's side failed: the message is what it said."""


@dataclass
class Times:
    """Microseconds a call, in one round."""

    median: float
    p95: float
    """Of the samples; a sample is the mean of ``batch`` calls."""
    batch: int
    calls: int
    """How many were timed."""


def leaves(arguments: Sequence[Any]) -> list[Any]:
    """The leaves of arguments as the timer in Node reads them."""

    def plain(value: Any) -> Any:
        array = np.asarray(value)
        data = [x if np.isfinite(x) else _name(x) for x in array.ravel().tolist()]
        return {"array": ARRAYS[array.dtype.name], "data": data} if array.ndim else data[0]

    return [plain(leaf) for leaf in jax.tree.leaves(arguments)]


def _name(x: float) -> str:
    return "NaN" if np.isnan(x) else "Infinity" if x > 0 else "-Infinity"


class Node:
    """A Node that holds modules and times them; to be closed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [find_node(), str(HERE / "program_timer.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def _ask(self, **question: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "Node ended"}
        if "error" in answer:
            raise TimerError(f"{question['do']} {question['key']}: {answer['error']}")
        return answer

    def load(self, key: str, text: str, calls: Sequence[Sequence[Any]]) -> None:
        """Takes a module and the arguments that its calls will have."""
        self._ask(do="load", key=key, text=text, calls=[leaves(call) for call in calls])

    def results(self, key: str) -> list[list[np.ndarray]]:
        """What the module returns for each call: flat float64 arrays, in order."""
        answers = self._ask(do="evaluate", key=key)["results"]
        return [[np.array([float(x) for x in leaf]) for leaf in results] for results in answers]

    def time(self, key: str, seconds: float) -> Times:
        """Calls a module again and again; warm, because the first time it warms up."""
        answer = self._ask(do="time", key=key, seconds=seconds)
        return _times(answer["samples"], answer["batch"])

    def close(self) -> None:
        """Ends Node."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _times(samples: Sequence[float], batch: int = 1) -> Times:
    return Times(
        statistics.median(samples), float(np.quantile(samples, 0.95)), batch, batch * len(samples)
    )


class Jitted:
    """A function under ``jax.jit`` with its arguments on the device; to be used with x64 on."""

    def __init__(self, function: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> None:
        self.calls = [jax.tree.map(jax.numpy.asarray, tuple(call)) for call in calls]
        self._function = jax.jit(function)

    def results(self) -> list[list[np.ndarray]]:
        """What it returns for each call: flat float64 arrays, in order."""
        return [
            [np.asarray(leaf, dtype=float).ravel() for leaf in jax.tree.leaves(self._function(*c))]
            for c in self.calls
        ]

    def time(self, seconds: float) -> Times:
        """Calls it again and again, each time until the results are there."""
        function, calls = self._function, self.calls
        wait: Any = jax.block_until_ready
        for call in calls:
            wait(function(*call))
        samples = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for call in calls:
                start = time.perf_counter()
                wait(function(*call))
                samples.append(1e6 * (time.perf_counter() - start))
        return _times(samples)


def difference(found: list[list[np.ndarray]], expected: list[list[np.ndarray]]) -> float:
    """The largest difference, in units of its leaf's largest magnitude (or of 1, if smaller).

    Raises:
      ValueError: where the two have not the same leaves, or not the same infinities and NaNs.
    """
    worst = 0.0
    for one, other in zip(found, expected, strict=True):
        for a, b in zip(one, other, strict=True):
            finite = np.isfinite(b)
            if a.shape != b.shape or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
                raise ValueError(f"expected {b}, found {a}")
            size = max(1.0, np.max(np.abs(b[finite]), initial=0.0))
            worst = max(worst, float(np.max(np.abs(a[finite] - b[finite]), initial=0.0) / size))
    return worst


@dataclass
class Rounds:
    """One case's times, a round after another."""

    case: Case
    module: list[Times]
    jitted: list[Times]
    handwritten: list[Times]
    differs: dict[str, float]
    """From JAX, relative: of the module, and of the hand-written one."""

    def ratios(self) -> tuple[list[float], list[float]]:
        """In each round: the module's median to the hand-written one's, and JAX's to the module's."""
        by_hand = [m.median / h.median for m, h in zip(self.module, self.handwritten, strict=False)]
        by_jax = [j.median / m.median for m, j in zip(self.module, self.jitted, strict=True)]
        return by_hand, by_jax


def run(
    programs: Sequence[tuple[Case, Program]],
    rounds: int,
    seconds: float,
    say: Callable[[str], None],
) -> list[Rounds]:
    """Checks that all ways agree, then times them by turns.

    Args:
      programs: the cases and their programs.
      rounds: how many.
      seconds: for each way of each case in each round.
      say: told how far it is.
    """
    found = []
    with Node() as node:
        ways = []
        for case, program in programs:
            calls = case.calls(CALLS)
            jitted = Jitted(case.function, calls)
            expected = jitted.results()
            texts = {"module": program.javascript}
            if case.handwritten:
                texts["handwritten"] = (HERE / "handwritten" / case.handwritten).read_text("utf-8")
            for way, text in texts.items():
                node.load(f"{case.words} {way}", text, calls)
            differs = {
                way: difference(node.results(f"{case.words} {way}"), expected) for way in texts
            }
            for way, size in differs.items():
                if not size <= AGREES[way]:
                    raise ValueError(
                        f"the {way} of {case.name} differs from JAX by {size:.1e} of its largest "
                        f"result: expected at most {AGREES[way]:g}. What differs is not to be timed."
                    )
            ways.append(jitted)
            found.append(Rounds(case, [], [], [], differs))
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}")
            for result, jitted in zip(found, ways, strict=True):
                result.module.append(node.time(f"{result.case.words} module", seconds))
                if result.case.handwritten:
                    key = f"{result.case.words} handwritten"
                    result.handwritten.append(node.time(key, seconds))
                result.jitted.append(jitted.time(seconds))
    return found
