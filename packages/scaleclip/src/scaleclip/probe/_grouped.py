"""Sort the leaves of a pytree into groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from scaleclip.ops._arguments import path_str, real_leaf
from scaleclip.probe.groups import Groups


class Grouped(NamedTuple):
    """The float and complex leaves of a pytree, in its order, and the groups that they are of.

    Attributes:
      names: of the groups, in the order in which they come.
      leaves: arrays.
      numbers: for each of them the number of its group.
      tree: the pytree.
      places: for each leaf its place among all leaves of ``tree``, ``None`` among them.
    """

    names: tuple[str, ...]
    leaves: tuple[Array, ...]
    numbers: tuple[int, ...]
    tree: Any
    places: tuple[int, ...]

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        """All axes of each leaf."""
        return tuple(tuple(range(leaf.ndim)) for leaf in self.leaves)

    def put_back(self, leaves: Iterable[Array]) -> Any:
        """Return the pytree with other leaves in the place of its own."""
        every, structure = jax.tree.flatten(self.tree, is_leaf=lambda leaf: leaf is None)
        for place, leaf in zip(self.places, leaves, strict=True):
            every[place] = leaf
        return jax.tree.unflatten(structure, every)


def grouped(tree: Any, groups: Groups, name: str = "grads") -> Grouped:
    """Find the float and complex leaves of a pytree, and their groups.

    Raises:
      TypeError: if ``groups`` returns no text for a leaf, or a leaf is sparse or isn't numeric.
      ValueError: if there is no float or complex leaf.
    """
    numbers: dict[str, int] = {}
    found = []
    every = jax.tree_util.tree_flatten_with_path(
        tree, is_leaf=lambda leaf: leaf is None or _is_sparse(leaf)
    )[0]
    for place, (path, leaf) in enumerate(every):
        if _is_sparse(leaf):
            raise TypeError(
                f"{name}{path_str(path)} is sparse, and its indices may repeat, so its norm isn't that of "
                "its values. Give it as an array: leaf.todense()."
            )
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
        found.append((jnp.asarray(array), numbers.setdefault(group, len(numbers)), place))
    if not found:
        raise ValueError(f"{name} has no float leaf, and so no norm to record.")
    leaves, of, places = zip(*found, strict=True)
    return Grouped(tuple(numbers), leaves, of, tree, places)


def _is_sparse(leaf: Any) -> bool:
    """Tell an array of ``jax.experimental.sparse``, without importing it."""
    return hasattr(leaf, "todense") and hasattr(leaf, "nse")
