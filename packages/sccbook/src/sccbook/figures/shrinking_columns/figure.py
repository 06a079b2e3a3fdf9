"""What 100,000 steps take from a column: Keras's MaxNorm, a cap without its epsilon, and weight decay."""

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
CAP = 4.0
DECAY = 1 - (1 - 1e-6) ** TIMES
"""Share of a norm that is lost where each step takes a millionth."""
LOW, HIGH = 2e-3, 20.0
FLOOR = 6e-5
"""Where a loss of nothing is drawn, on a logarithmic axis."""
NORMS = np.unique(
    np.concatenate(
        [
            [*np.geomspace(LOW, 0.04, 12), 0.01],
            *(2.0 ** np.arange(-5, 2) + more for more in (-1e-6, 0, 0.012)),
            [CAP, *(CAP + np.geomspace(LOW, HIGH - CAP, 18))],
        ]
    )
)
"""Those of the curves; close together at bends, such as where float32 numbers come to lie closer."""


def applied(norm: Array, dtype: Array) -> Array:
    """Apply Keras's ``MaxNorm`` 100,000 times to columns below the cap: n -> n (n / (epsilon + n)).

    On a column with one weight Keras gives the same, bit for bit; with many weights the rounding differs.

    Args:
      norm: float ``[...]``, above 0.
      dtype: int ``[]``; 0 for float32, each operation rounded to it, 1 for float64.

    Returns:
      The norms after the last application, ``[...]``.
    """

    def rounded(x: Array) -> Array:  # a result in float64, rounded to float32, is float32's own
        return jnp.where(dtype == 0, jax.lax.reduce_precision(x, 8, 23), x)

    epsilon = rounded(jnp.asarray(KERAS))
    left: Array = jax.lax.fori_loop(
        0, TIMES, lambda _, n: rounded(n * rounded(n / rounded(epsilon + n))), rounded(norm)
    )
    return left


@cache
def curves() -> np.ndarray:
    """Return what columns of ``NORMS`` lose in float32 and in float64, ``[2, n]``, to five decimals."""
    with jax.enable_x64(True), jax.ensure_compile_time_eval():
        left = [jax.jit(applied)(jnp.minimum(NORMS, CAP), dtype) for dtype in (0, 1)]
        lost: np.ndarray = np.round(NORMS - np.asarray(left), 5)
        return lost


def shrinking_columns(norm: Array, dtype: Array) -> dict[str, Array]:
    """Compare what Keras's ``MaxNorm``, a cap without its epsilon and weight decay take in 100,000 steps.

    Args:
      norm: float ``[]``; n, of the column, in [0.002, 20].
      dtype: int ``[]``; 0 for float32, 1 for float64.

    Returns:
      ``norms`` ``[m]``, and what columns of these norms lose, at least ``FLOOR``, ``[m]`` each: ``lost`` to ``MaxNorm``,
      ``decay`` to weight decay, ``beyond`` to the exact cap; ``drop``, ``floor`` ``[2]``, a line just above nothing, from where to where
      MaxNorm takes nothing, if it ``rounds``; what the column of norm n loses to each,
      ``gone``, ``decayed`` and ``cut``; ``left``, what ``MaxNorm`` leaves of it; ``case``, for the words.
    """
    lost = jnp.asarray(curves())[dtype]
    gone = jnp.interp(norm, NORMS, lost)
    left = norm - gone
    return {
        "norms": jnp.asarray(NORMS),
        "lost": jnp.maximum(lost, FLOOR),
        "decay": jnp.asarray(DECAY * NORMS),
        "beyond": jnp.asarray(np.maximum(NORMS - CAP, FLOOR)),
        "drop": jnp.array([2.0, CAP]),
        "floor": jnp.full(2, 1.2 * FLOOR),
        "rounds": dtype == 0,
        "gone": gone,
        "decayed": DECAY * norm,
        "cut": jnp.maximum(norm - CAP, 0),
        "left": left,
        "case": jnp.where(norm > CAP, 3, jnp.where(gone < 5e-6, 2, jnp.where(left < 5e-5, 1, 0))),
    }


_OTHERS = "Weight decay takes {decayed:.2~g}, the exact cap nothing."


