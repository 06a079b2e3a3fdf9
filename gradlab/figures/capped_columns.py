"""The columns of a weight matrix in their ball, capped again and again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.controls import Choice, Control, LogRange, Range
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Panels, Plane, Ring, Vector
from gradlab.figure.widget import Figure

KERAS = 1e-7
"""Number that ``keras.constraints.MaxNorm`` adds to a norm, unless its backend is told otherwise."""

NORMS = np.array([0.1, 0.07, 0.04, 0.008, 1.2, 2.5])
"""Of the columns; the first four are short enough for the magnified panel."""

SHORT = 4
WINDOW = 0.12
_TURNS = np.radians([35.0, 125.0, 215.0, 305.0, 160.0, 50.0])
WEIGHTS = NORMS * np.stack([np.cos(_TURNS), np.sin(_TURNS)])


def applied(times: Array, cap: Array, epsilon: Array) -> dict[str, Array]:
    """Six columns of two weights, and what ``ops.max_norm`` leaves of them when it is repeated.

    Nothing but the constraint acts on them: no gradient comes in between. Every application is
    computed, in float64, in a page and in a notebook alike.

    Args:
      times: float ``[]``, at least 1; how many applications, to be rounded.
      cap: float ``[]``, above 0.
      epsilon: int ``[]``; 0 for what Keras adds to the norm, 1e-7, and 1 for 0.

    Returns:
      ``before``, ``after`` ``[2, 6]``; ``short``, ``short_after`` ``[2, 4]``, the first four of
      them; ``size``, ``kept``, ``lost`` ``[6]``, norms before and after, and their
      differences; ``left`` and ``expected``, the first column's norm and what it would be
      if each application took epsilon from it; ``gone``, how many are shorter than epsilon;
      ``capped``, how many were longer than the cap; ``applications``, ``added``, the numbers
      in use; ``answer``, whether the first column is 0 at the cap, 1 as it was, 2 shorter,
      3 gone.
    """
    applications = jnp.round(times).astype(int)
    added = jnp.where(epsilon == 0, KERAS, 0.0)
    before = jnp.asarray(WEIGHTS)
    size = jnp.linalg.norm(before, axis=0)

    def once(_: Array, n: Array) -> Array:
        return n * jnp.minimum(n, cap) / (n + added)

    # The factor of a column depends on its norm alone: 100,000 steps on norms fit into a frame.
    kept = jax.lax.fori_loop(0, applications, once, size)
    after = before * (kept / size)
    expected = jnp.maximum(jnp.minimum(size[0], cap) - applications * added, 0.0)
    same = jnp.abs(kept[0] - size[0]) < 1e-12
    at_cap = jnp.abs(kept[0] - cap) < 1e-12
    return {
        "before": before,
        "after": after,
        "short": before[:, :SHORT],
        "short_after": after[:, :SHORT],
        "size": size,
        "kept": kept,
        "lost": size - kept,
        "left": kept[0],
        "expected": expected,
        "gone": jnp.sum(kept < added),
        "capped": jnp.sum(size > cap + 1e-12),
        "applications": applications,
        "added": added,
        "answer": jnp.where(same, 1, jnp.where(at_cap, 0, jnp.where(kept[0] < added, 3, 2))),
        "case": 2 * epsilon + (applications == 1),
    }


CONTROLS: tuple[Control, ...] = (
    LogRange("times", "applications", "t", 1.0, 1e5, 1e5, 0.05),
    Range("cap", "cap", "c", 0.01, 2.6, 2.0, 0.01),
    Choice("epsilon", "epsilon", "ε", (("keras", "10⁻⁷, as in Keras"), ("zero", "0"))),
)

_KEPT = "under a cap of {cap} the column of norm 0.1 keeps {left:,.4f}"
_ADDED = " with ε = 10⁻⁷, "
_NONE = " with ε = 0, "
_GONE = ". Shorter than ε, so as good as gone: {gone:,.0f} of 6 columns."
_CAPPED = ". Cut to the cap: {capped:,.0f} of 6 columns; the others stay."

VIEW = Panels(
    (
        (
            "The columns in their ball",
            Plane(
                (
                    Ring("cap", label="c = {cap}", drag="cap", at=-40, filled=True),
                    Ring(WINDOW, role="muted", label="magnified", at=-90),
                    Vector("before", role="ink", before=True, unless="after", columns=True),
                    Vector("after", role="parameter", columns=True),
                ),
                x=(-2.64, 2.64),
                y=(-2.64, 2.64),
            ),
        ),
        (
            "The middle of it, magnified 22 times",
            Plane(
                (
                    Ring("cap", filled=True),
                    Vector("short", role="ink", before=True, unless="short_after", columns=True),
                    Vector("short_after", label="{n}", role="parameter", columns=True),
                ),
                x=(-WINDOW, WINDOW),
                y=(-WINDOW, WINDOW),
            ),
        ),
    ),
    wide="beside",
)

SPEC = FigureSpec(
    function=applied,
    controls=CONTROLS,
    view=VIEW,
    title="Six columns, capped again and again",
    look="Drag t, then the ring. Compare what ε = 0 leaves of the short columns.",
    sentences=(
        "After {applications:,.0f} applications" + _ADDED + _KEPT + _GONE,
        "After one application" + _ADDED + _KEPT + _GONE,
        "After {applications:,.0f} applications" + _NONE + _KEPT + _CAPPED,
        "After one application" + _NONE + _KEPT + _CAPPED,
    ),
    table=Table(
        columns=(("at first", "size"), ("now", "kept"), ("lost", "lost")),
        rows="norm of column {n}",
        count=len(NORMS),
        general=True,
    ),
    stages=((("times", "cap"), ("epsilon",)),),
    presets=(
        Preset("100,000 times, as in Keras", {"times": 1e5, "cap": 2.0, "epsilon": "keras"}),
        Preset("100,000 times, ε = 0", {"times": 1e5, "cap": 2.0, "epsilon": "zero"}),
        Preset("once", {"times": 1.0}),
    ),
    stills=(
        {"times": 1.0, "epsilon": "keras"},
        {"times": 1e5, "epsilon": "keras"},
        {"times": 1e5, "epsilon": "zero"},
    ),
    parts={
        "before": Part("size", "Column {n} had the norm {value:.3~g}."),
        "after": Part("kept", "Column {n} has the norm {value:.3~g} now."),
        "short": Part("size", "Column {n} had the norm {value:.3~g}."),
        "short_after": Part("kept", "Column {n} has the norm {value:.3~g} now."),
        "cap": Part("cap", "The cap is {cap}."),
    },
    equation=(
        r"$w \mapsto w \cdot \frac{\class{cap}{\min(n, c)}}{n + \varepsilon}$, with n the norm of the "
        "column, c = {cap}, ε = {added:.3~g}",
        r"column 1, after {applications:,.0f}: $\class{short_after.1}{\live{left:,.5f}} \approx "
        r"\class{expected}{\min(0.1, c) - t \varepsilon = \live{expected:,.5f}}$",
    ),
    prediction=Prediction(
        "A column has the norm 0.1. Keras’s MaxNorm with a cap of 2 is applied to it 100,000 times, "
        "and nothing else happens. What becomes of its norm?",
        answer="answer",
        how="choice",
        options=("it becomes 2", "it stays 0.1", "it shrinks to about 0.09", "it becomes 0"),
        settings={"times": 1e5, "cap": 2.0, "epsilon": "keras"},
        holds={"times": 1.0},
        conceals=("lost", "expected"),
        reveal="It is {left:,.4f}: {applications:,.0f} applications took {added:.3~g} each. "
        "Column 4, of norm 0.008, is gone.",
    ),
    note=(
        "Outlined: before. Solid: after. The page computes every application, on the norms, in "
        "float64. Keras computes in float32 and rounds each time, so that its columns end up a "
        "little longer or shorter than these."
    ),
)


class CappedColumns(Figure):
    """Six columns under a cap that is applied 1 to 100,000 times, with Keras's epsilon or none.

    Args:
      times: applications, in [1, 1e5], default 1e5; rounded.
      cap: in [0.01, 2.6], default 2.
      epsilon: ``"keras"``, 1e-7, by default, or ``"zero"``.
    """

    spec = SPEC
