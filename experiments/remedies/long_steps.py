"""Change one step of a clipped run, run longer, let the rate fall: ``python -m experiments.remedies.long_steps``.

``protocol.md`` says what is run and why. Most of these runs are chaotic, so chapter 12 reads their record,
``packages/sccbook/src/sccbook/records/long_steps.json``, and trains none of them itself.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from experiments.record import made_with, short, store
from sccbook.models import remedies
from sccbook.records import Cell, cell_of, path, written

SEEDS = tuple(range(64))
STEPS = 400
RATE, LIMIT = 0.1, 1.0
WINDOW = slice(100, 350)
"""The steps among which the changed one is looked for."""
ONE_STEP = (0.5, 1.0, 3.0)
CONSTANTS, DECAYS = (0.01, 0.02, 0.03), (0.03, 0.05, 0.1)
DIGITS = 4
NOTHING, CLIP, NORMALISE = map(remedies.REMEDIES.index, ("nothing", "clip", "normalise"))


@jax.jit
@functools.partial(jax.vmap, in_axes=(0, None, None, None, 0, 0, 0))
def _train(
    carry: Any, remedy: Array, rates: Array, limits: Array, at: Array, length: Array, toward: Array
) -> Any:
    """Train by SGD, a rate and a limit for each step; step ``at`` goes ``length`` far.

    Args:
      carry: a ``remedies.Training``.
      remedy: a place in ``remedies.REMEDIES``.
      rates, limits: ``[steps]``.
      at: the step to change, counted from 0; -1 for none.
      length: how far the changed step goes.
      toward: int ``[]``; 0 for against the gradient, 1 for along it, uphill, 2 for a random direction.

    Returns:
      The last carry, and the records of ``remedies.step``, ``[steps]``.
    """
    drawn = jax.random.normal(jax.random.fold_in(carry.key, 1), carry.params.shape)

    def one(carry: Any, step: tuple[Array, Array, Array]) -> tuple[Any, dict[str, Array]]:
        t, rate, limit = step
        after, seen = remedies.step(carry, remedy, 0, rate, limit)
        down = after.params - carry.params
        way = jnp.select([toward == 0, toward == 1], [down, -down], drawn)
        changed = carry.params + length * way / jnp.linalg.norm(way)
        return after._replace(params=jnp.where(t == at, changed, after.params)), seen

    return jax.lax.scan(one, carry, (jnp.arange(len(rates)), rates, limits))


def train(
    carry: Any,
    remedy: int,
    rates: Any = RATE,
    limits: Any = LIMIT,
    at: Any = -1,
    length: Any = 0.0,
    toward: int = 0,
) -> tuple[Any, dict[str, np.ndarray]]:
    """Train all seeds for ``STEPS`` steps; single numbers stand for one at each step or seed."""
    n = len(carry.params)
    each = (np.broadcast_to(value, STEPS) for value in (rates, limits))
    change = (np.broadcast_to(value, n) for value in (at, length, toward))
    carry, seen = _train(carry, remedy, *each, *change)
    return carry, {name: np.asarray(array) for name, array in seen.items()}


def _cell(arm: str, setting: float, right: np.ndarray, *numbers: Any) -> Cell:
    best = right[:, remedies.RECENT :].max(axis=1)
    end = (right[:, -1] + right[:, -1 - remedies.RECENT]) / 2  # each is a mean of so many
    return cell_of("long_steps")(arm, setting, *(short(x, DIGITS) for x in (*numbers, best, end)))


def one_step(begun: Any) -> Iterator[Cell]:
    """Clipped runs in which one step is changed, and the run that none is changed in."""
    _, seen = train(begun, CLIP)
    seeds = np.arange(len(begun.params))
    rank = np.argsort(seen["norm"][:, WINDOW], axis=1)
    longest, ordinary = (WINDOW.start + rank[:, place] for place in (-1, rank.shape[1] // 2))
    tried: list[tuple[str, float, Any, Any, int]] = [
        *(("against", length, longest, length, 0) for length in ONE_STEP),
        ("against", 0.0, longest, RATE * seen["norm"][seeds, longest], 0),
        ("ordinary", 3.0, ordinary, 3.0, 0),
        ("uphill", 3.0, longest, 3.0, 1),
        ("random", 3.0, longest, 3.0, 2),
    ]
    right = seen["right"]
    after = right[seeds, longest + remedies.RECENT]
    yield _cell("unchanged", 0.0, right, np.full(len(seeds), RATE * LIMIT), after)
    for arm, setting, at, length, toward in tried:
        right = train(begun, CLIP, at=at, length=length, toward=toward)[1]["right"]
        after = right[seeds, at + remedies.RECENT]
        yield _cell(arm, setting, right, np.broadcast_to(length, len(seeds)), after)


def others(begun: Any) -> Iterator[Cell]:
    """Runs without a remedy, at a constant rate or one that falls linearly to 0, and runs three times as long."""
    falling = 1 - np.arange(STEPS) / STEPS
    unaided: list[tuple[str, Any]] = [
        *(("constant", r) for r in CONSTANTS),
        ("plain", RATE),
        *(("decay", r * falling) for r in DECAYS),
    ]
    for arm, rates in unaided:
        seen = train(begun, NOTHING, rates=rates)[1]
        longest = seen["stride"].max(axis=1)
        yield _cell(arm, float(np.max(rates)), seen["right"], longest, ())
    for arm, remedy, late in (
        ("long clip", CLIP, 1.0),
        ("long normalise", NORMALISE, 1.0),
        ("long normalise", NORMALISE, 0.1),
    ):
        carry, records = begun, []
        for limit in (1.0, late, late):
            carry, seen = train(carry, remedy, limits=limit)
            records.append(seen)
        right, stride = (np.hstack([one[name] for one in records]) for name in ("right", "stride"))
        yield _cell(arm, late, right, stride.max(axis=1), ())


def all_cells(seeds: Any = SEEDS) -> list[Cell]:
    """Run every arm, on these seeds."""
    with jax.enable_x64(True):
        begun = jax.jit(lambda seeds: jax.lax.map(remedies.start, seeds))(np.asarray(seeds))
        return [*one_step(begun), *others(begun)]


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    cells = all_cells()
    for cell in cells:
        counted = sum(right > 0.9 for right in cell.end)
        print(f"{cell.arm:15}{cell.setting:5}  after {np.mean(cell.after or np.nan):.3f}", end="")
        print(f"  end {np.median(cell.end):.3f}, {counted} of {len(cell.end)}", flush=True)
    made = made_with("jax", "optax", steps=STEPS, seeds=list(SEEDS), dtype="float64")
    store(path("long_steps"), written({"provenance": made, "cells": cells}))


if __name__ == "__main__":
    main()
