"""Measure the operators: clipping by the global norm, and scaling the gradient.

Pytrees of 1e3 to 1e8 parameters are clipped by scaleclip, by Optax and by the least that the memory
allows, by turns; what scaling the gradient adds to a compiled program is counted by XLA, and timed.
Printed is Markdown, which is also written to ``results.md``, with the numbers in ``results.json``.
The exit status is 1 where a target is missed. The largest size wants 3 GB of memory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import optax

from benchmarks.operators.cases import (
    CLIPS,
    OPERATORS,
    added,
    called,
    compilation,
    compiled,
    descent,
    inside,
    layers,
    norm,
    outline,
    outlined,
    tree,
    warm,
)
from benchmarks.report import Benchmark, Row, Tables, Target, say
from benchmarks.turns import by_turns, summary
from scaleclip import transforms

COMPILE = "compile"
LEAVES = ((100, 64), (400, 64), (400, 256))
"""So many leaves of layers of such a width are compiled for."""
SIZES = ("1e3", "1e4", "1e5", "1e6", "1e7", "1e8")
ENTRIES = {"ordinary": 1.0, "large": 1e25, "small": 1e-25}
"""The size of entries: 1, and where squares in float32 overflow and underflow."""
LIMITS = {"clipped": 0.5, "kept": 1000.0}
"""The limit, in units of the norm."""
RATE = 1e-9
"""Of the descent: so small that the numbers stay as they are for a million steps."""
LARGE = 10**6
"""From so many parameters on a clip's time is that of the memory."""

PROSE = {
    "clip": """\
## Clipping by the global norm

A pytree of float32 leaves (four matrices, three of them of one shape, and five vectors), in two ways.
*Called*: one step through `jax.jit` from Python, whose result is new memory. *In a program*: many
steps in one compiled loop, in place (the gradients are donated), so that neither Python nor the
dispatch counts; the time is that of one step. The norm is above the limit (*clipped*: the limit falls
a little from step to step, so that there is always something to clip) or below (*kept*). The floor is
a program that reads all leaves for one sum and then reads them again and writes them, multiplied. A
clip does no less, but for one that keeps all, in place, which has nothing to write. The GB/s are of
these three passes. In each of {rounds} rounds the programs are called one after another, there and
back, for {seconds:g} s each. A time is the median over rounds of the round's median; a ratio is that
of the two medians of one round: the median over rounds, with the lowest and the highest.""",
    "price": """\
Where squares overflow or underflow, scaleclip reads the memory again to scale it. What that costs, in
a program, with the entries multiplied by 1e25 and by 1e-25:""",
    "compile": """\
## Compiling

The seconds of the processor that it takes to trace, lower and compile the update of a clip at norm 1 as
an Optax transformation, with JAX's caches emptied, for so many leaves, `[width, width]` and
`[width]` by turns; and the lines of the lowered program. By turns, in {compilations} rounds: medians, and of the ratio the lowest
and the highest too.""",
    "memory": """\
## What its programs want

Of the optimised programs: the memory that XLA sets aside beside the gradients and the result, whether
the caller keeps the gradients or gives them up (`donate_argnums`).""",
    "scaling": """\
## Scaling the gradient

What the operator, at each leaf, adds to the optimised programs of a sum of cubes and of its gradient, as
XLA counts: operations, and bytes that go to and from memory. The gradient is to have one multiplication
more for each parameter.""",
    "tensor": """\
## Clipping at a tensor

The time of a step down the gradient of the sum of cubes, in a program, by turns as above, with clips
of the cotangent at each leaf. (Optax has none of these; its `scale_gradient` is beside ours.) For its
norm a cotangent has to be written down, read, and read again, where the step without it, which is one
kernel for each leaf, keeps it in registers.""",
}
OPTAX = "clip_by_global_norm: at most {} times Optax, {} 1e6 parameters"
BENCHMARK = Benchmark(
    name="operators",
    title="The operators, measured",
    packages=("jax", "optax", "numpy"),
    prose=PROSE,
    targets=(
        Target(
            OPTAX.format(1.1, "from"), "clip", ["scaleclip / optax"],
            at_most=1.1, rows=lambda row: row["parameters"] >= LARGE,
        ),
        Target(
            OPTAX.format(1.5, "below"), "clip", ["scaleclip / optax"],
            at_most=1.5, rows=lambda row: row["parameters"] < LARGE,
        ),
        Target(
            "clip_by_global_norm: at most a page (4,096 bytes) of memory more than Optax", "memory",
            ["beyond Optax, bytes"], at_most=4096, rows=lambda row: row["program"] == "scaleclip",
        ),
        Target(
            "clip_by_global_norm: 400 leaves compile in at most 1.5 times Optax's time", "compile",
            ["scaleclip / optax"], at_most=1.5, rows=lambda row: row["leaves"] == 400,
        ),
        Target(
            "scale_gradient: nothing is added to the function", "scaling",
            ["function: operations", "function: bytes"], at_most=0,
        ),
        Target(
            "scale_gradient: at most one multiplication for each parameter is added to the gradient",
            "scaling", ["gradient: operations beyond one each"], at_most=0,
        ),
        Target(
            "scale_gradient: the gradient goes to memory no more often", "scaling",
            ["gradient: bytes"], at_most=0,
        ),
    ),
)  # fmt: skip


