"""The parts of a figure: function, controls, view and words, as plain data for the page."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from explorax.compiler import Leaf
from explorax.controls.control import Control, checked, to_builtin
from explorax.figure.equation import markup
from explorax.figure.prediction import Prediction
from explorax.views import View
from explorax.words.template import Schema, check, check_markup

LABELS = {
    "picture": "The picture, part by part",
    "run": "Run",
    "walk": "Left and right: one after another. Up and down: another part. Escape: none.",
}
"""Captions of every view, unless the figure has better ones."""


def _expect(what: str, given: Any, kind: Any, wanted: str) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"{what} is {given!r}; expected {wanted}.")


@dataclass(frozen=True)
class Preset:
    """A named setting of some controls; the others keep their value.

    Example:
      >>> Preset("half", {"s": 0.5}).settings
      {'s': 0.5}
    """

    label: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """Words for a part of the picture, said when the reader walks to it with the arrow keys.

    Attributes:
      result: the result whose numbers the part shows.
      words: a template; ``{n}`` is which one, from 1, ``{m}`` the same from 0, and ``{value}`` its
        number.

    Example:
      >>> Part("losses", "Loss {n} is {value:,.2f}.").result
      'losses'
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
      rows: the heading template of a row, ``{n}`` its number from 1; or one for each row.
      count: how many rows there are: a number, or the control or result that says it (and then
        a matrix has as many columns); 1 where it is empty.
      caption: a template.
      triangle: whether a matrix has entries up to its diagonal only.
      general: whether numbers are of any size, and have three significant digits.
      row_part, column_part: the parts of the picture that a matrix's rows and columns are.

    Example:
      >>> Table([("step", "steps"), ("loss", "losses")], rows="{n}", count=3).count
      3
    """

    columns: Sequence[tuple[str, str]]
    rows: str | Sequence[str] = ""
    count: str | int = ""
    caption: str = ""
    triangle: bool = False
    general: bool = False
    row_part: str = ""
    column_part: str = ""

    def check(self, schema: Schema) -> None:
        """Refuse columns, rows and words that are not there.

        Raises:
          ValueError: it names what is asked for, and what there is.
        """
        pairs: Any = self.columns
        if not pairs or not all(
            isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs
        ):
            raise TypeError(
                f"The table has the columns {pairs!r}; expected pairs of a heading and a result, one "
                "or more."
            )
        numbered = replace(schema, numbers=("n",))
        for heading, name in self.columns:
            shape = schema.shape("The table", name)
            if name not in schema.results and name not in schema.single:
                raise ValueError(
                    f"The table has a column of {name!r}, a control that is no number; expected a "
                    "result, or a control of one number."
                )
            check("A table's heading", heading, numbered)
            most = shape[0] if shape else 1
            if isinstance(self.count, int) and self.count > most:
                raise ValueError(f"The table has {self.count} rows; {name!r} has {most}.")
        if isinstance(self.count, str) and self.count:
            shape = schema.shape("The table's count", self.count)
            if shape or (self.count not in schema.results and self.count not in schema.single):
                raise ValueError(
                    f"The table's count is {self.count!r}; expected a result or a control of one number."
                )
        for heading in [self.rows] if isinstance(self.rows, str) else self.rows:
            check("A table's rows", heading, numbered)
        if not isinstance(self.rows, str) and len(self.rows) != self.count:
            raise ValueError(
                f"The table names {len(self.rows)} rows; expected count={len(self.rows)}, "
                f"but it is {self.count!r}."
            )
        check("A table's caption", self.caption, schema)


@dataclass(frozen=True)
class FigureSpec:
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
      equation: lines of words and TeX, with live numbers and parts: see `figure.equation`.
      prediction: what is asked first.
      questions: what may be asked instead, by name.
      note: what stands behind the picture, with its terms; HTML and TeX.
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
    questions: Mapping[str, Prediction] = field(default_factory=dict)
    note: str = ""
    source: Callable[..., Any] | None = None

    def check(self, outputs: Sequence[Leaf]) -> None:
        """Refuse words, views and predictions that ask for what the function does not give.

        Raises:
          TypeError: for what is no view, prediction, table or part.
          ValueError: it names what is asked for, by what, and what there is.
        """
        several: Any = list | tuple
        kinds: tuple[tuple[str, Any, str], ...] = (
            ("title", str, "text"),
            ("look", str, "text"),
            ("note", str, "text"),
            ("sentences", several, "a list of texts"),
            ("equation", several, "a list of lines of text"),
            ("presets", several, "a list of Presets"),
            ("stills", several, "a list of dicts of settings"),
            ("labels", Mapping, "a dict of texts"),
            ("parts", Mapping, "a dict of Parts by name"),
            ("view", View, "a view, such as Plane([Vector(...)])"),
            ("prediction", Prediction | None, "a Prediction"),
            ("table", Table | None, "a Table"),
        )
        for what, kind, wanted in kinds:
            _expect(what, getattr(self, what), kind, wanted)
        for name, text in self.labels.items():
            _expect(f"labels[{name!r}]", text, str, "text")
        self.view.check(outputs, self.controls)
        for prediction in (self.prediction, *self.questions.values()):
            if prediction is not None:
                prediction.check(outputs, self.controls)
                if prediction.about({c.name: to_builtin(c.initial) for c in self.controls}):
                    raise ValueError(
                        f"The question {prediction.question!r} is about the settings that the figure "
                        f"shows first, {dict(prediction.settings)}: it would show the answer. Ask about "
                        "others, with settings=, or start elsewhere."
                    )
        for preset in self.presets:
            _expect("A preset", preset, Preset, "a Preset, or a dict from a label to settings")
            checked(self.controls, preset.settings, f"The preset {preset.label!r}")
        for still in self.stills:
            checked(self.controls, still, "A still")
        schema = Schema.of(outputs, self.controls)
        each = replace(schema, numbers=("n", "m", "value"))
        for text in self.sentences:
            check("A sentence", text, schema)
        for part in self.parts.values():
            _expect("A part", part, Part, "a Part")
            schema.shape("A part", part.result)
            check("A part's words", part.words, each)
        for line in self.equation:
            _expect("A line of the equation", line, str, "text")
            check_markup("The equation", markup(line), schema)
        if self.table is not None:
            self.table.check(schema)
        for name in (name for sight, more in self.stages for name in (*sight, *more)):
            if name not in schema.controls:
                raise ValueError(
                    f"A stage names {name!r}; the controls are {', '.join(schema.controls)}."
                )

    def code(self) -> str:
        """The text of the function behind the figure; empty where Python does not have it."""
        shown = self.source or self.function
        while isinstance(shown, functools.partial):
            shown = shown.func
        try:
            return textwrap.dedent(inspect.getsource(shown)).rstrip()
        except (OSError, TypeError):  # typed at a prompt, or made by a program
            return ""

    def asked(self, name: str | None) -> Prediction | None:
        """Choose a prediction by its name: the figure's own where it is empty, none where it is None.

        Raises:
          ValueError: for a name that there is not.
        """
        if not name:
            return None if name is None else self.prediction
        if name not in self.questions:
            names = "".join(f"{known!r}, " for known in self.questions)
            raise ValueError(
                f"ask is {name!r}; expected {names}None for no question, or nothing for the usual one."
            )
        return self.questions[name]

    def describe(
        self, outputs: Sequence[Leaf], stage: int, prediction: Prediction | None
    ) -> dict[str, Any]:
        """Everything but the program and the settings, as plain data for the page."""
        everything = tuple(control.name for control in self.controls)
        sight, more = self.stages[stage - 1] if self.stages else (everything, ())
        return {
            "view": self.view.describe(),
            "views": self.view.scripts(),
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
                {
                    "label": preset.label,
                    "settings": checked(self.controls, preset.settings, preset.label),
                }
                for preset in self.presets
            ],
            "stills": [checked(self.controls, still, "A still") for still in self.stills],
            "equation": [markup(line) for line in self.equation],
            "prediction": None if prediction is None else prediction.describe(outputs),
            "note": markup(self.note),
        }
