"""Train the network of ``recall`` under every remedy, and record it: ``python -m experiments.remedies.run``.

``protocol.md`` says what is run and why. A cell is one remedy, limit, rate and optimizer, over all
seeds. The results stand in ``packages/sccbook/src/sccbook/records/remedies.json``, where chapters and figures
find them.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from experiments.record import made_with, short, store
from experiments.remedies import long_steps
from sccbook.models import remedies
from sccbook.records import Cell, cell_of, path, written

SEEDS = tuple(range(16))
STEPS = 400
LAST = 50
"""Steps at the end over whose minibatches, of 16 sequences each, the share named right is the mean."""
RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
LIMITS = {
    "nothing": (1.0,),
    "clip": (0.1, 0.3, 1.0, 3.0),
    "half": (0.5, 0.8),
    "clip_state": (0.01, 0.1, 1.0),
    "columns": (1.0, 1.4, 2.0),
    "spectral": (1.0, 1.4, 2.0),
    "normalise": (0.1, 0.3, 1.0),
}
FINE = tuple(float(f"{rate:.3g}") for rate in np.geomspace(1e-3, 1.0, 13))
"""Rates of plain SGD among which those are found that match a clip's steps."""
MATCHED_CLIPS = (0.3, 1.0, 3.0)
DIGITS = 3
PER_SEED = ("right", "median_step", "longest_step")


@functools.partial(jax.jit, static_argnums=0)
def _trained(remedy: str, optimizer: Array, rate: Array, limit: Array, seed: Array) -> Any:
    place = remedies.REMEDIES.index(remedy)

    def one(optimizer: Array, rate: Array, limit: Array, seed: Array) -> dict[str, Array]:
        def body(carry: Any, _: None) -> tuple[Any, dict[str, Array]]:
            after, record = remedies.step(carry, place, optimizer, rate, limit)
            right = after.recent[-1]
            return after, {**record, "right": right}

        carry, record = jax.lax.scan(body, remedies.start(seed), None, length=STEPS)
        w = remedies.unflatten(carry.params)["w"]
        return {
            "right": jnp.mean(record["right"][-LAST:]),
            "median_step": jnp.median(record["stride"]),
            "mean_step": jnp.mean(record["stride"]),
            "longest_step": jnp.max(record["stride"]),
            "longest_gradient": jnp.max(record["norm"]),
            "shortened": record["shortened"][-1],
            "gain": jnp.linalg.norm(w, 2),
        }

    return jax.vmap(functools.partial(one, optimizer, rate, limit))(seed)


def train(
    remedy: str, arms: Iterable[tuple[str, float, float]], arm: str = "grid", seeds: Any = SEEDS
) -> Iterator[Cell]:
    """Train one remedy at several optimizers, rates and limits, all seeds in one batch.

    Args:
      remedy: one of ``remedies.REMEDIES``.
      arms: the optimizer's name, the rate and the limit of each cell.
      arm: what the cells are run for.
      seeds: integers.
    """
    for optimizer, rate, limit in arms:
        with jax.enable_x64(True):
            place = jnp.asarray(remedies.OPTIMIZERS.index(optimizer))
            given = jnp.asarray(rate), jnp.asarray(limit), jnp.asarray(seeds)
            found = _trained(remedy, place, *given)
        numbers = {name: short(array, DIGITS) for name, array in found.items()}
        yield cell_of("remedies")(arm, remedy, limit, optimizer, rate, **numbers)


def grid(remedy: str, limit: float) -> list[Cell]:
    """All rates of one remedy and limit: with SGD, and at the limit of ``remedies`` with the others."""
    usual = limit == remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    optimizers = remedies.OPTIMIZERS if usual else ("sgd",)
    arms = [(optimizer, rate, limit) for optimizer in optimizers for rate in RATES]
    return list(train(remedy, arms))


def matched(cells: Iterable[Cell]) -> list[Cell]:
    """Normalised SGD with the median, and with the mean, step of each clip, at the clip's rate.

    The limit is ``step / rate``, with the median over the seeds of the clip's median or mean step.
    """
    clips = [
        cell
        for cell in cells
        if (cell.arm, cell.remedy, cell.optimizer) == ("grid", "clip", "sgd")
        and cell.limit in MATCHED_CLIPS
    ]
    found: list[Cell] = []
    for arm, of in (("median of clip", "median_step"), ("mean of clip", "mean_step")):
        arms = [
            ("sgd", cell.rate, float(f"{np.median(getattr(cell, of)) / cell.rate:.3g}"))
            for cell in clips
        ]
        named = [f"{arm} {cell.limit:g}" for cell in clips]
        found += [
            cell._replace(arm=name)
            for name, cell in zip(named, train("normalise", arms), strict=True)
        ]
    return found


def kept(cell: Cell) -> Cell:
    """Keep a number a seed of what is in ``PER_SEED``, and of other measures the median alone."""
    medians = {
        name: (float(f"{np.median(numbers):.3g}"),)
        for name, numbers in cell._asdict().items()
        if isinstance(numbers, tuple) and name not in PER_SEED
    }
    return cell._replace(**medians)


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    cells, since = list[Cell](), time.time()
    for remedy, limits in LIMITS.items():
        for limit in limits:
            cells += grid(remedy, limit)
            print(f"{remedy} {limit:g}: {time.time() - since:.0f} s so far", flush=True)
    cells += train("nothing", [("sgd", rate, 1.0) for rate in FINE], "fine")
    cells += matched(cells)
    given = {"steps": STEPS, "last": LAST, "seeds": list(SEEDS), "dtype": "float64"}
    record = {"provenance": made_with("jax", "optax", **given), "cells": map(kept, cells)}
    store(path("remedies"), written(record))
    long_steps.main()


if __name__ == "__main__":
    main()
