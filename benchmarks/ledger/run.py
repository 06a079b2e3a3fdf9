"""Measure the ledger's time and memory to K = 1,000: `python -m benchmarks.ledger.run` (5 minutes)."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree

from benchmarks.report import QUICK, Row, by_turns, circumstances, clocked, summary, write
from scaleclip.ledger import ledger
from scaleclip.ledger.placements import unroll_losses
from sccbook.models import muzero, recurrent

LENGTHS = (10, 30) if QUICK else (10, 30, 100, 300, 1000)
ROUNDS, SECONDS = (2, 0.1) if QUICK else (3, 1.0)
INPUTS, UNITS, CLASSES, BATCH, ACTIONS = 8, 32, 10, 16, 4
SCALE = 0.5
"""Factor of the state's gradient after the heads, as in MuZero."""
GIGABYTES = 4.0
"""A program that needs more isn't run."""
CLOSE = 1e-4
"""How far apart entries may be, in units of the largest entry of the same loss."""

RESULTS = f"""\
K steps are unrolled, each with a loss: a tanh RNN of {UNITS} units that reads vectors of {INPUTS} and names one
of {CLASSES} classes, and MuZero's dynamics and heads on a batch of {BATCH}; float32, s = {SCALE} after the heads.
*Ledger* is ours, with all that it holds. *Gradient* is one `jax.grad` of the whole loss, which says nothing of
the entries. *Copies* is the definition: a copy of the parameters for each step, and one `jax.jacrev` of the K
losses with respect to the K copies; its entries agree with the ledger's to {CLOSE:g}.

Compiled programs, called in turn in {ROUNDS} rounds of {SECONDS:g} s each. A time is the median over rounds; a
ratio is taken within a round: its median, lowest and highest. Memory is what XLA sets aside beside arguments
and results. A program that needs more than {GIGABYTES:g} GB is compiled and not run (–)."""


class Unroll(NamedTuple):
    """The functions of an unroll, and their arguments."""

    step: Callable[[Any, Any, Any], Any]
    head: Callable[[Any, Any, Any], Any]
    params: Any
    state: Any
    inputs: Any


def tanh(steps: int) -> Unroll:
    """Unroll a tanh RNN that names a class at each step."""
    params = recurrent.init_tanh(jax.random.key(0), INPUTS, UNITS, CLASSES)
    key, other = jax.random.split(jax.random.key(1))
    labels = jax.random.randint(other, (steps,), 0, CLASSES)
    inputs = jax.random.normal(key, (steps, INPUTS)), labels

    def head(params: Any, state: Any, x: tuple[Array, Array]) -> Array:
        return recurrent.cross_entropy(recurrent.readout(params, state), x[1])

    def step(params: Any, state: Any, x: tuple[Array, Array]) -> Any:
        return recurrent.tanh_step(params, state, x[0])

    return Unroll(step, head, params, recurrent.tanh_state(params), inputs)


def of_muzero(steps: int) -> Unroll:
    """Unroll MuZero's dynamics and heads."""
    key, other = jax.random.split(jax.random.key(0))
    params = muzero.init(key, observation=INPUTS, actions=ACTIONS)
    batch = muzero.random_batch(other, BATCH, steps, observation=INPUTS, actions=ACTIONS)
    step, head, state, inputs = muzero.parts(params, batch)
    return Unroll(step, head, params, state, inputs)


def by_ledger(unroll: Unroll) -> Any:
    """Return norms and inner products of the entries, by the ledger, and all else that it holds."""
    found = ledger(*unroll, scale=SCALE)
    return found.norms, found.inner_products, found


def by_copies(unroll: Unroll) -> Any:
    """Return norms and inner products of the entries, by a copy of the parameters for each step."""
    step, head, params, state, inputs = unroll
    vector, shaped = ravel_pytree(params)
    steps = len(jax.tree.leaves(inputs)[0])

    def losses(copies: Array) -> Array:
        found = unroll_losses(
            lambda _, h, x: step(shaped(x[0]), h, x[1]),
            lambda params, h, x: head(params, h, x[1]),
            params, state, (copies, inputs), scale=SCALE,
        )  # fmt: skip
        return found[1] / steps

    jacobian = jax.jacrev(losses)(jnp.tile(vector, (steps, 1)))
    return jnp.linalg.norm(jacobian, axis=-1), jacobian @ jnp.sum(jacobian, axis=(0, 1))


def gradient(unroll: Unroll) -> Any:
    """Return the gradient of the whole loss by one backward pass."""

    def loss(params: Any, state: Any) -> Array:
        found = unroll_losses(unroll.step, unroll.head, params, state, unroll.inputs, scale=SCALE)
        return jnp.mean(found[1])

    return jax.grad(loss, (0, 1))(unroll.params, unroll.state)


PROGRAMS = {"ledger": by_ledger, "gradient": gradient, "copies": by_copies}


def compiled(program: Callable[[Unroll], Any], unroll: Unroll) -> tuple[Any, int]:
    """Compile a program for an unroll; return it and the bytes that it needs while it runs."""
    step, head, *given = unroll
    done: Any = jax.jit(lambda *rest: program(Unroll(step, head, *rest))).lower(*given).compile()
    return done, done.memory_analysis().temp_size_in_bytes


def row_of(model: str, unroll: Unroll, steps: int) -> Row:
    """Measure one unroll by all programs that fit."""
    _, _, *given = unroll
    made = {name: compiled(program, unroll) for name, program in PROGRAMS.items()}
    run = {name: done for name, (done, octets) in made.items() if octets <= 1e9 * GIGABYTES}
    if "copies" in run:
        pairs = zip(run["ledger"](*given), run["copies"](*given), strict=False)
        for one, other in pairs:
            largest = np.max(np.abs(other), axis=1, keepdims=True)
            np.testing.assert_allclose(one / largest, other / largest, rtol=0, atol=CLOSE)
    ready: Any = jax.block_until_ready  # it carries no types

    def call(program: Any) -> None:
        ready(program(*given))

    ways = {name: clocked(partial(call, done)) for name, done in run.items()}
    times = by_turns(ways, ROUNDS, SECONDS)
    return {
        "model": model,
        "K": steps,
        **summary(times, "ms", "ledger / gradient", "copies / ledger"),
        **{f"{name}, MB": octets / 1e6 for name, (_, octets) in made.items()},
    }


def main() -> None:
    """Measure everything and write the results."""
    where = circumstances(("packages/scaleclip/src/scaleclip/ledger",), ("jax", "numpy"))
    models = {"tanh": tanh, "MuZero": of_muzero}
    rows = [row_of(name, make(k), k) for name, make in models.items() for k in LENGTHS]
    write(Path(__file__).with_name("results.md"), "The ledger, measured", where, {RESULTS: rows})


if __name__ == "__main__":
    main()
