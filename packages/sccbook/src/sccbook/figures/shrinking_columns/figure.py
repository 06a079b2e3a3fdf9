"""What 100,000 applications of Keras's MaxNorm take from a column below the cap, by its norm."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

KERAS = 1e-7
"""Number that ``keras.constraints.MaxNorm`` adds to a norm, unless its backend is set otherwise."""
TIMES = 100_000
LOW, HIGH = 1e-3, 8.0
NORMS = np.sort(
    np.concatenate(
        [np.geomspace(LOW, HIGH, 160), *np.outer(2.0 ** np.arange(-4, 2), [1, 1 - 1e-6])]
    )
)
"""Those of the curve; close together where float32 numbers come to lie closer."""


def applied(norm: Array, dtype: Array) -> Array:
    """Apply Keras's ``MaxNorm`` 100,000 times to columns below the cap: n -> n (n / (epsilon + n)).

    On a column with one weight Keras gives the same, bit for bit; with many weights the rounding differs.

    Args:
      norm: float ``[...]``, above 0.
      dtype: int ``[]``; 0 for float64, 1 for float32, each operation rounded to it.

    Returns:
      The norms before the first application and after the last, ``[2, ...]``.
    """

    def rounded(x: Array) -> Array:  # a result in float64, rounded to float32, is float32's own
        return jnp.where(dtype == 1, jax.lax.reduce_precision(x, 8, 23), x)

    start, epsilon = rounded(norm), rounded(jnp.asarray(KERAS))
    after = jax.lax.fori_loop(
        0, TIMES, lambda _, n: rounded(n * rounded(n / rounded(epsilon + n))), start
    )
    return jnp.stack([start, after])


@cache
def curves() -> np.ndarray:
    """Return what columns of ``NORMS`` lose in float64 and in float32, ``[2, n]``, to five decimals."""
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        found = [jax.jit(applied)(jnp.asarray(NORMS), dtype) for dtype in (0, 1)]
        return np.round([np.asarray(before - after) for before, after in found], 5)


def shrinking_columns(norm: Array, dtype: Array) -> dict[str, Array]:
    """Apply Keras's ``MaxNorm`` 100,000 times to a column below the cap, and nothing else.

    Args:
      norm: float ``[]``; n, of the column, in [0.001, 8].
      dtype: int ``[]``; 0 for float64, 1 for float32.

    Returns:
      ``norms``, ``lost`` ``[m]``, what columns of these norms lose; ``left``, ``gone``, what is left
      of the column of norm n, and what it has lost; ``case``, for the words.
    """
    before, left = applied(norm, dtype)
    gone = before - left
    return {
        "norms": jnp.asarray(NORMS),
        "lost": jnp.asarray(curves())[dtype],
        "left": left,
        "gone": gone,
        "case": jnp.where(gone == 0, 2, jnp.where(left < 5e-5, 1, 0)),
    }


_IT = "After 100,000 applications a column of norm {norm:,.4~f}, below the cap, "


class ShrinkingColumns(Figure):
    """What a column below the cap loses under 100,000 applications of Keras's MaxNorm.

    Args:
      norm: of the column, in [0.001, 8], default 1.
      dtype: ``"float64"``, by default, or ``"float32"``.
    """

    spec = FigureSpec(
        function=shrinking_columns,
        controls=(
            LogRange("norm", "norm of the column", "n", LOW, HIGH, 1.0, 0.01),
            Choice("dtype", "computed in", "", (("float64", "float64"), ("float32", "float32"))),
        ),
        view=Profile(
            (Series("lost", "", "parameter", "line"),),
            y=Axis((-0.0004, 0.0145), label="norm lost"),
            x=Axis((LOW, HIGH), "log", label="norm n of the column"),
            at="norms",
            thresholds=(
                Threshold(
                    "norm",
                    "n: {norm:,.4~f} → {left:,.4~f}",
                    axis="x",
                    drag="norm",
                    role="ink",
                    dots=(("gone", "parameter"),),
                ),
            ),
            plot=180,
        ),
        title="What MaxNorm takes from columns below the cap",
        look="Drag the upright line. What is lost is the same for nearly every norm: about 100,000 times 10⁻⁷.",
        sentences=(
            _IT + "ends at {left:,.4~f}: it has lost {gone:,.4~f}.",
            _IT + "is gone: each of them takes about 10⁻⁷.",
            _IT + "has lost nothing: in float32, {norm:,.4~f} + 10⁻⁷ is rounded to {norm:,.4~f}.",
        ),
        table=Table(
            columns=(("before", "norm"), ("after", "left"), ("lost", "gone")), general=True
        ),
        presets=(
            Preset("n = 0.1 in float32", {"norm": 0.1, "dtype": "float32"}),
            Preset("n = 0.005", {"norm": 0.005, "dtype": "float64"}),
        ),
        stills=({}, {"dtype": "float32"}),
        parts={
            "lost": Part(
                "gone", "The column of norm {norm:,.4~f} has lost {gone:.3~g} in the end."
            ),
            "norm": Part("norm", "The column starts with the norm {norm:,.4~f}."),
        },
        equation=(
            r"$w \mapsto w \cdot \displaystyle\frac{\min(n, c)}{n + 10^{-7}}$, and below the cap "
            r"$\class{norm}{n} \mapsto \displaystyle\frac{n^2}{n + 10^{-7}} \approx \class{lost}{n - 10^{-7}}$",
        ),
        prediction=Prediction(
            "In float64 a column of norm 3 loses 0.01, as nearly all do. What does it lose in float32, Keras’s "
            "default?",
            answer="case",
            how="choice",
            options=("about 0.01, too", "all it has", "nothing"),
            settings={"norm": 3.0, "dtype": "float32"},
            conceals=("lost", "gone", "left"),
            reveal="Nothing, because float32 rounds 3 + 10⁻⁷ to 3. From a norm of 2 on, neighbouring numbers are too far "
            "apart; below 2, columns lose about 0.01.",
        ),
        note=(
            "The page applies <code>MaxNorm</code> 100,000 times to the column at the line. The curve was computed "
            "in the same way. Each column has one weight. With many weights the rounding differs: in float32 such "
            "a column can lose up to about twice as much."
        ),
    )
