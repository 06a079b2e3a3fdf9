"""What every library's clip makes of zero, overflow, inf, NaN, None and a limit of 0."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST

CORNERS = (
    # as it is recorded; its option; in the table; in a sentence; what is right
    ("zero", "zero", "zero", "A gradient of 0, limit 1", "0, 0"),
    ("float32 [3e30, 4e30]: the squares overflow", "overflow", "3e30, 4e30", "The finite float32 gradient (3e30, 4e30), limit 1", "0.6, 0.8"),
    ("float16 [300, 400]: the squares overflow", "float16", "float16: 300, 400", "The finite float16 gradient (300, 400), limit 1", "0.6, 0.8"),
    ("[3e-30, 4e-30], limit 1e-30: the squares underflow", "underflow", "3e-30, 4e-30", "The gradient (3e-30, 4e-30), limit 1e-30", "6e-31, 8e-31"),
    ("[inf, 1]", "inf", "inf, 1", "An infinite entry beside 1, limit 1", "nan, nan"),
    ("[nan, 1]", "nan", "nan, 1", "A NaN beside 1, limit 1", "nan, nan"),
    ("[3, 4], limit 0", "limit_0", "3, 4, limit 0", "The gradient (3, 4), limit 0", "0, 0"),
    ("zero, limit 0", "zero_limit_0", "zero, limit 0", "A gradient of 0, limit 0", "0, 0"),
    ("a None among the gradients", "none", "None beside 3, 4", "None beside the gradient (3, 4), limit 1", "kept"),
    ("slope at zero", "slope", "slope at zero", "The derivative of the clip at a gradient of 0", "1, 1"),
)  # fmt: skip
CLIPS = {
    "NumPy by hand": ("NumPy", "by hand"),
    "scaleclip.ops.clip_by_global_norm": ("scaleclip", "global"),
    "optax.clip_by_global_norm": ("Optax", "global"),
    "keras clipnorm": ("Keras", "clipnorm"),
    "keras global_clipnorm": ("Keras", "global"),
    "tf.clip_by_norm": ("TF", "by norm"),
    "tf.clip_by_global_norm": ("TF", "global"),
    "torch.nn.utils.clip_grad_norm_": ("PyTorch", "global"),
}
"""By the name in the record: the library, and which of its clips."""

RIGHT, LOST, NAN, SAID, NONE = range(5)
SHORT = {
    "nan, nan": "nan",
    "3e-30, 4e-30": "unclipped",
    "6e-31, 8e-31": "clipped",
    "3, 4": "unclipped",
    "no derivative": "–",
    "not differentiated": "–",
}


def kind(found: str, right: str) -> int:
    """Tell what an outcome is: right, wrong without a word, NaN, said by the library, or not there."""
    if found == right:
        return RIGHT
    if found.startswith("error") or found == "warns":
        return SAID
    if found in ("no derivative", "not differentiated"):
        return NONE
    return NAN if found == "nan, nan" else LOST


def written(found: str) -> str:
    """Write an outcome in a few letters."""
    return "error" if found.startswith("error") else SHORT.get(found, found)


@dataclass(frozen=True)
class Corners(View):
    """A table of words: a row for each corner, a column for each clip; in a narrow picture one row.

    Attributes:
      rows: the corners' names.
      columns: a library and its clip, for each column.
      texts: what is written in each cell, by row.
    """

    rows: Sequence[str] = ()
    columns: Sequence[tuple[str, str]] = ()
    texts: Sequence[Sequence[str]] = ()
    kind = "corners"
    script = DIST / "corners.js"
    reads = ("kinds", "shown", "row")


class ClipCorners(Figure):
    """Eight clips at ten corners, as they were recorded, with a filter.

    Args:
      recorded: by corner and clip what came out, as text: ``"corners of clips"`` of
        ``snippets/results.json``, which ``make test-frameworks`` writes.
      corner: one of ``"zero"``, ``"overflow"`` (the default), ``"float16"``, ``"underflow"``,
        ``"inf"``, ``"nan"``, ``"limit_0"``, ``"zero_limit_0"``, ``"none"``, ``"slope"``.
      show: ``"all"`` (the default), ``"right"``, ``"lost"``, ``"nan"`` or ``"said"``.
    """

    def __init__(
        self,
        recorded: Mapping[str, Mapping[str, str]],
        corner: str = "overflow",
        show: str = "all",
        *,
        ask: str | None = "",
    ) -> None:
        self.spec = _spec(recorded)
        super().__init__(ask=ask, corner=corner, show=show)

    def _python(self) -> list[str]:
        return ["figure.set(", ")"]


def _spec(recorded: Mapping[str, Mapping[str, str]]) -> FigureSpec:
    found = [[recorded[corner][clip] for clip in CLIPS] for corner, *_ in CORNERS]
    kinds = np.array(
        [
            [kind(text, right) for text in row]
            for row, (*_, right) in zip(found, CORNERS, strict=True)
        ]
    )

    def chosen(corner: Array, show: Array) -> dict[str, Array]:
        table = jnp.asarray(kinds)
        row = table[corner]
        shown = (show == 0) | (table == show - 1)
        counts = {
            name: jnp.sum(row == code)
            for name, code in (("right", RIGHT), ("lost", LOST), ("nans", NAN), ("said", SAID))
        }
        return counts | {
            "kinds": table,
            "shown": shown.astype(int),
            "row": corner,
            "found": jnp.sum(shown),
            "good": jnp.sum(table == RIGHT, axis=1),
            "case": corner,
        }

    return FigureSpec(
        function=chosen,
        controls=(
            Choice("corner", "corner", options=tuple((name, row) for _, name, row, *_ in CORNERS)),
            Choice(
                "show",
                "show",
                options=(
                    ("all", "everything"),
                    ("right", "what is right"),
                    ("lost", "wrong without a word"),
                    ("nan", "all nan"),
                    ("said", "an error or a warning"),
                ),
            ),
        ),
        view=Corners(
            rows=[row for _, _, row, *_ in CORNERS],
            columns=list(CLIPS.values()),
            texts=[[written(text) for text in row] for row in found],
        ),
        title="The corners of a clip",
        look="A row is a corner, a column a clip. Choose a corner, or show one kind of outcome.",
        sentences=[
            f"{said}. Of {len(CLIPS)} clips right: {{right:,.0f}}; wrong without a word: {{lost:,.0f}}; NaN: "
            "{nans:,.0f}; an error or a warning: {said:,.0f}."
            for *_, said, _ in CORNERS
        ],
        table=Table(
            columns=(
                ("right", "right"),
                ("wrong, silently", "lost"),
                ("all nan", "nans"),
                ("error or warning", "said"),
            ),
            rows="of eight clips",
            count=1,
            general=True,
        ),
        stills=({"corner": "overflow"}, {"corner": "overflow", "show": "lost"}),
        labels={
            "right": "right",
            "lost": "wrong without a word",
            "nan": "all nan",
            "said": "says so",
        },
        parts={"row": Part("good", f"{{value:,.0f}} of {len(CLIPS)} clips are right here.")},
        prediction=Prediction(
            "A float32 gradient is (3e30, 4e30): large, and finite. The limit is 1, so a clip by norm should "
            "return (0.6, 0.8). How many of these eight do?",
            answer="right",
            settings={"corner": "overflow", "show": "all"},
            conceals=("kinds", "shown", "right", "lost", "nans", "said", "found", "good", "case"),
            guess=Range("guess", "how many", "", 0.0, 8.0, 4.0, 1.0),
            reveal="{right:,.0f} of 8: the squares are above the largest float32, so the others divide by an "
            "infinite norm, or say NaN.",
        ),
        note=(
            "<code>make test-frameworks</code> ran each clip in its library, and recorded what came out. “Right” "
            "for inf and NaN is NaN in every entry, which can’t be missed. A slope is that of the sum of "
            "what the clip returns; – is written where a library has none."
        ),
    )
