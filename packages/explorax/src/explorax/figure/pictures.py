"""Choose a view by the shapes and sizes of the results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np

from explorax.compiler import Leaf, Program
from explorax.compiler.sizes import check_size
from explorax.controls import LogRange, Point, Range
from explorax.controls.control import Control
from explorax.figure import curves, domains, jumps
from explorax.figure.groups import ROLES, Default, Function, Picture, beside, free, groups
from explorax.figure.named import compiled, with_signature
from explorax.figure.shorthand import words
from explorax.views import Matrix, Plane, Profile, Series, Vector

BARS = 24
"""Steps that are drawn as bars; more are a line."""
DRAWN = (100_000, 250_000)
"""Numbers in a result that make a figure slow, and too many to draw."""


def view(
    function: Function,
    controls: Sequence[Control],
    program: Program,
    outputs: Sequence[Leaf],
    dtype: Any,
) -> Default:
    """Choose a view of the results by their shapes.

    Points and 2-vectors lie in a plane; a matrix is a heat map; arrays are series; a number is
    a curve over the first slider. Domains are those of the results over what the controls
    allow; results that could not be read on one axis have one each.

    Raises:
      ProgramError: for arrays that are too large to draw, or to compute at each drag.
      ValueError: where there is nothing to draw.

    Warns:
      UserWarning: for arrays that make the figure slow.
    """
    shapes = ", ".join(f"{leaf.name} {list(leaf.shape)}" for leaf in outputs)
    outputs = [leaf for leaf in outputs if 0 not in leaf.shape]
    points = [control.name for control in controls if isinstance(control, Point)]
    pairs = [leaf.name for leaf in outputs if leaf.shape == (2,)]
    matrices = [leaf.name for leaf in outputs if len(leaf.shape) == 2]
    series = [leaf for leaf in outputs if len(leaf.shape) == 1]
    scalars = [leaf.name for leaf in outputs if leaf.shape == ()]
    sliders = [c for c in controls if isinstance(c, Range)]
    curve = sliders and not (points or matrices or series)
    program.sizes.check(_name(function), jumps.PLACES if curve else 1, warn=True)
    for leaf in [leaf for leaf in outputs if len(leaf.shape) <= 2]:
        check_size(
            f"{_name(function)} returns {leaf.name!r} of the shape {leaf.shape}",
            math.prod(leaf.shape),
            DRAWN,
            "the figure would draw them all",
            "Return fewer, such as every tenth (x[::10]), or a summary.",
            warn=True,
        )
    if points or (pairs and len(pairs) == len(series)):
        found = domains.sample(program, controls, pairs)
        return Default(function, program, _plane(controls, points, found), pairs)
    if matrices:
        found = domains.sample(program, controls, matrices)
        maps = [
            Picture(Matrix(n, full=domains.size(found[n]) or 1.0), [n], words(n)) for n in matrices
        ]
        return beside(function, program, maps)
    if series:
        found = domains.sample(program, controls, [leaf.name for leaf in series])
        return beside(function, program, _series(controls, found))
    if not scalars:
        raise ValueError(
            f"The function returns {shapes}; nothing of rank 0, 1 or 2 that could be drawn. "
            "Expected a number, or an array of rank 1 or 2 that is not empty."
        )
    if sliders:
        return curves.over(function, controls, sliders[0], scalars, dtype)
    return _stacked(function, controls, program, scalars, dtype)


def _name(function: Function) -> str:
    return getattr(function, "__name__", "figure")


def _plane(
    controls: Sequence[Control], points: Sequence[str], pairs: Mapping[str, np.ndarray]
) -> Plane:
    named = [c for c in controls if isinstance(c, Point)]
    corners = [abs(x) for c in named for x in (*c.minimum, *c.maximum)]
    most = domains.round_up(max([*corners, *map(domains.size, pairs.values())]))
    roles = itertools.cycle(ROLES[:1] + ROLES[2:])
    marks = [Vector(name, words(name), "state", drag=name) for name in points]
    marks += [Vector(name, words(name), role) for name, role in zip(pairs, roles, strict=False)]
    return Plane(marks, x=(-most, most), y=(-most, most))


def _bars_floor(controls: Sequence[Control]) -> float:
    """Return how many values of bars may lie on the floor; their lengths need a linear axis."""
    in_powers = any(isinstance(control, LogRange) for control in controls)
    return domains.HALF if in_powers else domains.NEVER


def _series(controls: Sequence[Control], found: Mapping[str, np.ndarray]) -> list[Picture]:
    """Draw arrays as bars, or as lines if they're long or their axis is logarithmic."""
    role = dict(zip(found, itertools.cycle(ROLES), strict=False))
    few = {name: values for name, values in found.items() if values.shape[1] <= BARS}
    many = {name: values for name, values in found.items() if name not in few}
    pictures = []
    grouped = groups(few, _bars_floor(controls)) + groups(many, domains.QUARTER)
    for names, labels, y in grouped:
        mark: Any = "bars" if names[0] in few and y.scale == "linear" else "line"
        drawn = [Series(n, label, role[n], mark) for n, label in zip(names, labels, strict=True)]
        pictures.append(Picture(Profile(drawn, y=y), names))
    return sorted(pictures, key=lambda picture: list(found).index(picture.drawn[0]))


def _stacked(
    function: Function,
    controls: Sequence[Control],
    program: Program,
    scalars: Sequence[str],
    dtype: Any,
) -> Default:
    """Draw numbers beside each other, as bars."""
    found = domains.sample(program, controls, scalars)
    grouped = groups(found, _bars_floor(controls))
    bars = [
        free("together" if k == 0 else f"together_{k + 1}", scalars) for k in range(len(grouped))
    ]

    def with_bars(*values: Any) -> dict[str, Any]:
        results = function(*values)
        return results | {
            bar: jnp.stack([results[name].astype(dtype) for name in group.names])
            for bar, group in zip(bars, grouped, strict=True)
        }

    pictures = []
    for bar, (names, _, y) in zip(bars, grouped, strict=True):
        series = [Series(bar, mark="bars" if y.scale == "linear" else "points")]
        profile = Profile(series, y=replace(y, label=""), names=tuple(map(words, names)))
        pictures.append(Picture(profile, names))
    arguments = [control.name for control in controls]
    called = with_signature(with_bars, _name(function), arguments)
    return beside(called, compiled(called, controls, dtype), pictures)
