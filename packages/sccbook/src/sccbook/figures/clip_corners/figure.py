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
    # as it is recorded; its option; in the table; given; in a sentence; what is right
    ("float16 [300, 400]: the squares overflow", "float16", "float16 overflow", "300, 400; limit 1", "The float16 gradient (300, 400) is finite, but its squares aren’t; the limit is 1", "0.6, 0.8"),
    ("float32 [3e30, 4e30]: the squares overflow", "overflow", "float32 overflow", "3e30, 4e30; limit 1", "The float32 gradient (3e30, 4e30) is finite, but its squares aren’t; the limit is 1", "0.6, 0.8"),
    ("[3e-30, 4e-30], limit 1e-30: the squares underflow", "underflow", "underflow", "3e-30, 4e-30; limit 1e-30", "The squares of (3e-30, 4e-30) are rounded to 0; the limit is 1e-30", "6e-31, 8e-31"),
    ("[inf, 1]", "inf", "inf in one entry", "inf, 1; limit 1", "The gradient is (inf, 1), so its norm is inf: divided by it, inf becomes NaN, but 1 becomes a harmless-looking 0", "nan, nan"),
    ("slope at zero", "slope", "slope at g = 0", "0, 0; the clip’s slope", "The clip is differentiated at a gradient of 0, where its slope should be 1", "1, 1"),
    ("zero, limit 0", "zero_limit_0", "g = 0, limit 0", "0, 0; limit 0", "Both the gradient and the limit are 0", "0, 0"),
    ("a None among the gradients", "none", "a None gradient", "None and 3, 4; limit 1", "One of the gradients is None, as for a parameter that isn’t used", "kept"),
    ("[3, 4], limit 0", "limit_0", "limit 0", "3, 4; limit 0", "The gradient is (3, 4), the limit 0", "0, 0"),
    ("zero", "zero", "g = 0", "0, 0; limit 1", "The gradient is 0, the limit 1", "0, 0"),
    ("[nan, 1]", "nan", "NaN in one entry", "NaN, 1; limit 1", "The gradient is (NaN, 1), the limit 1", "nan, nan"),
)  # fmt: skip
CLIPS = {
    "NumPy by hand": ("NumPy", "by hand"),
    "scaleclip.ops.clip_by_global_norm": ("scaleclip", "this book"),
    "optax.clip_by_global_norm": ("Optax", "global"),
    "keras clipnorm": ("Keras", "clipnorm"),
    "keras global_clipnorm": ("Keras", "global"),
    "tf.clip_by_norm": ("TF", "by norm"),
    "tf.clip_by_global_norm": ("TF", "global"),
    "torch.nn.utils.clip_grad_norm_": ("PyTorch", "global"),
}
"""By the name in the record: the library, and which of its clips."""

RIGHT, LOST, NAN, SAID, NONE = range(5)
NAMES = ("right", "lost", "nans", "said", "none")


def kind(found: str, right: str) -> int:
    """Tell what an outcome is: right, wrong without a word, NaN, said by the library, or not there."""
    if found == right:
        return RIGHT
    if found.startswith("error") or found == "warns":
        return SAID
    if found in ("no derivative", "not differentiated"):
        return NONE
    return NAN if found == "nan, nan" else LOST


def shown(text: str) -> str:
    """Return an outcome as the figure writes it."""
    return text.replace("nan", "NaN")


def sentence(said: str, right: str, row: Sequence[int]) -> str:
    """Say how many clips are right at a corner, and what the others do."""
    good, *others = ([*row].count(code) for code in range(len(NAMES)))
    does = ("are silently wrong", "return NaN", "give an error or a warning", "have no derivative")
    parts = [f"{n} {what}" for n, what in zip(others, does, strict=True) if n]
    does_right = ("keep", "it") if right == "kept" else ("return", f"({shown(right)})")
    if good == len(row):
        return f"{said}. All {good} clips {' '.join(does_right)}, which is right."
    first = f"Of {len(row)} clips, {good} {(does_right[0] + 's') if good == 1 else does_right[0]} {does_right[1]}, which is right"
    return f"{said}. {'; '.join([first, *parts])}."


