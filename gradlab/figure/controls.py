"""The controls of a figure: what a reader may set, and within what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gradlab.figure.control import Control, real, to_builtin
from gradlab.figure.ranges import LogRange, Point, Range, SymlogRange

__all__ = ["Choice", "Control", "Integer", "LogRange", "Point", "Range", "SymlogRange", "Toggle"]


@dataclass(frozen=True)
class Integer(Control):
    """An integer on a slider, ``minimum`` to ``maximum``, both included.

    Attributes:
      plays: whether a button beside the slider lets it go up by itself.
    """

    minimum: int = 0
    maximum: int = 10
    default: int = 1
    plays: bool = False
    step: ClassVar[int] = 1
    kind: ClassVar[str] = "integer"

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers: Any = (self.minimum, self.default, self.maximum)
        for number in numbers:
            whole = isinstance(number, int) and not isinstance(number, bool)
            self.refuse_unless(whole, "its ends and its default are integers")
            self.refuse_unless(
                abs(number) <= 2**53, "its ends are exact in JavaScript: 2**53 at most"
            )
        self.refuse_unless(self.minimum <= self.maximum, "its minimum is not above its maximum")
        self.refuse_unless(self.minimum <= self.default <= self.maximum, "its default is allowed")

    @property
    def initial(self) -> int:
        return self.default

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
    """

    options: tuple[tuple[str, str], ...] = ()
    sets: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    idles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        super().__post_init__()
        options: Any = self.options
        self.refuse_unless(
            isinstance(options, tuple) and bool(options) and all(map(_is_pair, options)),
            "its options are pairs of texts, a name and its words, one pair or more",
        )
        names = [name for name, _ in self.options]
        self.refuse_unless(len(set(names)) == len(names), "its options have different names")
        self.refuse_unless(
            all(len(values) == len(names) for _, values in self.sets),
            "what it sets besides has a value for each option",
        )
        self.refuse_unless(
            all(set(idle) <= set(names) for _, idle in self.idles),
            "another plays no part at options that it has",
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
    """On or off."""

    default: bool = False
    kind: ClassVar[str] = "toggle"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse_unless(isinstance(self.default, bool), "its default is True or False")

    @property
    def initial(self) -> bool:
        return self.default

    def check(self, value: Any) -> bool:
        said = to_builtin(value)
        if not isinstance(said, int) or said not in (True, False):
            raise self.refuse(value, "True or False")
        return bool(said)


def _is_pair(option: Any) -> bool:
    texts = isinstance(option, tuple) and all(isinstance(text, str) for text in option)
    return texts and len(option) == 2
