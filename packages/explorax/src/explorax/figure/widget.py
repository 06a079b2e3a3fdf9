"""A figure: a JAX function of its controls, a view and words; live in a notebook and in a page."""

from __future__ import annotations

import keyword
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from explorax.compiler import Program, compile
from explorax.controls import Integer
from explorax.controls.control import Control
from explorax.figure import export, text
from explorax.figure.runs import Run, RunProgram
from explorax.figure.spec import FigureSpec
from explorax.frontend import MIME, draw_svg
from explorax.words.template import fill

RESERVED = ("self", "guess", "ask", "width")
"""Names of arguments that Python passes, and of what a reader drags for a prediction."""

WIDTHS = ("", "half", "margin")

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

KEPT = 64
"""Programs; a reader who runs a cell again and again makes a new function each time."""


@lru_cache(maxsize=KEPT)
def program_of(
    function: Callable[..., Any] | Run, controls: tuple[Control, ...]
) -> Program | RunProgram:
    """The function's program; one for all figures that show it."""
    if isinstance(function, Run):
        return RunProgram(function, controls)
    return compile(function, *(control.traced(control.initial) for control in controls))


def check_names(controls: Sequence[Control]) -> None:
    """Refuse names that cannot be those of a figure's controls.

    Raises:
      ValueError: it says what to do.
    """
    names: list[Any] = [control.name for control in controls]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"Two controls are named {name!r}; give one of them another name.")
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"A control is named {name!r}; expected the name of an argument.")
        if hasattr(Figure, name) or name.startswith("_") or name in RESERVED:
            raise ValueError(
                f"A control cannot be named {name!r}: a figure has that name already. "
                "Rename the function's argument."
            )


class ControlTrait(traitlets.TraitType[Any, Any]):
    """A control's value as a trait, which its control checks."""

    def __init__(self, control: Control, value: Any) -> None:
        super().__init__(default_value=value)
        self._control = control

    def validate(self, obj: Any, value: Any) -> Any:
        return self._control.check(value)


