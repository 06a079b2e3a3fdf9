"""A figure: a JAX function of its controls, a view and words; live in a notebook and in a page."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets

from gradlab.explorables.controls import Control, Integer
from gradlab.explorables.words import fill, number
from gradlab.program import Program, compile

MIME = "application/vnd.gradlab.figure+json"


@dataclass(frozen=True)
class Preset:
    """A named setting of some controls; the others keep their value."""

    label: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Results as a table, for those who listen, and in plain text.

    Attributes:
      columns: pairs of a heading template and the name of the result in that column; or one
        pair whose result is a matrix: a column for each of its columns, ``{n}`` in the
        heading.
      rows: the heading template of a row, ``{n}`` its number from 1.
      count: the control or result that says how many rows (and columns of a matrix) to show;
        1 where it is empty.
      caption: a template.
      triangle: whether a matrix has entries up to its diagonal only.
    """

    columns: Sequence[tuple[str, str]]
    rows: str = ""
    count: str = ""
    caption: str = ""
    triangle: bool = False


@dataclass(frozen=True)
class Explorable:
    """Everything about a figure but its present settings.

    Attributes:
      function: ``controls -> dict of arrays``; traced once, by parameter name.
      controls: one for each parameter, in order.
      view: the name of a module in ``frontend/src/views``.
      title: in sentence case.
      look: one sentence: what to look for.
      sentences: templates; the result ``case`` says which one states the present.
      table: the results that are shown as a table.
      labels: words that the view draws.
      stages: for each stage, the controls in sight and those behind "more".
      presets: two or three.
      stills: settings to print where nothing can be dragged; the present one if empty.
      equation: MathML templates and sums, for the view's ``Equation``.
      note: what stands behind the picture, with its terms; HTML with MathML.
    """

    function: Callable[..., dict[str, Any]]
    controls: Sequence[Control]
    view: str
    title: str
    look: str
    sentences: Sequence[str]
    table: Table
    labels: Mapping[str, str] = field(default_factory=dict)
    stages: Sequence[tuple[Sequence[str], Sequence[str]]] = ()
    presets: Sequence[Preset] = ()
    stills: Sequence[Mapping[str, Any]] = ()
    equation: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@cache
def program_of(function: Callable[..., Any], controls: tuple[Control, ...]) -> Program:
    """The function's program; one for all figures that show it."""
    return compile(function, *(control.traced(control.initial) for control in controls))


@cache
def _bundle(name: str) -> str:
    path = files("gradlab").joinpath("frontend", "dist", name)
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: the front end has not been built. Install the package with pip "
            "(it builds the front end), or run 'node build.mjs' in gradlab/frontend."
        )
    return path.read_text(encoding="utf-8")


class _Setting(traitlets.TraitType[Any, Any]):
    """A control's value as a trait, which its control checks."""

    def __init__(self, control: Control, value: Any) -> None:
        super().__init__(default_value=value)
        self._control = control

    def validate(self, obj: Any, value: Any) -> Any:
        return self._control.check(value)


