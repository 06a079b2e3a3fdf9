"""Draw numbers as curves over a slider, with its present value as a line to drag."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorax.compiler import Program
from explorax.controls import LogRange, Range, SymlogRange
from explorax.controls.control import Control
from explorax.figure import domains, jumps
from explorax.figure.defaults import symbol_of
from explorax.figure.groups import ROLES, Default, Function, Picture, beside, free, groups
from explorax.figure.named import compiled, with_signature
from explorax.views import Axis, Profile, Series, Threshold


def over(
    function: Function,
    controls: Sequence[Control],
    slider: Range,
    scalars: Sequence[str],
    dtype: Any,
) -> Default:
    """Draw numbers over a slider, with points on both sides of each jump."""
    names = [control.name for control in controls]
    places = domains.spread(slider, jumps.PLACES)
    curve = {name: free(f"{name}_over_{slider.name}", scalars) for name in scalars}
    across = free("places", scalars)

    def with_curves(exact: bool) -> tuple[Function, Program]:
        over = jumps.curves(function, names.index(slider.name), places, scalars, exact)

        def called(*values: Any) -> dict[str, Any]:
            x, y = over(*values)
            lines = {curve[name]: y[:, k] for k, name in enumerate(scalars)}
            return function(*values) | lines | {across: x}

        named = with_signature(called, getattr(function, "__name__", "figure"), names)
        return named, compiled(named, controls, dtype)

    called, program = with_curves(exact=False)
    sampled = domains.sample(program, controls, list(curve.values()), along=slider.name)
    if jumps.may_be_in(np.stack(list(sampled.values()), axis=-1)):
        called, program = with_curves(exact=True)
    found = {name: sampled[curve[name]] for name in scalars}
    role = dict(zip(scalars, itertools.cycle(ROLES), strict=False))
    scale: Any = {LogRange: "log", SymlogRange: "symlog"}.get(type(slider), "linear")
    band = slider.threshold if isinstance(slider, SymlogRange) else 1.0
    x = Axis((slider.minimum, slider.maximum), scale, band, symbol_of(slider))

    pictures = []
    for drawn, labels, y in groups(found, domains.QUARTER if scale == "log" else domains.HALF):
        dots = tuple((name, role[name]) for name in drawn)
        here = Threshold(slider.name, drag=slider.name, axis="x", dots=dots)
        lines = [
            Series(curve[name], label, role[name], "line")
            for name, label in zip(drawn, labels, strict=True)
        ]
        profile = Profile(lines, y=y, x=x, at=across, thresholds=(here,))
        pictures.append(Picture(profile, drawn))
    return beside(called, program, pictures)
