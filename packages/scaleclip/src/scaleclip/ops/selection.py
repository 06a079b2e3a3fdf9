"""Select leaves: ``where(path, leaf)`` says to which an operator is applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from scaleclip.ops._arguments import is_node_end

Where = Callable[[str, Any], bool]
"""From a leaf's path, such as ``"layers/0/weight"``, and the leaf, to whether it is selected.

Keys, indices and attributes are joined by slashes, so that ``"kernel" in path`` or
``"norm" not in path`` does for dicts, lists and modules alike (in Flax NNX a path ends in
``"/value"``). It is asked of every leaf but ``None``, integers and booleans, before the operator
looks at any of them: what it leaves out may be anything, a sparse array or a function too."""


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
      tree: a pytree. ``None``, integers and booleans go to ``f`` in any case.
      where: what selects; None for all.
      nothing: how the error begins where there are leaves to select and none is selected.

    Raises:
      TypeError: if ``where`` isn't a function, or returns a traced value.
      ValueError: if no leaf is selected; the error lists their paths.
    """
    if where is None:
        return f(tree)
    check_where(where)
    asked: dict[str, bool] = {}

    def pick(path: Any, leaf: Any) -> Any:
        if not _is_asked_for(leaf):
            return leaf
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        try:
            asked[name] = bool(where(name, leaf))
        except jax.errors.TracerBoolConversionError as error:
            raise TypeError(
                f"where must return True or False, but of {name!r} it returned a traced value. Under "
                "jax.jit the numbers of a leaf aren't known: select by path, leaf.shape, leaf.ndim "
                "or leaf.dtype."
            ) from error
        return leaf if asked[name] else None

    chosen = jax.tree_util.tree_map_with_path(pick, tree, is_leaf=is_node_end)
    if asked and not any(asked.values()):
        named = ", ".join(map(repr, [*asked][:6])) + (", ..." if len(asked) > 6 else "")
        raise ValueError(f"{nothing} The paths are {named}.")
    return jax.tree.map(
        lambda new, old: old if new is None else new, f(chosen), tree, is_leaf=is_node_end
    )


def check_where(where: Any) -> None:
    """Refuse what isn't a function.

    Raises:
      TypeError: it shows the function to write instead.
    """
    if where is not None and not callable(where):
        example = repr(where) if isinstance(where, str) else "'kernel'"
        raise TypeError(
            f"where must be a function of a leaf's path and the leaf, but {where!r} was given. Write "
            f"where=lambda path, leaf: {example} in path."
        )


def _is_asked_for(leaf: Any) -> bool:
    if leaf is None or isinstance(leaf, (bool, int)):
        return False
    return not hasattr(leaf, "dtype") or bool(jnp.issubdtype(leaf.dtype, jnp.inexact))
