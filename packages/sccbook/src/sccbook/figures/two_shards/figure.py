"""Two devices' gradients: averaged and then clipped, or each clipped and then averaged."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
from jax import Array

from explorax import Part, Point, Prediction, Preset, Range, Table
from explorax.compiler import Leaf
from explorax.controls import Control
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Arc, Dot, Plane, Ring, Vector, View
from explorax.views.marks import Mark
from scaleclip.ops import clip_by_norm, clip_per_example
from sccbook.figures._views import DIST

X, Y = (-1.3, 3.15), (-1.3, 1.7)
ONE, TWO, OPPOSED = (2.8, -0.7), (-0.2, 0.9), (-1.0, 0.4)


def two_shards(one: Array, two: Array, c: Array) -> dict[str, Array]:
    """The step of two devices by either order of clip and average.

    Args:
      one, two: float ``[2]``; the mean gradient of each device's share of the batch.
      c: float ``[]``, above 0; the limit.

    Returns:
      ``tips``, ``cuts`` ``[2, 2]``, the gradients of both before and after a clip of each;
      ``cut_one``, ``cut_two`` ``[2]``, its rows; ``mean``, ``right``, ``wrong`` ``[2]``: the mean of
      both, that mean clipped, and the mean of the clipped ones; their lengths; ``turn``, the degrees
      between the last two; ``open``, whether they have room for it; ``case`` for the words.
    """
    tips = jnp.stack([one, two])
    cuts = clip_per_example(tips, c)
    mean, wrong = jnp.mean(tips, axis=0), jnp.mean(cuts, axis=0)
    right = clip_by_norm(mean, c)
    across = right[0] * wrong[1] - right[1] * wrong[0]
    turn = jnp.degrees(jnp.abs(jnp.arctan2(across, jnp.dot(right, wrong))))
    lengths = jnp.linalg.norm(tips, axis=1)
    length, right_length, wrong_length = (jnp.linalg.norm(v) for v in (mean, right, wrong))
    cut = length > c + 1e-9
    turned = jnp.where(turn < 0.5, 1, jnp.where(lengths[0] > lengths[1], 2, 3))
    end = jnp.where(wrong_length < 1e-9, 4, turned)
    return {
        "tips": tips,
        "cuts": cuts,
        "cut_one": cuts[0],
        "cut_two": cuts[1],
        "mean": mean,
        "right": right,
        "wrong": wrong,
        "length": length,
        "right_length": right_length,
        "wrong_length": wrong_length,
        "turn": turn,
        "open": ((right_length > 0.7) & (turn < 50)).astype(int),
        "case": jnp.where(jnp.all(lengths <= c + 1e-9), 0, jnp.where(cut, end, end + 4)),
    }


@dataclass(frozen=True)
class Shards(View):
    """Two devices, and what both orders of clip and all-reduce make of their gradients.

    Attributes:
      planes: one for each device, and one for each order's step; all of one size.
      titles: for each a name, and a template of what is said beside it.
    """

    planes: Sequence[Plane] = ()
    titles: Sequence[tuple[str, str]] = ()
    kind = "shards"
    script = DIST / "shards.js"
    style = DIST / "shards.css"

    def check(self, outputs: Sequence[Leaf], controls: Sequence[Control]) -> None:
        for plane in self.planes:
            plane.check(outputs, controls)


def _plane(*marks: Mark, drag: str = "", label: str = "") -> Plane:
    return Plane((Ring("c", label=label, drag=drag, at=25, filled=True), *marks), X, Y)


def _device(name: str, label: str = "") -> Plane:
    raw = Vector(name, role="cotangent", before=True, unless=f"cut_{name}", drag=name)
    return _plane(raw, Vector(f"cut_{name}", role="cotangent"), drag="c", label=label)


_WRONG = "Clipped, then averaged, it’s {wrong_length:,.2f}"
_ENDS = (
    ", in the same direction.",
    ", and the step turns by {turn:,.0f}° towards device 2.",
    ", and the step turns by {turn:,.0f}° towards device 1.",
    ": the two cancel.",
)


class TwoShards(Figure):
    """Gradients of two devices, and the step by either order of clip and average.

    Args:
      one, two: the devices' gradients, ``(x, y)``, default (2.8, -0.7) and (-0.2, 0.9).
      c: the limit, in [0.5, 3.2], default 1.
    """

    spec = FigureSpec(
        function=two_shards,
        controls=(
        Point("one", "device 1", "", (-1.0, -1.2), (3.0, 1.55), ONE, 0.05),
        Point("two", "device 2", "", (-1.0, -1.2), (3.0, 1.55), TWO, 0.05),
        Range("c", "limit", "c", 0.5, 3.2, 1.0, 0.01),
    ),
        view=Shards(
            (
                _device("one", "c"),
                _device("two"),
                _plane(
                    Vector("tips", role="cotangent", before=True),
                    Vector("mean", "mean", "state", towards=(0.3, 1.0), at=0.95, before=True),
                    Vector("right", role="state"),
                ),
                Plane(
                    (
                        Vector("cuts", role="cotangent"),
                        Vector("right", "averaged first", "state", towards=(1.0, -0.6)),
                        Arc("wrong", "right", 0.8, "{turn:,.0f}°", when="open"),
                        Vector("wrong", "clipped first", "parameter", towards=(0.4, 1.0)),
                        Dot("wrong", role="parameter", small=True),
                    ),
                    X,
                    Y,
                    ghosts=False,
                ),
            ),
            (
                ("device 1", "half of the batch"),
                ("device 2", "the other half"),
                ("average, then clip", "norm {right_length:,.2f}"),
                ("clip, then average", "norm {wrong_length:,.2f}"),
            ),
        ),
        title="Average and clip, or clip and average?",
        look="Drag a device’s arrow, or a ring.",
        sentences=(
            "Neither gradient is larger than c = {c}, so both orders give the mean, of norm {length:,.2f}.",
            *("Averaged, then clipped, the step’s norm is {right_length:,.2f}. " + _WRONG + end for end in _ENDS),
            *("The mean’s norm is {length:,.2f}, within c = {c}. " + _WRONG + end for end in _ENDS),
        ),
        table=Table(
            columns=(
                ("device 1, clipped", "cut_one"),
                ("device 2, clipped", "cut_two"),
                ("mean", "mean"),
                ("average, then clip", "right"),
                ("clip each, then average", "wrong"),
            ),
            rows="w_{n}",
            count=2,
        ),
        presets=(
            Preset("equal norms", {"one": (2.4, -0.7), "two": (2.0, 1.5), "c": 1.0}),
            Preset("both within c", {"one": (1.2, -0.3), "two": TWO, "c": 1.5}),
        ),
        labels={"clip": "clip", "sum": "average", "before": "before the clip", "vector": "after the clip", "axes": "across and up: the gradient of two weights"},
        stages=((("c",), ("one", "two")),),
        stills=({"c": 3.2}, {"c": 1.0}, {"c": 0.5}),
        parts={
            "mean": Part("mean", "The mean of both is {mean:,.2f}."),
            "right": Part("right", "Clipped once, after the mean, the step is {right:,.2f}."),
            "wrong": Part("wrong", "With a clip on each device, the step is {wrong:,.2f}."),
        },
        equation=(
            r"$\class{right}{\operatorname{clip}\bigl(\tfrac12(g_1 + g_2)\bigr) = "
            r"(\live{right.0:,.2f}, \live{right.1:,.2f})}$",
            r"$\class{wrong}{\tfrac12\bigl(\operatorname{clip}(g_1) + \operatorname{clip}(g_2)\bigr) = "
            r"(\live{wrong.0:,.2f}, \live{wrong.1:,.2f})}$",
        ),
        prediction=Prediction(
            "Let device 1’s gradient be (2.8, −0.7) and device 2’s (−1.0, 0.4), nearly opposed. Averaged, then clipped, the "
            "step’s norm is 0.91. What is it if each device clips first?",
            answer="wrong_length",
            settings={"one": ONE, "two": OPPOSED, "c": 1.0},
            conceals=("wrong", "turn", "case"),
            guess=Range("guess", "its norm", "", 0.0, 1.0, 0.5, 0.01),
            reveal="It’s {wrong_length:,.2f}: clipped, both have norm 1, and two nearly opposed gradients of equal norm "
            "nearly cancel.",
        ),
        note=(
            "Each arrow of a device is the mean gradient of its share of the batch, for two weights. Devices average by an "
            "all-reduce. The clips are <code>clip_by_norm</code> of the mean, and <code>clip_per_example</code> of both. The "
            "blue arrow is drawn again beside the green one."
        ),
    )  # fmt: skip
