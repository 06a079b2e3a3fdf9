"""What a figure is made of: function, controls, view and words, as plain data for the page."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from gradlab.explorables.control import Control
from gradlab.explorables.prediction import Prediction
from gradlab.explorables.views import View
from gradlab.explorables.words import asked
from gradlab.program import Leaf

LABELS = {
    "picture": "The picture, part by part",
    "walk": "Left and right: one after another. Up and down: another part. Escape: none.",
}
"""What every view says, unless the figure says it better."""


@dataclass(frozen=True)
class Preset:
    """A named setting of some controls; the others keep their value."""

    label: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """What is said of a part of the picture when the reader walks to it with the arrow keys.

    Attributes:
      result: the result whose numbers the part shows.
      words: a template; ``{n}`` is which one, from 1, and ``{value}`` its number.
    """

    result: str
    words: str


@dataclass(frozen=True)
class Table:
    """Results as a table, for those who listen, and in plain text.

    Attributes:
      columns: pairs of a heading template and the name of the result in that column; or one
        pair whose result is a matrix: a column for each of its columns, ``{n}`` in the
        heading.
      rows: the heading template of a row, ``{n}`` its number from 1.
      count: how many rows there are: a number, or the control or result that says it (and then
        a matrix has as many columns); 1 where it is empty.
      caption: a template.
      triangle: whether a matrix has entries up to its diagonal only.
      general: whether numbers are of any size, and have three significant digits.
      row_part, column_part: the parts of the picture that a matrix's rows and columns are.
    """

    columns: Sequence[tuple[str, str]]
    rows: str = ""
    count: str | int = ""
    caption: str = ""
    triangle: bool = False
    general: bool = False
    row_part: str = ""
    column_part: str = ""


@dataclass(frozen=True)
class Explorable:
    """Everything about a figure but its present settings.

    Attributes:
      function: ``controls -> dict of arrays``; traced once, by parameter name.
      controls: one for each parameter, in order.
      view: which results are drawn, and as what.
      title: in sentence case.
      look: one sentence: what to look for.
      sentences: templates; the result ``case``, if there is one, says which states the present.
      table: the results that are shown as a table; none if None.
      labels: words that the view draws.
      parts: what is said of the parts of the picture, in the order in which they are walked.
      stages: for each stage, the controls in sight and those behind "more".
      presets: two or three.
      stills: settings to print where nothing can be dragged; the present one if empty.
      equation: lines of HTML with MathML, in which ``{name:2}`` is a number of the moment, an
        element with ``data-part="name"`` (and ``data-index``) lights with that part of the
        picture, ``data-each="result"`` repeats one, with ``data-count`` and ``data-between``,
        and ``data-when="name"``, ``"!name"`` or ``"name=value"`` shows one only then.
      prediction: what is asked first.
      note: what stands behind the picture, with its terms; HTML with MathML.
      source: the function that is shown, if it is not ``function``.
    """

    function: Callable[..., dict[str, Any]]
    controls: Sequence[Control]
    view: View
    title: str
    look: str
    sentences: Sequence[str]
    table: Table | None
    labels: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)
    stages: Sequence[tuple[Sequence[str], Sequence[str]]] = ()
    presets: Sequence[Preset] = ()
    stills: Sequence[Mapping[str, Any]] = ()
    equation: Sequence[str] = ()
    prediction: Prediction | None = None
    note: str = ""
    source: Callable[..., Any] | None = None

    def check(self, outputs: Sequence[Leaf]) -> None:
        """Refuses words, views and predictions that ask for what the function does not give.

        Raises:
          ValueError: it names what is asked for, by what, and what there is.
        """
        self.view.check(outputs, self.controls)
        if self.prediction is not None:
            self.prediction.check(outputs, self.controls)
        results = [leaf.name for leaf in outputs]
        known = {*results, *(control.name for control in self.controls), "n", "value"}
        wanted = [("A sentence", name) for text in self.sentences for name in asked(text)]
        wanted += [("The equation", name) for line in self.equation for name in _in_markup(line)]
        if self.table is not None:
            wanted += [("The table", name) for _, name in self.table.columns]
            if isinstance(self.table.count, str) and self.table.count:
                wanted.append(("The table's count", self.table.count))
        for what, name in wanted:
            if name not in known:
                raise ValueError(
                    f"{what} asks for {name!r}. The results are {', '.join(results)}; the controls "
                    f"are {', '.join(control.name for control in self.controls)}."
                )

    def code(self) -> str:
        """The text of the function behind the figure; empty where Python does not have it."""
        try:
            return textwrap.dedent(inspect.getsource(self.source or self.function)).rstrip()
        except (OSError, TypeError):  # typed at a prompt, or made by a program
            return ""

    def describe(self, outputs: Sequence[Leaf], stage: int) -> dict[str, Any]:
        """Everything but the program and the settings, as plain data for the page."""
        everything = tuple(control.name for control in self.controls)
        sight, more = self.stages[stage - 1] if self.stages else (everything, ())
        return {
            "view": self.view.describe(),
            "title": self.title,
            "look": self.look,
            "controls": [control.describe() for control in self.controls],
            "sight": list(sight),
            "more": list(more),
            "outputs": [asdict(leaf) for leaf in outputs],
            "source": self.code(),
            "sentences": list(self.sentences),
            "table": None if self.table is None else asdict(self.table),
            "labels": LABELS | dict(self.labels),
            "parts": [{"name": name, **asdict(part)} for name, part in self.parts.items()],
            "presets": [
                {"label": preset.label, "settings": dict(preset.settings)}
                for preset in self.presets
            ],
            "stills": [dict(still) for still in self.stills],
            "equation": list(self.equation),
            "prediction": None if self.prediction is None else self.prediction.describe(outputs),
            "note": self.note,
        }


def _in_markup(line: str) -> list[str]:
    names = asked(line)
    names += re.findall(r'data-each="(\w+)"', line)
    names += [name for name in re.findall(r'data-count="(\w+)"', line) if not name.isdecimal()]
    for conditions in re.findall(r'data-when="([^"]*)"', line):
        names += [c.removeprefix("!").partition("=")[0] for c in conditions.split()]
    return names
