"""Eight columns of a weight matrix under a cap on their norms, on the rows' norms, or on the whole matrix's."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Point, Prediction, Preset, Range, Table
from explorax.figure.equation import when
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from scaleclip.ops import max_norm
from sccbook.figures._views import DIST

WEIGHTS = np.array(
    [
        [2.6, 0.5, -0.7, -2.9, -1.4, -2.0, 0.3, 3.0],
        [1.2, 0.9, 2.1, 1.3, -0.3, -1.4, -0.6, -1.0],
    ]
)
"""A kernel ``[in, out]``, chosen by hand: five of its columns have norms above 2, three below."""
SHORTEST = int(np.argmin(np.linalg.norm(WEIGHTS, axis=0)))
AXES = (0, 1, None)
"""Over which axes squares are added up: for one norm for each column, for each row, for all weights."""


def capped_columns(first: Array, cap: Array, by: Array) -> dict[str, Array]:
    """Cap the norms of a matrix, one for each column, for each row, or for the whole.

    Args:
      first: float ``[2]``; the first column.
      cap: float ``[]``; c, above 0.
      by: int ``[]``; 0 for columns, 1 for rows, 2 for the whole.

    Returns:
      ``columns``, ``capped`` ``[8, 2]``, the columns before and after; ``before``, ``after`` ``[8]``,
      their norms; ``norms`` ``[8]``, the norms that are capped, and zeros after the last; ``groups``,
      how many there are, ``cut``, how many of them are above the cap, and ``largest``, the largest;
      ``turn``, the degrees by which column 7 turns, and ``short``, the percentage of its norm that is
      left; ``answer`` and ``case``, for the words.
    """
    w = jnp.asarray(WEIGHTS).at[:, 0].set(first)
    of = [jnp.linalg.norm(w, axis=axis).ravel() for axis in AXES]
    norms = jnp.stack([jnp.pad(n, (0, w.shape[1] - len(n))) for n in of])[by]
    capped = jnp.stack([max_norm(w, cap, axis=axis) for axis in AXES])[by]
    (a, b), (p, q) = w[:, SHORTEST], capped[:, SHORTEST]
    turn = jnp.degrees(jnp.abs(jnp.arctan2(a * q - b * p, a * p + b * q)))
    before, after = (jnp.linalg.norm(each, axis=0) for each in (w, capped))
    short = after[SHORTEST] / before[SHORTEST]
    cut = jnp.sum(norms > cap)
    return {
        "columns": w.T,
        "capped": capped.T,
        "before": before,
        "after": after,
        "norms": norms,
        "groups": jnp.asarray([n.size for n in of])[by],
        "cut": cut,
        "largest": jnp.max(norms),
        "turn": turn,
        "short": 100 * short,
        "answer": jnp.where(turn > 1e-6, 2, jnp.where(short < 1 - 1e-9, 1, 0)),
        "case": jnp.where(by == 0, cut > 0, by + 1),
    }


@dataclass(frozen=True)
class Capped(View):
    """Columns in a plane; beside it the matrix, and bars for the norms that are capped; `told`, a column with words."""

    told: int = SHORTEST
    kind = "capped"
    script = DIST / "capped.js"
    reads = ("columns", "capped", "norms", "groups", "cap", "by")


class CappedColumns(Figure):
    """Eight columns of two weights, and a cap on norms.

    Args:
      first: the first column, ``(x, y)``, default (2.6, 1.2).
      cap: c in [0.2, 3.4], default 2.
      by: what has a norm: ``"columns"``, by default, ``"rows"`` or ``"all"`` weights together.
    """

    spec = FigureSpec(
        function=capped_columns,
        controls=(
            Point(
                "first", "first column", "w₁", (-3.4, -2.2), (3.4, 2.2), tuple(WEIGHTS[:, 0]), 0.1
            ),
            Range("cap", "cap", "c", 0.2, 3.4, 2.0, 0.05),
            Choice(
                "by",
                "one norm for",
                options=(
                    ("columns", "each column"),
                    ("rows", "each row"),
                    ("all", "all weights"),
                ),
            ),
        ),
        view=Capped(),
        title="A cap on columns",
        look="Drag the line across the bars, the ring, or column 1. The choice is Keras’s argument axis.",
        sentences=(
            "No column is above c = {cap}, so none is changed.",
            "Columns above c = {cap}: {cut} of 8. Each of these is cut to the ring and keeps its direction.",
            "Rows above c = {cap}: {cut} of 2. Cutting a row shortens and turns columns, even small ones: "
            "column 7 keeps {short:,.0f}\u00a0% of its norm and turns by {turn:,.0f}°.",
            "The norm of all weights, {largest:,.1f}, is cut to c = {cap}. That shortens every column, even "
            "small ones, to {short:,.0f}\u00a0% of its norm.",
        ),
        table=Table(
            columns=(("norm before", "before"), ("norm after", "after")),
            rows="column {n}",
            count=WEIGHTS.shape[1],
        ),
        labels={
            "kept": "{short:,.0f} % as long, turned {turn:,.0f}°",
            "columns": "weights before the cap (axis=0)",
            "rows": "weights before the cap (axis=1)",
            "all": "weights before the cap (axis=[0, 1])",
            "before": "before the cap",
            "after": "after",
            "norms": "norms: outlined before, solid after",
            "across": "weight 1 →",
            "up": "↑ weight 2",
            "bar_columns": "{n}",
            "bar_rows": "row {n}",
            "bar_all": "all weights",
        },
        stages=((("cap", "by"), ("first",)),),
        presets=(
            Preset("all columns cut", {"cap": 0.5, "by": "columns"}),
            Preset("all weights together", {"cap": 2.0, "by": "all"}),
        ),
        stills=({}, {"by": "rows"}, {"by": "all"}),
        parts={
            "capped": Part("capped", "Column {n} is now {value}."),
            "columns": Part("columns", "Column {n} was {value}."),
            "norms": Part("norms", "Norm {n} is {value:,.2f} before the cap."),
            "cap": Part("cap", "The cap is {cap}."),
        },
        equation=(
            "".join(
                when(f"by={by}", f"$n{j} = {root}$")
                for by, j, root in (
                    ("columns", "_j", r"\sqrt{\textstyle\sum_i w_{ij}^2}"),
                    ("rows", "_i", r"\sqrt{\textstyle\sum_j w_{ij}^2}"),
                    ("all", "", r"\sqrt{\textstyle\sum_{ij} w_{ij}^2}"),
                )
            ),
            r"$\class{capped}{w_{ij}} \mapsto \class{columns}{w_{ij}} \cdot \min(1, \class{cap}{\live{cap}} / n)$",
        ),
        prediction=Prediction(
            "With axis=1 there is one norm for each row instead. What happens to column 7, far below the cap?",
            answer="answer",
            how="choice",
            options=("nothing", "it gets shorter", "it gets shorter and turns"),
            settings={"first": tuple(WEIGHTS[:, 0]), "cap": 2.0, "by": "rows"},
            conceals=("capped",),
            reveal="It keeps {short:,.0f} % of its norm and turns by {turn:,.0f}°: both rows are above the cap, "
            "and each is cut by its own factor.",
        ),
        note=(
            "The matrix is the kernel <code>[in, out]</code> of a layer with two inputs and eight units, chosen by "
            "hand, so each column is an arrow. By default Keras’s <code>MaxNorm</code> has <code>axis=0</code>, one "
            "norm for each column. This cap is exact, without Keras’s epsilon."
        ),
    )
