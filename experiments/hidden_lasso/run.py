"""Shrink and train columns with Keras's MaxNorm and with a group lasso, and record both.

``python -m experiments.hidden_lasso.run``; ``protocol.md`` says what is run and why. The results stand
in ``packages/sccbook/src/sccbook/records/hidden_lasso.json``, where the chapter finds them.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from experiments.record import made_with, short, store
from scaleclip.ops import max_norm
from sccbook.records import Cell, cell_of, path, written

os.environ.setdefault("KERAS_BACKEND", "jax")  # Keras reads it when it is imported, below

ARMS = ("cap", "prox", "keras")
EPSILON, RAISED = 1e-7, 1e-4

HIGH = 6.0
NORMS = (1e-3, 1e-2, 0.1, 1.0, 1.9, 2.1, 3.0, 4.0)
TIMES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
LOOKED_FOR = {1: 25_000_000, 256: 1_100_000}
"""Up to which step a zero is looked for, for each number of weights."""
PUSHES, PUSHED = (0.5, 0.9, 0.99, 1.01), 5_000_000
"""How far a column is pushed at each step, in units of epsilon, and for how many steps."""

SEEDS = tuple(range(16))
INPUTS, UNITS, TEACHERS, EXAMPLES = 24, 32, 4, 1_024
STEPS, BATCH = 20_000, 16
PRESENT = 0.2
"""How often an input isn't 0."""
CAP = 2.0
RATES = (1e-2, 1e-3)
FADED = 0.05
"""A column of a smaller norm is counted as faded."""

Params = dict[str, Array]


def norms(w: Array) -> Array:
    """Return the norm of each column, with 0 for its derivative at 0."""
    squares = jnp.sum(w * w, axis=0)
    return jnp.where(squares > 0, jnp.sqrt(jnp.where(squares > 0, squares, 1)), 0)


def shrink(w: Array, epsilon: float) -> Array:
    """Return the proximal step of ``epsilon * sum(norms(w))``."""
    n = norms(w)
    return w * jnp.maximum(0, 1 - epsilon / jnp.where(n > 0, n, epsilon))


def as_keras(w: Array, limit: float, epsilon: float) -> Array:
    """Call Keras's own ``MaxNorm``, with Keras's epsilon set for the time of the call."""
    keras = importlib.import_module("keras")
    before = keras.config.epsilon()
    keras.config.set_epsilon(epsilon)
    try:
        capped: Array = keras.constraints.MaxNorm(limit)(w)
    finally:
        keras.config.set_epsilon(before)
    return capped


def constrain(arm: str, w: Array, limit: float, epsilon: float) -> Array:
    """Return what one of the arms makes of a kernel."""
    if arm == "keras":
        return as_keras(w, limit, epsilon)
    capped: Array = max_norm(w, limit, axis=0)
    return shrink(capped, epsilon) if arm == "prox" else capped


def columns(dtype: str, weights: int, starts: Sequence[float]) -> Array:
    """Return columns of these norms: one weight each, or random directions."""
    drawn = np.ones((1, len(starts)))
    if weights > 1:
        drawn = np.random.default_rng(0).normal(size=(weights, len(starts)))
    return jnp.asarray(drawn / np.linalg.norm(drawn, axis=0) * starts, dtype)


def shrunk(arm: str, dtype: str, weights: int, starts: Sequence[float] = NORMS) -> list[Cell]:
    """Apply one arm over and over to columns that get no gradient."""

    def body(carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        w, t, gone = carry
        w, t = constrain(arm, w, HIGH, EPSILON), t + 1
        return w, t, jnp.where((gone == 0) & jnp.all(w == 0, axis=0), t, gone)

    @jax.jit
    def until(carry: tuple[Array, Array, Array], last: Array) -> tuple[Array, Array, Array]:
        return jax.lax.while_loop(lambda c: (c[1] < last) & jnp.any(c[2] == 0), body, carry)

    with jax.enable_x64(True):
        carry = columns(dtype, weights, starts), jnp.asarray(0), jnp.zeros(len(starts), int)
        after = []
        for last in (*TIMES, LOOKED_FOR[weights]):
            if arm != "cap" or last <= TIMES[-1]:
                carry = until(carry, jnp.asarray(last))
            after.append(np.linalg.norm(np.asarray(carry[0], float), axis=0))
        found = np.array(after[:-1]).T
        return [
            cell_of("hidden_lasso", "dead")(arm, dtype, weights, start, short(row, 10), int(gone))
            for start, row, gone in zip(starts, found, carry[2], strict=True)
        ]


def pushed(arm: str, push: float, times: int = PUSHED) -> Cell:
    """Push a column of one weight outwards before each constraint."""
    with jax.enable_x64(True):

        def body(_: int, w: Array) -> Array:
            return constrain(arm, w + push * EPSILON, HIGH, EPSILON)

        w = jax.lax.fori_loop(0, times, body, jnp.array([[1e-3]]))
        return cell_of("hidden_lasso", "pushed")(arm, push, *short([float(w[0, 0]) / EPSILON], 6))


def forward(p: Params, x: Array) -> Array:
    """Return the network's output, ``[examples, 1]``."""
    return jax.nn.relu(x @ p["w"] + p["b"]) @ p["v"] + p["c"]


def begin(key: Array) -> tuple[Params, Array, Array]:
    """Draw a network, and the examples of another."""
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (EXAMPLES, INPUTS))
    x = x * jax.random.bernoulli(keys[1], PRESENT, x.shape)
    w = jax.random.normal(keys[2], (INPUTS, UNITS))
    v = jax.random.normal(keys[3], (UNITS, 1))
    t = jax.random.normal(keys[4], (INPUTS, TEACHERS))
    bias = -jnp.linspace(0.0, 2.0, UNITS)
    params = {"w": w / norms(w), "b": bias, "v": v / norms(v), "c": jnp.zeros(1)}
    target = jnp.sum(jax.nn.relu(x @ (2 * t / norms(t))), axis=1, keepdims=True) - 1
    return params, x, target


