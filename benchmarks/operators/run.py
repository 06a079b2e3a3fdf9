"""Time the operators beside Optax's: `python -m benchmarks.operators.run` (10 minutes, 3 GB)."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

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
from scaleclip import transforms
from scaleclip.ops import clip_by_global_norm, scale_gradient

SIZES = (10**3, 10**5) if QUICK else (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)
ROUNDS, SECONDS, COMPILATIONS = (2, 0.02, 2) if QUICK else (15, 0.05, 7)
LEAVES = ((100, 64), (400, 64), (400, 256))
"""How many arrays, and of what width, a clip is compiled for."""
LIMITS = {"clipped": 0.5, "kept": 1000.0}
"""The limit in units of the norm."""
ENTRIES = {"ordinary": 1.0, "large": 1e25, "small": 1e-25}
"""The size of entries: 1, and where squares in float32 overflow and underflow."""
FALLS = 1e-5
"""A limit falls by this share from step to step, so that each step has something to clip."""

Tree = dict[str, Array]
Clip = Callable[[Tree, Array], Tree]

CLIP = f"""\
## Clipping by the global norm

A pytree of float32 arrays (four matrices and five vectors), in two ways. *Called*: one step through
`jax.jit` from Python, whose result is new memory. *In a program*: many steps in one compiled loop, in
place (the gradients are donated), so that neither Python nor the dispatch counts. The norm is above the
limit (*clipped*) or below it (*kept*).

In each of {ROUNDS} rounds the alternatives are called in turn, for {SECONDS:g} s each. A time is the median
over rounds of the round's median; a ratio is taken within a round: its median, lowest and highest."""
PRICE = """\
Where squares overflow or underflow, scaleclip reads the memory again to scale it. In a program, with the
entries multiplied by 1e25 and by 1e-25:"""
COMPILE = f"""\
## Compiling

Processor seconds to trace, lower and compile a clip at norm 1 as an Optax transformation, with JAX's
caches emptied, in {COMPILATIONS} rounds."""
SCALING = """\
## Scaling the gradient

What `scale_gradient` adds to the optimised programs of a sum of cubes and of its gradient, as XLA counts.
One multiplication for each parameter is what scaling a gradient takes."""


