"""The controls of a figure: what a reader may set, and within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from explorax.controls.control import LOW_FIRST, Control, real, to_builtin


@dataclass(frozen=True)
class Integer(Control):
    """An integer on a slider, ``minimum`` to ``maximum``, both included.

    Attributes:
      plays: whether a button beside the slider lets it go up by itself.

    Example:
      >>> Integer("steps", "steps", "K", 1, 12, 5).initial
      5
    """

    minimum: int = 0
    maximum: int = 10
    default: int = 1
    plays: bool = False
    step: ClassVar[int] = 1
    kind: ClassVar[str] = "integer"

    def __post_init__(self) -> None:
        super().__post_init__()
        given = f"runs from {self.minimum!r} to {self.maximum!r} and starts at {self.default!r}"
        numbers: Any = (self.minimum, self.default, self.maximum)
        whole = [n for n in numbers if isinstance(n, int) and not isinstance(n, bool)]
        low, first, high = map(real, numbers)
        self.require(
            (
                len(whole) == 3,
                given,
                "three integers (for real numbers use Range, or floats: (0.0, 1.0))",
            ),
            (
                all(abs(n) <= 2**53 for n in whole),
                given,
                "integers of at most 2**53, which JavaScript has exactly",
            ),
            (low <= high, given, LOW_FIRST),
            (low <= first <= high, given, "a first value between its ends"),
        )

    def check(self, value: Any) -> int:
        number = real(value)
        exact = number.is_integer() and number == value  # above 2**53 a float may be another one
        if not exact or not self.minimum <= number <= self.maximum:
            raise self.refuse(value, f"an integer from {self.minimum} to {self.maximum}")
        return int(number)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"step": 1, "allowed": [self.minimum, self.maximum]}


@dataclass(frozen=True)
class Choice(Control):
    """One of several names; the traced function takes its place in the list.

    Attributes:
      options: pairs of a name, as Python has it, and its words.
      sets: another control that a reader's choice sets too, and its value for each option: pairs
        of a control's name and such values. Python sets what it is told to, and no more.
      idles: other controls that play no part at some of the options: pairs of a control's name and the
        names of those options. The page does not let a reader set them there.

    Example:
      >>> Choice("way", "way", options=(("up", "upwards"), ("down", "downwards"))).traced("down")
      1
    """

    options: tuple[tuple[str, str], ...] = ()
    sets: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    idles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        super().__post_init__()
        options: Any = self.options
        self.require(
            (
                isinstance(options, tuple) and bool(options) and all(map(_is_pair, options)),
                f"has the options {options!r}",
                "one or more pairs of texts, a name and its words",
            )
        )
        names = [name for name, _ in self.options]
        self.require(
            (
                len(set(names)) == len(names),
                f"has the options {', '.join(names)}",
                "each name once",
            ),
            *(
                (
                    len(values) == len(names),
                    f"sets {other!r} to one of {len(values)} values",
                    f"one for each of its {len(names)} options",
                )
                for other, values in self.sets
            ),
            *(
                (
                    set(idle) <= set(names),
                    f"makes {other!r} idle at {', '.join(map(repr, idle))}",
                    f"some of its options: {', '.join(names)}",
                )
                for other, idle in self.idles
            ),
        )

    @property
    def initial(self) -> str:
        return self.options[0][0]

    def check(self, value: Any) -> str:
        names = [name for name, _ in self.options]
        if not isinstance(value, str) or value not in names:
            raise self.refuse(value, "one of " + ", ".join(map(repr, names)))
        return str(value)

    def traced(self, value: Any) -> int:
        return [name for name, _ in self.options].index(value)


@dataclass(frozen=True)
class Toggle(Control):
    """On or off.

    Example:
      >>> Toggle("on", "clip", default=True).initial
      True
    """

    default: bool = False
    kind: ClassVar[str] = "toggle"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            (isinstance(self.default, bool), f"starts at {self.default!r}", "True or False")
        )

    def check(self, value: Any) -> bool:
        said = to_builtin(value)
        if not isinstance(said, int) or said not in (True, False):
            raise self.refuse(value, "True or False")
        return bool(said)


def _is_pair(option: Any) -> bool:
    texts = isinstance(option, tuple) and all(isinstance(text, str) for text in option)
    return texts and len(option) == 2
