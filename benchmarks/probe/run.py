"""Time training steps with a recorder and without: `python -m benchmarks.probe.run` (5 minutes)."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import optax

from benchmarks.report import (
    QUICK,
    Row,
    by_turns,
    circumstances,
    clocked,
    compilations,
    summary,
    write,
)
from scaleclip import probe, transforms

SIZES = {
    "small": (256, 4, 256),
    "small batch": (724, 4, 64),
    "medium": (512, 4, 256),
    "large": (1024, 6, 64),
}
"""Width, layers and batch."""
SHOWN = ", ".join(f"{name} {' x '.join(map(str, size))}" for name, size in SIZES.items())
ROUNDS, SECONDS = (2, 0.2) if QUICK else (9, 2.0)
TENTH = 10
"""One step in so many measures its updates, where that is done now and then."""

STEPS = f"""\
## Steps

A jitted step of an MLP (width x layers x batch: {SHOWN}; float32), gradient, clip and Adam together, with its state donated. *Optax's clip* is
`optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))`; *our clip* has ours in its place, which is
exact where squares overflow; *recorded* `probe.clip_by_global_norm(1.0)`: the norm, the limit and a norm for
each layer, of the last 4,096 steps; *with updates* `probe.updates()` as well, which reads weights and updates
once more; *updates in a tenth* the mean of ten steps of which one measures its updates.

In turn, in {ROUNDS} rounds of {SECONDS:g} s each. A time is the median over rounds; a ratio is taken within a
round: its median, lowest and highest."""
COMPILING = """\
## Compiling

Processor seconds to trace, lower and compile `tx.update` for a pytree of small arrays, two to a group,
without a cache; and the lines of the program that XLA gets."""

CLIPS: dict[str, Callable[[], Any]] = {
    "Optax's clip": lambda: optax.clip_by_global_norm(1.0),
    "our clip": lambda: transforms.clip_by_global_norm(1.0),
    "recorded": lambda: probe.clip_by_global_norm(1.0),
    "updates in a tenth": lambda: probe.clip_by_global_norm(1.0),
    "with updates": lambda: probe.clip_by_global_norm(1.0),
}


def network(width: int, layers: int, batch: int) -> tuple[Callable[[Any], Any], Any]:
    """Return the loss of an MLP and its first parameters."""
    keys = jax.random.split(jax.random.key(0), layers + 1)
    params = {
        f"layer_{n}": {
            "w": width**-0.5 * jax.random.normal(key, (width, width)),
            "b": jnp.zeros(width),
        }
        for n, key in enumerate(keys[:-1])
    }
    x = jax.random.normal(keys[-1], (batch, width))

    def loss(params: Any) -> Any:
        h = x
        for layer in params.values():
            h = jnp.tanh(h @ layer["w"] + layer["b"])
        return jnp.mean((h - 1) ** 2)

    return loss, params


def ten_steps(name: str, loss: Callable[[Any], Any], params: Any) -> Callable[[], Any]:
    """Return a call that takes ten steps and returns the parameters; the next call goes on from there."""
    after = [probe.updates()] if "updates" in name else []
    tx: Any = optax.chain(CLIPS[name](), optax.adam(1e-3), *after)
    now_and_then = name == "updates in a tenth"

    def step(params: Any, state: Any, measure: bool) -> Any:
        grads = jax.grad(loss)(params)
        extra = {"record_updates": measure} if now_and_then else {}
        updates, state = tx.update(grads, state, params, **extra)
        return optax.apply_updates(params, updates), state

    compiled = jax.jit(step, donate_argnums=(0, 1), static_argnums=2)
    carry = [jax.tree.map(jnp.copy, params), tx.init(params)]

    def call() -> Any:
        for taken in range(TENTH):
            carry[:] = compiled(*carry, now_and_then and taken == 0)
            jax.block_until_ready(carry)  # type: ignore[no-untyped-call]
        return carry[0]

    return call


def steps(size: str) -> Row:
    """Time the steps of one size."""
    loss, params = network(*SIZES[size])
    calls = {name: ten_steps(name, loss, params) for name in CLIPS}
    for call in calls.values():
        call()  # compiled
    ways = {name: clocked(call, TENTH) for name, call in calls.items()}
    count = sum(leaf.size for leaf in jax.tree.leaves(params))
    ratios = [f"{name} / Optax's clip" for name in list(CLIPS)[2:]]
    return {
        "size": size,
        "parameters": count,
        **summary(by_turns(ways, ROUNDS, SECONDS), "ms", *ratios),
    }


def compiling(arrays: int) -> Row:
    """Time the compiler on an update of many arrays."""
    params = {
        f"layer_{n}": {"w": jnp.ones((8, n % 7 + 2)), "b": jnp.ones(8)} for n in range(arrays // 2)
    }
    made = {name: CLIPS[name]() for name in list(CLIPS)[:3]}
    programs = {
        name: partial(jax.jit(tx.update).lower, params, tx.init(params), params)
        for name, tx in made.items()
    }
    ratios = [f"{name} / Optax's clip" for name in list(CLIPS)[1:3]]
    return {"arrays": arrays, **compilations(programs, ROUNDS, *ratios)}


def main() -> None:
    """Measure everything and write the results."""
    jax.config.update("jax_enable_compilation_cache", False)  # type: ignore[no-untyped-call]
    paths = (
        "packages/scaleclip/src/scaleclip/probe",
        "packages/scaleclip/src/scaleclip/ops/_norms.py",
        "packages/scaleclip/src/scaleclip/ops/clipping.py",
    )
    where = circumstances(paths, ("jax", "optax"))
    sections = {
        STEPS: [steps(size) for size in list(SIZES)[: 1 if QUICK else None]],
        COMPILING: [compiling(arrays) for arrays in (100, 400)[: 1 if QUICK else None]],
    }
    write(Path(__file__).with_name("results.md"), "A recorder's price in JAX", where, sections)


if __name__ == "__main__":
    main()
