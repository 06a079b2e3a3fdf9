"""Measure the ledger: time and memory to K = 1,000, beside copies of the parameters.

A tanh RNN, an LSTM and MuZero's networks are unrolled. The ledger is timed by turns with the plain
gradient of the whole loss, with a backward pass for each loss, and with its definition, copies of
the parameters and one Jacobian; memory is read off the compiled programs. Printed is Markdown, which
is also written to ``benchmarks/ledger.md``, with the numbers in ``benchmarks/ledger.json``. The exit
status is 1 where a target is missed.

Run it with ``make bench-ledger``; ``make bench-ledger ARGS='--quick'`` does less.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from benchmarks.ledger.models import MODELS
from benchmarks.ledger.programs import PROGRAMS, apart, compiled
from benchmarks.ledger.tables import markdown, targets
from benchmarks.report import finish, machine, say, spread

HERE = Path(__file__).parent
STEPS = (10, 30, 100, 300, 1000)
SLOW = 4000.0
"""What takes so many milliseconds, other than the ledger, is called once."""


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and the milliseconds that it takes."""
    start = time.perf_counter()
    found = call()
    return found, 1e3 * (time.perf_counter() - start)


def by_turns(
    calls: Mapping[str, Callable[[], Any]], least: int, seconds: float
) -> dict[str, list[float]]:
    """The milliseconds of each program in each round: at least so many, then as time allows.

    In a round each is called once, in one round there and in the next back.
    """
    found: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    end = time.perf_counter() + seconds
    while len(found[order[0]]) < least or time.perf_counter() < end:
        for name in order:
            found[name].append(timed(calls[name])[1])
        order.reverse()
    return found


def measure(model: str, steps: int, options: argparse.Namespace) -> dict[str, Any]:
    """One model, unrolled so many steps, by all programs that fit."""
    unroll = MODELS[model](steps)
    made = {name: compiled(name, unroll) for name in PROGRAMS}
    limit = options.memory * 1e9
    fit = {n: one for n, one in made.items() if one.temporary + one.results <= limit}
    first = {name: timed(one.call) for name, one in fit.items()}
    ledger, _ = first["ledger"]
    apart_by = {n: apart(ledger, first[n][0]) for n in ("passes", "copies") if n in first}
    once = {n: [taken] for n, (_, taken) in first.items() if n != "ledger" and taken > SLOW}
    del first, ledger
    again = {n: one.call for n, one in fit.items() if n not in once}
    times = by_turns(again, options.rounds, options.seconds)
    own = times["ledger"]
    return {
        "model": model,
        "steps": steps,
        "parameters": unroll.parameters,
        "rounds": len(own),
        "compile": {name: one.seconds for name, one in made.items()},
        "temporary": {name: one.temporary for name, one in made.items()},
        "results": {name: one.results for name, one in made.items()},
        "once": sorted(once),
        "times": {name: statistics.median(found) for name, found in (times | once).items()},
        "ratios": {
            name: spread([other / one for other, one in zip(found, own, strict=True)])
            for name, found in times.items()
            if name != "ledger"
        }
        | {name: spread([taken / statistics.median(own)]) for name, (taken,) in once.items()},
        "apart": apart_by,
    }


def parsed() -> argparse.Namespace:
    """The command's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--steps", nargs="+", type=int, metavar="K", help="such as 10 100; nothing is written"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of timing, at least (3)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of timing, at least (3)")
    parser.add_argument(
        "--memory", type=float, default=4.0, help="GB that a program may want, to be run (4)"
    )
    parser.add_argument("--quick", action="store_true", help="to K = 100; nothing is written")
    parser.add_argument("--no-write", action="store_true", help="print the tables, write no files")
    options = parser.parse_args()
    options.write = not (options.no_write or options.quick or options.steps)
    if options.quick:
        options.seconds = 0.5
    options.steps = options.steps or [k for k in STEPS if k <= 100 or not options.quick]
    return options


def main() -> int:
    """Run the command."""
    options = parsed()
    versions = {name: importlib.metadata.version(name) for name in ("jax", "numpy")}
    results: dict[str, Any] = {
        "machine": machine() | versions,
        "measured": {
            "rounds": options.rounds, "seconds": options.seconds, "memory": options.memory,
            "slow": SLOW / 1e3,
        },
        "rows": [],
    }  # fmt: skip
    start = time.perf_counter()
    for model in MODELS:
        for steps in options.steps:
            say(f"{model}, K = {steps}")
            results["rows"].append(measure(model, steps, options))
    results["machine"]["load_after"] = round(os.getloadavg()[0], 1)
    results["measured"]["minutes"] = round((time.perf_counter() - start) / 60, 1)
    folder = HERE if options.write else None
    return finish("ledger", results, markdown(results), targets(results), folder)


if __name__ == "__main__":
    sys.exit(main())
