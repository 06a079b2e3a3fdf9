"""``explore``: make a figure of a function, with a sensible default for everything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorax.compiler import Program
from explorax.controls.control import Control
from explorax.figure import defaults, nonfinite, pictures, runs, shorthand
from explorax.figure.groups import Default
from explorax.figure.named import check_arguments, compiled, with_named_results
from explorax.figure.prediction import Prediction
from explorax.figure.runs import HORIZON, Run, RunProgram
from explorax.figure.shorthand import words
from explorax.figure.spec import FigureSpec, Part, Preset, Table
from explorax.figure.widget import Figure, check_names
from explorax.views import View


class Explored(Figure):
    """A figure made by ``explore``, named after the function."""

    def __init__(
        self, spec: FigureSpec, name: str, program: Program | RunProgram, width: str = ""
    ) -> None:
        self.spec, self._given_name, self._program = spec, name, program
        super().__init__(width=width)

    @property
    def program(self) -> Program | RunProgram:
        """The program that this figure runs, here and in the page."""
        return self._program

    @property
    def _name(self) -> str:
        return self._given_name

    def _python(self) -> list[str]:
        return ["figure.set(", ")"]


def explore(
    function: Callable[..., Any],
    controls: Mapping[str, Any] | Sequence[Control],
    view: View | None = None,
    *,
    title: str = "",
    look: str = "",
    sentence: str = "",
    table: Table | None = None,
    equation: str | Sequence[str] = (),
    prediction: Prediction | None = None,
    presets: Mapping[str, Mapping[str, Any]] | Sequence[Preset] = (),
    stills: Sequence[Mapping[str, Any]] = (),
    labels: Mapping[str, str] | None = None,
    parts: Mapping[str, Part] | None = None,
    more: Sequence[str] = (),
    note: str = "",
    width: str = "",
    dtype: Any = "float64",
    run: int | None = None,
    carry: Any = None,
    horizon: int = HORIZON,
) -> Figure:
    """Make a live figure of a JAX function; its controls are the function's arguments.

    ``explore(lambda s: jnp.sin(s), {"s": (0.0, 6.0)})`` is a curve with a point to drag. The
    page runs the program that JAX traced, and Python the same one: ``figure.value``.

    With ``run``, the function is one step of a loop, such as of a training, and the figure has a
    button that runs it, in the page::

        def start(seed):
            params = init(jax.random.key(seed))
            return params, optax.adam(0.0).init(params)

        def step(carry, rate):
            params, state = carry
            value, gradients = jax.value_and_grad(loss)(params)
            updates, state = optax.adam(rate).update(gradients, state)
            return (optax.apply_updates(params, updates), state), {"loss": value}

        explore(step, {"rate": (1e-3, 0.1), "seed": (0, 9)}, run=1000, carry=start)

    A control that is changed ends the run, and its lines stay behind those of the next.
    ``figure.value`` has what JAX records in a scan over the same step.

    Args:
      function: pure; of one number for each control, ``float [2]`` for a point, an index for a
        choice; with ``run`` of the carry, and then these. It returns an array, a tuple of arrays,
        or a dict of named arrays; each becomes a result, named ``result``, ``result_1`` and so
        on, or as in the dict.
      controls: Controls, or a dict from an argument's name to a Control or, for short, to
        (low, high), (low, high, initial), True, False, or a list of names. An argument that
        has a default needs no control.
      view: what is drawn. Where it is None it is chosen by the results' shapes, with an axis for
        each size of them, logarithmic where they need one; results that it leaves out are named
        under the picture.
      title: the function's name, with spaces, where it is empty.
      look: one sentence: what to look for.
      sentence: a template that states the present: ``"With s = {s}, y is {result:,.2f}."``
      table: the results that are shown as a table.
      equation: lines of MathML with numbers and parts, as ``FigureSpec.equation`` says.
      prediction: a question beside it, about other settings than those shown first.
      presets: named settings.
      stills: settings to print.
      labels: words that the view draws.
      parts: what is said of the picture's parts.
      more: names of controls that stand behind "more".
      note: what stands behind the picture, as HTML.
      width: ``"half"`` or ``"margin"`` for picture and sliders alone, beside the text.
      dtype: ``"float64"`` or ``"float32"``: in what the function computes, as ``compile`` says.
      run: how many steps are run. The function is then ``step(carry, **controls) -> (carry,
        record)``, given the controls that it names; of a record ``loss``, words and views may name ``loss``, ``last_loss`` and
        ``loss_at``, as ``Run`` says, and ``steps``, how many were taken.
      carry: the first carry: a pytree such as ``(params, opt_state, key)``, or a function of some
        of the controls that returns one.
      horizon: how many steps plain text states.

    Raises:
      TypeError: for controls and arguments that do not fit each other.
      ValueError: for a control, a view or words that ask for what is not there.
      UnsupportedPrimitive: where the function cannot be compiled.
      ProgramError: for another dtype; for Python or NumPy that needs the number behind an argument
        (``if s > 2:``, ``np.sin(s)``), with the line and what to write instead; and for arrays
        that are too large: more than 500,000 numbers captured, 250,000 drawn, or 10,000,000
        computed at each drag, at all points of a curve together.

    Warns:
      UserWarning: for arrays so large that the figure is slow, and for results that have no finite
        number at the settings that it starts with.

    Example:
      >>> import jax, jax.numpy as jnp
      >>> slope = explore(jax.grad(lambda s: s**2), {"s": (0.0, 6.0, 1.0)})
      >>> slope.s = 2.0
      >>> float(slope.value["result"])
      4.0
    """
    given = tuple(shorthand.controls_of(controls))
    name = getattr(function, "__name__", "figure")
    name = name if name.isidentifier() else "figure"
    check_names(given)
    if run is None and carry is not None:
        raise TypeError("carry is given without run; expected run=, the number of steps, with it.")
    made, results, sentences, shown, undrawn = (
        _of_function(function, name, given, view, sentence, table, dtype)
        if run is None
        else _of_run(Run(function, carry, run, horizon), given, view, sentence, table, dtype)
    )
    sight = tuple(control.name for control in given if control.name not in more)
    if isinstance(presets, Mapping):
        presets = [Preset(label, settings) for label, settings in presets.items()]
    spec = FigureSpec(
        function=made.function,
        controls=given,
        view=made.view,
        title=_title(name, given) if title == "" else title,
        look=look,
        sentences=sentences,
        table=shown,
        labels=labels or {},
        parts=parts or {},
        stages=((sight, tuple(more)),),
        presets=presets,
        stills=stills,
        equation=(equation,) if isinstance(equation, str) else equation,
        prediction=prediction,
        note=" ".join(filter(None, (note, undrawn))),
        source=function,
    )
    first = [control.traced(control.initial) for control in given]
    nonfinite.check(name, results, made.program(*first), made.program, first)
    return Explored(spec, name, made.program, width)


_Made = tuple[Default, Sequence[str], Sequence[str], Table | None, str]
"""What has a default, as given or chosen: view and program, names of results, sentences, table, note."""


def _of_function(
    function: Callable[..., Any],
    name: str,
    controls: Sequence[Control],
    view: View | None,
    sentence: str,
    table: Table | None,
    dtype: Any,
) -> _Made:
    check_arguments(function, name, controls)
    called, order = with_named_results(function, name, controls)
    program = compiled(called, controls, dtype)
    outputs = sorted(program.outputs, key=lambda leaf: order.index(leaf.name))
    table = table or defaults.table(outputs)
    if view is None:
        made = pictures.view(called, controls, program, outputs, dtype)
    else:
        program.sizes.check(name, warn=True)
        made = Default(called, program, view, order)
    sentences = (sentence or defaults.sentence(controls, outputs),)
    return made, order, sentences, table, defaults.undrawn(outputs, made.drawn, table)


def _of_run(
    run: Run,
    controls: Sequence[Control],
    view: View | None,
    sentence: str,
    table: Table | None,
    dtype: Any,
) -> _Made:
    program = RunProgram(run, controls, dtype)
    records = program.records
    program.step.sizes.check(getattr(run.step, "__name__", "step"), warn=True)
    made = Default(run, program, view, records) if view else runs.view(program, controls)
    sentences = runs.sentences(program, controls, sentence)
    return made, records, sentences, table or runs.table(records), ""


def _title(name: str, controls: Sequence[Control]) -> str:
    if name != "figure" or not controls:
        return words(name)
    return f"A function of {', '.join(control.symbol or control.label for control in controls)}"
