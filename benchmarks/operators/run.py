"""Measure the operators: clipping by the global norm, and scaling the gradient.

Pytrees of 1e3 to 1e8 parameters are clipped by gradlab, by Optax and by the least that the memory
allows, by turns; what scaling the gradient adds to a compiled program is read off the program, and
timed. Printed is Markdown, which is also written to ``benchmarks/operators.md``, with the numbers in
``benchmarks/operators.json``. The exit status is 1 where a target is missed.

Run it with ``make bench-operators``; ``make bench-operators ARGS='--quick'`` does less. The largest
size wants 2.5 GB of memory.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.operators.cases import CLIPS, OPERATORS, Step, called, descent, inside
from benchmarks.operators.programs import memory, scaling
from benchmarks.operators.tables import AGAINST, BACKWARD, OVER, TENSOR, markdown, power, targets
from benchmarks.operators.times import Calls, by_turns, compared
from benchmarks.operators.trees import Tree, tree
from benchmarks.report import finish, machine, say

HERE = Path(__file__).parent
SIZES = tuple(10**power for power in range(3, 9))
ENTRIES = {"ordinary": 1.0, "large": 1e25, "small": 1e-25}
"""The size of entries: 1, and where squares in float32 overflow and underflow."""
LIMITS = {"clipped": 0.5, "kept": 1000.0}
"""The limit, in units of the norm."""
RATE = 1e-9
"""Of the descent: so small that the numbers stay as they are for a million steps."""


def norm(leaves: Tree) -> float:
    """The norm of all leaves together, in float64."""
    squares = (np.linalg.norm(np.asarray(leaf, np.float64)) ** 2 for leaf in leaves.values())
    return float(np.sqrt(sum(squares)))


def steps(size: int) -> int:
    """How many steps one call of a program does: so many that its dispatch does not count."""
    return int(min(200, max(2, 2_000_000 // size)))


def pairs(ratios: Sequence[str]) -> list[tuple[str, str]]:
    """The programs above and below the lines of ``ratios``."""
    return [(above, below) for above, _, below in (ratio.partition(" / ") for ratio in ratios)]


def measure(size: int, options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """All that is timed with one number of parameters."""
    grads = tree(size)
    whole = norm(grads)

    def row(make: Callable[[], Calls], ratios: Sequence[str], share: int = 1) -> dict[str, Any]:
        # made here, so that their memory is given back before the next ones are made
        rounds = by_turns(make(), options.rounds, options.seconds, share)
        return {"size": size, **compared(rounds, pairs(ratios))}

    def from_python(limit: float) -> Calls:
        return {name: called(step, grads, limit) for name, step in CLIPS.items()}

    def in_place(chosen: dict[str, Step], limit: float) -> Calls:
        return {name: inside(step, grads, limit, steps(size)) for name, step in chosen.items()}

    def of_entries() -> Calls:
        clip, limit = CLIPS["gradlab"], 0.5 * whole
        return {
            name: inside(clip, tree(size, entries), limit * entries, steps(size))
            for name, entries in ENTRIES.items()
        }

    def descending(ratios: Sequence[str]) -> Calls:
        names = sorted({name for pair in pairs(ratios) for name in pair})
        return in_place({name: descent(OPERATORS[name]) for name in names}, RATE)

    clip = []
    for regime, share in LIMITS.items():
        limit = share * whole
        by_python = row(partial(from_python, limit), (AGAINST, OVER))
        by_program = row(partial(in_place, CLIPS, limit), (AGAINST, OVER), steps(size))
        clip.append({"run": "called", "regime": regime, **by_python})
        clip.append({"run": "in a program", "regime": regime, **by_program})
    return {
        "clip": clip,
        "price": [row(of_entries, ("large / ordinary", "small / ordinary"), steps(size))],
        "backward": [row(partial(descending, BACKWARD), BACKWARD, steps(size))],
        "tensor": [row(partial(descending, TENSOR), TENSOR, steps(size))],
    }


def norms_after(size: int) -> list[dict[str, float]]:
    """What is left of the norm, in units of the limit, by gradlab and by Optax."""
    found = []
    for entries in ENTRIES.values():
        grads = tree(size, entries)
        limit = 0.5 * norm(grads)
        after = {
            name: norm(jax.jit(CLIPS[name])(grads, jnp.float32(limit))) / limit
            for name in ("gradlab", "optax")
        }
        found.append({"entries": entries, "before": norm(grads) / limit, **after})
    return found


def parsed() -> argparse.Namespace:
    """The command's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--sizes", nargs="+", type=lambda text: int(float(text)), metavar="SIZE",
        help="numbers of parameters, such as 1e3 1e6; nothing is written",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=15, help="of timing (15)")
    parser.add_argument(
        "--seconds", type=float, default=0.05, help="of a program in a round (0.05)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="to 1e6, in few rounds; nothing is written"
    )
    parser.add_argument("--no-write", action="store_true", help="print the tables, write no files")
    options = parser.parse_args()
    options.write = not (options.no_write or options.quick or options.sizes)
    if options.quick:
        options.rounds, options.seconds = 5, 0.02
    options.sizes = options.sizes or [size for size in SIZES if size <= 10**6 or not options.quick]
    return options


def main() -> int:
    """Run the command."""
    options = parsed()
    where = machine()
    versions = {name: importlib.metadata.version(name) for name in ("jax", "optax", "numpy")}
    results: dict[str, Any] = {
        "machine": where | versions,
        "measured": {"rounds": options.rounds, "seconds": options.seconds},
        "clip": [], "price": [], "backward": [], "tensor": [],
        "kept": norms_after(1000),
        "memory": [row for size in options.sizes for row in memory(size)],
        "scaling": scaling(),
    }  # fmt: skip
    for size in options.sizes:
        say(f"{power(size)} parameters")
        for part, rows in measure(size, options).items():
            results[part] += rows
    folder = HERE if options.write else None
    return finish("operators", results, markdown(results), targets(results), folder)


if __name__ == "__main__":
    sys.exit(main())
