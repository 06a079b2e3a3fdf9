"""Domains measured all over what a figure's controls allow, so that nothing is re-scaled in a drag."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradlab.figure.control import Control
from gradlab.figure.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from gradlab.figure.ranges import LARGEST, SMALLEST
from gradlab.figure.views import Axis
from gradlab.program import compile

PROBES = 240
"""The most settings at which domains are measured; so many along one slider, 15 along each of two."""
FEWEST = 5
"""Places along each control; where there are more controls than that leaves room for, some settings."""

Function = Callable[..., dict[str, Any]]


def step(low: float, high: float) -> float:
    """A slider's step: one, two or five of a decimal place, a hundredth of its reach or less."""
    if not SMALLEST <= high - low <= LARGEST:
        return 1.0  # the control says what is wrong
    decade = 10.0 ** math.floor(math.log10((high - low) / 100))
    best = max(f for f in (1.0, 2.0, 5.0) if f * decade <= (high - low) / 100 * (1 + 1e-9))
    return float(f"{best * decade:.12g}")


def spread(control: Control, count: int) -> list[Any]:
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
    """The first setting, and others all over what is allowed: a grid, or some where it is too large."""
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


def measure(
    function: Function, controls: Sequence[Control], names: Sequence[str]
) -> tuple[float, float]:
    """The smallest and the largest value of some results, wherever the controls stand.

    What is not finite, or beyond `LARGEST`, is left out: it lies beyond any axis.
    """
    program = compile(function, *(control.traced(control.initial) for control in controls))
    found = [np.zeros(1)]
    for values in _settings(controls):
        results = program(*values)
        found += [np.ravel(np.asarray(results[name], dtype=np.float64)) for name in names]
    numbers = np.concatenate(found)
    finite = numbers[np.abs(numbers) <= LARGEST]
    low, high = float(finite.min()), float(finite.max())
    return (low, high) if high - low >= SMALLEST else (low - 1.0, high + 1.0)


def axis(ends: tuple[float, float], label: str = "") -> Axis:
    """An axis from a round number below to a round number above, zero on it."""
    low, high = ends
    return Axis(
        (-round_up(-low) if low <= -SMALLEST else 0.0, round_up(high) if high >= SMALLEST else 0.0),
        label=label,
    )


def round_up(size: float) -> float:
    """One, two or five of a decimal place, or a step between: the next above ``size``."""
    decade = 10.0 ** math.floor(math.log10(size)) if size >= SMALLEST else 1.0
    wanted = next(f for f in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if f * decade >= size * (1 - 1e-9))
    return float(f"{wanted * decade:.12g}")
