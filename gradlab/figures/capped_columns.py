"""The norm of a column against applications of Keras's MaxNorm, 0 to 100,000."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.controls import Choice, Control, LogRange
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Axis, Profile, Series, Threshold
from gradlab.figure.widget import Figure

KERAS = 1e-7
"""Number that ``keras.constraints.MaxNorm`` adds to a norm, unless its backend is told otherwise."""

OTHERS = {"tall": 3.0, "wide": 1.0, "short": 0.03, "tiny": 0.002}
"""Norms of the columns beside the one that can be dragged, by the names of their results."""

TIMES = np.unique(np.round(np.concatenate([[0.0], np.logspace(0, 5, 160)])))
"""After how many applications a norm is recorded. Between these, all are computed."""


def applied(norm: Array, cap: Array, epsilon: Array, dtype: Array) -> dict[str, Array]:
    """Norms of five columns under Keras's ``MaxNorm``, applied 0 to 100,000 times, and nothing else.

    ``n -> n (min(n, c) / (epsilon + n))``, each operation rounded to float32 if that is chosen. On a
    column with one weight Keras gives the same, bit for bit; with many weights the rounding differs.

    Args:
      norm: float ``[]``, above 0; of the first column.
      cap: float ``[]``, above 0.
      epsilon: float ``[]``, above 0; what is added to the norm.
      dtype: int ``[]``; 0 for float32, 1 for float64.

    Returns:
      ``times`` ``[m]``; ``kept``, ``lost`` ``[m]``, the norm of the first column and what it has lost;
      ``tall``, ``wide``, ``short``, ``tiny`` ``[m]``, norms of the others; ``before``, ``after``,
      ``less`` ``[5]``, norms before and after, and their differences; ``left``, ``gone``,
      ``expected``, ``answer`` and ``case`` for the words.
    """

    def rounded(x: Array) -> Array:  # a result in float64, rounded to float32, is float32's own
        return jnp.where(dtype == 0, jax.lax.reduce_precision(x, 8, 23), x)

    before = rounded(jnp.stack([norm, *(jnp.asarray(n) for n in OTHERS.values())]))
    limit, added = rounded(cap), rounded(epsilon)

    def once(_: Array, n: Array) -> Array:
        return rounded(n * rounded(jnp.minimum(n, limit) / rounded(added + n)))

    def further(n: Array, more: Array) -> tuple[Array, Array]:
        n = jax.lax.fori_loop(0, more, once, n)
        return n, n

    counts = np.diff(TIMES, prepend=0).astype(int)
    after, norms = jax.lax.scan(further, before, jnp.asarray(counts))
    kept, left, start = norms[:, 0], after[0], before[0]
    above, gone, same = start > limit, left < 5e-5, left == jnp.minimum(start, limit)
    return {
        "times": jnp.asarray(TIMES),
        "kept": kept,
        "lost": start - kept,
        **{name: norms[:, i] for i, name in enumerate(OTHERS, start=1)},
        "before": before,
        "after": after,
        "less": before - after,
        "left": left,
        "gone": start - left,
        "ends": after[1:],
        "expected": jnp.maximum(jnp.minimum(norm, cap) - TIMES[-1] * epsilon, 0.0),
        "answer": jnp.where(gone, 3, jnp.where(left == limit, 0, jnp.where(same, 1, 2))),
        "case": 3 * above + jnp.where(gone, 1, jnp.where(same, 2, 0)),
    }


CONTROLS: tuple[Control, ...] = (
    LogRange("norm", "norm of the column", "n", 0.001, 4.0, 0.1, 0.01),
    LogRange("cap", "cap", "c", 0.01, 4.0, 2.0, 0.01),
    LogRange("epsilon", "epsilon", "ε", 1e-9, 1e-4, KERAS, 0.05),
    Choice("dtype", "computed in", "", (("float32", "float32"), ("float64", "float64"))),
)

_ENDS = {name: f"{n:g} → {{ends.{i}:,.4~f}}" for i, (name, n) in enumerate(OTHERS.items())}
_IT = "The column of norm {norm:,.4~f} is "

SPEC = FigureSpec(
    function=applied,
    controls=CONTROLS,
    view=Profile(
        (
            *(Series(name, _ENDS[name], "ink", "line") for name in OTHERS),
            Series("lost", "lost {gone:,.4~f}", "muted", "line"),
            Series("kept", "{norm:,.4~f} → {left:,.4~f}", "parameter", "line"),
        ),
        y=Axis((0.0, 10.0), "symlog", 0.001, label="norm of a column"),
        x=Axis((0.0, 1e5), "symlog", 1.0, label="applications of MaxNorm"),
        at="times",
        thresholds=(
            Threshold("cap", "cap {cap:,.4~f}", drag="cap", beside=True),
            Threshold("norm", role="parameter", drag="norm"),
        ),
    ),
    title="A column under a cap",
    look="Drag the norm n and the cap c. “Lost” is what the column of norm n has lost so far.",
    sentences=(
        _IT + "under the cap, and shrinks all the same: after 100,000 applications its norm is "
        "{left:,.4~f}. It has lost {gone:,.4~f}.",
        _IT + "under the cap, and shrinks to nothing: each application takes about {epsilon:.3~g}.",
        _IT + "under the cap, and loses nothing: {norm:,.4~f} + {epsilon:.3~g} is rounded to "
        "{norm:,.4~f}.",
        _IT + "cut to the cap at once, and then shrinks like those below it: after 100,000 "
        "applications its norm is {left:,.4~f}.",
        _IT + "cut to the cap at once, and then shrinks to nothing: each application takes about "
        "{epsilon:.3~g}.",
        _IT + "cut to the cap at once, and stays there: {cap:,.4~f} + {epsilon:.3~g} is rounded to "
        "{cap:,.4~f}.",
    ),
    table=Table(
        columns=(("before", "before"), ("after", "after"), ("lost", "less")),
        rows="column {n}",
        count=1 + len(OTHERS),
        caption="Norms before and after 100,000 applications",
        general=True,
    ),
    stages=((("norm", "cap", "epsilon"), ("dtype",)),),
    presets=(
        Preset("n = 0.1", {"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"}),
        Preset("n = 2.5, c = 4", {"norm": 2.5, "cap": 4.0, "epsilon": KERAS, "dtype": "float32"}),
        Preset("in float64", {"norm": 2.5, "cap": 4.0, "epsilon": KERAS, "dtype": "float64"}),
    ),
    stills=({}, {"norm": 2.5, "cap": 4.0}, {"epsilon": 1e-5}),
    parts={
        "kept": Part("left", "After 100,000 applications the norm is {left:.4~g}."),
        "lost": Part("gone", "So far lost of the norm: {gone:.3~g}."),
        **{
            name: Part("ends", f"A column of norm {n:g} ends at {{ends.{i}:.4~g}}.")
            for i, (name, n) in enumerate(OTHERS.items())
        },
        "norm": Part("norm", "The column starts with the norm {norm:,.4~f}."),
        "cap": Part("cap", "The cap is {cap:,.4~f}."),
    },
    equation=(
        r"Keras: $w \cdot \displaystyle\frac{\class{cap}{\min(n, c)}}{n + \varepsilon}$ with ε = {epsilon:.3~g}",
        r"expected: $\class{norm}{\min(n, c)} - 100{,}000\,\varepsilon = \live{expected:,.4~f}$",
        r"computed: $\class{kept}{\live{left:,.4~f}}$",
    ),
    prediction=Prediction(
        "MaxNorm(2) is applied 100,000 times in a row. It cuts a column of norm 3 to 2 at once. What "
        "becomes of a column of norm 0.1?",
        answer="answer",
        how="choice",
        options=("it becomes 2", "it stays 0.1", "it shrinks to about 0.09", "it becomes 0"),
        settings={"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"},
        holds={"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"},
        conceals=(
            *("kept", "lost", "left", "gone", "expected", "after", "less", "case"),
            *(name for name in OTHERS if name != "tall"),
        ),
        waiting="The column of norm 3 is cut to the cap of 2. Commit, and you see the others.",
        reveal="It shrinks to {left:,.4~f}, because each application takes about 10⁻⁷ from it.",
    ),
    note=(
        "Both axes are logarithmic, but for the bands at 0. The page computes every application, in "
        "float32 or float64, and draws 138 of them. The columns have one weight each. With many weights the "
        "rounding differs: in float32 such a column can lose up to about twice as much as these."
    ),
)


class CappedColumns(Figure):
    """The norm of a column against 0 to 100,000 applications of Keras's MaxNorm.

    Args:
      norm: of the column, in [0.001, 4], default 0.1.
      cap: in [0.01, 4], default 2.
      epsilon: what is added to the norm, in [1e-9, 1e-4], default 1e-7.
      dtype: ``"float32"``, by default, or ``"float64"``.
    """

    spec = SPEC
