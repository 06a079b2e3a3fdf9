"""Run the experiment, or go on with it: ``python -m experiments.half_by_depth.run``; ``--help`` for more.

``protocol.md`` says what is run and why. Each unit of sixteen seeds is computed by a process of its
own and stored as a file in ``results/``; what is stored already isn't computed again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from experiments import results
from experiments.half_by_depth import units
from experiments.half_by_depth.units import Arm, Unit
from experiments.workers import compute_missing, computed, set_up

FOLDER = Path(__file__).parent / "results"

Found = dict[Unit, dict[str, Any]]


def compute_unit(unit: Unit) -> dict[str, Any]:
    """Compute a unit in this process."""
    from experiments.half_by_depth.compute import compute

    return computed(unit, compute)


def tuned(found: Mapping[Unit, dict[str, Any]]) -> tuple[dict[Arm, float], list[Unit]]:
    """Choose each arm's learning rate: that with the largest mean return in the last fifth.

    Returns:
      The rates; and the units that are to be tried before these can be believed: where the best one
      lies at an edge of those tried, a rate twice or half as large, in both arms.
    """
    late = late_by_rate(found)
    best = {arm: max(by_rate, key=by_rate.__getitem__) for arm, by_rate in late.items()}
    beyond: dict[Unit, None] = {}
    for (optimizer, arm, steps), rate in best.items():
        tried = late[optimizer, arm, steps]
        if rate in (max(tried), min(tried)):
            another = 2 * rate if rate == max(tried) else rate / 2
            stage = next(iter(found)).stage
            beyond.update(dict.fromkeys(units.tuned_at(stage, optimizer, steps, another)))
    return best, list(beyond)


def late_by_rate(found: Mapping[Unit, dict[str, Any]]) -> dict[Arm, dict[float, float]]:
    """Return each arm's mean return in the last fifth, by learning rate."""
    late: dict[Arm, dict[float, float]] = {}
    for unit, result in found.items():
        mean = float(np.mean(result["found"]["late"]))
        late.setdefault((unit.optimizer, unit.arm, unit.steps), {})[unit.rate] = mean
    return late


def depth_pays(found: Mapping[Unit, dict[str, Any]]) -> bool:
    """Tell whether the better arm at the larger K catches more than the better arm at the smaller."""
    short, long = (
        max(
            max(by_rate.values())
            for (*_, steps), by_rate in late_by_rate(found).items()
            if steps == k
        )
        for k in units.BLIND_LENGTHS
    )
    return long > short


def tune(
    folder: Path, first: Iterable[Unit], workers: int | None
) -> tuple[dict[Arm, float], Found]:
    """Run tuning units, until no best rate lies at an edge; return the rates and all results."""
    found: Found = {}
    best, beyond = dict[Arm, float](), list(first)
    while beyond:
        found |= compute_missing(folder, beyond, compute_unit, workers)
        best, beyond = tuned(found)
    for (optimizer, arm, steps), rate in best.items():
        print(f"{optimizer}, {arm}, K = {steps}: rate {rate:g}")
    return best, found


def run_all(folder: Path, workers: int | None) -> None:
    """Run both stages; the second goes on after its tuning only if depth pays in its game."""
    best, _ = tune(folder, units.tuning(), workers)
    compute_missing(folder, units.counted("confirmatory", best), compute_unit, workers)
    best, found = tune(folder, units.blind_tuning(), workers)
    if depth_pays(found):
        compute_missing(folder, units.counted("blind", best), compute_unit, workers)


def missing(found: Mapping[Unit, dict[str, Any]]) -> list[Unit]:
    """Return the units of the protocol that have no result yet, as far as rates are known."""

    def of(stage: str) -> Found:
        return {unit: result for unit, result in found.items() if unit.stage == stage}

    wanted: list[Unit] = []
    for first, counted in ((units.tuning(), "confirmatory"), (units.blind_tuning(), "blind")):
        tuning = list(first)
        best, beyond = tuned(own := of(tuning[0].stage))
        wanted += [*tuning, *beyond]
        known = not beyond and own.keys() >= set(tuning)
        if known and (counted == "confirmatory" or depth_pays(own)):
            wanted += units.counted(counted, best)
    return [unit for unit in wanted if unit not in found]


def stored(folder: Path = FOLDER) -> Found:
    """Read every result that is stored."""
    read = (
        results.read(folder, str(path.relative_to(folder).with_suffix("")))
        for path in sorted(folder.rglob("*.json"))
    )
    return {Unit(**result["unit"]): result for result in read if result is not None}


def repeat(folder: Path, name: str) -> None:
    """Compute a stored unit again, and say whether every number is the same.

    Raises:
      SystemExit: if one isn't, or no such unit is stored.
    """
    kept = results.read(folder, name)
    if kept is None:
        raise SystemExit(f"{folder / name}.json doesn't exist.")
    unit = Unit(**kept["unit"])
    with TemporaryDirectory() as elsewhere:
        compute_missing(Path(elsewhere), [unit], compute_unit, 1)
        again = results.read(Path(elsewhere), name)  # as it is stored: lists, and no tuples
    if again is None or again["found"] != kept["found"]:
        raise SystemExit(f"{name}: other numbers. They were made with {kept['made']}")
    print(f"{name}: every number is the same")


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.half_by_depth.run",
        description="Does the half matter more at a larger K?",
    )
    parser.add_argument("--workers", type=int, help="processes; the number of cores by default")
    parser.add_argument("--results", type=Path, default=FOLDER, help="where results are stored")
    parser.add_argument(
        "--again", metavar="UNIT", help="compute this stored unit again, and compare"
    )
    given = parser.parse_args(arguments)

    set_up()
    if given.again:
        repeat(given.results, given.again)
        return
    run_all(given.results, given.workers)


if __name__ == "__main__":
    main()
