"""Measure every remedy as an estimator of a blurred gradient, and record it.

``python -m experiments.chaotic_unrolls.run``; ``protocol.md`` says what is run and why. The results
stand in ``packages/sccbook/src/sccbook/records/chaotic_unrolls.json``, where the chapter finds them.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from experiments.chaotic_unrolls.systems import SYSTEMS, end, lags
from experiments.record import made_with, short, store
from sccbook.records import cell_of, path, written

SCALES, CUTS = (0.25, 0.5, 0.75, 0.9), (2, 4, 10)
LIMITS, AT_STATE = (1.0, 10.0), (0.1, 1.0)
"""Of the clips: in units of the true gradient's length, and, at the state, absolute."""
ARMS = (
    ("plain", 0.0),
    *(("scale", s) for s in SCALES),
    *(("coin", s) for s in SCALES),
    *(("cut", k) for k in CUTS),
    *(("each", c) for c in LIMITS),
    *(("state", c) for c in AT_STATE),
    *(("global", c) for c in LIMITS),
    ("evolution", 0.0),
)
"""All estimators, each with its setting."""
RUNS = (
    *((name, length) for name in ("logistic", "cliff", "network") for length in (5, 10, 20, 50)),
    *((name, 50) for name in ("network 2", "network 3")),
)
SMALL, LARGE, BATCHES, CHUNK = 32, 1024, 256, 1 << 14
PAIRS, PAIRS_NETWORK = 1 << 24, 1 << 22
STEPS, STRIDES, SEEDS, SAMPLES = 200, {"logistic": 0.001, "cliff": 0.005}, 8, 1 << 14
STRIDE_NETWORK = 0.05
LAGS, DIGITS = 20, 3


def _pairs(name: str, length: int, theta: Array, keys: Array) -> Array:
    """Return one estimate by antithetic evolution strategies for each key, float ``[keys, d]``."""
    system = SYSTEMS[name]

    def one(key: Array) -> Array:
        first, second = jax.random.split(key)
        blur, start = jax.random.normal(first, theta.shape), system.draw(second)
        up, down = (
            end(system, theta + sign * system.width * blur, start, length) for sign in (1, -1)
        )
        return blur * (up - down) / (2 * system.width)

    return jax.vmap(one)(keys)


def _weights(key: Array, length: int) -> Array:
    """Return what plain, scale, coin and cut give to each lag, float ``[arms, length]``."""
    lag = jnp.arange(length)
    coins = jax.random.uniform(key, (length - 1,))
    return jnp.stack(
        [
            jnp.ones(length),
            *(s**lag for s in SCALES),
            *(jnp.cumprod(jnp.append(1.0, jnp.where(coins < s, 1.0, 0.0))) for s in SCALES),
            *(jnp.where(lag < k, 1.0, 0.0) for k in CUTS),
        ]
    )


@functools.partial(jax.jit, static_argnums=(0, 1))
def estimates(
    name: str, length: int, theta: Array, limits: Array, keys: Array
) -> tuple[Array, Array]:
    """Return what each example of a batch says, by all arms but ``global``, and its lags.

    Args:
      name, length: of the system and its unroll.
      theta: float ``[d]``.
      limits: float ``[2]``; of the clips of each example.
      keys: one an example.

    Returns:
      float ``[examples, arms, d]``, in the order of ``ARMS``, zeros for ``global``, and float
      ``[examples, length, d]``.
    """
    system = SYSTEMS[name]

    def one(key: Array) -> tuple[Array, Array]:
        first, second, third = jax.random.split(key, 3)
        blurred = theta + system.width * jax.random.normal(first, theta.shape)
        start = system.draw(second)
        parts = lags(system, blurred, start, length)
        weighted = _weights(third, length) @ parts
        norm = jnp.maximum(jnp.linalg.norm(weighted[0]), 1e-300)
        clipped = weighted[0] * jnp.minimum(1, limits / norm)[:, None]
        at_state = jax.vmap(lambda c: jnp.sum(lags(system, blurred, start, length, c), axis=0))(
            jnp.asarray(AT_STATE)
        )
        rows = [weighted, clipped, at_state, jnp.zeros_like(clipped)]
        return jnp.concatenate(rows), parts

    found, parts = jax.vmap(one)(keys)
    evolved = _pairs(name, length, theta, keys)
    return jnp.concatenate([found, evolved[:, None]], axis=1), parts


def clip_globally(means: Array, limits: Array) -> Array:
    """Put a batch's clipped mean gradients where ``global`` stands, float ``[..., arms, d]``."""
    plain, at = means[..., :1, :], ARMS.index(("global", LIMITS[0]))
    norm = jnp.maximum(jnp.linalg.norm(plain, axis=-1, keepdims=True), 1e-300)
    clipped = plain * jnp.minimum(1, limits[:, None] / norm)
    return means.at[..., at : at + len(LIMITS), :].set(clipped)


@functools.partial(jax.jit, static_argnums=(0, 1))
def _truth_part(name: str, length: int, keys: Array) -> tuple[Array, Array]:
    found = _pairs(name, length, jnp.asarray(SYSTEMS[name].theta), keys)
    return jnp.mean(found, axis=0), jnp.mean(found**2, axis=0)


