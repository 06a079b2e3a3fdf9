"""Gradients of a network, steps from gradients and a limit to gradients, and ways to run a step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from benchmarks.turns import clocked
from scaleclip.ops import clip_by_global_norm, clip_gradient, clip_gradient_norm, scale_gradient

Tree = dict[str, Array]
Step = Callable[[Tree, Array], Tree]
Operator = Callable[[Any], Any]
ready: Any = jax.block_until_ready  # it carries no types

SCALE = 0.5
"""Factor by which gradients are scaled. (At 0 and 1 Optax returns before it traces anything.)"""
FALLS = 1e-5
"""A limit falls by this share from step to step, so that each of them has something to clip."""


def shapes(count: int) -> dict[str, tuple[int, ...]]:
    """The leaves of a network of ``count`` parameters, 100 or more: four matrices, five vectors.

    A layer ``[w // 2, w]`` with its bias, three ``[w, w]`` with theirs, which have one shape
    as layers of a network do, and a vector of the rest.
    """
    width = math.isqrt(2 * count // 7) - 1
    leaves: dict[str, tuple[int, ...]] = {"first": (width // 2, width)}
    leaves |= dict.fromkeys(("second", "third", "fourth"), (width, width))
    leaves |= {f"{name} bias": (width,) for name in [*leaves]}
    return leaves | {"rest": (count - sum(map(math.prod, leaves.values())),)}


def tree(count: int, size: float = 1.0, seed: int = 0) -> Tree:
    """Gradients of normally distributed entries of ``size``, float32."""
    random = np.random.default_rng(seed)
    factor = np.float32(size)
    return {
        name: jnp.asarray(random.standard_normal(shape, dtype=np.float32) * factor)
        for name, shape in shapes(count).items()
    }


def outline(count: int) -> dict[str, Any]:
    """The same leaves without entries, to compile for."""
    return {name: outlined(*shape) for name, shape in shapes(count).items()}


def outlined(*shape: int) -> Any:
    """An array float32 without entries."""
    struct: Any = jax.ShapeDtypeStruct  # it carries no types
    return struct(shape, np.float32)


def norm(leaves: Tree) -> float:
    """The norm of all leaves together, in float64."""
    return math.hypot(*(np.linalg.norm(np.asarray(x, np.float64)) for x in leaves.values()))


def by_scaleclip(grads: Tree, limit: Array) -> Tree:
    """Clip by the global norm."""
    clipped: Tree = clip_by_global_norm(grads, limit)[0]
    return clipped


def by_optax(grads: Tree, limit: Array) -> Tree:
    """Clip by the global norm."""
    clip: Any = optax.clip_by_global_norm(limit)
    clipped: Tree = clip.update(grads, clip.init(grads))[0]
    return clipped


def floor(grads: Tree, limit: Array) -> Tree:
    """Read all once, and then read and write all once: what no clip by a norm does without.

    The sum has to be there before the writing begins, as the norm has.
    """
    total = sum((jnp.sum(leaf) for leaf in grads.values()), start=limit)
    factor = jnp.clip(total, 0.999, 1.0)
    return {name: leaf * factor for name, leaf in grads.items()}


CLIPS: dict[str, Step] = {"scaleclip": by_scaleclip, "optax": by_optax, "floor": floor}
OPERATORS: dict[str, Operator] = {
    "without": lambda x: x,
    "scale_gradient": lambda x: scale_gradient(x, SCALE),
    "Optax's scale_gradient": lambda x: optax.scale_gradient(x, SCALE),
    "clip_gradient": lambda x: clip_gradient(x, -1.0, 1.0),
    "clip_gradient_norm": lambda x: clip_gradient_norm(x, 1.0),
}


def cubes(operator: Operator) -> Callable[[Tree], Array]:
    """A function with a gradient that is all reading and writing: the sum of cubes."""

    def function(x: Tree) -> Array:
        return sum((jnp.sum(leaf * leaf * leaf) for leaf in operator(x).values()), jnp.zeros(()))

    return function


def descent(operator: Operator) -> Step:
    """A step down the gradient of ``cubes``, which is what a backward pass is for."""

    def step(x: Tree, rate: Array) -> Tree:
        gradient = jax.grad(cubes(operator))(x)
        return {name: leaf - rate * gradient[name] for name, leaf in x.items()}

    return step


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


def warm(call: Callable[[], Any], steps: int = 1) -> Callable[[], float]:
    """Compile what is called, and return what times it."""
    call()
    call()
    return clocked(call, steps)


def compiled(function: Callable[..., Any], *arguments: Any, donate: tuple[int, ...] = ()) -> Any:
    """Compile a function for arguments, or outlines of them."""
    return jax.jit(function, donate_argnums=donate).lower(*arguments).compile()


def layers(count: int, width: int) -> dict[str, Any]:
    """``count`` leaves of layers of one width: matrices and biases, by turns, without entries."""
    return {str(n): outlined(*((width,) * (2 - n % 2))) for n in range(count)}


def compilation(update: Callable[[Any], Any], leaves: Any) -> tuple[float, int]:
    """Trace, lower and compile an update anew: seconds of the processor, and lines of its program."""
    jax.clear_caches()  # type: ignore[no-untyped-call]
    start = time.process_time()
    lowered = jax.jit(update).lower(leaves)
    lowered.compile()
    return time.process_time() - start, lowered.as_text().count("\n")


def costs(function: Callable[..., Any], *arguments: Any) -> Any:
    """Count the operations of the optimised program, and the bytes to and from memory, as XLA does."""
    counted = compiled(function, *arguments).cost_analysis()
    return np.array([counted["flops"], counted["bytes accessed"]], int)


def added(operator: str, size: int) -> tuple[Any, Any]:
    """Count what an operator adds to the sum of cubes, and to its gradient."""
    with_it, without = (cubes(OPERATORS[name]) for name in (operator, "without"))
    forward, backward = (
        costs(change(with_it), outline(size)) - costs(change(without), outline(size))
        for change in (lambda f: f, jax.grad)
    )
    return forward, backward
