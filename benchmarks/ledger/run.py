"""Measure the ledger: time and memory to K = 1,000, beside copies of the parameters.

A tanh RNN, an LSTM and MuZero's networks are unrolled. The ledger is timed by turns with the plain
gradient of the whole loss, with a backward pass for each loss, and with its definition, copies of
the parameters and one Jacobian; memory is read off the compiled programs. Printed is Markdown, which
is also written to ``results.md``, with the numbers in ``results.json``. The exit status is 1 where a
target is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np

from benchmarks.ledger.programs import MODELS, PROGRAMS, apart, compiled
from benchmarks.report import Benchmark, Row, Tables, Target, say
from benchmarks.turns import by_turns, clocked, summary

STEPS = ("10", "30", "100", "300", "1000")
FROM = 100
"""Exponents are fitted, and claims made, from so many steps on: a step's fixed costs count little."""
GIGABYTES = 4.0
"""A program that wants more is not run."""
UNITS = {"time": "ms", "memory": "MB"}
OTHERS = ("passes", "copies")
"""Ways to the same entries."""

PROSE = {
    "time": """\
## Time

K applications of a step are unrolled, each with a loss: a tanh RNN of 32 units that reads vectors of 8
and names one of 10 classes, an LSTM of 32 units, and MuZero's dynamics and heads on a batch of 16
(states of 16, hidden layers of 32); float32, s = 0.5 after the heads. *Ledger* is `scaleclip`'s, with
all that it holds. *Gradient* is one `jax.grad` of the whole loss: the floor, which says nothing of the
entries. *Copies* is the definition: a copy of the parameters for each application, and one
`jax.jacrev` of the K losses with respect to the K copies. *Passes* has the same copies, and a backward
pass for each loss, one after another: what is left of the K x K gradients is a row of K.

Compiled programs, called from Python by turns, there and back, in {rounds} rounds of {seconds:g} s for
each program, once at least. A time is the median over rounds; a ratio is that of one round: the median
over rounds, with the lowest and the highest. A program that would want more than {gigabytes:g} GB is
compiled, and not run (–). The last column is how far norms and inner products of the ways are apart at
most, in units of the largest of the same loss.""",
    "memory": """\
## Memory

Of the compiled programs: what XLA sets aside beside arguments and results, and the ledger's results,
three K x K matrices among them, 12 K^2 bytes.""",
    "growth": """\
## How they grow

The power of K with which they grow, from K = 100 on, by least squares in the logarithms. The ledger's
memory contains one group of the parameters' gradients, which does not grow with K.""",
}
BENCHMARK = Benchmark(
    name="ledger",
    title="The ledger, measured",
    packages=("jax", "numpy"),
    prose=PROSE,
    targets=(
        Target("the same entries, to 1e-4", "time", ["entries differ by"], at_most=1e-4),
        Target(
            "the ledger's time grows at most as K^2.1, from K = 100 on", "growth", ["ledger"],
            at_most=2.1, rows=lambda row: row["of"] == "time",
        ),
        Target(
            "the ledger's memory grows at most as K^1.1, from K = 100 on", "growth", ["ledger"],
            at_most=1.1, rows=lambda row: row["of"] == "memory",
        ),
        Target(
            "copies want 20 times the ledger's memory, from K = 100 on", "memory",
            ["copies / ledger"], at_least=20, rows=lambda row: row["K"] >= FROM,
        ),
        Target(
            "copies, and a pass for each loss, take more time than the ledger, from K = 100 on",
            "time", ["passes / ledger", "copies / ledger"], at_least=1,
            rows=lambda row: row["K"] >= FROM,
        ),
    ),
)  # fmt: skip


def rows_of(model: str, steps: int, rounds: int, seconds: float) -> dict[str, Row]:
    """Measure one model, unrolled so many steps, by all programs that fit."""
    unroll = MODELS[model](steps)
    made = {name: compiled(name, unroll) for name in PROGRAMS}
    calls = {
        name: program.call
        for name, program in made.items()
        if program.temporary + program.results <= 1e9 * GIGABYTES
    }
    first = {name: call() for name, call in calls.items()}
    names = {"model": model, "K": steps}
    differ = max(apart(first["ledger"], first[name]) for name in OTHERS if name in first)
    del first
    times = by_turns({name: clocked(call) for name, call in calls.items()}, rounds, seconds)
    ratios = ("ledger / gradient", *(f"{name} / ledger" for name in OTHERS))
    temporary = {name: program.temporary / 1e6 for name, program in made.items()}
    return {
        "time": {**names, **summary(times, "ms", *ratios), "entries differ by": differ},
        "memory": {
            **names,
            **{f"{name}, MB": megabytes for name, megabytes in temporary.items()},
            "copies / ledger": temporary["copies"] / temporary["ledger"],
            "the ledger's results, MB": made["ledger"].results / 1e6,
            "parameters": sum(leaf.size for leaf in jax.tree.leaves(unroll.params)),
        },
    }


def growth(model: str, of: str, rows: Iterable[Row]) -> Row:
    """Fit the powers of K with which one model's programs grow."""
    found: Row = {"model": model, "of": of}
    fit: Any = np.polyfit
    long = [row for row in rows if row["model"] == model and row["K"] >= FROM]
    for name in PROGRAMS:
        column = f"{name}, {UNITS[of]}"
        points = [(row["K"], row[column]) for row in long if column in row]
        if len(points) > 1:
            found[name] = float(fit(*np.log(points).T, deg=1)[0])
    return found


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    rounds, seconds = (2, 0.1) if options.quick else (options.rounds, 1.0)
    tables: Tables = {name: [] for name in PROSE}
    for model in MODELS:
        for steps in options.only or STEPS[: 3 if options.quick else None]:
            say(f"{model}, K = {steps}")
            for name, row in rows_of(model, int(steps), rounds, seconds).items():
                tables[name].append(row)
        grown = (growth(model, of, tables[of]) for of in UNITS)
        tables["growth"] += [row for row in grown if "ledger" in row]
    return {"rounds": rounds, "seconds": seconds, "gigabytes": GIGABYTES}, tables


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, STEPS))
