"""What a figure shows where nobody said: a view by the results' shapes, a sentence, a table."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradlab.explorables.control import Control
from gradlab.explorables.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from gradlab.explorables.explorable import Table
from gradlab.explorables.views import Axis, Matrix, Plane, Profile, Series, Threshold, Vector, View
from gradlab.program import Leaf, compile

CURVE = 121
"""Points of a curve over a control."""
PLACES, PROBES = 3, 81
"""Places along each control at which domains are measured, and the most settings tried."""
ROWS = 200
"""Of a table, at most."""
BARS = 24
"""Steps that are drawn as bars; more are a line."""
DECADES = 3
"""From the smallest to the largest size at which an axis becomes symlog."""
ROLES = ("cotangent", "state", "parameter", "loss", "own", "muted")

Function = Callable[..., dict[str, Any]]


def signed(function: Any, name: str, arguments: Sequence[str]) -> Any:
    """The function under a name, with arguments that are named, as the compiler reads them."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__ = name
    function.__signature__ = inspect.Signature([inspect.Parameter(a, kind) for a in arguments])
    return function


def step(low: float, high: float) -> float:
    """A slider's step: one, two or five of a decimal place, a hundredth of its reach or less."""
    if not high > low:
        return 1.0  # the control says what is wrong
    decade = 10.0 ** math.floor(math.log10((high - low) / 100))
    best = max(f for f in (1.0, 2.0, 5.0) if f * decade <= (high - low) / 100 * (1 + 1e-9))
    return float(f"{best * decade:.12g}")


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
        size = _reach(function, controls, matrices[:1])
        return function, Matrix(matrices[0], full=max(map(abs, size)))
    if series:
        same = [leaf.name for leaf in series if leaf.shape == series[0].shape]
        mark: Any = "bars" if series[0].shape[0] <= BARS else "line"
        drawn = [Series(n, n, r, mark) for n, r in zip(same, itertools.cycle(ROLES), strict=False)]
        return function, Profile(drawn, y=_axis(_reach(function, controls, same)))
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
    low, high = _reach(function, controls, pairs) if pairs else (0.0, 0.0)
    corners = [x for c in named for x in (*c.minimum, *c.maximum)]
    most = _nice(max(abs(x) for x in (low, high, *corners)))
    roles = itertools.cycle(ROLES[:1] + ROLES[2:])
    marks = [Vector(name, name, "state", drag=name) for name in points]
    marks += [Vector(name, name, role) for name, role in zip(pairs, roles, strict=False)]
    return Plane(marks, x=(-most, most), y=(-most, most))


def _curve(
    function: Function, controls: Sequence[Control], slider: Range, scalars: list[str]
) -> tuple[Function, View]:
    """Numbers as curves over a slider, with its present place as a line to drag."""
    places = np.asarray(_spread(slider, CURVE))
    at = [control.name for control in controls].index(slider.name)
    drawn = scalars[:3]

    def with_curves(*values: Any) -> dict[str, Any]:
        def along(x: Any) -> dict[str, Any]:
            return {n: function(*values[:at], x, *values[at + 1 :])[n] for n in drawn}

        over = jax.vmap(along)(jnp.asarray(places))
        return (
            function(*values)
            | {f"{n}_over_{slider.name}": over[n] for n in drawn}
            | {"places": jnp.asarray(places)}
        )

    names = [control.name for control in controls]
    called = signed(with_curves, getattr(function, "__name__", "figure"), names)
    curves = [f"{n}_over_{slider.name}" for n in drawn]
    scale: Any = {LogRange: "log", SymlogRange: "symlog"}.get(type(slider), "linear")
    band = slider.threshold if isinstance(slider, SymlogRange) else 1.0
    label = slider.symbol or slider.label
    lines = [Series(c, n, r, "line") for c, n, r in zip(curves, drawn, ROLES, strict=False)]
    here = Threshold(
        slider.name, drag=slider.name, axis="x", dots=tuple(zip(drawn, ROLES, strict=False))
    )
    return called, Profile(
        lines,
        y=_axis(_reach(called, controls, curves), label=drawn[0] if len(drawn) == 1 else ""),
        x=Axis((slider.minimum, slider.maximum), scale, band, label),
        at="places",
        thresholds=(here,),
    )


