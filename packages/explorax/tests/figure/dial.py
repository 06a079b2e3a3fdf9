"""A figure for tests of the widget and the page: controls of four kinds, stages and questions."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from explorax import Choice, Integer, Prediction, Range, Toggle
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold


def powers(scale: Any, steps: Any, way: Any, doubled: Any) -> dict[str, Any]:
    """Powers of a scale, forwards or backwards, and the largest exponent's."""
    exponent = jnp.where(way == 0, jnp.arange(12.0), jnp.arange(12.0)[::-1])
    present = jnp.arange(12) < steps
    last = (1.0 + doubled) * scale ** (steps - 1.0)
    return {"bars": jnp.where(present, (1.0 + doubled) * scale**exponent, 0.0), "last": last}


GUESS = Range("g", "g", "", 0.0, 1.0)


class Dial(Figure):
    """Powers of a scale, with a level to drag."""

    spec = FigureSpec(
        function=powers,
        controls=(
            Range("scale", "scale", "s", 0.0, 2.0, 1.0, 0.01),
            Integer("steps", "number of steps", "K", 1, 12, 6),
            Choice("way", "way", options=(("up", "upwards"), ("down", "downwards"))),
            Toggle("doubled", "doubled"),
        ),
        view=Profile(
            (Series("bars"),),
            y=Axis((0.0, 2.0)),
            thresholds=(Threshold("scale", "s = {scale}", drag="scale"),),
        ),
        title="Powers of a scale",
        look="Drag the line.",
        sentences=("With s = {scale}, the last of {steps} powers is {last:,.2f}.",),
        table=None,
        stages=((("scale",), ("way", "doubled")), (("scale", "steps"), ("way", "doubled"))),
        prediction=Prediction(
            "How large is the last power at s = 0.5?", "last", settings={"scale": 0.5}, guess=GUESS
        ),
        questions={
            "none": Prediction("And at s = 0?", "last", settings={"scale": 0.0}, guess=GUESS)
        },
    )
