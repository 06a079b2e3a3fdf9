"""Columns: the weights that lead to one unit, each brought to a norm by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
from jax import Array

from scaleclip.ops._arguments import axes_of, map_float_leaves_by_path, path_str
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import joint_norm
from scaleclip.ops._squares import Axes
from scaleclip.ops.layout import ColumnAxis, Layout, check_layout, unit_axes
from scaleclip.ops.selection import Where, check_where, on_selected


def each_column(
    w: Any,
    axis: ColumnAxis,
    layout: Layout | None,
    where: Where | None,
    nonfinite: Nonfinite,
    project: Callable[..., Array],
    *bounds: Array,
) -> Any:
    """Apply ``project(leaf, norm, over, *bounds)`` to each leaf that is selected.

    Without ``where`` those are the leaves of two axes or more, and an array given by itself.
    """
    check_choice(nonfinite)
    check_layout(layout, axis, "layout")
    check_where(where)
    guessed = where is None and not jax.tree_util.treedef_is_leaf(jax.tree.structure(w))

    def apply(leaf: Array, path: Any) -> Array:
        leaf = handle_nonfinite(leaf, nonfinite, f"w{path_str(path)}")
        projected: Array = _projected(leaf, over(leaf, path), project, bounds)
        return projected

    def over(leaf: Array, path: Any) -> Axes:
        if axis != "layout":
            return axes_of(leaf, axis, path, "w")
        axes = unit_axes(leaf, layout)
        if guessed:
            _require_clear(leaf, axes, layout, f"w{path_str(path)}")
        return axes

    selected = _has_columns if guessed else where
    nothing = _NO_COLUMNS if guessed else "where selects no leaf."
    return on_selected(lambda w: map_float_leaves_by_path(apply, w, "w"), w, selected, nothing)


_NO_COLUMNS = (
    "w has no leaf of two axes or more. Vectors and scalars in a pytree are left alone, as biases "
    "and scales: say by where=lambda path, leaf: ... which to constrain."
)


def _has_columns(path: str, leaf: Any) -> bool:
    if isinstance(leaf, (float, complex)):
        return False
    return not hasattr(leaf, "ndim") or bool(leaf.ndim > 1)  # what isn't an array is refused later


def _require_clear(leaf: Array, axes: Axes, layout: Layout | None, name: str) -> None:
    """Refuse a leaf whose shape does not say whether it has columns, or which.

    Raises:
      ValueError: it names what the leaf may be.
    """
    if math.prod(leaf.shape[a] for a in axes) == 1:
        either = "a bias, or a kernel of one input"
    elif leaf.ndim == 3 and layout != "out_in":
        either = "a convolution's [width, in, out], or attention's [in, heads, features]"
    elif layout not in ("out_in", "depthwise") and (
        "depthwise" in name.lower() or (leaf.ndim > 3 and leaf.shape[-1] == 1)
    ):
        either = (
            "a kernel [height, width, in, out], or a depthwise one, [height, width, in, multiplier], "
            "for which there is layout='depthwise'"
        )
    else:
        return
    raise ValueError(
        f"{name} has the shape {leaf.shape}. It may be {either}. Say by where=lambda path, leaf: ... "
        "which leaves to constrain, and give those with other axes a call with their axis."
    )


@partial(jax.jit, static_argnums=(1, 2))  # one compilation where nothing around it is compiled
def _projected(
    leaf: Array, over: Axes, project: Callable[..., Array], bounds: tuple[Array, ...]
) -> Array:
    return project(leaf, joint_norm((leaf,), (over,)), over, *bounds)
