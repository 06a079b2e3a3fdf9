"""Train the policy of ``sccbook.models.policy`` under every surrogate, and record it.

``python -m experiments.policy_clips.run``; ``protocol.md`` says what is run and why. The results stand in
``packages/sccbook/src/sccbook/records/policy_clips.json``, where the chapter finds them.
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
from sccbook.models import policy
from sccbook.records import Cell, cell_of, path, written

SEEDS = tuple(range(16))
BATCHES = 200
LIMITS = (0.0, 0.3)
RATES = {"sgd": (3.0, 10.0), "adam": (0.03, 0.1)}
FAR, FALL = 100.0, 10.0
"""A ratio that is far from 1, and by how many points a reward falls that is counted."""
CLIPPED = 0.3


@jax.jit
@functools.partial(jax.vmap, in_axes=(*[None] * 5, 0))
def _trained(
    surrogate: Array, limit: Array, rate: Array, epochs: Array, optimizer: Array, seed: Array
) -> Any:
    def batch(carry: policy.Training, _: None) -> tuple[policy.Training, dict[str, Array]]:
        return policy.step(carry, surrogate, limit, rate, epochs, optimizer)

    return jax.lax.scan(batch, policy.start(seed), None, length=BATCHES)[1]


def train(
    surrogate: str, limit: float, optimizer: str, rate: float, epochs: int, seeds: Any = SEEDS
) -> Cell:
    """Train all seeds in one arm; a limit of 0 stands for none."""
    with jax.enable_x64(True):
        given = (
            jnp.asarray(policy.SURROGATES.index(surrogate)),
            jnp.asarray(limit or np.inf),
            jnp.asarray(rate),
            jnp.asarray(epochs),
            jnp.asarray(policy.OPTIMIZERS.index(optimizer)),
        )
        found = {name: np.asarray(a) for name, a in _trained(*given, jnp.asarray(seeds)).items()}
    fell = np.diff(found["reward"], axis=1) < -FALL
    far = found["ratio"] > FAR

    def counted(marks: Any) -> tuple[int, ...]:
        return tuple(int(count) for count in np.sum(marks, axis=1))

    return cell_of("policy_clips")(
        surrogate,
        limit,
        optimizer,
        rate,
        epochs,
        short(found["reward"][:, -1]),
        short(found["ratio"].max(axis=1)),
        counted(fell),
        counted(fell & far[:, 1:]),
        counted(far),
        short(found["stopped"].mean(axis=1)),
        short((found["norm"] > CLIPPED).mean(axis=1)),
    )


def all_cells() -> Iterator[Cell]:
    """Run every arm of the protocol."""
    for optimizer, rates in RATES.items():
        for rate in rates:
            for surrogate in policy.SURROGATES:
                for limit in LIMITS:
                    yield train(surrogate, limit, optimizer, rate, policy.EPOCHS)
    for surrogate in policy.SURROGATES:
        yield train(surrogate, 0.0, "sgd", RATES["sgd"][-1], 1)


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    cells = list[Cell]()
    for cell in all_cells():
        cells.append(cell)
        print(*cell[:5], *(f"{np.median(numbers):.4g}" for numbers in cell[5:]), flush=True)
    made = made_with("jax", batches=BATCHES, seeds=list(SEEDS), dtype="float64")
    store(path("policy_clips"), written({"provenance": made, "cells": cells}))


if __name__ == "__main__":
    main()