@dataclass(frozen=True)
class Corners(View):
    """A table of signs, a row for each corner and a column for each clip, and what one row returned.

    A question covers the row that it asks about until it is answered.

    Attributes:
      rows: the corners' options and names.
      given: the gradient and the limit at each.
      right: what is right at each.
      columns: a library and its clip, for each column.
      texts: what each clip returned, by row.
    """

    rows: Sequence[tuple[str, str]] = ()
    given: Sequence[str] = ()
    right: Sequence[str] = ()
    columns: Sequence[tuple[str, str]] = ()
    texts: Sequence[Sequence[str]] = ()
    kind = "corners"
    script = DIST / "corners.js"
    reads = ("kinds", "row")


class ClipCorners(Figure):
    """Eight clips at ten corners, as they were recorded.

    Args:
      recorded: by corner and clip what came out, as text: ``"corners of clips"`` of
        ``snippets/results.json``, which ``make test-frameworks`` writes.
      corner: one of ``"overflow"``, ``"float16"`` (the default), ``"underflow"``, ``"inf"``,
        ``"slope"``, ``"zero_limit_0"``, ``"none"``, ``"limit_0"``, ``"zero"``, ``"nan"``.
    """

    def __init__(self, recorded: Mapping[str, Mapping[str, str]], corner: str = "float16") -> None:
        self.spec = _spec(recorded)
        super().__init__(corner=corner)

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

    def chosen(corner: Array) -> dict[str, Array]:
        table = jnp.asarray(kinds)
        counts = {name: jnp.sum(table == code, axis=1) for code, name in enumerate(NAMES)}
        now = {"good": counts["right"][corner], "row": corner, "case": corner}
        return counts | now | {"kinds": table}

    return FigureSpec(
        function=chosen,
        controls=(
            Choice(
                "corner",
                "corner case",
                options=tuple((name, row) for _, name, row, *_ in CORNERS),
            ),
        ),
        view=Corners(
            rows=[(name, row) for _, name, row, *_ in CORNERS],
            given=[given for *_, given, _, _ in CORNERS],
            right=[shown(right) for *_, right in CORNERS],
            columns=list(CLIPS.values()),
            texts=[[*map(shown, row)] for row in found],
        ),
        title="Ten corner cases, eight clips: who gets them right?",
        look="Press a row to read what each clip returned. scaleclip is this book’s own; so are the choice of cases and of what is right.",
        sentences=[
            sentence(said, right, row)
            for (*_, said, right), row in zip(CORNERS, kinds.tolist(), strict=True)
        ],
        table=Table(
            columns=(
                ("right", "right"),
                ("wrong, silently", "lost"),
                ("all NaN, wrongly", "nans"),
                ("error or warning", "said"),
            ),
            rows=[row for _, _, row, *_ in CORNERS],
            count=len(CORNERS),
            caption=f"of {len(CLIPS)} clips",
            general=True,
        ),
        stills=({"corner": "float16"}, {"corner": "limit_0"}),
        labels={
            "right": "right",
            "lost": "wrong, silently",
            "nans": "all NaN, wrongly",
            "said": "error or warning",
            "none": "no derivative",
            "given": "given",
            "wanted": "should be",
            "press": "press a row",
            "returned": "returned",
            "total": "wrong or NaN",
        },
        parts={"row": Part("right", f"{{value:,.0f}} of {len(CLIPS)} clips are right here.")},
        prediction=Prediction(
            "The squares of 300 and 400 overflow in float16, and 2 of the 8 clips are still right. The squares of 3e30 and "
            "4e30 overflow in float32. How many clips are right there?",
            answer="good",
            settings={"corner": "overflow"},
            guess=Range("guess", "your guess", "", 0.0, len(CLIPS), 4.0, 1.0),
            unit=" clips",
            reveal="Just 1: scaleclip’s, which scales the entries down before it squares them. PyTorch sums the squares of float16 "
            "entries in float32, where 300² and 400² fit. But it sums those of float32 entries in float32 too, where they overflow.",
        ),
        note=(
            "<code>make test-frameworks</code> ran each clip in its library, and recorded what came out. "
            "“Right” "
            "for inf and NaN is NaN in every entry, which can’t be missed. The slope is that of the sum of "
            "what the clip returns. At a limit of 0 Keras’s clips are off, so a gradient of 0 comes back as it was."
        ),
    )
