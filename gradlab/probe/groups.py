"""Groups of leaves: which arrays of a model are counted together, by the paths of their leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.ops._arguments import real_leaf

Groups = Callable[[str, Any], str]
"""From a leaf's path, such as ``"layers/0/weight"``, and the leaf, to the name of its group.

Keys, indices and attributes are joined by slashes, as in ``gradlab.ops.selection``."""

NAMELESS = "all"
"""The group of leaves whose path says no more: those of a bare array, or of a flat dict by module."""


def by_leaf(path: str, leaf: Any) -> str:
    """Return the leaf's whole path: a group for each array."""
    return _bare(path) or NAMELESS


def by_module(path: str, leaf: Any) -> str:
    """Return the path without the leaf's own name: a group for each module.

    ``"layers/0/weight"`` and ``"layers/0/bias"`` are of ``"layers/0"``.
    """
    return _bare(path).rpartition("/")[0] or NAMELESS


def by_layer(path: str, leaf: Any) -> str:
    """Return the path up to its first number: a group for each layer of a deep model.

    ``"blocks/3/attention/query/kernel"`` is of ``"blocks/3"``, ``"params/Block_3/Dense_0/kernel"``
    of ``"params/Block_3"``; a path without a number is grouped by module.
    """
    parts = _bare(path).split("/")
    numbered = [n for n, part in enumerate(parts[:-1]) if part[-1:].isdigit()]
    return "/".join(parts[: numbered[0] + 1]) if numbered else by_module(path, leaf)


def _bare(path: str) -> str:
    """The path without what Flax NNX adds to each: ``/value`` at its end."""
    return path.removesuffix("/value")


def grouped(tree: Any, groups: Groups, name: str = "grads") -> dict[str, list[Any]]:
    """Sort the float and complex leaves of a pytree into groups, in the order in which they come.

    Raises:
      TypeError: if ``groups`` returns no text for a leaf, or a leaf isn't numeric.
      ValueError: if there is no float or complex leaf.
    """
    found: dict[str, list[Any]] = {}
    for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]:
        array = leaf if jnp.iscomplexobj(leaf) else real_leaf(leaf, path, name)
        if array is None:
            continue
        written = jax.tree_util.keystr(path, simple=True, separator="/")
        group = groups(written, leaf)
        if not isinstance(group, str):
            raise TypeError(
                f"groups returned {group!r} for {written!r}; expected a name, such as "
                "path.split('/')[0]. by_module, by_layer and by_leaf are such functions."
            )
        found.setdefault(group, []).append(jnp.asarray(array))
    if not found:
        raise ValueError(f"{name} has no float leaf, and so no norm to record.")
    return found


def sum_of_squares(leaf: Array, scale: Array | float = 1.0) -> Array:
    """Sum ``|scale * leaf| ** 2``, in float32, or in float64 where the leaf has it: float ``[]``."""
    parts = [leaf.real, leaf.imag] if jnp.iscomplexobj(leaf) else [leaf]
    wide = jnp.float64 if parts[0].dtype == jnp.float64 else jnp.float32
    sums = [jnp.sum(jnp.square(_scaled(part.astype(wide), scale))) for part in parts]
    return sum(sums[1:], start=sums[0])


def _scaled(part: Array, scale: Array | float) -> Array:
    return (
        part if isinstance(scale, float) and scale == 1 else part * jnp.asarray(scale, part.dtype)
    )


def encoded(names: Iterable[str]) -> np.ndarray:
    """Write names as uint8 ``[n]``: an array goes wherever an optimizer's state is saved."""
    return np.frombuffer(json.dumps([*names]).encode(), np.uint8)


def decoded(names: Any) -> tuple[str, ...]:
    """Read names that ``encoded`` wrote."""
    return tuple(json.loads(np.asarray(names, np.uint8).tobytes()))
