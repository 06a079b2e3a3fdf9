"""Defaults of a figure: a view by the results' shapes, a sentence, a table."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.figure import domains
from gradlab.figure.control import Control
from gradlab.figure.controls import (
    Choice,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from gradlab.figure.spec import Table
from gradlab.figure.views import Axis, Matrix, Plane, Profile, Series, Threshold, Vector, View
from gradlab.program import Leaf

CURVE = 121
"""Points of a curve over a control."""
ROWS = 200
"""Of a table, at most."""
BARS = 24
"""Steps that are drawn as bars; more are a line."""
ROLES = ("cotangent", "state", "parameter", "loss", "own", "muted")

Function = Callable[..., dict[str, Any]]


def with_signature(function: Any, name: str, arguments: Sequence[str]) -> Any:
    """The function under a name, with arguments that are named, as the compiler reads them."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__ = name
    function.__signature__ = inspect.Signature([inspect.Parameter(a, kind) for a in arguments])
    return function


def view(
    function: Function, controls: Sequence[Control], outputs: Sequence[Leaf]
) -> tuple[Function, View]:
    """A view of the results, by their shapes, and the function with what it draws besides.

    Points and 2-vectors lie in a plane; a matrix is a heat map; arrays are series; a number is
    a curve over the first slider. Domains are those of the results over what the controls allow.
    """
    points = [control.name for control in controls if isinstance(control, Point)]
    pairs = [leaf.name for leaf in outputs if leaf.shape == (2,)]
    matrices = [leaf.name for leaf in outputs if len(leaf.shape) == 2]
    series = [leaf for leaf in outputs if len(leaf.shape) == 1]
    sliders = [c for c in controls if isinstance(c, Range)]
    if points or (pairs and len(pairs) == len(series)):
        return function, _plane(function, controls, points, pairs)
    if matrices:
        size = domains.measure(function, controls, matrices[:1])
        return function, Matrix(matrices[0], full=max(map(abs, size)))
    if series:
        same = [leaf.name for leaf in series if leaf.shape == series[0].shape]
        mark: Any = "bars" if series[0].shape[0] <= BARS else "line"
        drawn = [Series(n, n, r, mark) for n, r in zip(same, itertools.cycle(ROLES), strict=False)]
        return function, Profile(drawn, y=domains.axis(domains.measure(function, controls, same)))
    scalars = [leaf.name for leaf in outputs if leaf.shape == ()]
    if not scalars:
        shapes = ", ".join(f"{leaf.name} {list(leaf.shape)}" for leaf in outputs)
        raise ValueError(
            f"The function returns {shapes}; nothing of rank 0, 1 or 2 that could be drawn."
        )
    if sliders:
        return _curve(function, controls, sliders[0], scalars)
    return _stacked(function, controls, scalars)


def _plane(
    function: Function, controls: Sequence[Control], points: list[str], pairs: list[str]
) -> Plane:
    named = [c for c in controls if isinstance(c, Point)]
    low, high = domains.measure(function, controls, pairs) if pairs else (0.0, 0.0)
    corners = [x for c in named for x in (*c.minimum, *c.maximum)]
    most = domains.round_up(max(abs(x) for x in (low, high, *corners)))
    roles = itertools.cycle(ROLES[:1] + ROLES[2:])
    marks = [Vector(name, name, "state", drag=name) for name in points]
    marks += [Vector(name, name, role) for name, role in zip(pairs, roles, strict=False)]
    return Plane(marks, x=(-most, most), y=(-most, most))


