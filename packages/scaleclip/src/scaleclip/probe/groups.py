"""Groups of leaves: which arrays of a model are counted together, by the paths of their leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip.ops._arguments import path_str, real_leaf

Groups = Callable[[str, Any], str]
"""From a leaf's path, such as ``"layers/0/weight"``, and the leaf, to the name of its group.

Keys, indices and attributes are joined by slashes, as in ``scaleclip.ops.selection``."""

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


def encoded(names: Iterable[str]) -> np.ndarray:
    """Write names as uint8 ``[n]``: an array goes wherever an optimizer's state is saved."""
    return np.frombuffer(json.dumps([*names]).encode(), np.uint8)


def decoded(names: Any) -> tuple[str, ...]:
    """Read names that ``encoded`` wrote."""
    return tuple(json.loads(np.asarray(names, np.uint8).tobytes()))
