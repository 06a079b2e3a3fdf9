"""Gradients to clip: pytrees with the leaves of a network, and as many parameters as asked."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

LEAST = 100
"""So many parameters a network has at least."""

Shape = tuple[int, ...]
Tree = dict[str, Array]


def shapes(count: int) -> dict[str, Shape]:
    """The leaves of a network of ``count`` parameters: four matrices and five vectors.

    A layer ``[w // 2, w]`` with its bias, three ``[w, w]`` with theirs, which have one shape
    as layers of a network do, and a vector ``[r]`` of the rest.

    Raises:
      ValueError: if ``count`` is below ``LEAST``.
    """
    if count < LEAST:
        raise ValueError(f"a network has at least {LEAST} parameters, but {count} were asked for.")

    def layers(width: int) -> dict[str, Shape]:
        first: dict[str, Shape] = {"first": (width // 2, width), "first bias": (width,)}
        for name in ("second", "third", "fourth"):
            first |= {name: (width, width), f"{name} bias": (width,)}
        return first

    width = math.isqrt(2 * count // 7)
    while parameters(layers(width)) >= count:
        width -= 1
    found = layers(width)
    return found | {"rest": (count - parameters(found),)}


def parameters(leaves: dict[str, Shape]) -> int:
    """How many entries leaves of these shapes have together."""
    return sum(math.prod(shape) for shape in leaves.values())


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
