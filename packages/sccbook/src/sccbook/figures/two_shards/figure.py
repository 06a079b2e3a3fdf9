"""Two devices' gradients: averaged and then clipped, or each clipped and then averaged."""

import jax.numpy as jnp
from jax import Array

from explorax import Part, Point, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Arc, Dot, Plane, Ring, Trail, Vector
from scaleclip.ops import clip_by_norm, clip_per_example

X, Y = (-1.3, 3.15), (-1.3, 1.7)
ONE, TWO = (2.8, -0.7), (-0.2, 0.9)


def two_shards(one: Array, two: Array, c: Array) -> dict[str, Array]:
    """The step of two devices by either order of clip and average.

    Args:
      one, two: float ``[2]``; the mean gradient of each device's share of the batch.
      c: float ``[]``, above 0; the limit.

    Returns:
      ``tips``, ``cuts`` ``[2, 2]``, the gradients of both before and after a clip of each;
      ``cut_one``, ``cut_two`` ``[2]``, its rows; ``mean``, ``right``, ``wrong`` ``[2]``: the mean of
      both, that mean clipped, and the mean of the clipped ones; their lengths; ``turn``, the degrees
      between the last two; ``case`` for the words.
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
        "case": jnp.where(jnp.all(lengths <= c + 1e-9), 0, jnp.where(cut, end, end + 4)),
    }


_WRONG = "Clipped, then averaged, it is {wrong_length:,.2f} long"
_ENDS = (
    " and points the same way.",
    ", and turned by {turn:,.0f}° towards device 2.",
    ", and turned by {turn:,.0f}° towards device 1.",
    ": the two cancel.",
)


class TwoShards(Figure):
    """Gradients of two devices, and the step by either order of clip and average.

    Args:
      one, two: the devices' gradients, ``(x, y)``, default (2.8, -0.7) and (-0.2, 0.9).
      c: the limit, in [0.3, 3.2], default 1.
    """

    spec = FigureSpec(
        function=two_shards,
        controls=(
        Point("one", "device 1", "", (-1.0, -1.2), (3.0, 1.55), ONE, 0.05),
        Point("two", "device 2", "", (-1.0, -1.2), (3.0, 1.55), TWO, 0.05),
        Range("c", "limit", "c", 0.3, 3.2, 1.0, 0.01),
    ),
        view=Plane(
            marks=(
                Ring("c", label="c = {c}", drag="c", at=-65, filled=True),
                Trail("tips", role="muted", dots=False),
                Trail("cuts", role="parameter", dots=False),
                Vector("one", role="cotangent", before=True, unless="cut_one", drag="one",
                       key="a device’s gradient"),
                Vector("two", role="cotangent", before=True, unless="cut_two", drag="two"),
                Dot("tips", "device {n}", "cotangent", small=True),
                Vector("cut_one", role="cotangent", key="clipped by itself"),
                Vector("cut_two", role="cotangent"),
                Vector("mean", "mean", "state", towards=(0.3, 1.0), at=0.95, before=True, unless="right"),
                Arc("wrong", "right", 0.32, "{turn:,.0f}°"),
                Vector("right", role="state", key="average, then clip"),
                Vector("wrong", role="parameter", key="clip each, then average"),
                Dot("wrong", role="parameter", small=True),
            ),
            x=X,
            y=Y,
            guess="arrow",
            guess_label="your guess",
        ),
        title="Average and clip, or clip and average?",
        look="Drag a device’s arrow, or the ring. A line joins two tips, and the middle of the line is their mean.",
        sentences=(
            "Neither gradient is longer than c = {c}: both orders give the mean, {length:,.2f} long.",
            *("Averaged, then clipped, the step is {right_length:,.2f} long. " + _WRONG + end for end in _ENDS),
            *("The mean is within c = {c}, so a clip of it does nothing. " + _WRONG + end for end in _ENDS),
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
            Preset("equally long", {"one": (2.4, -0.7), "two": (2.0, 1.5), "c": 1.0}),
            Preset("opposed", {"one": (2.8, -0.7), "two": (-1.0, 0.4), "c": 1.0}),
            Preset("both within", {"one": (1.2, -0.3), "two": TWO, "c": 1.5}),
        ),
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
            "Each of two devices holds half of the batch. The solid blue arrow is the mean of their gradients, clipped "
            "at c = 1. If each device clips its own gradient before the average, where does the step end?",
            answer="wrong",
            how="place",
            settings={"one": ONE, "two": TWO, "c": 1.0},
            conceals=("wrong", "wrong_length", "cuts", "cut_one", "cut_two", "turn", "case"),
            guess=Point("guess", "your guess", "", (X[0], Y[0]), (X[1], Y[1]), (0.6, 1.2), 0.01),
            reveal="It ends at {wrong:,.2f}, is {wrong_length:,.2f} long, and turned by {turn:,.0f}° towards "
            "device 2, whose gradient wasn’t clipped.",
        ),
        note=(
            "Each arrow from 0 is the mean gradient of one device’s share of the batch, for two weights. The clips are "
            "<code>clip_by_norm</code> of the mean, and <code>clip_per_example</code> of both. A faint line joins "
            "the tips before a clip, a green one after it. With n devices the same holds for n tips and their centre."
        ),
    )  # fmt: skip