class ShrinkingColumns(Figure):
    """What a column loses in 100,000 steps to Keras's MaxNorm, to an exact cap, and to weight decay.

    Args:
      norm: of the column, in [0.002, 20], default 1.
      dtype: ``"float32"``, by default, or ``"float64"``.
    """

    spec = FigureSpec(
        function=shrinking_columns,
        controls=(
            LogRange("norm", "norm of the column", "n", LOW, HIGH, 1.0, 0.01),
            Choice("dtype", "computed in", "", (("float32", "float32"), ("float64", "float64"))),
        ),
        view=Profile(
            (
                Series("decay", "decay: 10⁻⁶ n a step", "loss", "line", named=0.3),
                Series("lost", "Keras’s MaxNorm", "parameter", "line", named=0.03),
                Series("beyond", "exact cap: 0", "limit", "line", named=0.01),
                Series("beyond", "both caps", "limit", "line", named=9.0),
                Series("floor", "Keras: 0 from 2 to 4", "parameter", "line", at="drop", named=0.09, when="rounds"),
            ),
            y=Axis((FLOOR, 250.0), "log", label="lost in 100,000 steps (below grey line: 0)"),
            x=Axis((LOW, HIGH), "log", label="norm n of the column at the start (both caps: 4)"),
            at="norms",
            thresholds=(
                Threshold(1.6 * FLOOR, "", "muted"),
                Threshold("norm", "n = {norm:,.4~f}", axis="x", drag="norm", role="ink",
                          dots=(("decayed", "loss"), ("cut", "limit"), ("gone", "parameter"))),
            ),
            plot=260,
        ),
        title="What 100,000 steps take from a column",
        look="Drag the upright line. In float32, Keras’s default, MaxNorm takes about 100,000 times 10⁻⁷ from norms below 2, and nothing from 2 to the cap, 4.",
        sentences=(
            "A column of norm {norm:,.4~f} is below the cap of 4, yet it loses {gone:.2~g} to Keras’s MaxNorm. " + _OTHERS,
            "A column of norm {norm:,.4~f} is gone: Keras’s MaxNorm has taken all of it. " + _OTHERS,
            "A column of norm {norm:,.4~f} loses nothing to Keras’s MaxNorm: in float32, {norm:,.4~f} + 10⁻⁷ is rounded to "
            "{norm:,.4~f}. " + _OTHERS,
            "A column of norm {norm:,.4~f} is above 4: MaxNorm and the exact cap both cut it to 4. Weight decay takes only {decayed:.2~g}.",
        ),
        table=Table(
            columns=(("before", "norm"), ("lost to MaxNorm", "gone"), ("to weight decay", "decayed"), ("to an exact cap", "cut")),
            general=True,
        ),
        presets=(
            Preset("a small column", {"norm": 0.005, "dtype": "float32"}),
            Preset("above the cap", {"norm": 10.0, "dtype": "float32"}),
        ),
        stills=({}, {"dtype": "float64"}),
        parts={
            "lost": Part("gone", "MaxNorm takes {gone:.3~g} from the column of norm {norm:,.4~f}."),
            "decay": Part("decayed", "Weight decay takes {decayed:.3~g} from the column of norm {norm:,.4~f}."),
            "beyond": Part("cut", "The exact cap takes {cut:.3~g} from the column of norm {norm:,.4~f}."),
            "norm": Part("norm", "The column starts with the norm {norm:,.4~f}."),
        },
        equation=(
            r"$w \mapsto w \cdot \displaystyle\frac{\min(n, c)}{n + 10^{-7}}$, and below the cap "
            r"$\class{norm}{n} \mapsto \displaystyle\frac{n^2}{n + 10^{-7}} \approx \class{lost}{n - 10^{-7}}$",
        ),
        prediction=Prediction(
            "In float32 a column of norm 3 loses nothing to MaxNorm. What does it lose in float64?",
            answer="case",
            how="choice",
            options=("about 0.01", "all of it", "nothing, too"),
            settings={"norm": 3.0, "dtype": "float64"},
            conceals=("lost", "gone", "left"),
            reveal="About 0.01, as nearly every column does. Neighbouring float64 numbers are so close that 3 + 10⁻⁷ isn’t "
            "rounded to 3, as it is in float32.",
        ),
        note=(
            "The exact cap is <code>w * min(1, c / n)</code>. The weight decay multiplies the column by 1 − 10⁻⁶ in each step, "
            "as a rate of 10⁻³ does at the learning rate 10⁻³. What MaxNorm takes was computed step by step, on columns of one "
            "weight; between those norms the page interpolates. With many weights the rounding differs: in float32 such a column "
            "can lose up to about twice as much."
        ),
    )  # fmt: skip