def _stacked(
    function: Function, controls: Sequence[Control], scalars: list[str]
) -> tuple[Function, View]:
    """Numbers beside each other, as bars."""

    def with_bars(*values: Any) -> dict[str, Any]:
        found = function(*values)
        return found | {"together": jnp.stack([found[n].astype(float) for n in scalars])}

    names = [control.name for control in controls]
    called = signed(with_bars, getattr(function, "__name__", "figure"), names)
    ends = _reach(called, controls, ["together"])
    return called, Profile([Series("together")], y=_axis(ends), names=tuple(scalars))


def _spread(control: Control, count: int) -> list[Any]:
    """Values from one end of a control to the other."""
    match control:
        case LogRange():
            return list(np.geomspace(control.minimum, control.maximum, count))
        case SymlogRange():
            low, high = (
                math.asinh(x / control.threshold) for x in (control.minimum, control.maximum)
            )
            return list(control.threshold * np.sinh(np.linspace(low, high, count)))
        case Range():
            return list(np.linspace(control.minimum, control.maximum, count))
        case Integer():
            return sorted({round(x) for x in np.linspace(control.minimum, control.maximum, count)})
        case Toggle():
            return [False, True]
        case Choice():
            return list(range(len(control.options)))
        case Point():
            return [np.array(c) for c in (control.minimum, control.maximum, control.default)]
    return [control.traced(control.initial)]


def _settings(controls: Sequence[Control]) -> Iterator[tuple[Any, ...]]:
    """Settings all over what is allowed: every combination where they are few, some otherwise."""
    spreads = [_spread(control, PLACES) for control in controls]
    if math.prod(map(len, spreads)) <= PROBES:
        yield from itertools.product(*spreads)
        return
    source = np.random.default_rng(0)
    for _ in range(PROBES):
        yield tuple(values[source.integers(len(values))] for values in spreads)


def _reach(
    function: Function, controls: Sequence[Control], names: Sequence[str]
) -> tuple[float, float]:
    """The smallest and the largest finite value of some results, wherever the controls stand."""
    program = compile(function, *(control.traced(control.initial) for control in controls))
    found = [np.zeros(1)]
    for values in _settings(controls):
        results = program(*values)
        found += [np.ravel(np.asarray(results[name], dtype=np.float64)) for name in names]
    numbers = np.concatenate(found)
    finite = numbers[np.isfinite(numbers)]
    low, high = float(finite.min()), float(finite.max())
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def _axis(ends: tuple[float, float], label: str = "") -> Axis:
    low, high = ends
    return Axis((-_nice(-low) if low < 0 else 0.0, _nice(high) if high > 0 else 0.0), label=label)


def _nice(size: float) -> float:
    """One, two or five of a decimal place, or a step between: the next above ``size``."""
    decade = 10.0 ** math.floor(math.log10(size)) if size > 0 else 1.0
    wanted = next(f for f in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if f * decade >= size * (1 - 1e-9))
    return float(f"{wanted * decade:.12g}")


def sentence(controls: Sequence[Control], outputs: Sequence[Leaf]) -> str:
    """A template that says what is set, and the numbers that follow."""
    said = [c for c in controls if not isinstance(c, Toggle)]
    given = ", ".join(
        f"{c.symbol or c.label} = {{{c.name}{'' if isinstance(c, Choice) else ':g'}}}" for c in said
    )
    numbers = [leaf.name for leaf in outputs if leaf.shape == ()][:3]
    found = " and ".join(f"{name.replace('_', ' ')} = {{{name}:g}}" for name in numbers)
    if given and found:
        return f"With {given}: {found}."
    return f"With {given}." if given else f"{found}." if found else "What the function gives."


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