def truth(name: str, length: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient of J by very many pairs, and the standard errors, float64 ``[d]`` each."""
    chunk = min(pairs, 1 << 18)
    parts = [
        _truth_part(name, length, jax.random.split(jax.random.key(1000 + i), chunk))
        for i in range(pairs // chunk)
    ]
    mean, square = (np.mean([part[i] for part in parts], axis=0) for i in (0, 1))
    return mean, np.sqrt((square - mean**2) / pairs)


@functools.partial(jax.jit, static_argnums=(0, 1, 2))
def _ends(name: str, length: int, stride: float, limits: Array, seeds: Array) -> Array:
    """Return J after a descent with equal steps, float ``[seeds, 1 + arms]``; first J at the start."""
    system = SYSTEMS[name]
    begun = jnp.asarray(system.theta)

    def objective(theta: Array) -> Array:
        def one(key: Array) -> Array:
            first, second = jax.random.split(key)
            blur = system.width * jax.random.normal(first, theta.shape)
            return end(system, theta + blur, system.draw(second), length)

        return jnp.mean(jax.vmap(one)(jax.random.split(jax.random.key(7), SAMPLES)))

    def one(seed: Array, arm: Array) -> Array:
        def step(theta: Array, key: Array) -> tuple[Array, None]:
            found, _ = estimates(name, length, theta, limits, jax.random.split(key, SMALL))
            g = clip_globally(jnp.mean(found, axis=0), limits)[arm]
            return theta - stride * g / jnp.maximum(jnp.linalg.norm(g), 1e-300), None

        keys = jax.random.split(jax.random.key(seed), STEPS)
        return objective(jax.lax.scan(step, begun, keys)[0])

    arms = jnp.arange(len(ARMS))
    after = jax.vmap(lambda seed: jax.lax.map(lambda arm: one(seed, arm), arms))(seeds)
    return jnp.concatenate([jnp.full((len(seeds), 1), objective(begun)), after], axis=1)


def measured(means: np.ndarray, true: np.ndarray) -> dict[str, Any]:
    """Return the measures of a cell from its estimates, float ``[batches, d]``."""
    unit = np.linalg.norm(true)
    g, t = means / unit, true / unit
    along = g @ t
    lengths = np.maximum(np.linalg.norm(g, axis=1), 1e-300)
    measures = {
        "bias": np.mean(along) - 1,
        "bias_error": np.std(along) / len(g) ** 0.5,
        "sd": np.sqrt(np.sum(np.var(g, axis=0))),
        "rmse": np.sqrt(np.mean(np.sum((g - t) ** 2, axis=1))),
        "right": np.mean(along > 0),
        "cosine": np.mean(along / lengths),
    }
    return {name: short(number, DIGITS) for name, number in measures.items()}


def batches(
    name: str, length: int, true: np.ndarray, number: int = BATCHES
) -> tuple[dict[int, np.ndarray], np.ndarray]:
    """Return the estimates of all arms at both sizes, float ``[batches, arms, d]``, and the mean lags."""
    theta = jnp.asarray(SYSTEMS[name].theta)
    limits = jnp.asarray(LIMITS) * np.linalg.norm(true)
    small, parts = list[np.ndarray](), list[np.ndarray]()
    for i in range(number * LARGE // CHUNK):
        keys = jax.random.split(jax.random.key(i), CHUNK)
        found, lag = estimates(name, length, theta, limits, keys)
        small.append(np.asarray(found).reshape(-1, SMALL, *found.shape[1:]).mean(1))
        parts.append(np.asarray(lag).mean(0))
    means = np.concatenate(small)
    large = means.reshape(-1, LARGE // SMALL, *means.shape[1:]).mean(1)
    sizes = {SMALL: means, LARGE: large}
    return {size: np.asarray(clip_globally(jnp.asarray(m), limits)) for size, m in sizes.items()}, (
        np.mean(parts, axis=0)
    )


def part(name: str, length: int) -> dict[str, Any]:
    """Run one system at one length: its truth, its lags and its cells."""
    network = name.startswith("network")
    with jax.enable_x64(True):
        true, error = truth(name, length, PAIRS_NETWORK if network else PAIRS)
        by_size, lag = batches(name, length, true)
        ends = np.zeros((SEEDS, 0))
        if length == 50:
            limits = jnp.asarray(LIMITS) * np.linalg.norm(true)
            stride = STRIDES.get(name, STRIDE_NETWORK)
            ends = np.asarray(_ends(name, length, stride, limits, jnp.arange(SEEDS)))
    # a batch clipped as a whole keeps its direction, so it takes the steps of plain
    descended = {(SMALL, arm) for arm in ARMS if ends.size and arm[0] != "global"}
    cells = [
        cell_of("chaotic_unrolls")(
            name,
            length,
            *arm,
            size,
            **measured(means[:, i], true),
            ends=tuple(short(e) for e in ends[:, i + 1]) if (size, arm) in descended else (),
        )
        for size, means in by_size.items()
        for i, arm in enumerate(ARMS)
    ]
    return {
        "truth": [short(t) for t in true],
        "truth_error": short(np.linalg.norm(error) / np.linalg.norm(true), DIGITS),
        "lags": [short(m, DIGITS) for m in (lag @ true / (true @ true))[:LAGS]],
        "start": short(ends[0, 0]) if ends.size else None,
        "cells": cells,
    }


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    parts = dict[str, dict[str, Any]]()
    for name, length in RUNS:
        since = time.time()
        parts[f"{name} {length}"] = part(name, length)
        print(f"{name} {length}: {time.time() - since:.0f} s", flush=True)
    made = made_with(
        "jax",
        batches=BATCHES,
        pairs=[PAIRS, PAIRS_NETWORK],
        steps=STEPS,
        seeds=SEEDS,
        dtype="float64",
        **{
            field: {name: found[field] for name, found in parts.items() if name.endswith(" 50")}
            for field in ("lags", "start")
        },
        **{
            field: {name: found[field] for name, found in parts.items()}
            for field in ("truth", "truth_error")
        },
    )
    cells = [cell for found in parts.values() for cell in found["cells"]]
    store(path("chaotic_unrolls"), written({"provenance": made, "cells": cells}))


if __name__ == "__main__":
    main()
