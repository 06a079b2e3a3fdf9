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
STEPS = np.unique(np.concatenate([np.arange(20), np.geomspace(20, REACH, 120).round()]))
"""Steps after the spike at which the lines are drawn: the spike's own is step 0."""
DONE = ("nothing", "clip", "skip", "clip_update")


def after_spike(size: Array, beta2: Array, steps: Array) -> tuple[Array, Array, Array]:
    """Compute Adam's step after one spike among gradients of 1, as a multiple of the usual step.

    Long before the spike both running means are 1. The spike of size S adds (1 - beta) (S - 1) to
    m, and (1 - beta2) (S^2 - 1) to v; then every step multiplies what is left of it by beta.

    Args:
      size: float ``[]``; S, at least 1.
      beta2: float ``[]``, below 1.
      steps: ``[n]``; how many steps after the spike.

    Returns:
      m / sqrt(v), m and v, ``[n]`` each.
    """
    m = 1 + (1 - BETA_1) * (size - 1) * BETA_1**steps
    v = 1 + (1 - beta2) * (size**2 - 1) * beta2**steps
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
      ``steps`` ``[n]``; ``alone``, ``treated`` ``[n]``, the step at each, usual is 1; with ``_now``
      ``[]`` at ``later``; ``percent``, ``percent_alone`` of the usual step there; ``m``, ``v``,
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
        "alone": alone,
        "treated": treat(alone, steps),
        "alone_now": now[0],
        "treated_now": here,
        "percent": 100 * here,
        "m": jnp.where(seen, 1.0, m[0]),
        "v": jnp.where(seen, 1.0, v[0]),
        "root": jnp.where(seen, 1.0, jnp.sqrt(v[0])),
        "own": alone[0],
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
            Series("alone", "untreated", "limit", "line"),
            Series("treated", "Adam", "parameter", "line"),
        ),
        y=Axis((0.002, 10.0), "log", label="Adam’s step; 1 is the usual one"),
        x=Axis((0.0, float(REACH)), "symlog", 1.0, label="steps after the spike"),
        at="steps",
        thresholds=(
            Threshold(1.0, "the usual step", role="muted"),
            Threshold(
                "later",
                "{later:,.0f} steps later",
                drag="later",
                axis="x",
                dots=(("treated_now", "parameter"),),
            ),
        ),
        level=True,
    ),
    title="How long Adam remembers one spike",
    look="Drag the dashed line through the steps after the spike, then lower β₂.",
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
        Preset("β₂ = 0.999", {"beta2": 0.999, "size": 1000.0}),
        Preset("β₂ = 0.95", {"beta2": 0.95, "size": 1000.0}),
        Preset("a 10-fold spike", {"beta2": 0.999, "size": 10.0}),
    ),
    stages=((("beta2", "done", "size"), ("later",)),),
    stills=(
        {"beta2": 0.999, "done": "nothing"},
        {"beta2": 0.95, "done": "nothing"},
        {"beta2": 0.999, "done": "clip_update"},
    ),
    parts={
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
        "A weight’s gradient is 1 at every step, and once, for one step, it’s 1,000. Adam’s β₂ is 0.999. "
        "How long is Adam’s step 250 steps later, compared with the usual one? Drag the level.",
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
        waiting="Before the spike Adam’s step is the usual one. Commit to a level to see it afterwards.",
        guess=LogRange("guess", "your guess", "", 0.002, 10.0, 1.0, 0.02),
        unit=" times the usual step",
        reveal="The gradients are 1 again, but Adam divides them by √v, which is still {root:.0f}.",
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