def _curve(
    function: Function, controls: Sequence[Control], slider: Range, scalars: list[str]
) -> tuple[Function, View]:
    """Numbers as curves over a slider, with its present place as a line to drag."""
    places = np.asarray(domains.spread(slider, CURVE))
    at = [control.name for control in controls].index(slider.name)
    drawn = scalars[:3]
    curves = [_free(f"{n}_over_{slider.name}", scalars) for n in drawn]
    across = _free("places", scalars)

    def with_curves(*values: Any) -> dict[str, Any]:
        def along(x: Any) -> dict[str, Any]:
            return {n: function(*values[:at], x, *values[at + 1 :])[n] for n in drawn}

        over = jax.vmap(along)(jnp.asarray(places))
        return (
            function(*values)
            | {curve: over[n] for n, curve in zip(drawn, curves, strict=True)}
            | {across: jnp.asarray(places)}
        )

    names = [control.name for control in controls]
    called = with_signature(with_curves, getattr(function, "__name__", "figure"), names)
    scale: Any = {LogRange: "log", SymlogRange: "symlog"}.get(type(slider), "linear")
    band = slider.threshold if isinstance(slider, SymlogRange) else 1.0
    label = slider.symbol or slider.label
    lines = [Series(c, n, r, "line") for c, n, r in zip(curves, drawn, ROLES, strict=False)]
    here = Threshold(
        slider.name, drag=slider.name, axis="x", dots=tuple(zip(drawn, ROLES, strict=False))
    )
    return called, Profile(
        lines,
        y=domains.axis(
            domains.measure(called, controls, curves), label=drawn[0] if len(drawn) == 1 else ""
        ),
        x=Axis((slider.minimum, slider.maximum), scale, band, label),
        at=across,
        thresholds=(here,),
    )


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, or the next that is not taken."""
    return _free(f"{name}_", taken) if name in taken else name


def _stacked(
    function: Function, controls: Sequence[Control], scalars: list[str]
) -> tuple[Function, View]:
    """Numbers beside each other, as bars."""
    together = _free("together", scalars)

    def with_bars(*values: Any) -> dict[str, Any]:
        found = function(*values)
        return found | {together: jnp.stack([found[n].astype(float) for n in scalars])}

    names = [control.name for control in controls]
    called = with_signature(with_bars, getattr(function, "__name__", "figure"), names)
    ends = domains.measure(called, controls, [together])
    return called, Profile([Series(together)], y=domains.axis(ends), names=tuple(scalars))


def sentence(controls: Sequence[Control], outputs: Sequence[Leaf]) -> str:
    """A template that says what is set, and the numbers that follow."""
    said = [c for c in controls if not isinstance(c, Toggle)]
    given = ", ".join(
        f"{_symbol_of(c)} = {{{c.name}{'' if isinstance(c, Choice) else ':.3~g'}}}" for c in said
    )
    numbers = [leaf.name for leaf in outputs if leaf.shape == ()][:3]
    found = " and ".join(f"{name.replace('_', ' ')} = {{{name}:.3~g}}" for name in numbers)
    if given and found:
        return f"With {given}: {found}."
    return f"With {given}." if given else f"{found}." if found else "What the function gives."


def _symbol_of(control: Control) -> str:
    """Name a control in a template, by nothing that looks like a field: that would be filled."""
    symbols = (control.symbol, control.label, control.name)
    return next(text for text in symbols if text and not {*"{}"} & {*text})


def table(outputs: Sequence[Leaf]) -> Table | None:
    """The results as a table: series as columns, or a matrix, or the numbers."""
    series = [leaf for leaf in outputs if len(leaf.shape) == 1 and 0 < leaf.shape[0] <= ROWS]
    matrices = [leaf for leaf in outputs if len(leaf.shape) == 2 and max(leaf.shape) <= ROWS]
    scalars = [leaf for leaf in outputs if leaf.shape == ()]
    if series:
        same = [leaf for leaf in series if leaf.shape == series[0].shape]
        columns = [(leaf.name.replace("_", " "), leaf.name) for leaf in same]
        return Table(columns, rows="{n}", count=same[0].shape[0], general=True)
    if matrices:
        leaf = matrices[0]
        return Table([("{n}", leaf.name)], rows="{n}", count=leaf.shape[0], general=True)
    if scalars:
        return Table([(leaf.name.replace("_", " "), leaf.name) for leaf in scalars], general=True)
    return None