def lost(p: Params, x: Array, y: Array) -> Array:
    """Return half the mean squared error."""
    return jnp.mean((forward(p, x) - y) ** 2) / 2


@functools.partial(jax.jit, static_argnums=range(5))
def _trained(
    arm: str, optimizer: str, rate: float, epsilon: float, steps: int, seeds: Array
) -> dict[str, Array]:
    make: Callable[[float], Any] = functools.partial(optax.adam, eps=1e-7)
    rule = make(rate) if optimizer == "adam" else optax.sgd(rate)

    def objective(p: Params, x: Array, y: Array) -> Array:
        penalty = jnp.sum(norms(p["w"])) + jnp.sum(norms(p["v"]))
        return lost(p, x, y) + (epsilon / rate * penalty if arm == "loss" else 0)

    def one(seed: Array) -> dict[str, Array]:
        first, later = jax.random.split(jax.random.key(seed))
        start, x, y = begin(first)

        def body(carry: tuple[Params, Any], key: Array) -> tuple[Any, None]:
            p, state = carry
            at = jax.random.randint(key, (BATCH,), 0, EXAMPLES)
            updates, state = rule.update(jax.grad(objective)(p, x[at], y[at]), state, p)
            p = {name: p[name] + updates[name] for name in p}
            kernels = {name: constrain(arm, p[name], CAP, epsilon) for name in ("w", "v")}
            return (p | kernels, state), None

        keys = jax.random.split(later, steps)
        p = jax.lax.scan(body, (start, rule.init(start)), keys)[0][0]
        n, g = norms(p["w"]), jax.grad(lost)(p, x, y)["w"]
        unused = ~jnp.any(x @ start["w"] + start["b"] > 0, axis=0)
        outwards = -jnp.sum(g * p["w"], axis=0) / jnp.where(n > 0, n, 1)
        return {
            "n": n,
            "lost": jnp.sum(jnp.where(unused, 1 - n, 0)) / jnp.sum(unused),
            "loss": lost(p, x, y),
            "pull": outwards * rate / (epsilon or RAISED),
        }

    return jax.vmap(one)(seeds)


def train(
    arm: str,
    optimizer: str,
    rate: float,
    epsilon: float,
    steps: int = STEPS,
    seeds: Sequence[int] = SEEDS,
) -> Cell:
    """Train all seeds in one arm."""
    with jax.enable_x64(True):
        given = jnp.asarray(seeds)
        found = jax.tree.map(np.asarray, _trained(arm, optimizer, rate, epsilon, steps, given))
    n = found["n"]
    left = found["pull"][(n > FADED) & (n < 0.99 * CAP)]
    quartiles = np.quantile(left, [0.25, 0.5, 0.75]) if left.size else []
    zero, faded = (tuple(int(c) for c in np.sum(few, axis=1)) for few in (n == 0, n < FADED))
    numbers = (short(np.round(found["lost"], 9) + 0.0), short(found["loss"]), short(quartiles))
    return cell_of("hidden_lasso", "trained")(arm, optimizer, rate, epsilon, zero, faded, *numbers)


def silent(seeds: Sequence[int] = SEEDS) -> list[int]:
    """Count the units that are active for none of the examples, for each seed."""
    with jax.enable_x64(True):

        def one(seed: Array) -> Array:
            params, x, _ = begin(jax.random.split(jax.random.key(seed))[0])
            return jnp.sum(~jnp.any(x @ params["w"] + params["b"] > 0, axis=0))

        return [int(count) for count in jax.vmap(one)(jnp.asarray(seeds))]


def main() -> None:
    """Run everything, and write the results whole or not at all."""
    record: dict[str, Any] = {
        "provenance": made_with(
            *("jax", "optax", "keras"),
            times=TIMES,
            steps=STEPS,
            seeds=SEEDS,
            units=UNITS,
            faded=FADED,
            silent=silent(),
            dtype="float64 in training",
        ),
        "dead": [
            cell
            for dtype in ("float64", "float32")
            for weights in LOOKED_FOR
            for arm in ARMS
            for cell in shrunk(arm, dtype, weights)
        ],
        "pushed": [pushed(arm, push) for arm in ARMS for push in PUSHES],
        "trained": [
            train(arm, optimizer, rate, epsilon)
            for optimizer in ("sgd", "adam")
            for rate in RATES
            for epsilon in (0.0, RAISED, EPSILON)
            for arm in (("prox", "keras", "loss") if epsilon else ("cap",))
        ],
    }
    store(path("hidden_lasso"), written(record))


if __name__ == "__main__":
    main()
