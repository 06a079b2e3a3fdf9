"""A loss scale: doubled after so many good steps, halved after one that overflows."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Integer, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

STEPS, BAND, HIGH = 120, 24, 47.0
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
      the smallest that fit; ``top``, ``foot`` ``[120]``, the ends of the axis; ``skips``, ``places`` ``[48]``:
      the power at the steps that are skipped, and these steps, else NaN; ``skipped``, ``small``, ``[]``: how many steps are skipped, and
      at how many the scale is too small; ``settled``, how many are skipped after the first 20; ``case`` for
      the words.
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
    skipped, settled = (jnp.sum(jnp.where(some, 1, 0)) for some in (skip, skip[20:]))
    places = jnp.sort(jnp.where(skip, jnp.arange(STEPS), jnp.nan))[:48]
    small = jnp.sum(jnp.where(power < most - BAND, 1, 0))
    return {
        "steps": jnp.arange(STEPS, dtype=most.dtype),
        "power": power,
        "most": most,
        "least": most - BAND,
        "top": jnp.full_like(most, HIGH),
        "foot": jnp.zeros_like(most),
        "skips": power[jnp.nan_to_num(places).astype(int)],
        "places": places,
        "skipped": skipped,
        "small": small,
        "settled": settled,
        "case": jnp.where(skipped == 0, 2, jnp.where(settled < skipped, 0, 1)) + 3 * (small > 0),
    }


_SKIPPED = (
    "Overflow skips {skipped} of 120 steps, {settled} of them after the first 20.",
    "Overflow skips {skipped} of 120 steps, none of them in the first 20.",
)
_SMALL = " At {small} steps the scale is too small, and rounding distorts the gradient."


class LossScale(Figure):
    """A dynamic loss scale over 120 steps.

    Args:
      start: the first scale's power of two, 0 to 46, default 40.
      interval: how many good steps in a row double it, 2 to 100, default 10.
    """

    spec = FigureSpec(
        function=loss_scale,
        controls=(
            Integer("start", "start: 2 to the power of", "", 0, 46, 40),
            Integer("interval", "good steps before it doubles", "", 2, 100, 10),
        ),
        view=Profile(
            (
                Series("top", "too large: overflow", "cotangent", "band", low="most"),
                Series(
                    "least",
                    "too small: rounding distorts the gradient",
                    "muted",
                    "band",
                    low="foot",
                ),
                Series("power", "loss scale", "parameter", "line"),
                Series("skips", role="ink", mark="points", at="places"),
            ),
            y=Axis((0.0, HIGH), label="loss scale, as a power of 2"),
            x=Axis((-4.0, float(STEPS)), label="training step"),
            at="steps",
            thresholds=(
                Threshold("start", role="parameter", drag="start", on=0.0),
                Threshold(25.0, "fits", role="muted", on=3.0),
                Threshold(19.0, "○ skipped steps: {skipped}", role="ink", on=3.0),
                Threshold(SPIKE.start + 1.0, "gradient spike", role="muted", axis="x"),
            ),
        ),
        title="Which steps does a loss scale skip?",
        look="Drag the scale’s start, and set how many good steps double it.",
        sentences=(
            *_SKIPPED,
            "No step is skipped, and the scale is never too small.",
            *(said + _SMALL for said in (*_SKIPPED, "No step is skipped.")),
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
            Preset("start too high", {"start": 40, "interval": 10}),
            Preset("start too low", {"start": 0, "interval": 10}),
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
            "The scale doubles after 10 good steps in a row, and 13 of 120 steps are skipped. How many are skipped if it "
            "doubles after 2?",
            answer="skipped",
            how="number",
            settings={"start": 40, "interval": 2},
            conceals=("power", "skips"),
            guess=Range("guess", "your guess", "", 0.0, 60.0, 15.0, 1.0),
            unit=" steps",
            reveal="It’s {skipped:.0f}: near the edge every third step is lost. Two good steps double the scale, and the "
            "next overflows again.",
        ),
        note=(
            "120 steps of an invented run: the largest scale that fits rises slowly, as gradients get smaller, "
            "differs from minibatch to minibatch, and is 2⁸ times lower at three steps, where the gradients have a spike. "
            "The lower area begins 2²⁴ below: that far down, rounding in float16 changes a gradient’s direction. "
            "PyTorch’s <code>GradScaler</code> starts at 2¹⁶ and waits for 2,000 good steps."
        ),
    )
