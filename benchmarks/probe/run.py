"""Measure what a recorder costs: training steps with and without it, by turns.

An MLP is trained by Adam, in JAX and, where ``make frameworks`` has installed it, in PyTorch. Each
step is timed by turns with the same step whose clip does not record; so is the compilation. Printed is Markdown, which is
also written to ``results.md``, with the numbers in ``results.json``. The exit status is 1 where a
target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import optax

from benchmarks.report import ROOT, Benchmark, Tables, Target, say
from benchmarks.turns import by_turns, clocked, summary
from scaleclip import probe, transforms

SIZES = {
    "small": (256, 4, 256),
    "small batch": (724, 4, 64),
    "medium": (512, 4, 256),
    "large": (1024, 6, 64),
}
"""Width, layers and batch."""
LEAVES = (100, 400)
TENTH = 10
"""One step in so many measures its updates, in the way that does so now and then."""
FRAMEWORKS = ROOT / "_build" / "frameworks" / "bin" / "python"
RATIOS = (
    "recorded / Optax's clip",
    "updates in a tenth / Optax's clip",
    "with updates / Optax's clip",
)

PROSE = {
    "JAX": """\
## In JAX

A jitted step of an MLP (width, layers, batch: small {small}, small batch {small batch}, medium {medium}, large {large};
float32), gradient, clip and Adam together, with its state donated. *Optax's clip* is `optax.chain(optax.clip_by_global_norm(1.0),
optax.adam(1e-3))`; *scaleclip's clip* has `scaleclip.transforms`' in its place, which is exact where squares overflow;
*recorded* `probe.clip_by_global_norm(1.0)`: the norm, the limit and a norm for each layer, of the last 4,096 steps;
*with updates* `probe.updates()` as well, which reads weights and updates once more; *updates in a tenth* the mean of
ten steps of which one measures its updates (`record_updates=n % 10 == 0`).

By turns, there and back, in {rounds} rounds of {seconds:g} s for each. A time is the median over rounds; a ratio
is that of one round: the median over rounds, with the lowest and the highest.""",
    "Compiling": """\
## Compiling

Processor seconds to trace, lower and compile `tx.update` for a pytree of so many small arrays, two to a group, without
a cache; and the lines of the program that is given to XLA. By turns, in {rounds} rounds; ratios as above.""",
    "PyTorch": """\
## In PyTorch

The same MLPs, on two threads. *clip_grad_norm_* is a step with `torch.nn.utils.clip_grad_norm_`, *recorded* one
with `scaleclip.torch.Recorder`, which reads each gradient once, and waits for no device.""",
}
BENCHMARK = Benchmark(
    name="probe",
    title="A recorder's price",
    packages=("jax", "optax"),
    prose=PROSE,
    targets=(
        Target("a recorded step takes at most 3 % more", "JAX", [RATIOS[0]], at_most=1.03),
        Target(
            "with updates in one step of ten at most 5 % more, with a small batch", "JAX",
            [RATIOS[1]], at_most=1.05, rows=lambda row: row["size"] == "small batch",
        ),
        Target(
            "a recorder of 400 arrays compiles in at most 1.5 times the time", "Compiling",
            [RATIOS[0]], at_most=1.5, rows=lambda row: row["leaves"] == 400,
        ),
        Target(
            "in PyTorch at most 10 %, where a step takes 10 ms or more", "PyTorch",
            ["recorded / clip_grad_norm_"], at_most=1.10,
            rows=lambda row: row["clip_grad_norm_, ms"] >= 10,
        ),
    ),
)  # fmt: skip


CLIPS: dict[str, Callable[[], list[Any]]] = {
    "Optax's clip": lambda: [optax.clip_by_global_norm(1.0)],
    "scaleclip's clip": lambda: [transforms.clip_by_global_norm(1.0)],
    "recorded": lambda: [probe.clip_by_global_norm(1.0)],
    "updates in a tenth": lambda: [probe.clip_by_global_norm(1.0)],
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
    after = [probe.updates()] if "updates" in name else []
    return optax.chain(*CLIPS[name](), optax.adam(1e-3), *after)


def in_jax(size: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Time the steps of one size."""
    loss, params = network(*SIZES[size])
    calls = {
        name: stepper(optimizer(name), loss, params, TENTH if name == "updates in a tenth" else 1)
        for name in CLIPS
    }

    def ten(call: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: [call() for _ in range(TENTH)]

    ways = {name: clocked(ten(call), TENTH) for name, call in calls.items()}
    times = by_turns(ways, rounds, seconds)
    count = sum(leaf.size for leaf in jax.tree.leaves(params))
    return {"size": size, "parameters": count, **summary(times, "ms", *RATIOS)}


def stepper(tx: Any, loss: Callable[[Any], Any], params: Any, every: int = 1) -> Callable[[], Any]:
    """Return what takes one step, waits for it, returns the parameters, and goes on from there the next time.

    One step in ``every`` measures its updates, where ``tx`` does.
    """

    def step(params: Any, state: Any, measure: bool) -> Any:
        grads = jax.grad(loss)(params)
        extra = {"record_updates": measure} if every > 1 else {}
        updates, state = tx.update(grads, state, params, **extra)
        return optax.apply_updates(params, updates), state

    compiled = jax.jit(step, donate_argnums=(0, 1), static_argnums=2)
    carry = [jax.tree.map(jnp.copy, params), tx.init(params)]
    taken = 0

    def call() -> Any:
        nonlocal taken
        carry[:] = compiled(*carry, taken % every == 0)
        jax.block_until_ready(carry)  # type: ignore[no-untyped-call]
        taken += 1
        return carry[0]

    for _ in range(min(every, 2)):  # compiled, both ways
        call()
    return call


def compiling(leaves: int, rounds: int) -> dict[str, Any]:
    """Time the compiler on an update of many arrays."""
    params = {
        f"layer_{n}": {"w": jnp.ones((8, n % 7 + 2)), "b": jnp.ones(8)} for n in range(leaves // 2)
    }
    ways = {name: make()[0] for name, make in CLIPS.items() if "updates" not in name}
    lines = {}

    def cost(name: str, tx: Any) -> Callable[[], float]:
        state = tx.init(params)

        def timed() -> float:
            jax.clear_caches()  # type: ignore[no-untyped-call]
            start = time.process_time()
            lowered = jax.jit(tx.update).lower(params, state, params)
            lowered.compile()
            taken = time.process_time() - start
            lines[f"{name}, lines"] = len(lowered.as_text().splitlines())
            return taken

        return timed

    times = by_turns({name: cost(name, tx) for name, tx in ways.items()}, rounds)
    ratios = (RATIOS[0], "scaleclip's clip / Optax's clip")
    return {"leaves": leaves, **summary(times, "s", *ratios), **lines}


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
    wanted = options.only or [*PROSE]
    tables: Tables = {name: [] for name in PROSE if name in wanted}
    jax.config.update("jax_enable_compilation_cache", False)  # type: ignore[no-untyped-call]
    for size in SIZES:
        if "JAX" in wanted:
            say(f"JAX, {size}")
            tables["JAX"].append(in_jax(size, rounds, seconds))
        if "PyTorch" in wanted and FRAMEWORKS.is_file():
            say(f"PyTorch, {size}")
            tables["PyTorch"].append(in_torch(size, rounds, seconds))
    for leaves in LEAVES if "Compiling" in wanted else ():
        say(f"compiling, {leaves} leaves")
        tables["Compiling"].append(compiling(leaves, rounds))
    how: dict[str, Any] = {"rounds": rounds, "seconds": seconds}
    return how | {name: " x ".join(map(str, size)) for name, size in SIZES.items()}, tables


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, parts=[*PROSE], rounds=9))
