"""Train the network of ``recall`` with turned gradients of matched length, and record it.

``python -m experiments.matched_clips.run``; ``protocol.md`` says what is run and why. The results stand
in ``packages/sccbook/src/sccbook/records/matched_clips.json``, where the chapter finds them.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree

from experiments.record import made_with, short, store
from scaleclip.ops import clip_adaptively, clip_by_global_norm, clip_by_norm
from sccbook.models import recall, remedies
from sccbook.records import Cell, cell_of, path, written

SEEDS = tuple(range(16))
STEPS, LAST = 400, 50
TARGETS = (0.06, 0.2)
GLOBAL, ARRAY, RATIO = 1.0, 0.5, 0.1
"""The limits of the three clips."""
WITHIN, REPEATS = 0.03, 6
DIRECTIONS = ("plain", "global", "array", "agc", "muon")


def polar(m: Array) -> Array:
    """Return the polar factor of a matrix: each of its singular values becomes 1; a vector gets length 1."""
    if m.ndim < 2:
        return m / jnp.maximum(jnp.linalg.norm(m), 1e-30)
    left, _, right = jnp.linalg.svd(m, full_matrices=False)
    return left @ right


def turned(direction: str, grads: Any, params: Any) -> Any:
    """Return what one of the directions makes of a gradient."""
    if direction == "global":
        return clip_by_global_norm(grads, GLOBAL)[0]
    if direction == "array":
        return jax.tree.map(lambda leaf: clip_by_norm(leaf, ARRAY), grads)
    if direction == "agc":
        return clip_adaptively(grads, params, RATIO)
    return jax.tree.map(polar, grads) if direction == "muon" else grads


@functools.partial(jax.jit, static_argnums=(0, 1))
def _trained(direction: str, equal: bool, size: Array, seeds: Array) -> dict[str, Array]:
    """Train all seeds; ``size`` is the rate or, where steps are ``equal``, their length."""

    def one(seed: Array) -> dict[str, Array]:
        begun = remedies.start(seed)

        def body(carry: tuple[Array, Array], _: None) -> tuple[Any, dict[str, Array]]:
            params, key = carry
            key, drawn = jax.random.split(key)

            def loss(flat: Array) -> tuple[Array, Array]:
                return recall.loss(remedies.unflatten(flat), *recall.draw(drawn))

            (lost, right), g = jax.value_and_grad(loss, has_aux=True)(params)
            pair = remedies.unflatten(g), remedies.unflatten(params)
            d = ravel_pytree(turned(direction, *pair))[0]
            norm, length = jnp.linalg.norm(g), jnp.linalg.norm(d)
            cosine = g @ d / jnp.maximum(norm * length, 1e-300)
            step = d * (size / jnp.maximum(length, 1e-300) if equal else size)
            record = {
                "right": right,
                "loss": lost,
                "step": jnp.linalg.norm(step),
                "turn": jnp.degrees(jnp.arccos(jnp.clip(cosine, -1, 1))),
                "changed": jnp.linalg.norm(d - g) > 1e-9 * norm,
            }
            return (params - step, key), record

        found = jax.lax.scan(body, (begun.params, begun.key), None, length=STEPS)[1]
        return {
            "right": jnp.mean(found["right"][-LAST:]),
            "loss": jnp.mean(found["loss"][-LAST:]),
            "mean_step": jnp.mean(found["step"]),
            "longest_step": jnp.max(found["step"]),
            "turn": jnp.mean(found["turn"]),
            "changed": jnp.mean(found["changed"]),
        }

    return jax.vmap(one)(seeds)


def train(direction: str, equal: bool, target: float, size: float, seeds: Any = SEEDS) -> Cell:
    """Train one direction with one rate, or with steps of one length."""
    with jax.enable_x64(True):
        found = _trained(direction, equal, jnp.asarray(size), jnp.asarray(seeds))
    numbers = {name: short(array) for name, array in found.items()}
    rate = 0.0 if equal else size
    return cell_of("matched_clips")(direction, "equal" if equal else "own", target, rate, **numbers)


def matched(direction: str, target: float) -> Cell:
    """Search for the rate at which a direction's mean step is the target, and return the nearest cell.

    A run that is chaotic has no such rate, and what it comes near to is recorded.
    """
    low, high, rate = 0.0, float("inf"), target
    tried = list[tuple[float, Cell]]()
    for _ in range(REPEATS):
        cell = train(direction, False, target, short(rate))
        ratio = target / float(np.median(cell.mean_step))
        tried.append((abs(float(np.log(ratio))), cell))
        if abs(ratio - 1) < WITHIN:
            break
        low, high = (rate, high) if ratio > 1 else (low, rate)
        rate = rate * ratio
        if not low < rate < high:
            rate = (low * high) ** 0.5
    return min(tried, key=lambda pair: pair[0])[1]


def all_cells() -> Iterator[Cell]:
    """Run every arm of the protocol."""
    for target in TARGETS:
        for direction in DIRECTIONS:
            yield matched(direction, target)
            if direction != "global":
                yield train(direction, True, target, target)


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    cells, since = list[Cell](), time.time()
    for cell in all_cells():
        cells.append(cell)
        print(
            f"{time.time() - since:5.0f} s  {cell.direction:6} {cell.lengths:5} {cell.target:4} "
            f"rate {cell.rate:<8} right {np.median(cell.right):.3f} loss {np.median(cell.loss):.3f} "
            f"turn {np.median(cell.turn):.0f} changed {np.median(cell.changed):.2f} "
            f"longest {np.median(cell.longest_step):.2f}",
            flush=True,
        )
    made = made_with("jax", steps=STEPS, last=LAST, seeds=list(SEEDS), dtype="float64")
    store(path("matched_clips"), written({"provenance": made, "cells": cells}))


if __name__ == "__main__":
    main()
