"""Selection of leaves: ``where(path, leaf)`` says to which an operator is applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Where = Callable[[str, Any], bool]
"""From a leaf's path, such as ``"layers/0/weight"``, and the leaf, to whether it is selected.

Keys, indices and attributes are joined by slashes, so that ``"kernel" in path`` or
``"norm" not in path`` does for dicts, lists and modules alike (in Flax NNX a path ends in
``"/value"``). It is asked of float leaves."""


def on_selected(
    f: Callable[[Any], Any],
    tree: Any,
    where: Where | None,
    nothing: str = "where selects no leaf.",
) -> Any:
    """Apply a function of a pytree to the leaves that are selected; the others stay.

    Args:
      f: from a pytree to one like it; it has None for the leaves that are not selected, and
        lets None through.
      tree: a pytree. What is no float leaf goes to ``f`` in any case.
      where: what selects; None for all.
      nothing: how the error begins where there are float leaves and none is selected.

    Raises:
      ValueError: if no leaf is selected; it names their paths.
    """
    if where is None:
        return f(tree)
    paths: list[str] = []

    def pick(path: Any, leaf: Any) -> Any:
        if not _is_float(leaf):
            return leaf
        paths.append(jax.tree_util.keystr(path, simple=True, separator="/"))
        return leaf if where(paths[-1], leaf) else None

    chosen = jax.tree_util.tree_map_with_path(pick, tree)
    if paths and not any(map(_is_float, jax.tree.leaves(chosen))):
        named = ", ".join(map(repr, paths[:6])) + (", ..." if len(paths) > 6 else "")
        raise ValueError(f"{nothing} The paths are {named}.")
    return jax.tree.map(_later, f(chosen), tree, is_leaf=lambda leaf: leaf is None)


def _later(new: Any, old: Any) -> Any:
    return old if new is None else new


def _is_float(leaf: Any) -> bool:
    return isinstance(leaf, float) or (
        hasattr(leaf, "dtype") and bool(jnp.issubdtype(leaf.dtype, jnp.floating))
    )
