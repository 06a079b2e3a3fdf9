"""Controls for real numbers: sliders that are linear, logarithmic or both, and a point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from explorax.controls.control import LOW_FIRST, TWO_ENDS, Control, real, to_builtin

SMALLEST, LARGEST = 1e-300, 1e300
"""Largest distance between the ends of a slider, or of an axis, so that all between can be computed."""


@dataclass(frozen=True)
class Range(Control):
    """A real number on a slider.

    Attributes:
      minimum, maximum: the slider's ends.
      default: the initial value.
      step: of the slider; a value between two steps may be set from Python.
      allowed: how far a preset or Python may go beyond the slider; the slider's ends by
        default. The slider then reaches that far while the value is beyond it.

    Example:
      >>> Range("s", "scale", "s", 0.0, 1.0, 0.5).check(0.25)
      0.25
    """

    minimum: float = 0.0
    maximum: float = 1.0
    default: float = 0.5
    step: float = 0.01
    allowed: tuple[float, float] | None = None
    kind: ClassVar[str] = "range"

    def __post_init__(self) -> None:
        super().__post_init__()
        pair: Any = self.allowed
        two = pair is None or (isinstance(pair, tuple) and len(pair) == 2)
        numbers = (self.minimum, self.default, self.maximum, self.step)
        low, first, high, step = map(real, numbers)
        least, most = map(real, pair if pair and two else (low, high))
        ends = f"runs from {_written(self.minimum)} to {_written(self.maximum)}"
        self.require(
            (two, f"has allowed={pair!r}", "the two ends of what may be set"),
            (_finite(low, high), ends, "finite numbers"),
            (low != high, ends, TWO_ENDS),
            (low < high, ends, LOW_FIRST),
            (
                SMALLEST <= high - low <= LARGEST,
                ends,
                f"ends that are from {SMALLEST:g} to {LARGEST:g} apart",
            ),
            (_finite(first), f"starts at {self.default!r}", "finite numbers"),
            (_finite(step), f"has step={self.step!r}", "finite numbers"),
            (_finite(least, most), f"has allowed={pair!r}", "finite numbers"),
            (step > 0, f"has step={_written(step)}", "one above 0"),
            (
                least <= low and most >= high,
                f"{ends}, and allowed is {_written(least)} to {_written(most)}",
                "allowed to hold the slider's own ends",
            ),
            (
                least <= first <= most,
                f"starts at {_written(first)}",
                f"a first value from {_written(least)} to {_written(most)}",
            ),
        )

    def check(self, value: Any) -> float:
        low, high = self.allowed or (self.minimum, self.maximum)
        number = real(value)
        if not low <= number <= high:
            raise self.refuse(value, f"a number from {low:g} to {high:g}")
        return number

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"allowed": list(self.allowed or (self.minimum, self.maximum))}


@dataclass(frozen=True)
class LogRange(Range):
    """A positive number on a slider whose steps are factors.

    Attributes:
      minimum, maximum: the slider's ends, above 0.
      default: the initial value.
      step: of the slider, in decades: 0.1 is ten steps from 1 to 10.

    Example:
      >>> LogRange("rate", "rate", "η", 1e-4, 1.0, 0.01).initial
      0.01
    """

    minimum: float = 1e-3
    maximum: float = 1e3
    default: float = 1.0
    step: float = 0.05
    kind: ClassVar[str] = "log"

    def __post_init__(self) -> None:
        super().__post_init__()
        low = min((self.minimum, *(self.allowed or ())))
        ends = f"has a logarithmic slider from {_written(low)} to {_written(self.maximum)}"
        near = low <= 0 or _finite(self.maximum / self.minimum)
        self.require(
            (low > 0, ends, "ends above 0; for both signs use SymlogRange"),
            (near, ends, "ends less than 300 decades apart"),
        )


@dataclass(frozen=True)
class SymlogRange(Range):
    """A number of either sign over many decades: linear near zero, logarithmic beyond.

    The slider stands at ``sign(v) log10(1 + |v| / threshold)``.

    Attributes:
      minimum, maximum: the slider's ends, of any sign.
      default: the initial value.
      step: of the slider, in decades.
      threshold: up to about which it is linear; above 0.

    Example:
      >>> SymlogRange("x", "input", "x", -1e3, 1e3, 10.0).initial
      10.0
    """

    minimum: float = -1e3
    maximum: float = 1e3
    default: float = 0.0
    step: float = 0.05
    threshold: float = 1.0
    kind: ClassVar[str] = "symlog"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive = _finite(self.threshold) and self.threshold > 0
        self.require((positive, f"has threshold={self.threshold!r}", "a number above 0"))


@dataclass(frozen=True)
class Point(Control):
    """Two numbers, dragged as a point in the plane; the function takes them as ``float [2]``.

    Attributes:
      minimum, maximum: the corners of what is allowed, x and y.
      default: where it starts.
      step: of its two sliders and of the arrow keys, along each axis.
      axes: what the two sliders are called.

    Example:
      >>> Point("p", "place", "p", (-1, -1), (1, 1), (0.5, 0.25)).initial
      (0.5, 0.25)
    """

    minimum: tuple[float, float] = (-1.0, -1.0)
    maximum: tuple[float, float] = (1.0, 1.0)
    default: tuple[float, float] = (0.5, 0.5)
    step: float = 0.01
    axes: tuple[str, str] = ("x", "y")
    kind: ClassVar[str] = "point"

    def __post_init__(self) -> None:
        super().__post_init__()
        corners: Any = (self.minimum, self.default, self.maximum)
        given = f"goes from {self.minimum!r} to {self.maximum!r} and starts at {self.default!r}"
        three = all(isinstance(c, tuple) and len(c) == 2 for c in corners)
        self.require((three, given, "three pairs of numbers, an x and a y each"))
        numbers = [x for corner in corners for x in corner]
        finite = _finite(*numbers, self.step)
        self.require((finite, f"{given}, step={self.step!r}", "finite numbers"))
        apart = f"corners that are from {SMALLEST:g} to {LARGEST:g} apart"
        for low, first, high in zip(*corners, strict=True):
            self.require(
                (low < high, given, "the lower left corner first"),
                (SMALLEST <= high - low <= LARGEST, given, apart),
                (low <= first <= high, given, "a first value between the corners"),
            )
        names: Any = self.axes
        texts = isinstance(names, tuple) and all(isinstance(n, str) for n in names)
        self.require(
            (self.step > 0, f"has step={_written(self.step)}", "one above 0"),
            (texts and len(names) == 2, f"has axes={names!r}", "two texts"),
        )

    def check(self, value: Any) -> tuple[float, float]:
        given = to_builtin(value)
        numbers = [*map(real, given)] if isinstance(given, tuple) else []
        limits = [*zip(self.minimum, self.maximum, strict=True)]
        if len(numbers) != 2 or not all(
            low <= x <= high for x, (low, high) in zip(numbers, limits, strict=True)
        ):
            x, y = (f"{low:g} to {high:g}" for low, high in limits)
            raise self.refuse(value, f"two numbers, {x} and {y}")
        return numbers[0], numbers[1]

    def traced(self, value: Any) -> np.ndarray:
        return np.asarray(value, dtype=np.float64)


def _finite(*values: Any) -> bool:
    return all(math.isfinite(real(value)) for value in values)


def _written(number: Any) -> str:
    """Write a number for an error: 5 for 5.0, anything else as Python writes it."""
    return f"{real(number):.12g}" if _finite(number) else repr(number)
