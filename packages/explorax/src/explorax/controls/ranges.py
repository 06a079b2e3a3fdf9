"""Controls for real numbers: sliders that are linear, logarithmic or both, and a point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from explorax.controls.control import LOW_FIRST, TWO_ENDS, Control, real

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
        self.refuse_unless(
            pair is None or (isinstance(pair, tuple) and len(pair) == 2),
            f"has allowed={pair!r}",
            "the two ends of what may be set",
        )
        low, high = self.allowed or (self.minimum, self.maximum)
        ends = f"runs from {_written(self.minimum)} to {_written(self.maximum)}"
        finite = _finite(self.minimum) and _finite(self.maximum)
        self.refuse_unless(finite, ends, "finite numbers")
        self.refuse_unless(self.minimum != self.maximum, ends, TWO_ENDS)
        self.refuse_unless(self.minimum < self.maximum, ends, LOW_FIRST)
        self.refuse_unless(
            SMALLEST <= self.maximum - self.minimum <= LARGEST,
            ends,
            f"ends that are from {SMALLEST:g} to {LARGEST:g} apart",
        )
        for given, numbers in (
            (f"starts at {self.default!r}", (self.default,)),
            (f"has step={self.step!r}", (self.step,)),
            (f"has allowed={pair!r}", (low, high)),
        ):
            self.refuse_unless(all(map(_finite, numbers)), given, "finite numbers")
        self.refuse_unless(self.step > 0, f"has step={_written(self.step)}", "one above 0")
        self.refuse_unless(
            low <= self.minimum and high >= self.maximum,
            f"{ends}, and allowed is {_written(low)} to {_written(high)}",
            "allowed to hold the slider's own ends",
        )
        self.refuse_unless(
            low <= self.default <= high,
            f"starts at {_written(self.default)}",
            f"a first value from {_written(low)} to {_written(high)}",
        )

    @property
    def initial(self) -> float:
        return float(self.default)

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
        self.refuse_unless(low > 0, ends, "ends above 0; for both signs use SymlogRange")
        self.refuse_unless(
            _finite(self.maximum / self.minimum), ends, "ends less than 300 decades apart"
        )


@dataclass(frozen=True)
class SymlogRange(Range):
    """A number of either sign over many decades: linear near zero, logarithmic beyond.

    The slider stands at sign(v) log10(1 + |v| / threshold).

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
        self.refuse_unless(
            _finite(self.threshold) and self.threshold > 0,
            f"has threshold={self.threshold!r}",
            "a number above 0",
        )


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
        self.refuse_unless(
            all(isinstance(c, tuple) and len(c) == 2 for c in corners),
            given,
            "three pairs of numbers, an x and a y each",
        )
        numbers = [x for corner in corners for x in corner]
        self.refuse_unless(
            all(map(_finite, (*numbers, self.step))),
            f"{given}, step={self.step!r}",
            "finite numbers",
        )
        for low, start, high in zip(*corners, strict=True):
            self.refuse_unless(low < high, given, "the lower left corner first")
            self.refuse_unless(
                SMALLEST <= high - low <= LARGEST,
                given,
                f"corners that are from {SMALLEST:g} to {LARGEST:g} apart",
            )
            self.refuse_unless(low <= start <= high, given, "a first value between the corners")
        self.refuse_unless(self.step > 0, f"has step={_written(self.step)}", "one above 0")
        names: Any = self.axes
        self.refuse_unless(
            isinstance(names, tuple) and len(names) == 2 and all(isinstance(n, str) for n in names),
            f"has axes={names!r}",
            "two texts",
        )

    @property
    def initial(self) -> tuple[float, float]:
        x, y = self.default
        return float(x), float(y)

    def check(self, value: Any) -> tuple[float, float]:
        try:
            numbers = [real(x) for x in value]
        except TypeError:
            numbers = []
        if len(numbers) != 2 or not all(
            low <= x <= high
            for low, x, high in zip(self.minimum, numbers, self.maximum, strict=True)
        ):
            x, y = (
                f"{low:g} to {high:g}" for low, high in zip(self.minimum, self.maximum, strict=True)
            )
            raise self.refuse(value, f"two numbers, {x} and {y}")
        return numbers[0], numbers[1]

    def traced(self, value: Any) -> np.ndarray:
        return np.asarray(value, dtype=np.float64)


def _finite(value: Any) -> bool:
    return math.isfinite(real(value))


def _written(number: Any) -> str:
    """Write a number for an error: 5 for 5.0, anything else as Python writes it."""
    return f"{real(number):.12g}" if _finite(number) else repr(number)