class Figure(anywidget.AnyWidget):
    """The base of the book's figures; a subclass names its ``explorable``.

    In a live kernel it is a widget: every control is a synced trait, to read, to set, to
    observe and to link. While the book is built (``GRADLAB_OUTPUT=site``) it opens no comm
    and shows itself under ``MIME``.

    Args:
      stage: how much is in sight, from 1 to the number of the explorable's stages.
      **settings: values of controls, by name.

    Raises:
      TypeError: for a control that does not exist.
      ValueError: for a value or a stage that is not allowed.
    """

    explorable: ClassVar[Explorable]

    def __init__(self, stage: int = 1, **settings: Any) -> None:
        stages = len(self.explorable.stages) or 1
        self._stage = Integer("stage", "it", minimum=1, maximum=stages).check(stage)
        self._controls = {control.name: control for control in self.explorable.controls}
        unknown = settings.keys() - self._controls.keys()
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no control named {', '.join(map(repr, sorted(unknown)))}. "
                f"Its controls are {', '.join(self._controls)}."
            )
        values = {
            name: control.check(settings.get(name, control.initial))
            for name, control in self._controls.items()
        }
        self.add_traits(
            **{
                name: _Setting(self._controls[name], value).tag(sync=True)
                for name, value in values.items()
            }
        )
        static = _for_site()
        live = {} if static else {"_esm": _bundle("widget.js"), "_css": _bundle("figure.css")}
        self.add_traits(
            **{name: traitlets.Unicode(text).tag(sync=True) for name, text in live.items()},
            _description=traitlets.Dict(self.describe(values)).tag(sync=True),
        )
        super().__init__()

    def open(self) -> None:
        """Opens the comm to the page; while the book is built there is none."""
        if not _for_site():
            super().open()

    @property
    def program(self) -> Program:
        """The program that this figure runs, here and in the page."""
        return program_of(self.explorable.function, tuple(self.explorable.controls))

    @property
    def settings(self) -> dict[str, Any]:
        """The present value of every control."""
        return {name: getattr(self, name) for name in self._controls}

    @property
    def values(self) -> dict[str, np.ndarray]:
        """The function's results at the present settings, by JAX.

        NumPy arrays, so that float64 stays float64 whatever JAX's x64 flag is here.
        """
        traced = (self._controls[name].traced(value) for name, value in self.settings.items())
        return {name: np.asarray(value) for name, value in self.program(*traced).items()}

    @property
    def sentence(self) -> str:
        """The present state in one sentence."""
        values = self.values
        return fill(self.explorable.sentences[int(values["case"])], self.settings | values)

    def table(self) -> list[list[str]]:
        """The table of the present state as text, headings included."""
        shown, values = self.explorable.table, self.settings | self.values
        count = int(values[shown.count]) if shown.count else 1
        (heading, name), *_ = shown.columns
        if np.ndim(values[name]) == 2:
            head = ["", *(fill(heading, values | {"n": str(n + 1)}) for n in range(count))]
            rows = [
                [
                    number(float(values[name][k, j]), 2) if j <= k or not shown.triangle else ""
                    for j in range(count)
                ]
                for k in range(count)
            ]
        else:
            head = ["", *(fill(heading, values) for heading, _ in shown.columns)]
            rows = [
                [number(float(np.ravel(values[name])[k]), 2) for _, name in shown.columns]
                for k in range(count)
            ]
        named = [fill(shown.rows, values | {"n": str(k + 1)}) for k in range(count)]
        return [head, *([name, *row] for name, row in zip(named, rows, strict=True))]

    def describe(self, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The figure as plain data: all that a page needs to show and run it."""
        shown = self.explorable
        everything = tuple(control.name for control in shown.controls)
        sight, more = shown.stages[self._stage - 1] if shown.stages else (everything, ())
        return {
            "name": type(self).__name__,
            "view": shown.view,
            "title": shown.title,
            "look": shown.look,
            "controls": [control.describe() for control in shown.controls],
            "settings": dict(self.settings if settings is None else settings),
            "sight": list(sight),
            "more": list(more),
            "outputs": [asdict(leaf) for leaf in self.program.outputs],
            "program": self.program.javascript,
            "sentences": list(shown.sentences),
            "table": asdict(shown.table),
            "labels": dict(shown.labels),
            "presets": [
                {"label": preset.label, "settings": dict(preset.settings)}
                for preset in shown.presets
            ],
            "stills": [dict(still) for still in shown.stills],
            "equation": dict(shown.equation),
            "note": shown.note,
        }

    def __repr__(self) -> str:
        rows = self.table()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        return "\n".join([self.sentence, *lines])

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        plain = {"text/plain": repr(self)}
        if _for_site():
            return {MIME: self.describe(), **plain}, {}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        return ({**data, **plain}, *metadata)


def _for_site() -> bool:
    return os.environ.get("GRADLAB_OUTPUT") == "site"
