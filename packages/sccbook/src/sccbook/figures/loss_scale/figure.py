"""A loss scale looks for its level: doubled after so many good steps, halved after one that overflows."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Integer, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

STEPS, BAND = 120, 24
LANE = -4.0
"""How far down the mark of a skipped step reaches."""
SPIKE = slice(70, 73)
"""Three steps whose gradients are 2**8 times as large."""


def ceiling(seed: int = 3) -> np.ndarray:
    """Return the largest power of two that overflows at no entry, ``[120]``.

    It rises as gradients get smaller, differs from minibatch to minibatch, and falls at a spike.
    """
    noise = np.random.default_rng(seed).normal(size=STEPS)
    powers = 34.5 + 0.02 * np.arange(STEPS) + 0.3 * noise
    powers[SPIKE] -= 8
    return np.round(powers, 2)


def loss_scale(start: Array, interval: Array) -> dict[str, Array]:
    """The scale of 120 steps, as a power of two.

    Args:
      start: int ``[]``; the power at the first step.
      interval: int ``[]``; how many good steps in a row double the scale.

    Returns:
      ``steps`` ``[120]``; ``power``, ``most``, ``least`` ``[120]``: of the scale, and of the largest and
      the smallest that fit; ``skips`` ``[120]``, ``LANE`` at the steps that are skipped, else 0; ``skipped``,
      ``small``, ``[]``: how many steps are skipped, and at how many the scale is too small; ``settled``, how
      many are skipped after the first 20; ``case`` for the words.
    """
    most = jnp.asarray(ceiling())

    def step(carry: tuple[Array, Array], most: Array) -> Any:
        power, good = carry
        fits = power <= most
        grows = good + 1 >= interval
        after = jnp.where(fits, jnp.where(grows, power + 1, power), power - 1)
        return (after, jnp.where(fits & ~grows, good + 1, 0.0)), power

    begin = start.astype(most.dtype), jnp.zeros((), most.dtype)
    _, power = jax.lax.scan(step, begin, most)
    skip = power > most
    skipped = jnp.sum(jnp.where(skip, 1, 0))
    small = jnp.sum(jnp.where(power < most - BAND, 1, 0))
    return {
        "steps": jnp.arange(STEPS, dtype=most.dtype),
        "power": power,
        "most": most,
        "least": most - BAND,
        "skips": jnp.where(skip, LANE, 0.0),
        "skipped": skipped,
        "small": small,
        "settled": jnp.sum(jnp.where(skip[20:], 1, 0)),
        "case": jnp.where(small > 0, jnp.where(skipped > 0, 1, 2), jnp.where(skipped > 0, 0, 3)),
    }


_SKIPPED = "{skipped} of 120 steps overflow and are skipped, {settled} of them after the first 20."
_SMALL = " At {small} the scale is too small, and rounding turns the gradient."


class LossScale(Figure):
    """A dynamic loss scale over 120 steps.

    Args:
      start: the first scale's power of two, 0 to 46, default 40.
      interval: how many good steps in a row double it, 2 to 100, default 10.
    """

    spec = FigureSpec(
        function=loss_scale,
        controls=(
            Integer("start", "first scale, 2 to the power", "", 0, 46, 40),
            Integer("interval", "good steps until it is doubled", "", 2, 100, 10),
        ),
        view=Profile(
            (
                Series("most", "overflows above", "cotangent", "line", behind=True),
                Series("least", "too small below", "muted", "line", behind=True),
                Series("power", "the loss scale", "parameter", "line"),
                Series("skips", role="ink"),
            ),
            y=Axis((LANE - 1.0, 47.0), label="the loss scale, as a power of 2"),
            x=Axis((-4.0, float(STEPS)), label="step"),
            at="steps",
            thresholds=(
                Threshold("start", role="parameter", drag="start", on=0.0),
                Threshold(0.0, "{skipped} skipped", role="ink", beside=True),
            ),
        ),
        title="A loss scale looks for its level",
        look="Drag the scale’s start, and set after how many good steps it is doubled. Each mark below the line is a skipped step.",
        sentences=(
            _SKIPPED,
            _SKIPPED + _SMALL,
            "No step is skipped." + _SMALL,
            "No step is skipped, and none has too small a scale.",
        ),
        table=Table(
            columns=(
                ("skipped", "skipped"),
                ("after the first 20", "settled"),
                ("too small", "small"),
            ),
            rows="of 120 steps",
            count=1,
            general=True,
        ),
        presets=(
            Preset("too high at first", {"start": 40, "interval": 10}),
            Preset("too low at first", {"start": 0, "interval": 10}),
            Preset("rarely doubled", {"start": 16, "interval": 100}),
        ),
        stages=((("start", "interval"), ()),),
        stills=({"start": 40}, {"start": 0}, {"start": 16, "interval": 100}),
        parts={
            "power": Part("start", "The scale starts at 2 to the power {start}."),
            "skips": Part("skipped", "{skipped} steps are skipped."),
            "least": Part("small", "The scale is too small at {small} steps."),
        },
        prediction=Prediction(
            "The scale is doubled after 10 good steps in a row, and 13 of 120 steps are skipped. How many are skipped if it’s "
            "doubled after 2?",
            answer="skipped",
            how="number",
            settings={"start": 40, "interval": 2},
            conceals=("power", "skips"),
            guess=Range("guess", "your guess", "", 0.0, 60.0, 15.0, 1.0),
            unit=" steps",
            reveal="{skipped:.0f}. Near the line it’s every third step: two good ones, then a scale that is too large again.",
        ),
        note=(
            "120 steps of an invented run: the largest scale that fits rises slowly, as gradients get smaller, "
            "differs from minibatch to minibatch, and is 2⁸ times lower at three steps, where the gradients have a spike. "
            "The lower line is 2²⁴ below: that far down, rounding in float16 turns a gradient. "
            "PyTorch’s <code>GradScaler</code> starts at 2¹⁶ and waits for 2,000 good steps."
        ),
    )
