"""Domains that hold everything which a figure's controls allow, so that nothing is re-scaled."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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
from gradlab.explorables.views import Axis
from gradlab.program import compile

PLACES, PROBES = 3, 81
"""Places along each control at which domains are measured, and the most settings tried."""

Function = Callable[..., dict[str, Any]]


def step(low: float, high: float) -> float:
    """A slider's step: one, two or five of a decimal place, a hundredth of its reach or less."""
    if not 0 < high - low < math.inf:
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
    """Settings all over what is allowed: every combination where they are few, some otherwise."""
    spreads = [spread(control, PLACES) for control in controls]
    if math.prod(map(len, spreads)) <= PROBES:
        yield from itertools.product(*spreads)
        return
    source = np.random.default_rng(0)
    for _ in range(PROBES):
        yield tuple(values[source.integers(len(values))] for values in spreads)


def reach(
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


def axis(ends: tuple[float, float], label: str = "") -> Axis:
    """An axis from a round number below to a round number above, zero on it."""
    low, high = ends
    return Axis((-nice(-low) if low < 0 else 0.0, nice(high) if high > 0 else 0.0), label=label)


def nice(size: float) -> float:
    """One, two or five of a decimal place, or a step between: the next above ``size``."""
    decade = 10.0 ** math.floor(math.log10(size)) if size > 0 else 1.0
    wanted = next(f for f in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if f * decade >= size * (1 - 1e-9))
    return float(f"{wanted * decade:.12g}")
