"""Sort the leaves of a pytree into groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip.ops._arguments import float_leaves
from scaleclip.probe.groups import Groups, decoded, encoded, group_of

_OF_NNX = (jax.tree_util.GetAttrKey("value"),)
"""What Flax NNX adds to the path of each array."""


class Grouped(NamedTuple):
    """The float and complex leaves of a pytree, in its order, and the groups that they are of.

    Attributes:
      names: of the groups, in the order in which they come.
      leaves: arrays.
      numbers: for each of them the number of its group.
      put_back: returns the pytree with other leaves in the place of these.
    """

    names: tuple[str, ...]
    leaves: tuple[Array, ...]
    numbers: tuple[int, ...]
    put_back: Callable[[Iterable[Array]], Any]

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        """All axes of each leaf."""
        return tuple(tuple(range(leaf.ndim)) for leaf in self.leaves)


def grouped(tree: Any, groups: Groups, name: str = "grads") -> Grouped:
    """Find the float and complex leaves of a pytree, and their groups.

    Raises:
      TypeError: if ``groups`` returns no text for a leaf, or a leaf is sparse or isn't numeric.
      ValueError: if there is no float or complex leaf.
    """
    numbers: dict[str, int] = {}
    found, put_back = float_leaves(tree, name)
    if not found:
        raise ValueError(f"{name} has no float leaf, and so no norm to record.")
    of = []
    for path, leaf in found:
        group = group_of(groups, written_path(path), leaf)
        of.append(numbers.setdefault(group, len(numbers)))
    leaves = tuple(leaf for _, leaf in found)
    return Grouped(tuple(numbers), leaves, tuple(of), put_back)


def written_path(path: Any) -> str:
    """Write the path of a leaf as ``Groups`` take it."""
    named = path[:-1] if path[-1:] == _OF_NNX else path
    return str(jax.tree_util.keystr(named, simple=True, separator="/"))


def known_norms(whole: Array, parts: Array) -> Array:
    """The norms of groups, float32 ``[G]``; NaN for one that may have underflowed beside an inf."""
    norms = parts.astype(jnp.float32)
    return jnp.where(jnp.isinf(whole) & (norms == 0), jnp.nan, norms)


def require_groups(found: tuple[str, ...], names: Array) -> None:
    """Refuse gradients of other groups than the weights': under ``jit`` by the length of their names."""
    written = encoded(found)
    traced = isinstance(names, jax.core.Tracer)
    if written.shape != names.shape or not (traced or np.array_equal(written, names)):
        known = "others" if traced else ", ".join(decoded(names))
        raise ValueError(
            f"The groups of the gradients are {', '.join(found)}; those of the weights, for which "
            f"the recorder was made, are {known}. Call init again with the weights as they are now, "
            "or scaleclip.probe.adopt to keep the rest of the state."
        )
