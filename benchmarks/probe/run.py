"""Measure what a recorder costs: training steps with and without it, by turns.

An MLP is trained by Adam, in JAX and, where ``make frameworks`` has installed it, in PyTorch. Each
step is timed by turns with the same step whose clip does not record. Printed is Markdown, which is
also written to ``results.md``, with the numbers in ``results.json``. The exit status is 1 where a
target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import optax

from benchmarks.report import ROOT, Benchmark, Tables, Target, say
from benchmarks.turns import by_turns, clocked, summary
from gradlab import probe, transforms

SIZES = {"small": (256, 4, 256), "medium": (512, 4, 256), "large": (1024, 6, 64)}
"""Width, layers and batch."""
FRAMEWORKS = ROOT / "_build" / "frameworks" / "bin" / "python"
RATIOS = ("recorded / Optax's clip", "with updates / Optax's clip")

PROSE = {
    "JAX": """\
## In JAX

A jitted step of an MLP (width, layers, batch: small {small}, medium {medium}, large {large}; float32), gradient, clip and
Adam together, with its state donated. *Optax's clip* is `optax.chain(optax.clip_by_global_norm(1.0),
optax.adam(1e-3))`; *gradlab's clip* has `gradlab.transforms`' in its place, which is exact where squares overflow;
*recorded* `probe.clip_by_global_norm(1.0)`: the norm, the limit and a norm for each layer, of the last 4,096 steps;
*with updates* `probe.updates()` as well, which reads weights and updates once more.

By turns, there and back, in {rounds} rounds of {seconds:g} s for each. A time is the median over rounds; a ratio
is that of one round: the median over rounds, with the lowest and the highest.""",
    "PyTorch": """\
## In PyTorch

The same MLPs, on two threads. *clip_grad_norm_* is a step with `torch.nn.utils.clip_grad_norm_`, *recorded* one
with `gradlab.torch.Recorder`, which reads each gradient once, and waits for no device.""",
}
BENCHMARK = Benchmark(
    name="probe",
    title="A recorder's price",
    packages=("jax", "optax"),
    prose=PROSE,
    targets=(
        Target("a recorded step takes at most 3 % more", "JAX", [RATIOS[0]], at_most=1.03),
        Target(
            "in PyTorch at most 10 %, where a step takes 10 ms or more", "PyTorch",
            ["recorded / clip_grad_norm_"], at_most=1.10,
            rows=lambda row: row["clip_grad_norm_, ms"] >= 10,
        ),
    ),
)  # fmt: skip


CLIPS: dict[str, Callable[[], list[Any]]] = {
    "Optax's clip": lambda: [optax.clip_by_global_norm(1.0)],
    "gradlab's clip": lambda: [transforms.clip_by_global_norm(1.0)],
    "recorded": lambda: [probe.clip_by_global_norm(1.0)],
    "with updates": lambda: [probe.clip_by_global_norm(1.0)],
}


def network(width: int, layers: int, batch: int) -> tuple[Callable[[Any], Any], Any]:
    """Return the loss of an MLP, and its first parameters."""
    keys = jax.random.split(jax.random.key(0), layers + 1)
    scale = width**-0.5
    params = {
        f"layer_{n}": {"w": scale * jax.random.normal(key, (width, width)), "b": jnp.zeros(width)}
        for n, key in enumerate(keys[:-1])
    }
    x = jax.random.normal(keys[-1], (batch, width))

    def loss(params: Any) -> Any:
        h = x
        for layer in params.values():
            h = jnp.tanh(h @ layer["w"] + layer["b"])
        return jnp.mean((h - 1) ** 2)

    return loss, params


def optimizer(name: str) -> Any:
    """Return the optimizer of one way."""
    after = [probe.updates()] if name == "with updates" else []
    return optax.chain(*CLIPS[name](), optax.adam(1e-3), *after)


def in_jax(size: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Time the steps of one size."""
    loss, params = network(*SIZES[size])
    calls = {name: stepper(optimizer(name), loss, params) for name in CLIPS}
    times = by_turns({name: clocked(call) for name, call in calls.items()}, rounds, seconds)
    count = sum(leaf.size for leaf in jax.tree.leaves(params))
    return {"size": size, "parameters": count, **summary(times, "ms", *RATIOS)}


def stepper(tx: Any, loss: Callable[[Any], Any], params: Any) -> Callable[[], Any]:
    """Return what takes one step, waits for it, returns the parameters, and goes on from there the next time."""

    def step(params: Any, state: Any) -> Any:
        updates, state = tx.update(jax.grad(loss)(params), state, params)
        return optax.apply_updates(params, updates), state

    compiled = jax.jit(step, donate_argnums=(0, 1))
    carry = [jax.tree.map(jnp.copy, params), tx.init(params)]

    def call() -> Any:
        carry[:] = compiled(*carry)
        jax.block_until_ready(carry)  # type: ignore[no-untyped-call]
        return carry[0]

    call()
    return call


def in_torch(size: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Time the steps of one size in PyTorch, in its own environment."""
    asked = json.dumps({"size": SIZES[size], "rounds": rounds, "seconds": seconds})
    command = [str(FRAMEWORKS), "-m", "benchmarks.probe.in_torch", asked]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {
        "size": size,
        "PyTorch": found["version"],
        "parameters": found["parameters"],
        **summary(found["rounds"], "ms", "recorded / clip_grad_norm_"),
    }


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    rounds, seconds = (2, 0.2) if options.quick else (options.rounds, 2.0)
    tables: Tables = {name: [] for name in PROSE}
    for size in SIZES:
        say(f"JAX, {size}")
        tables["JAX"].append(in_jax(size, rounds, seconds))
        if FRAMEWORKS.is_file():
            say(f"PyTorch, {size}")
            tables["PyTorch"].append(in_torch(size, rounds, seconds))
    how: dict[str, Any] = {"rounds": rounds, "seconds": seconds}
    return how | {name: " x ".join(map(str, size)) for name, size in SIZES.items()}, tables


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, rounds=9))