def times(size: int, rounds: int, seconds: float) -> Tables:
    """Time everything with one number of parameters."""
    grads = tree(size)
    whole = norm(grads)
    steps = int(min(200, max(2, 2_000_000 // size)))  # so many that a dispatch does not count

    def row(calls: Iterable[tuple[str, Any]], steps: int, *ratios: str, **keys: str) -> Row:
        # made here one by one, so that their memory is given back before the next ones are made
        ways = {name: warm(call, steps) for name, call in calls}
        found = by_turns(ways, rounds, seconds)
        return {"parameters": size, **keys, **summary(found, "µs", *ratios)}

    clip, clips, pairs = [], CLIPS.items(), ("scaleclip / optax", "scaleclip / floor")
    for kind, share in LIMITS.items():
        limit = share * whole
        calls = ((name, called(step, grads, limit)) for name, step in clips)
        clip.append(row(calls, 1, *pairs, run="called", norm=kind))
        calls = ((name, inside(step, grads, limit, steps)) for name, step in clips)
        clip.append(row(calls, steps, *pairs, run="in a program", norm=kind))
    for found in clip:  # read, read and written: three times four bytes
        found["floor, GB/s"] = 12e-3 * size / found["floor, µs"]
    dear = (
        (name, inside(CLIPS["scaleclip"], tree(size, entries), 0.5 * whole * entries, steps))
        for name, entries in ENTRIES.items()
    )
    descents = (
        (name, inside(descent(operator), grads, RATE, steps))
        for name, operator in OPERATORS.items()
    )
    ratios = [f"{name} / without" for name in OPERATORS if name != "without"]
    return {
        "clip": clip,
        "price": [row(dear, steps, "large / ordinary", "small / ordinary")],
        "tensor": [row(descents, steps, *ratios)],
    }


MADE = {"scaleclip": transforms.clip_by_global_norm, "optax": optax.clip_by_global_norm}
COMPILATIONS = 7


def compiling(count: int, width: int, rounds: int) -> Row:
    """Time the compilation of a clip of so many leaves, of layers of a width."""
    clips = {name: make(1.0) for name, make in MADE.items()}
    leaves = layers(count, width)
    state = optax.EmptyState()
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in clips}
    for _ in range(rounds):
        for name, clip in clips.items():
            found[name].append(compilation(partial(clip.update, state=state), leaves))
    seconds = {name: [time for time, _ in times] for name, times in found.items()}
    ratios = [a / b for a, b in zip(seconds["scaleclip"], seconds["optax"], strict=True)]
    return {
        "leaves": count,
        "width": width,
        **{f"{name}, s": statistics.median(times) for name, times in seconds.items()},
        "scaleclip / optax": [statistics.median(ratios), min(ratios), max(ratios)],
        **{f"{name}, lines": times[0][1] for name, times in found.items()},
    }


def memory(size: int) -> list[Row]:
    """The memory that each clip wants beside gradients and results."""
    rows = []
    for gradients, donate in (("kept", ()), ("given up", (0,))):
        wanted = {
            name: compiled(step, outline(size), outlined(), donate=donate)
            .memory_analysis()
            .temp_size_in_bytes
            for name, step in CLIPS.items()
        }
        rows += [
            {
                "parameters": size, "program": name, "gradients": gradients,
                "temporary, bytes": octets, "beyond Optax, bytes": octets - wanted["optax"],
                "the gradients, bytes": 4 * size,
            }
            for name, octets in wanted.items()
        ]  # fmt: skip
    return rows


def scaling(size: int) -> list[Row]:
    """Count what an operator adds to a function and to its gradient."""
    rows = []
    for operator in ("scale_gradient", "Optax's scale_gradient"):
        forward, backward = (count.tolist() for count in added(operator, size))
        rows.append(
            {
                "parameters": size, "function": "sum of cubes", "operator": operator,
                "function: operations": forward[0], "function: bytes": forward[1],
                "gradient: operations": backward[0],
                "gradient: operations beyond one each": backward[0] - size,
                "gradient: bytes": backward[1],
            }
        )  # fmt: skip
    return rows


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    parts = options.only or [COMPILE, *SIZES[: 4 if options.quick else None]]
    rounds, seconds = (3, 0.02) if options.quick else (options.rounds, 0.05)
    compilations = 2 if options.quick else COMPILATIONS
    how = {"rounds": rounds, "seconds": seconds, "compilations": compilations}
    if parts == [COMPILE]:
        return how, {COMPILE: [compiling(*leaves, compilations) for leaves in LEAVES]}
    sizes = [int(float(size)) for size in parts if size != COMPILE]
    tables: Tables = {name: [] for name in PROSE}
    if COMPILE in parts:
        tables[COMPILE] = [compiling(*leaves, compilations) for leaves in LEAVES]
    tables["scaling"] = scaling(10**5)
    for size in sizes:
        say(f"{size:,} parameters")
        tables["memory"] += memory(size)
        for name, rows in times(size, rounds, seconds).items():
            tables[name] += rows
    return how, tables


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, (COMPILE, *SIZES), rounds=15))
