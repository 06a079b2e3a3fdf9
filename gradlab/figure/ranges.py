"""Controls for real numbers: sliders that are linear, logarithmic or both, and a point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gradlab.figure.control import Control, real

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
            "allowed is the two ends of what may be set",
        )
        low, high = self.allowed or (self.minimum, self.maximum)
        numbers = (self.minimum, self.maximum, self.default, self.step, low, high)
        self.refuse_unless(
            all(map(_finite, numbers)), "its ends, default and step are finite numbers"
        )
        self.refuse_unless(self.minimum < self.maximum, "its minimum is below its maximum")
        self.refuse_unless(
            SMALLEST <= self.maximum - self.minimum <= LARGEST,
            f"its ends are from {SMALLEST:g} to {LARGEST:g} apart",
        )
        self.refuse_unless(self.step > 0, "its step is above 0")
        self.refuse_unless(
            low <= self.minimum and high >= self.maximum, "allowed holds the slider's own ends"
        )
        self.refuse_unless(low <= self.default <= high, "its default is allowed")

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
    """

    minimum: float = 1e-3
    maximum: float = 1e3
    default: float = 1.0
    step: float = 0.05
    kind: ClassVar[str] = "log"

    def __post_init__(self) -> None:
        super().__post_init__()
        low, _ = self.allowed or (self.minimum, self.maximum)
        self.refuse_unless(
            self.minimum > 0 and low > 0, "its minimum is above 0; for signs use SymlogRange"
        )
        self.refuse_unless(
            _finite(self.maximum / self.minimum), "its ends are less than 300 decades apart"
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
            _finite(self.threshold) and self.threshold > 0, "its threshold is above 0"
        )


@dataclass(frozen=True)
class Point(Control):
    """Two numbers, dragged as a point in the plane; the function takes them as ``float [2]``.

    Attributes:
      minimum, maximum: the corners of what is allowed, x and y.
      default: where it starts.
      step: of its two sliders and of the arrow keys, along each axis.
      axes: what the two sliders are called.
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
        self.refuse_unless(
            all(isinstance(c, tuple) and len(c) == 2 for c in corners),
            "its corners have an x and a y",
        )
        numbers = [x for corner in corners for x in corner]
        self.refuse_unless(
            all(map(_finite, (*numbers, self.step))), "its corners and step are finite numbers"
        )
        for low, start, high in zip(*corners, strict=True):
            self.refuse_unless(low < high, "its minimum is below its maximum")
            self.refuse_unless(
                SMALLEST <= high - low <= LARGEST,
                f"its corners are from {SMALLEST:g} to {LARGEST:g} apart",
            )
            self.refuse_unless(low <= start <= high, "its default is allowed")
        self.refuse_unless(self.step > 0, "its step is above 0")
        names: Any = self.axes
        self.refuse_unless(
            isinstance(names, tuple) and len(names) == 2 and all(isinstance(n, str) for n in names),
            "its axes are two texts",
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
