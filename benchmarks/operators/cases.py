"""What is timed: steps from gradients and a limit to gradients, and ways to run a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array

from benchmarks.operators.trees import Tree
from gradlab.ops import clip_by_global_norm, clip_gradient, clip_gradient_norm, scale_gradient

Step = Callable[[Tree, Array], Tree]
Operator = Callable[[Any], Any]
ready: Any = jax.block_until_ready  # it carries no types

SCALE = 0.5
"""What gradients are scaled by. (At 0 and 1 Optax returns before it traces anything.)"""
FALLS = 1e-5
"""A limit falls by this share from step to step, so that each of them has something to clip."""


def by_gradlab(grads: Tree, limit: Array) -> Tree:
    """Clips by the global norm."""
    clipped: Tree = clip_by_global_norm(grads, limit)[0]
    return clipped


def by_optax(grads: Tree, limit: Array) -> Tree:
    """Clips by the global norm."""
    clip: Any = optax.clip_by_global_norm(limit)
    clipped: Tree = clip.update(grads, clip.init(grads))[0]
    return clipped


def floor(grads: Tree, limit: Array) -> Tree:
    """Reads all once, and then reads and writes all once: what no clip by a norm does without.

    The sum has to be there before the writing begins, as the norm has.
    """
    total = sum((jnp.sum(leaf) for leaf in grads.values()), start=limit)
    factor = jnp.clip(total, 0.999, 1.0)
    return {name: leaf * factor for name, leaf in grads.items()}


def cubes(operator: Operator) -> Callable[[Tree], Array]:
    """A function with a gradient that is all reading and writing: the sum of cubes."""

    def function(x: Tree) -> Array:
        return sum((jnp.sum(leaf * leaf * leaf) for leaf in operator(x).values()), jnp.zeros(()))

    return function


def dynamics(operator: Operator, steps: int = 5) -> Callable[[dict[str, Array], Array], Array]:
    """A hidden state that steps forward, as in MuZero, with the operator at each state."""

    def function(weights: dict[str, Array], state: Array) -> Array:
        loss = jnp.zeros(())
        for _ in range(steps):
            state = operator(jnp.tanh(state @ weights["w"] + weights["b"]))
            loss = loss + jnp.mean((state @ weights["value"]) ** 2)
        return loss

    return function


def descent(operator: Operator) -> Step:
    """A step down the gradient of ``cubes``, which is what a backward pass is for."""

    def step(x: Tree, rate: Array) -> Tree:
        gradient = jax.grad(cubes(operator))(x)
        return {name: leaf - rate * gradient[name] for name, leaf in x.items()}

    return step


def nothing(x: Any) -> Any:
    """No operator."""
    return x


OPERATORS: dict[str, Operator] = {
    "without": nothing,
    "gradlab": lambda x: scale_gradient(x, SCALE),
    "optax": lambda x: optax.scale_gradient(x, SCALE),
    "clip_gradient": lambda x: clip_gradient(x, -1.0, 1.0),
    "clip_gradient_norm": lambda x: clip_gradient_norm(x, 1.0),
}
CLIPS: dict[str, Step] = {"gradlab": by_gradlab, "optax": by_optax, "floor": floor}


def called(step: Step, grads: Tree, limit: float) -> Callable[[], Any]:
    """One step through ``jax.jit`` from Python: dispatched, and written to new memory."""
    compiled = jax.jit(step)
    bound = jnp.float32(limit)
    return lambda: ready(compiled(grads, bound))


def inside(step: Step, grads: Tree, limit: float, times: int) -> Callable[[], Any]:
    """``times`` steps in one program, in place, as in a compiled step of training.

    Each call goes on where the last one ended. ``grads`` are copied before the first.
    """

    def steps(grads: Tree, limit: Array) -> tuple[Tree, Array]:
        def body(_: int, held: tuple[Tree, Array]) -> tuple[Tree, Array]:
            return step(*held), held[1] * (1 - FALLS)

        done: tuple[Tree, Array] = jax.lax.fori_loop(0, times, body, (grads, limit))
        return done

    compiled = jax.jit(steps, donate_argnums=(0, 1))
    held = (jax.tree.map(jnp.copy, grads), jnp.float32(limit))

    def call() -> Any:
        nonlocal held
        held = ready(compiled(*held))
        return held

    return call
