"""One gradient is far too long: what Adam does at that step, and at the thousands of steps after it."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import Array

from gradlab.figure.controls import Choice, Control, Integer, LogRange, Range
from gradlab.figure.equation import part
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Axis, Profile, Series, Threshold
from gradlab.figure.widget import Figure

BETA_1 = 0.9
REACH = 10_000
BEFORE = 1
AT_ONCE = 0.01
"""How wide a jump is drawn, in steps."""
STEPS = np.unique(
    np.concatenate([[-BEFORE, -AT_ONCE], np.arange(20), np.geomspace(20, REACH, 120).round()])
)
"""Steps after the spike at which the lines are drawn: its own is step 0."""
SPIKE = np.array([-BEFORE, -AT_ONCE, 0, AT_ONCE, REACH])
"""Where the gradient is drawn."""
DONE = ("nothing", "clip", "skip", "clip_update")


def after_spike(size: Array, beta2: Array, steps: Array) -> tuple[Array, Array, Array]:
    """Compute Adam's step after one spike among gradients of 1, as a multiple of the usual step.

    Long before the spike both running means are 1. The spike of size S adds (1 - beta) (S - 1) to
    m, and (1 - beta2) (S^2 - 1) to v; then every step multiplies what is left of it by beta.

    Args:
      size: float ``[]``; S, at least 1.
      beta2: float ``[]``, below 1.
      steps: ``[n]``; how many steps after the spike; below 0 both means are 1.

    Returns:
      m / sqrt(v), m and v, ``[n]`` each.
    """
    since = jnp.maximum(steps, 0.0)
    held = jnp.where(steps < 0, 0.0, 1.0)
    m = 1 + held * (1 - BETA_1) * (size - 1) * BETA_1**since
    v = 1 + held * (1 - beta2) * (size**2 - 1) * beta2**since
    return m / jnp.sqrt(v), m, v


def spike(beta2: Array, done: Array, size: Array, later: Array) -> dict[str, Array]:
    """Adam's steps after a spike, with nothing done about it and with one of three remedies.

    Args:
      beta2: float ``[]``; the memory of v.
      done: int ``[]``; an index into ``DONE``: the gradient is clipped at 1, the step is skipped,
        so that neither m nor v sees the spike, or the update is clipped at 1.
      size: float ``[]``; the spike's, where the usual gradient is 1.
      later: int ``[]``; how many steps after it the reader looks.

    Returns:
      ``steps`` ``[n]``; ``gradient`` ``[5]``, at ``places``; ``alone``, ``treated`` ``[n]``, the step at each, usual
      is 1; with ``_now`` ``[]`` at ``later``; ``remedy``, 1 with one, else 0; ``percent``, ``percent_alone`` of the usual step there; ``m``, ``v``,
      ``root`` there; ``own``, the spike's own step, where nothing is done; ``back``, after how many
      steps half of the usual step is back, NaN where it is never below half, or a remedy
      keeps it from that; ``case``.
    """

    def treat(alone: Array, steps: Array) -> Array:
        skipped = jnp.where(steps == 0, 0.0, 1.0)
        clipped = jnp.minimum(alone, 1.0)
        return jnp.select(
            [done == 0, done == 1, done == 2], [alone, 1.0 + 0 * alone, skipped], clipped
        )

    steps, at = jnp.asarray(STEPS), later * jnp.ones(1)
    alone, (now, m, v) = after_spike(size, beta2, steps)[0], after_spike(size, beta2, at)
    kept = (1 - beta2) * (size**2 - 1)
    # v = 4: by then m is as usual again
    back = jnp.where(kept > 3, jnp.ceil(jnp.log(3 / kept) / jnp.log(beta2)), jnp.nan)
    here = treat(now, at)[0]
    seen = (done == 1) | (done == 2)
    return {
        "steps": steps,
        "places": jnp.asarray(SPIKE),
        "gradient": jnp.where(SPIKE == 0, size, 1.0),
        "alone": alone,
        "remedy": jnp.where(done == 0, 0, 1),
        "treated": treat(alone, steps),
        "alone_now": now[0],
        "treated_now": here,
        "percent": 100 * here,
        "m": jnp.where(seen, 1.0, m[0]),
        "v": jnp.where(seen, 1.0, v[0]),
        "root": jnp.where(seen, 1.0, jnp.sqrt(v[0])),
        "own": alone[int(np.flatnonzero(STEPS == 0)[0])],
        "back": jnp.where(seen, jnp.nan, back),
        "case": jnp.where(done == 0, jnp.where(kept > 3, 0, 1), done + 1),
    }


CONTROLS: tuple[Control, ...] = (
    Range("beta2", "memory of v", "β₂", 0.9, 0.999, 0.999, 0.001),
    Choice(
        "done",
        "about the spike",
        options=tuple(
            zip(
                DONE,
                ("do nothing", "clip the gradient", "skip the step", "clip the update"),
                strict=True,
            )
        ),
    ),
    LogRange("size", "length of the spike", "", 2.0, 10_000.0, 1000.0, 0.05),
    Integer("later", "steps after the spike", "", 0, REACH, 250),
)

_OWN = "At the spike itself the step is {own:.2f} times as long as usual. "
_LATER = "{later:,.0f} steps later it’s {percent:.2~g} % of the usual"

SPEC = FigureSpec(
    function=spike,
    controls=CONTROLS,
    view=Profile(
        (
            Series("alone", "untreated", "limit", "line", when="remedy"),
            Series("gradient", "gradient", "cotangent", "line", at="places"),
            Series("treated", "Adam’s step", "parameter", "line"),
        ),
        y=Axis((1e-3, 1e4), "log", label="length; 1 is the usual one"),
        x=Axis((-float(BEFORE), float(REACH)), "symlog", 1.0, label="steps after the spike"),
        at="steps",
        thresholds=(
            Threshold(
                "later",
                "{later:,.0f} steps later",
                drag="later",
                axis="x",
                foot=True,
                dots=(("treated_now", "parameter"),),
            ),
            Threshold("size", "the spike", role="cotangent", drag="size", beside=True),
        ),
        level=True,
    ),
    title="How long Adam remembers one spike",
    look="Drag the upright line through the steps after the spike, and the level of the spike. Then lower β₂.",
    sentences=(
        _OWN + _LATER + ". Half is back after {back:,.0f} steps.",
        _OWN + _LATER + ". It’s never below half.",
        "The spike is clipped to 1 before Adam sees it: {later:,.0f} steps later the step is as usual.",
        "The step of the spike isn’t taken, and Adam doesn’t see it: the other steps are as usual.",
        "The update is at most 1. But the spike is in v: "
        + "{later:,.0f} steps later the step is {percent:.2~g} % of the usual.",
    ),
    table=Table(
        columns=(("nothing done", "alone_now"), ("Adam", "treated_now"), ("m", "m"), ("v", "v")),
        rows="{later:,.0f} steps later",
        count=1,
        general=True,
    ),
    presets=(
        Preset("do nothing", {"done": "nothing"}),
        Preset("clip the gradient", {"done": "clip"}),
        Preset("skip the step", {"done": "skip"}),
        Preset("clip the update", {"done": "clip_update"}),
    ),
    stages=((("beta2", "size"), ("done", "later")),),
    stills=(
        {"beta2": 0.999, "done": "nothing"},
        {"beta2": 0.95, "done": "nothing"},
        {"beta2": 0.999, "done": "clip_update"},
    ),
    parts={
        "gradient": Part("size", "The spike is {size:,.3~g} times as long as the other gradients."),
        "alone": Part(
            "alone_now", "With nothing done the step is {value:.3~g} times the usual one."
        ),
        "treated": Part("treated_now", "Adam’s step is {value:.3~g} times the usual one."),
        "later": Part("later", "{later:,.0f} steps after the spike."),
    },
    equation=(
        r"{later:,.0f} steps later: $\eta\, m / \sqrt v$ = η × {m:.3~g} / "
        + "{root:.3~g}"
        + " = "
        + part("treated", "{treated_now:.3~g} η"),
    ),
    prediction=Prediction(
        "A weight’s gradient is 1 at every step but one, and 1,000 at that one. Adam’s β₂ is 0.999. "
        "How long is Adam’s step 250 steps later, as a multiple of the usual one? Drag the level.",
        answer="alone_now",
        how="number",
        settings={"beta2": 0.999, "done": "nothing", "size": 1000.0, "later": 250},
        holds={"later": 250},
        conceals=(
            "alone",
            "treated",
            "alone_now",
            "treated_now",
            "percent",
            "m",
            "v",
            "root",
            "own",
            "back",
            "case",
        ),
        waiting="The gradients are drawn, and one is a spike. Commit to a level to see Adam’s steps.",
        guess=LogRange("guess", "your guess", "", 1e-3, 1e4, 1.0, 0.05),
        reveal="It is {alone_now:.2~g} of the usual step: the gradients are 1 again, but Adam divides them by √v, which is still {root:.0f}.",
    ),
    note=(
        "One weight, whose gradient is 1 for ever but for the spike; m and v are as they are after many "
        "thousands of steps, and ε is 0. Both are in closed form, and Optax’s Adam agrees. β₁ is 0.9. The "
        "clips’ limit is 1, the usual length. Early in training the step comes out shorter still."
    ),
)


class SpikeMemory(Figure):
    """Adam's steps after one gradient that is far too long, and three remedies.

    Args:
      beta2: the memory of v, in [0.9, 0.999], default 0.999.
      done: ``"nothing"`` (the default), ``"clip"``, ``"skip"``, ``"clip_update"``.
      size: the length of the spike, in [2, 10000], default 1000.
      later: how many steps after the spike, up to 10000, default 250.
    """

    spec = SPEC
