"""Units of an experiment, each computed by a process of its own and stored as it comes."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, TypeVar

from experiments import results

DETERMINISTIC = "--xla_cpu_multi_thread_eigen=false"
"""A sum is cut in pieces by how many threads there are; with one, it is the same everywhere."""


class Stored(Protocol):
    """What is computed and stored as a whole: a named tuple that can be pickled and hashed."""

    @property
    def name(self) -> str:
        """Name the file of its result, without the ending."""

    def _asdict(self) -> dict[str, Any]: ...


U = TypeVar("U", bound=Stored)
Work = Callable[[U], dict[str, Any]]


def set_up() -> None:
    """Make numbers reproducible, and keep what is compiled; before JAX is imported."""
    os.environ.setdefault("XLA_FLAGS", DETERMINISTIC)
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path("_build/xla").absolute()))


def computed(unit: U, compute: Work[U]) -> dict[str, Any]:
    """Compute a unit in this process, and say with what and where it was made."""
    import jax

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


def compute_missing(
    folder: Path,
    wanted: Iterable[U],
    work: Work[U],
    workers: int | None = None,
    tell: Callable[[dict[str, Any]], str] = lambda result: "",
) -> dict[U, dict[str, Any]]:
    """Compute those units that have no result yet, storing each as it comes; return all results.

    Args:
      folder: where results are stored.
      wanted: the units.
      work: computes one, in a process of its own.
      workers: how many processes; the number of cores by default.
      tell: what to print of a result, beside how long it took.
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
            print(
                f"[{done}/{len(missing)}] {unit.name}: {result['made']['seconds']:.0f} s{tell(result)}; "
                f"about {left / 60:.0f} min left",
                flush=True,
            )
    return {unit: result for unit, result in found.items() if result is not None}