class Figure(anywidget.AnyWidget):
    """The base of all figures; a subclass names its ``spec``.

    In a live kernel it is a widget: every control is a synced trait, to read, to set, to
    observe and to link. A saved notebook keeps its picture too, for where there is no kernel, if
    Node is at hand to draw it; ``EXPLORAX_OUTPUT=text`` leaves that out. Where a program such as
    nbconvert executes the notebook, the picture alone is shown, since its pages would fetch what
    draws a widget from the network; ``EXPLORAX_OUTPUT=widget`` keeps the widget there. While the
    book is built (``EXPLORAX_OUTPUT=site``) it opens no comm and shows itself under ``MIME``.

    Args:
      stage: how much is in sight, from 1 to the number of the spec's stages.
      ask: which of the spec's questions is asked: the usual one, one of the others by its name,
        or None for none.
      width: ``""``, as wide as the text; ``"half"`` of it, beside a paragraph; or ``"margin"``,
        in the page's margin. The last two are picture and sliders alone.
      **settings: values of controls, by name.

    Raises:
      TypeError: for a control that does not exist.
      ValueError: for a value, a stage or a question that is not allowed.
    """

    spec: FigureSpec

    def __init__(
        self, stage: int = 1, *, ask: str | None = "", width: str = "", **settings: Any
    ) -> None:
        self._ask, self._prediction = ask, self.spec.asked(ask)
        if width not in WIDTHS:
            raise ValueError(f"width is {width!r}; expected one of {WIDTHS}.")
        self._width = width
        stages = len(self.spec.stages) or 1
        self._stage = Integer("stage", "it", minimum=1, maximum=stages).check(stage)
        self._controls = {control.name: control for control in self.spec.controls}
        check_names(self.spec.controls)
        self._refuse_unknown(settings)
        values = {
            name: control.check(settings.get(name, control.initial))
            for name, control in self._controls.items()
        }
        self.spec.check(self.program.outputs)
        self.add_traits(
            **{
                name: ControlTrait(self._controls[name], value).tag(sync=True)
                for name, value in values.items()
            }
        )
        description = self.describe(values)
        live = {}
        if _output() != "site":
            live = {"_esm": export.text_of("widget.js"), "_css": export.styles(description)}
        self.add_traits(
            **{name: traitlets.Unicode(text).tag(sync=True) for name, text in live.items()},
            _description=traitlets.Dict(description).tag(sync=True),
        )
        super().__init__()

    @property
    def _name(self) -> str:
        return type(self).__name__

    def open(self) -> None:
        """Open the comm to the page; while the book is built there is none."""
        if _output() != "site":
            super().open()

    def _refuse_unknown(self, settings: Mapping[str, Any]) -> None:
        unknown = settings.keys() - self._controls.keys()
        if unknown:
            raise TypeError(
                f"{self._name} has no control named {', '.join(map(repr, sorted(unknown)))}. "
                f"Its controls are {', '.join(self._controls)}."
            )

    @property
    def program(self) -> Program | RunProgram:
        """The program that this figure runs, here and in the page."""
        return program_of(self.spec.function, tuple(self.spec.controls))

    @property
    def settings(self) -> dict[str, Any]:
        """The present value of every control."""
        return {name: getattr(self, name) for name in self._controls}

    def set(self, **settings: Any) -> None:
        """Set some controls at once; all of them, or where one is refused, none.

        Raises:
          TypeError: for a control that does not exist.
          ValueError: for a value that is not allowed.
        """
        self._refuse_unknown(settings)
        checked = {name: self._controls[name].check(value) for name, value in settings.items()}
        with self.hold_trait_notifications(), self.hold_sync():
            for name, value in checked.items():
                setattr(self, name, value)

    @property
    def value(self) -> dict[str, np.ndarray]:
        """The function's results at the present settings, by JAX.

        NumPy arrays, so that float64 stays float64 whatever JAX's x64 flag is here.
        """
        return {name: np.asarray(value) for name, value in self.program(*self._traced).items()}

    @property
    def _traced(self) -> list[Any]:
        return [self._controls[name].traced(value) for name, value in self.settings.items()]

    @property
    def _stated(self) -> dict[str, np.ndarray]:
        """What plain text says: of a run, what does not depend on the machine."""
        program = self.program
        return program.stated(*self._traced) if isinstance(program, RunProgram) else self.value

    @property
    def sentence(self) -> str:
        """The present state in one sentence."""
        return self._sentence(self.value)

    def _sentence(self, value: Mapping[str, Any]) -> str:
        return fill(self.spec.sentences[int(value.get("case", 0))], {**self.settings, **value})

    def table(self) -> list[list[str]]:
        """The table of the present state as text, headings included; empty if there is none."""
        return text.rows(self.spec.table, self.settings | self.value)

    def describe(self, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The figure as plain data: all that a page needs to show and run it."""
        present = dict(self.settings if settings is None else settings)
        asks = self._prediction
        if asks is not None and (self._width or asks.about(present)):
            asks = None  # there's no room for it, or the figure shows the answer from the start
        described: dict[str, Any] = {
            "name": self._name,
            "python": self._python(),
            **self.spec.describe(self.program.outputs, self._stage, asks),
            "width": self._width,
            "settings": present,
            "program": self.program.javascript,
        }
        if isinstance(self.program, RunProgram):
            return {**described, **self.program.describe(present, described)}
        return described

    def _python(self) -> list[str]:
        """Return the text before and after the settings where the state is written as Python."""
        stage = f"stage={self._stage}, " if self._stage > 1 else ""
        ask = "" if self._ask == "" else f"ask={self._ask!r}, "
        ask += f"width={self._width!r}, " if self._width else ""
        return [f"{self._name}({stage}{ask}", ")"]

    def save_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure, as it is set, as one HTML file that asks nothing of the network.

        It opens from ``file://`` too. Where Node is at hand the first picture is drawn already,
        so that it shows without scripts and on paper.

        Args:
          path: of the file, ``~`` for the home folder; its folder must exist. A file that is
            there is written over.

        Returns:
          The path.

        Raises:
          FileNotFoundError: where its folder does not exist.
          IsADirectoryError: where it is a folder.

        Example:
          >>> import tempfile
          >>> from explorax import explore
          >>> with tempfile.TemporaryDirectory() as folder:
          ...     path = explore(lambda x: x**2, {"x": (0.0, 1.0)}).save_html(f"{folder}/square.html")
          ...     path.read_text(encoding="utf-8")[:15]
          '<!doctype html>'
        """
        file = Path(os.fsdecode(path)).expanduser()
        if not file.parent.is_dir():
            raise FileNotFoundError(f"The folder {file.parent} does not exist; make it first.")
        if file.is_dir():
            raise IsADirectoryError(f"{file} is a folder; expected the path of a file.")
        file.write_text(export.page(self.describe(), repr(self)), encoding="utf-8")
        return file

    def svg(self) -> str:
        """Return the text of an SVG file that shows the figure as it is set, in light and in dark.

        Raises:
          NodeError: where there is no Node to draw it.
        """
        return draw_svg(self.describe())

    def __repr__(self) -> str:
        value = self._stated
        return text.lines(self._sentence(value), text.rows(self.spec.table, self.settings | value))

    def shown_for(self, data: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook shows of data that this figure draws: the figure, and the data's own text."""
        bundle: Any = self._repr_mimebundle_()
        shown, *metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**shown, "text/plain": repr(data)}, metadata[0]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        as_text = {"text/plain": repr(self)}
        if _output() == "site":
            return {MIME: self.describe(), **as_text}, {}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        still = {} if _output() == "text" else export.still(self.describe(), self.sentence)
        if still and _output() != "widget" and _executed_without_a_page():
            data = {kind: each for kind, each in data.items() if kind != WIDGET_VIEW}
        return ({**data, **still, **as_text}, *metadata)


def _executed_without_a_page() -> bool:
    """Tell if a notebook is executed by a program, as by nbconvert, and no page shows it meanwhile.

    Such a program lets no cell ask for input. A page that it writes would leave out the picture for
    the widget, which is drawn only with scripts from the network. Voila executes in the same way,
    and shows live widgets after it; it names itself in the environment.
    """
    shell: Any = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    parent: Any = getattr(getattr(shell, "kernel", None), "get_parent", dict)()
    asks = (parent or {}).get("content", {}).get("allow_stdin", True)
    return not asks and not os.environ.get("SERVER_SOFTWARE", "").startswith("voila")


def _output() -> str:
    return os.environ.get("EXPLORAX_OUTPUT", "")
