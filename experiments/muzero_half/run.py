"""Run the experiment, or go on with it: ``python -m experiments.muzero_half.run``; ``--help`` for more.

``protocol.md`` says what is run and why. Each unit of sixteen seeds is computed by a process of its
own and stored as a file in ``results/``; what is stored already isn't computed again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.muzero_half import compare, units
from experiments.muzero_half.gather import gather
from experiments.muzero_half.units import Unit
from experiments.workers import compute_missing, computed, set_up

FOLDER = Path(__file__).parent / "results"


def compute_unit(unit: Unit) -> dict[str, Any]:
    """Compute a unit in this process."""
    from experiments.muzero_half.compute import compute

    return computed(unit, compute)


def run(folder: Path, wanted: Iterable[Unit], workers: int | None) -> dict[Unit, dict[str, Any]]:
    """Compute those units that have no result yet; return all results."""

    def tell(result: dict[str, Any]) -> str:
        return f", mean return {np.mean(result['found']['auc']):.3f}"

    return compute_missing(folder, wanted, compute_unit, workers, tell)


Rates = dict[tuple[str, str], float]


def tuned(found: Mapping[Unit, dict[str, Any]]) -> tuple[Rates, list[Unit]]:
    """Choose, for each task and arm, the learning rate with the largest mean area under the curve.

    Returns:
      The rates; and the units that are to be tried before these can be believed: where the best one
      lies at an edge of those tried, a rate twice or half as large.
    """
    areas: dict[tuple[str, str], dict[float, float]] = {}
    for unit, result in found.items():
        area = result["found"]["auc"]
        areas.setdefault((unit.task, unit.arm), {})[unit.rate] = sum(area) / len(area)
    best = {key: max(by_rate, key=by_rate.__getitem__) for key, by_rate in areas.items()}
    beyond = []
    for (task, arm), rate in best.items():
        tried = areas[task, arm]
        if rate == max(tried):
            beyond.append(units.tuned_at(task, arm, 2 * rate))
        elif rate == min(tried):
            beyond.append(units.tuned_at(task, arm, rate / 2))
    return best, beyond


def run_all(folder: Path, workers: int | None) -> None:
    """Run the stages in order, at the rates that the first one chose."""
    found = run(folder, units.tuning(), workers=workers)
    rates, beyond = tuned(found)
    while beyond:
        found |= run(folder, beyond, workers=workers)
        rates, beyond = tuned(found)
    for (task, arm), rate in rates.items():
        print(f"{task}, {arm}: rate {rate:g}")
    rest = (units.confirmatory(rates), units.invisible(), units.exploratory(rates))
    for wanted in rest:
        found |= run(folder, wanted, workers=workers)
    if folder == FOLDER:
        gather(found)
        compare.main()


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.muzero_half.run", description="Does the half matter?"
    )
    parser.add_argument("--workers", type=int, help="processes; the number of cores by default")
    parser.add_argument("--results", type=Path, default=FOLDER, help="where results are stored")
    parser.add_argument(
        "--quick", action="store_true", help="eight seeds of Catch, in three minutes"
    )
    given = parser.parse_args(arguments)

    set_up()
    if given.quick:
        run(given.results, units.quick(), workers=given.workers)
    else:
        run_all(given.results, given.workers)


if __name__ == "__main__":
    main()
