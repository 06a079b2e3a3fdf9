"""The carry of a step, converted to the numbers that a page's program takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

TRAVEL = {"float64": ("bool", "int64"), "float32": ("bool", "int32", "int64")}
"""Dtypes that a program takes as they are, besides its own of all floats."""


class Kind(NamedTuple):
    """A leaf of a carry: its name, its shape, its dtype, and what sort of number that is."""

    name: str
    shape: tuple[int, ...]
    dtype: Any
    sort: str


class Carry:
    """The structure of a carry, and how its leaves are passed to a program.

    Random keys travel as their data, and small or unsigned integers in int64. In float64 a count of
    int32 is one of int64: JAX computes in float32 what it divides by an int32.

    Args:
      example: the first carry, or its shapes and dtypes.
      dtype: the program's, of all floats.

    Raises:
      TypeError: for a leaf that is no array, no number and no random key.
    """

    def __init__(self, example: Any, dtype: str) -> None:
        self._float = dtype
        self._structure: Any = jax.tree.structure(example)
        wide = {np.dtype(np.int32): np.dtype(np.int64)} if dtype == "float64" else {}
        self._kinds = [
            kind._replace(dtype=wide.get(kind.dtype, kind.dtype)) for kind in _kinds(example)
        ]

    def pack(self, carry: Any) -> Any:
        """Convert a carry to what the program takes; call it with x64 enabled.

        Raises:
          TypeError: for a carry of another structure, shape or sort than the first.
        """
        structure = jax.tree.structure(carry)
        if structure != self._structure:
            raise TypeError(
                f"step returns a carry of the structure {structure}; expected that of the first "
                f"carry, {self._structure}."
            )
        leaves = zip(jax.tree.leaves(carry), _kinds(carry), self._kinds, strict=True)
        return jax.tree.unflatten(structure, [self._packed(*leaf) for leaf in leaves])

    def unpack(self, packed: Any) -> Any:
        """Convert a carry back to what the step takes."""
        leaves = map(_unpacked, jax.tree.leaves(packed), self._kinds)
        return jax.tree.unflatten(self._structure, leaves)

    def _packed(self, leaf: Any, given: Kind, kind: Kind) -> Any:
        if (given.shape, given.sort) != (kind.shape, kind.sort):
            raise TypeError(
                f"step returns {kind.name} as {given.dtype}{list(given.shape)}; expected "
                f"{kind.dtype}{list(kind.shape)}, as in the first carry. A number that becomes a "
                "float starts as one: 0.0."
            )
        if kind.sort == "key":
            return jax.random.key_data(leaf).astype("int64")
        travels = kind.dtype.name if kind.dtype.name in TRAVEL[self._float] else "int64"
        return jnp.asarray(leaf).astype(self._float if kind.sort == "float" else travels)


def _kinds(carry: Any) -> list[Kind]:
    return [
        _kind("carry" + jax.tree_util.keystr(path), leaf)
        for path, leaf in jax.tree_util.tree_leaves_with_path(carry)
    ]


def _kind(name: str, leaf: Any) -> Kind:
    if isinstance(leaf, bool | int | float):
        leaf = np.asarray(leaf)
    dtype = getattr(leaf, "dtype", None)
    for sort, above in (
        ("key", jax.dtypes.prng_key),
        ("float", jnp.floating),
        ("integer", jnp.integer),
        ("boolean", jnp.bool_),
    ):
        if dtype is not None and jnp.issubdtype(dtype, above):
            return Kind(name, tuple(leaf.shape), dtype, sort)
    raise TypeError(
        f"{name} is {leaf!r}; expected a real array, a number or a random key. What never changes, "
        "such as a function, belongs in the step and not in its carry."
    )


def _unpacked(leaf: Any, kind: Kind) -> Any:
    if kind.sort == "key":
        return jax.random.wrap_key_data(leaf.astype("uint32"), impl="threefry2x32")
    return leaf if kind.sort == "float" else leaf.astype(kind.dtype)
