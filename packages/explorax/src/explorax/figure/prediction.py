"""A question beside a figure, whose answer can be guessed first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorax.compiler import Leaf
from explorax.controls.control import Control, checked, to_builtin
from explorax.controls.ranges import Point, Range
from explorax.words.template import Schema
from explorax.words.template import check as check_template

HOWS = ("number", "choice", "place", "sketch")


@dataclass(frozen=True)
class Prediction:
    """A question that the reader may answer, with a guess or by trying.

    The reader sets a guess and checks it; then the figure moves to ``settings`` and shows the
    guess beside the truth, and says in words how near it came. Or the reader drags the figure to
    ``settings``, and has found out by trying. Every control works all along: what ``conceals``
    names is masked only while a hand drags past ``settings``. What was answered is remembered in
    the reader's browser and never graded. Python shows everything.

    Attributes:
      question: in one or two sentences.
      answer: the name of the result that is the truth.
      how: ``"number"``, a scalar, on a slider; ``"choice"``, one of ``options``, whose place the
        result gives; ``"place"``, a point in the picture, ``float [2]``; ``"sketch"``, several
        numbers, drawn over the picture, ``float [n]``.
      settings: of the controls, at which it's asked; the others stay as they are. The figure
        mustn't start there.
      conceals: names of results that the mask hides, besides ``answer``. With ``case`` among them
        it hides every sentence; otherwise those that ask for a masked result.
      options: what can be chosen.
      guess: the control by which a number, a place or each number of a sketch is set: its ends
        and its step. Its name and label are not shown.
      unit: what stands after a number, with its space: ``" losses"``.
      reveal: the answer in a sentence of its own, with the reason: a template; for a choice one
        that is right at any settings, or one for each option.

    Example:
      >>> from explorax import Range
      >>> asks = Prediction("How large is y?", "y", settings={"s": 1.0}, guess=Range("guess", "y"))
      >>> asks.concealed()
      ('y',)
    """

    question: str
    answer: str
    how: str = "number"
    settings: Mapping[str, Any] = field(default_factory=dict)
    conceals: Sequence[str] = ()
    options: Sequence[str] = ()
    guess: Control | None = None
    unit: str = ""
    reveal: str | Sequence[str] = ""

    def __post_init__(self) -> None:
        if self.how not in HOWS:
            raise ValueError(f"how is {self.how!r}; expected one of {', '.join(map(repr, HOWS))}.")
        if self.how == "choice" and len(self.options) < 2:
            raise ValueError(f"A choice needs two options or more; given: {self.options!r}.")
        wanted = Point if self.how == "place" else Range
        if self.how != "choice" and not isinstance(self.guess, wanted):
            raise ValueError(
                f"A prediction made as a {self.how} needs guess=, a {wanted.__name__} or one of its "
                f"kinds, for the ends of what may be guessed; given: {self.guess!r}."
            )
        if not isinstance(self.reveal, str) and len(self.reveal) != len(self.options):
            raise ValueError(
                f"reveal has {len(self.reveal)} sentences; expected one, or one for each of the "
                f"{len(self.options)} options."
            )

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        """Refuse results that the function doesn't give, and settings that no control takes.

        Raises:
          ValueError: it names what is asked for, and what there is.
        """
        for what, names in (("conceals", self.conceals), ("options", self.options)):
            if isinstance(names, str):
                raise TypeError(f"{what} is {names!r}; expected a list of texts, as [{names!r}].")
        given = {leaf.name: leaf for leaf in outputs}
        for name in (self.answer, *self.conceals):
            if name not in given:
                raise ValueError(
                    f"The prediction asks for the result {name!r}; there are {', '.join(given)}."
                )
        rank = {"number": 0, "choice": 0, "place": 1, "sketch": 1}[self.how]
        shape = given[self.answer].shape
        if len(shape) != rank or (self.how == "place" and shape != (2,)):
            wanted = {"place": "(2,)", "sketch": "(n,)"}.get(self.how, "()")
            raise ValueError(
                f"A prediction made as a {self.how} needs a result of shape {wanted}; "
                f"{self.answer} has shape {shape}."
            )
        if self.how == "choice" and given[self.answer].dtype.startswith("float"):
            raise ValueError(
                f"A prediction made as a choice needs a result that is an integer or a boolean, the "
                f"place of the right option; {self.answer} is {given[self.answer].dtype}."
            )
        if self.how == "sketch" and shape == (0,):
            raise ValueError(f"There is nothing to sketch: {self.answer} has shape {shape}.")
        checked(controls, self.settings, "The prediction")
        schema = Schema.of(outputs, controls)
        for text in self._reveals():
            check_template("What the prediction reveals", text, schema)

    def about(self, settings: Mapping[str, Any]) -> bool:
        """Tell whether settings are those that it asks about."""
        return all(settings[name] == to_builtin(value) for name, value in self.settings.items())

    def concealed(self) -> tuple[str, ...]:
        """Name what the mask hides."""
        return tuple(dict.fromkeys((*self.conceals, self.answer)))

    def describe(self, outputs: Sequence[Leaf]) -> dict[str, Any]:
        """Describe the prediction as plain data, for the page."""
        (shape,) = (leaf.shape for leaf in outputs if leaf.name == self.answer)
        return {
            "question": self.question,
            "answer": self.answer,
            "how": self.how,
            "settings": {name: to_builtin(value) for name, value in self.settings.items()},
            "conceals": list(self.concealed()),
            "options": list(self.options),
            "guess": None if self.guess is None else self.guess.describe(),
            "count": shape[0] if shape else 0,
            "unit": self.unit,
            "reveal": self._reveals(),
        }

    def _reveals(self) -> list[str]:
        """Return the closing sentences: none, one, or one for each option."""
        if isinstance(self.reveal, str):
            return [self.reveal] if self.reveal else []
        return list(self.reveal)
