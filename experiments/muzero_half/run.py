"""Run the experiment, or go on with it: ``python -m experiments.muzero_half.run``; ``--help`` for more.

``protocol.md`` says what is run and why. Each unit of sixteen seeds is computed by a process of its
own and stored as a file in ``results/``; what is stored already isn't computed again.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from experiments.muzero_half import compare, results, units
from experiments.muzero_half.gather import gather
from experiments.muzero_half.units import Unit

DETERMINISTIC = "--xla_cpu_multi_thread_eigen=false"
"""A sum is cut in pieces by how many threads there are; with one, it is the same everywhere."""


def compute_unit(unit: Unit) -> dict[str, Any]:
    """Compute a unit in this process, and say with what and where it was made."""
    import jax

    from experiments.muzero_half.compute import compute
    from experiments.record import made_with

    begun = time.perf_counter()
    found = compute(unit)
    made = made_with(
        "jax", "jaxlib", "mctx", "optax", "numpy",
        seconds=round(time.perf_counter() - begun, 1),
        machine=f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        devices=[str(device.device_kind) for device in jax.devices()],
        xla_flags=os.environ.get("XLA_FLAGS", ""),
    )  # fmt: skip
    return {"unit": unit._asdict(), "made": made, "found": found}


def run(
    folder: Path,
    wanted: Iterable[Unit],
    work: Callable[[Unit], dict[str, Any]] = compute_unit,
    workers: int | None = None,
) -> dict[Unit, dict[str, Any]]:
    """Compute those units that have no result yet, storing each as it comes; return all results.

    Args:
      folder: where results are stored.
      wanted: the units.
      work: computes one, in a process of its own.
      workers: how many processes; the number of cores by default.
    """
    found = {unit: results.read(folder, unit.name) for unit in wanted}
    missing = [unit for unit, result in found.items() if result is None]
    print(f"{len(found)} units, {len(found) - len(missing)} of them stored already", flush=True)
    begun = time.perf_counter()
    # spawned: JAX's threads don't survive a fork
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(work, unit): unit for unit in missing}
        for done, future in enumerate(as_completed(futures), 1):
            unit, result = futures[future], future.result()
            results.write(folder, unit.name, result)
            found[unit] = result
            left = (time.perf_counter() - begun) / done * (len(missing) - done)
            mean = np.mean(result["found"]["auc"])
            print(
                f"[{done}/{len(missing)}] {unit.name}: {result['made']['seconds']:.0f} s, mean return "
                f"{mean:.3f}; about {left / 60:.0f} min left",
                flush=True,
            )
    return {unit: result for unit, result in found.items() if result is not None}


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
    if folder == results.FOLDER:
        gather(found)
        compare.main()


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.muzero_half.run", description="Does the half matter?"
    )
    parser.add_argument("--workers", type=int, help="processes; the number of cores by default")
    parser.add_argument(
        "--results", type=Path, default=results.FOLDER, help="where results are stored"
    )
    parser.add_argument(
        "--quick", action="store_true", help="eight seeds of Catch, in three minutes"
    )
    given = parser.parse_args(arguments)

    os.environ.setdefault("XLA_FLAGS", DETERMINISTIC)
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path("_build/xla").absolute()))
    if given.quick:
        run(given.results, units.quick(), workers=given.workers)
    else:
        run_all(given.results, given.workers)


if __name__ == "__main__":
    main()
