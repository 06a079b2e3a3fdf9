"""Layouts of kernels: over which axes the weights extend that lead to one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from jax import Array

Axis = int | Sequence[int] | None
Layout = Literal["in_out", "out_in", "depthwise"]
"""``"in_out"``: outputs last, ``[in, out]`` and HWIO, as in Keras and Flax. ``"out_in"``:
outputs first, ``[out, in]`` and OIHW, as in Equinox and PyTorch. ``"depthwise"``: two axes of
units last, ``[height, width, in, multiplier]``, as in Keras's depthwise layers. (Flax and PyTorch
keep a depthwise kernel as a grouped one, for which their usual layout is right.)"""

ColumnAxis = Axis | Literal["layout"]
"""Of a constraint: ``"layout"``, the default, for the axes that its ``layout`` says."""


def unit_axes(leaf: Array, layout: Layout | None) -> tuple[int, ...]:
    """Return all axes but the outputs': the last, the first, or for ``"depthwise"`` the last two.

    A vector or a scalar is one unit, with all its axes.
    """
    if leaf.ndim < 2:
        return tuple(range(leaf.ndim))
    if layout == "out_in":
        return tuple(range(1, leaf.ndim))
    return tuple(range(leaf.ndim - (2 if layout == "depthwise" else 1)))


def check_layout(layout: Any, axis: Any, default: Any) -> None:
    """Refuse what is no layout, and one beside an axis that is not the ``default``.

    Raises:
      ValueError: it names what was given and what to do.
    """
    if layout is None:
        return
    if layout not in get_args(Layout):
        raise ValueError(
            "layout must be 'in_out', outputs last, for [in, out] and HWIO as in Keras and Flax, "
            "'out_in', outputs first, for [out, in] and OIHW as in Equinox and PyTorch, or "
            "'depthwise', for Keras's [height, width, in, multiplier], but "
            f"{layout!r} was given."
        )
    if type(axis) is not type(default) or axis != default:
        raise ValueError(
            f"axis = {axis!r} and layout = {layout!r} were given. Give one of them: both say "
            "over which axes the weights of one unit extend."
        )
