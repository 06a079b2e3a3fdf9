"""Sort the leaves of a pytree into groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
from jax import Array

from scaleclip.ops._arguments import float_leaves
from scaleclip.probe.groups import Groups, group_of

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
        named = path[:-1] if path[-1:] == _OF_NNX else path
        written = jax.tree_util.keystr(named, simple=True, separator="/")
        group = group_of(groups, written, leaf)
        of.append(numbers.setdefault(group, len(numbers)))
    leaves = tuple(leaf for _, leaf in found)
    return Grouped(tuple(numbers), leaves, tuple(of), put_back)
