"""Measure the range of each axis over all that the controls allow, so that no drag re-scales it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorax.compiler import Program
from explorax.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from explorax.controls.control import Control
from explorax.controls.ranges import LARGEST, SMALLEST
from explorax.views import Axis

PROBES = 240
"""The most settings at which domains are measured; so many along one slider, 15 along each of two."""
FEWEST = 5
"""Places along each control; where there are more controls than that leaves room for, some settings."""
DECADES = 12
"""Of a logarithmic axis; where there are more, the outermost values lie beyond it."""
FAR = 3
"""Decades between a few values and all others, for which an axis is not extended."""
QUARTER, HALF, NEVER = 0.25, 0.5, math.inf
"""Shares of values on the floor of a linear axis, from which on it becomes logarithmic."""
APART = 5
"""Results whose sizes differ by a larger factor have an axis each."""


def step(low: float, high: float) -> float:
    """Choose a slider's step: 1, 2 or 5 times a power of ten, at most a hundredth of its range."""
    if not SMALLEST <= high - low <= LARGEST:
        return 1.0  # the control says what is wrong
    decade = 10.0 ** math.floor(math.log10((high - low) / 100))
    best = max(f for f in (1.0, 2.0, 5.0) if f * decade <= (high - low) / 100 * (1 + 1e-9))
    return float(f"{best * decade:.12g}")


def spread(control: Control, count: int) -> list[Any]:
    """Return values from one end of a control to the other."""
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
    """Yield the first setting, then a grid over all that is allowed, or a sample if it's too large."""
    yield tuple(control.traced(control.initial) for control in controls)
    sliders = [control for control in controls if isinstance(control, Range | Integer)]
    others = math.prod(len(spread(c, FEWEST)) for c in controls if c not in sliders)
    places = max(FEWEST, int((PROBES / others) ** (1 / max(1, len(sliders))) + 1e-9))
    spreads = [spread(control, places) for control in controls]
    if math.prod(map(len, spreads)) <= PROBES:
        yield from itertools.product(*spreads)
        return
    source = np.random.default_rng(0)
    ends = [spread(control, 3) for control in controls]
    fine = [spread(control, PROBES) for control in controls]
    for turn in range(PROBES):
        drawn = ends if turn % 2 else fine
        yield tuple(values[source.integers(len(values))] for values in drawn)


def sample(
    program: Program, controls: Sequence[Control], names: Sequence[str], along: str = ""
) -> dict[str, np.ndarray]:
    """Compute some results at many settings, stacked along a new first axis; the first setting first.

    Those of a curve don't change with the control that they are drawn ``along``, and are computed
    once for each setting of the others.
    """
    fixed = [control.name == along for control in controls]
    known: dict[bytes, list[np.ndarray]] = {}
    found = []
    for values in _settings(controls):
        others = [value for value, same in zip(values, fixed, strict=True) if not same]
        key = b"|".join(np.asarray(value).tobytes() for value in others)
        if not along or key not in known:
            results = program(*values)
            known[key] = [np.asarray(results[name], dtype=np.float64) for name in names]
        found.append(known[key])
    return {
        name: np.stack(each) for name, each in zip(names, zip(*found, strict=True), strict=True)
    }


def size(values: np.ndarray) -> float:
    """Return the largest magnitude that an axis can hold; 0 if there is none."""
    sizes = np.abs(values)
    return float(np.max(sizes, initial=0.0, where=(sizes >= SMALLEST) & (sizes <= LARGEST)))


def axis(values: np.ndarray, label: str = "", floor: float = NEVER) -> Axis:
    """Choose an axis for samples: linear with zero and round ends, or logarithmic if they need it.

    Args:
      values: samples, the first setting's first.
      label: the axis's name.
      floor: the share of values from which on too many lie on a linear axis's floor.
    """
    if span := _decades(values, floor):
        return Axis(span, "log", label=label)
    finite = values[np.abs(values) <= LARGEST]
    low, high = float(np.min(finite, initial=0.0)), float(np.max(finite, initial=0.0))
    if high - low < SMALLEST:
        low, high = low - 1.0, high + 1.0
    return Axis(
        (-round_up(-low) if low <= -SMALLEST else 0.0, round_up(high) if high >= SMALLEST else 0.0),
        label=label,
    )


def _decades(values: np.ndarray, floor: float) -> tuple[float, float] | None:
    """Return the ends of a logarithmic axis if a linear one would press the values on its floor.

    That is where none is negative and few are zero, they span more than two decades, and this
    share of all, or of those at the first setting, lies in the lowest fiftieth: a few pixels.
    What few are decades away from all others lie beyond the axis. Of more than `DECADES` it has
    those in which half of the values lie, and all at the first setting.
    """
    shown = (values >= SMALLEST) & (values <= LARGEST)
    if np.any(values < 0) or np.sum(shown) < 0.9 * np.sum(np.abs(values) <= LARGEST):
        return None
    logs, first = np.log10(values[shown]), np.log10(values[0][shown[0]])
    if not logs.size or np.ptp(logs) <= 2:
        return None
    if not any(
        np.mean(some < logs.max() - math.log10(50)) >= floor for some in (logs, first) if some.size
    ):
        return None
    low, high = _unless_far((logs.min(), logs.max()), np.quantile(logs, [0.02, 0.98]).tolist())
    if high - low > DECADES:
        most = np.concatenate([np.quantile(logs, [0.25, 0.75]), first])
        low, high = _unless_far((low, high), (most.min(), most.max()))
    bottom, top = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
    bottom -= (bottom - top) % math.ceil((top - bottom) / 6)  # six steps or fewer, from end to end
    return float(f"1e{bottom}"), float(f"1e{top}")


def _unless_far(outer: Sequence[float], inner: Sequence[float]) -> tuple[float, float]:
    """Return the outer ends, in decades, or the inner one where an outer is far away."""
    low, high = (a if abs(a - b) <= FAR else b for a, b in zip(outer, inner, strict=True))
    return low, high


def alike(some: Sequence[np.ndarray], floor: float = NEVER) -> bool:
    """Tell whether each of several results could be read on one axis."""
    axes, sizes = [axis(each, floor=floor) for each in some], [size(each) for each in some]
    if len({one.scale for one in axes}) > 1:
        return False
    if axes[0].scale == "log":
        return max(one.span[0] for one in axes) < min(one.span[1] for one in axes)
    return max(sizes) <= APART * min((one for one in sizes if one), default=0.0)


def round_up(size: float) -> float:
    """Round up to the next 1, 2 or 5 times a power of ten, or a step between."""
    decade = 10.0 ** math.floor(math.log10(size)) if size >= SMALLEST else 1.0
    wanted = next(f for f in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if f * decade >= size * (1 - 1e-9))
    return float(f"{wanted * decade:.12g}")
