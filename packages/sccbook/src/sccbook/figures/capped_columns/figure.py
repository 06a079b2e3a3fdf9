"""What columns lose under Keras's MaxNorm, applied 0 to 100,000 times."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, LogRange, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Panels, Profile, Series, Threshold

KERAS = 1e-7
"""Number that ``keras.constraints.MaxNorm`` adds to a norm, unless its backend is told otherwise."""

OTHERS = {"tall": 3.0, "wide": 1.0, "short": 0.005}
"""Norms of the columns beside the one that can be set, by the names of their results."""

NOTHING = 5e-5
"""Norms below it are said to be nothing."""

COLUMNS = ("tall", "wide", "lost", "short")
"""Results of the columns, the longest first; ``lost`` is the one that can be set."""

TIMES = np.linspace(0.0, 1e5, 201)
"""After how many applications a norm is recorded. Between these, all are computed."""


def applied(norm: Array, cap: Array, epsilon: Array, dtype: Array) -> dict[str, Array]:
    """Norms of four columns under Keras's ``MaxNorm``, applied 0 to 100,000 times, and nothing else.

    ``n -> n (min(n, c) / (epsilon + n))``, each operation rounded to float32 if that is chosen. On a
    column with one weight Keras gives the same, bit for bit; with many weights the rounding differs.

    Args:
      norm: float ``[]``, above 0; of the first column.
      cap: float ``[]``, above 0.
      epsilon: float ``[]``, above 0; what is added to the norm.
      dtype: int ``[]``; 0 for float32, 1 for float64.

    Returns:
      ``thousands`` ``[m]``, of applications; ``lost``, ``tall``, ``wide``, ``short`` ``[m]``, what the
      columns have lost of the smaller one of norm and cap, and with ``norm_`` before it their norms;
      ``before``, ``after``, ``less`` ``[4]``, of ``tall``, ``wide``, the first and ``short``: norms
      before and after, and what is lost in all; ``left``, ``gone``, ``beside``, ``whole``,
      ``expected`` and ``case`` for the words.
    """

    def rounded(x: Array) -> Array:  # a result in float64, rounded to float32, is float32's own
        return jnp.where(dtype == 0, jax.lax.reduce_precision(x, 8, 23), x)

    tall, wide, short = (jnp.asarray(n) for n in OTHERS.values())
    before = rounded(jnp.stack([tall, wide, norm, short]))
    limit, added = rounded(cap), rounded(epsilon)

    def once(_: Array, n: Array) -> Array:
        return rounded(n * rounded(jnp.minimum(n, limit) / rounded(added + n)))

    def further(n: Array, more: Array) -> tuple[Array, Array]:
        n = jax.lax.fori_loop(0, more, once, n)
        return n, n

    counts = np.diff(TIMES, prepend=0).astype(int)
    after, norms = jax.lax.scan(further, before, jnp.asarray(counts))
    kept = jnp.minimum(before, limit)
    lost = jnp.maximum(kept - norms, 0.0)
    left, start, gone, beside = after[2], before[2], lost[-1, 2], lost[-1, 1]
    above, nothing, same = start > limit, left < NOTHING, left == kept[2]
    return {
        "thousands": jnp.asarray(TIMES / 1000),
        **{name: lost[:, i] for i, name in enumerate(COLUMNS)},
        **{f"norm_{name}": norms[:, i] for i, name in enumerate(COLUMNS)},
        "before": before,
        "after": after,
        "less": before - after,
        "left": left,
        "gone": gone,
        "beside": beside,
        "whole": TIMES[-1] * epsilon,
        "expected": jnp.maximum(jnp.minimum(norm, cap) - TIMES[-1] * epsilon, 0.0),
        "case": 3 * above + jnp.where(nothing, 1, jnp.where(same, 2, 0)),
    }


def lines(prefix: str) -> tuple[Series, ...]:
    """A line for each column: what it has lost, or its norm."""
    others = (Series(prefix + name, f"n = {n:g}", "ink", "line") for name, n in OTHERS.items())
    return (*others, Series(prefix + "lost", "n = {norm:,.4~f}", "parameter", "line"))


APPLICATIONS = Axis((0.0, 100.0), label="thousands of applications")


_IT = "The column of norm {norm:,.4~f} is "


class CappedColumns(Figure):
    """What columns of several norms lose under 0 to 100,000 applications of Keras's MaxNorm.

    Args:
      norm: of the column, in [0.001, 4], default 0.1.
      cap: in [0.01, 4], default 2.
      epsilon: what is added to the norm, in [1e-8, 1e-6], default 1e-7.
      dtype: ``"float32"``, by default, or ``"float64"``.
    """

    spec = FigureSpec(
        function=applied,
        controls=(
            LogRange("norm", "norm of the column", "n", 0.001, 4.0, 0.1, 0.01),
            LogRange("cap", "cap", "c", 0.01, 4.0, 2.0, 0.01),
            LogRange("epsilon", "epsilon", "ε", 1e-8, 1e-6, KERAS, 0.01),
            Choice("dtype", "computed in", "", (("float32", "float32"), ("float64", "float64"))),
        ),
        view=Panels(
            (
                (
                    "Norms, and the cap",
                    Profile(
                        lines("norm_"),
                        y=Axis((5e-4, 6.0), "log", label="norm"),
                        x=APPLICATIONS,
                        at="thousands",
                        thresholds=(
                            Threshold("cap", "c = {cap:,.4~f}", drag="cap", beside=True),
                            Threshold("norm", role="parameter", drag="norm", on=0.0),
                        ),
                        ends=True,
                        plot=124,
                    ),
                ),
                (
                    "What they lose below the cap",
                    Profile(
                        lines(""),
                        y=Axis(
                            (-0.0003, 0.016), label="norm lost"
                        ),  # a line at 0 clear of the frame
                        x=APPLICATIONS,
                        at="thousands",
                        thresholds=(
                            Threshold(
                                "whole", "100,000 ε", "limit", drag="epsilon", beside=True, per=1e-5
                            ),
                        ),
                        ends=True,
                        level=True,
                        plot=124,
                    ),
                ),
            ),
            wide="beside",
        ),
        title="Columns under a cap",
        look=(
            "Drag a ring: the cap, the norm n, or ε. Below 2, n’s line keeps nearly its slope on the right; in "
            "float64, exactly. What the cap cuts off at once is not counted there."
        ),
        sentences=(
            _IT + "under the cap, and shrinks all the same: after 100,000 applications its norm is "
            "{left:,.4~f}. It has lost {gone:,.4~f}.",
            _IT
            + "under the cap, and shrinks to nothing: each application takes about {epsilon:.3~g}.",
            _IT + "under the cap, and loses nothing: {norm:,.4~f} + {epsilon:.3~g} is rounded to "
            "{norm:,.4~f}.",
            _IT + "cut to the cap at once, and then shrinks like those below it: after 100,000 "
            "applications its norm is {left:,.4~f}.",
            _IT
            + "cut to the cap at once, and then shrinks to nothing: each application takes about "
            "{epsilon:.3~g}.",
            _IT
            + "cut to the cap at once, and stays there: {cap:,.4~f} + {epsilon:.3~g} is rounded to "
            "{cap:,.4~f}.",
        ),
        table=Table(
            columns=(("before", "before"), ("after", "after"), ("lost in all", "less")),
            rows="column {n}",
            count=1 + len(OTHERS),
            caption="Norms before and after 100,000 applications",
            general=True,
        ),
        stages=((("norm", "cap", "epsilon"), ("dtype",)),),
        presets=(
            Preset("n = 0.1", {"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"}),
            Preset(
                "n = 2.5, c = 4", {"norm": 2.5, "cap": 4.0, "epsilon": KERAS, "dtype": "float32"}
            ),
            Preset("in float64", {"norm": 2.5, "cap": 4.0, "epsilon": KERAS, "dtype": "float64"}),
        ),
        stills=({}, {"norm": 2.5, "cap": 4.0}, {"norm": 0.003}),
        parts={
            "lost": Part(
                "gone", "The column of norm {norm:,.4~f} has lost {gone:.3~g} in the end."
            ),
            "norm_lost": Part("left", "The column of norm {norm:,.4~f} ends at {left:.4~g}."),
            **{
                prefix + name: Part(
                    "after",
                    f"The column of norm {n:g} ends at {{after.{COLUMNS.index(name)}:.4~g}}.",
                )
                for name, n in OTHERS.items()
                for prefix in ("", "norm_")
            },
            "whole": Part("whole", "Epsilon, taken 100,000 times, would be {whole:.3~g}."),
            "norm": Part("norm", "The column starts with the norm {norm:,.4~f}."),
            "cap": Part("cap", "The cap is {cap:,.4~f}."),
        },
        equation=(
            r"Keras: $w \cdot \displaystyle\frac{\class{cap}{\min(n, c)}}{n + \varepsilon}$ with ε = {epsilon:.3~g}",
            r"expected: $\class{norm}{\min(n, c)} - \class{whole}{100{,}000\,\varepsilon} = \live{expected:,.4~f}$",
            r"computed: $\class{lost}{\live{left:,.4~f}}$",
        ),
        prediction=Prediction(
            "Keras’s MaxNorm(2) is applied 100,000 times. A column of norm 1 is far below that cap, but in the end "
            "it has lost 0.0119. How much does a column of norm 0.1 lose?",
            answer="gone",
            how="number",
            guess=Range("guess", "norm lost", "", 0.0, 0.016, 0.008, 0.0001),
            settings={"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"},
            conceals=(
                "lost",
                "short",
                "norm_lost",
                "norm_short",
                "left",
                "gone",
                "whole",
                "expected",
                "after",
                "less",
                "case",
            ),
            reveal=(
                "It loses {gone:,.4~f}, about as much as the column of norm 1: both lose about 10⁻⁷ each time."
            ),
        ),
        note=(
            "The page computes every application, in float32 or float64, and draws every 500th. In float64 all "
            "columns lose the same, until nothing is left; float32 rounds what each application takes. The columns "
            "have one weight each. With many weights the rounding differs: in float32 such a column can lose up to "
            "about twice as much as these."
        ),
    )