def shapes(count: int) -> dict[str, tuple[int, ...]]:
    """Return the arrays of a network with `count` parameters, 100 or more.

    They are a layer `[w // 2, w]` with its bias, three `[w, w]` with theirs, and a vector of the rest.
    """
    width = math.isqrt(2 * count // 7) - 1
    leaves: dict[str, tuple[int, ...]] = {"first": (width // 2, width)}
    leaves |= dict.fromkeys(("second", "third", "fourth"), (width, width))
    leaves |= {f"{name} bias": (width,) for name in [*leaves]}
    return leaves | {"rest": (count - sum(map(math.prod, leaves.values())),)}


def tree(count: int, size: float = 1.0) -> Tree:
    """Draw normally distributed gradients, float32."""
    random = np.random.default_rng(0)
    return {
        name: jnp.asarray(random.standard_normal(shape, dtype=np.float32) * np.float32(size))
        for name, shape in shapes(count).items()
    }


def norm(leaves: Tree) -> float:
    """Return the norm of all arrays together, in float64."""
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


CLIPS: dict[str, Clip] = {"scaleclip": by_scaleclip, "optax": by_optax}


def called(clip: Clip, grads: Tree, limit: float) -> Callable[[], Any]:
    """Return a call of one compiled step from Python."""
    compiled = jax.jit(clip)
    bound = jnp.float32(limit)
    return lambda: jax.block_until_ready(compiled(grads, bound))  # type: ignore[no-untyped-call]


def inside(clip: Clip, grads: Tree, limit: float, steps: int) -> Callable[[], Any]:
    """Return a call of a program of `steps` steps, each of which clips what the last one left."""

    def program(grads: Tree, limit: Array) -> Any:
        def body(_: int, held: tuple[Tree, Array]) -> tuple[Tree, Array]:
            return clip(*held), held[1] * (1 - FALLS)

        return jax.lax.fori_loop(0, steps, body, (grads, limit))

    compiled = jax.jit(program, donate_argnums=(0, 1))
    held = [jax.tree.map(jnp.copy, grads), jnp.float32(limit)]

    def call() -> None:
        held[:] = jax.block_until_ready(compiled(*held))  # type: ignore[no-untyped-call]

    return call


def timed(calls: dict[str, Callable[[], Any]], steps: int, *ratios: str) -> Row:
    """Compile the calls and time them in turn."""
    for call in calls.values():
        call()
        call()
    ways = {name: clocked(call, steps) for name, call in calls.items()}
    return summary(by_turns(ways, ROUNDS, SECONDS), "µs", *ratios)


def clipping(size: int, steps: int) -> Iterator[Row]:
    """Time clips of so many parameters."""
    grads = tree(size)
    for kind, share in LIMITS.items():
        limit = share * norm(grads)
        one, other = (clip(grads, jnp.float32(limit)) for clip in CLIPS.values())
        for name in grads:
            np.testing.assert_allclose(one[name], other[name], rtol=1e-5)
        once = {name: called(clip, grads, limit) for name, clip in CLIPS.items()}
        looped = {name: inside(clip, grads, limit, steps) for name, clip in CLIPS.items()}
        for run, calls, count in (("called", once, 1), ("in a program", looped, steps)):
            row = timed(calls, count, "scaleclip / optax")
            yield {"parameters": size, "run": run, "norm": kind, **row}


def price(size: int, steps: int) -> Row:
    """Time scaleclip's clip where squares overflow and underflow."""
    grads = {name: tree(size, entries) for name, entries in ENTRIES.items()}
    calls = {
        name: inside(by_scaleclip, leaves, 0.5 * norm(leaves), steps)
        for name, leaves in grads.items()
    }
    row = timed(calls, steps, "large / ordinary", "small / ordinary")
    return {"parameters": size, **row}


def compiling(count: int, width: int) -> Row:
    """Time the compilation of a clip of so many arrays of a width, matrices and vectors by turns."""
    leaves = {str(n): outlined(*((width,) * (2 - n % 2))) for n in range(count)}
    updates = {
        "scaleclip": transforms.clip_by_global_norm(1.0).update,
        "optax": optax.clip_by_global_norm(1.0).update,
    }
    programs = {
        name: partial(jax.jit(partial(update, state=optax.EmptyState())).lower, leaves)
        for name, update in updates.items()
    }
    row = compilations(programs, COMPILATIONS, "scaleclip / optax")
    return {"arrays": count, "width": width, **row}


def outlined(*shape: int) -> Any:
    """Return a float32 array without entries, to compile for."""
    struct: Any = jax.ShapeDtypeStruct  # it carries no types
    return struct(shape, np.float32)


def outline(count: int) -> dict[str, Any]:
    """Return the arrays of a network without entries."""
    return {name: outlined(*shape) for name, shape in shapes(count).items()}


def cubes(operator: Callable[[Any], Any]) -> Callable[[Tree], Array]:
    """Return the sum of cubes of what an operator makes of the arrays."""

    def function(x: Tree) -> Array:
        return sum((jnp.sum(leaf * leaf * leaf) for leaf in operator(x).values()), jnp.zeros(()))

    return function


def compiled(function: Callable[..., Any], *arguments: Any, donate: tuple[int, ...] = ()) -> Any:
    """Compile a function for arguments, or for outlines of them."""
    return jax.jit(function, donate_argnums=donate).lower(*arguments).compile()


def costs(function: Callable[..., Any], *arguments: Any) -> Any:
    """Count the operations of the optimised program, and the bytes to and from memory, as XLA does."""
    counted = compiled(function, *arguments).cost_analysis()
    return np.array([counted["flops"], counted["bytes accessed"]], int)


def scaling(size: int) -> Row:
    """Count what `scale_gradient` adds to a function and to its gradient."""
    with_it, without = cubes(lambda x: scale_gradient(x, 0.5)), cubes(lambda x: x)
    row: Row = {"parameters": size}
    changes: dict[str, Any] = {"function": lambda f: f, "gradient": jax.grad}
    for name, change in changes.items():
        added = costs(change(with_it), outline(size)) - costs(change(without), outline(size))
        row |= {f"{name}: operations": int(added[0]), f"{name}: bytes": int(added[1])}
    return row


def main() -> None:
    """Measure everything and write the results."""
    jax.config.update("jax_enable_compilation_cache", False)  # type: ignore[no-untyped-call]
    where = circumstances(("packages/scaleclip/src/scaleclip/ops",), ("jax", "optax", "numpy"))
    steps = {size: min(200, max(2, 2_000_000 // size)) for size in SIZES}
    sections = {
        CLIP: [row for size in SIZES for row in clipping(size, steps[size])],
        PRICE: [price(size, steps[size]) for size in SIZES],
        COMPILE: [compiling(*leaves) for leaves in LEAVES[: 1 if QUICK else None]],
        SCALING: [scaling(10**5)],
    }
    write(Path(__file__).with_name("results.md"), "The operators, measured", where, sections)


if __name__ == "__main__":
    main()
