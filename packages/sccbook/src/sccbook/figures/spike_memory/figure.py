"""One gradient is far too long: what Adam does at that step, and at the thousands of steps after it."""

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, LogRange, Part, Prediction, Preset, Range, Table
from explorax.figure.equation import part
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

BETA_1 = 0.9
REACH = 10_000
BEFORE = 1
AT_ONCE = 0.01
"""How wide a jump is drawn, in steps."""
STEPS = np.unique(
    np.concatenate(
        [[-BEFORE, -AT_ONCE, AT_ONCE], np.arange(20), np.geomspace(20, REACH, 120).round()]
    )
)
"""Steps after the spike at which the lines are drawn: its own is step 0."""
SPIKE = np.array([-BEFORE, -AT_ONCE, 0, AT_ONCE, REACH])
"""Where the gradient is drawn."""


def after_spike(size: Array, beta2: Array, steps: Array) -> tuple[Array, Array]:
    """Compute Adam's two running means after one spike among gradients of 1.

    Long before the spike both are 1. The spike of size S adds (1 - beta) (S - 1) to m, and
    (1 - beta2) (S^2 - 1) to v; then every step multiplies what is left of it by beta.

    Args:
      size: float ``[]``; S, at least 1.
      beta2: float ``[]``, below 1.
      steps: ``[n]``; how many steps after the spike; below 0 both means are 1.

    Returns:
      m and v, ``[n]`` each; Adam's step is eta m / sqrt(v).
    """
    since = jnp.maximum(steps, 0.0)
    held = jnp.where(steps < 0, 0.0, 1.0)
    m = 1 + held * (1 - BETA_1) * (size - 1) * BETA_1**since
    v = 1 + held * (1 - beta2) * (size**2 - 1) * beta2**since
    return m, v


def spike(beta2: Array, done: Array, size: Array, later: Array) -> dict[str, Array]:
    """Adam's steps after a spike, with nothing done about it and with one of three remedies.

    Args:
      beta2: float ``[]``; the memory of v.
      done: int ``[]``; an index into ``DONE``: the gradient is clipped at 1, the step is skipped,
        so that neither m nor v sees the spike, or the update is clipped at 1.
      size: float ``[]``; the spike's, where the usual gradient is 1.
      later: int ``[]``; how many steps after it the reader looks.

    Returns:
      ``steps`` ``[n]``; ``gradient`` ``[5]``, at ``places``; ``m``, ``root``, ``step`` ``[n]``:
      Adam's m, the root of v and their quotient at each, usual is 1; with ``_now`` ``[]`` at
      ``later``, and ``v_now``; ``back``, after how many steps half of the usual step is back, NaN
      where it is never below half, or a remedy keeps it from that; ``root_named``, where the root
      of v is named: well before that; ``case``.
    """
    unseen = (done == 1) | (done == 2)

    def adam(steps: Array) -> tuple[Array, Array, Array]:
        m, v = (jnp.where(unseen, 1.0, mean) for mean in after_spike(size, beta2, steps))
        taken = jnp.where((done == 2) & (steps == 0), 0.0, m / jnp.sqrt(v))
        return m, v, jnp.where(done == 3, jnp.minimum(taken, 1.0), taken)

    steps = jnp.asarray(STEPS)
    m, v, step = adam(steps)
    m_now, v_now, step_now = (mean[0] for mean in adam(later * jnp.ones(1)))
    kept = (1 - beta2) * (size**2 - 1)
    # v = 4: by then m is as usual again
    back = jnp.where(kept > 3, jnp.ceil(jnp.log(3 / kept) / jnp.log(beta2)), jnp.nan)
    usual = (m_now < 1.005) & (v_now < 1.01)
    return {
        "steps": steps,
        "places": jnp.asarray(SPIKE),
        "gradient": jnp.where(SPIKE == 0, size, 1.0),
        "m": m,
        "root": jnp.sqrt(v),
        "step": step,
        "m_now": m_now,
        "v_now": v_now,
        "root_now": jnp.sqrt(v_now),
        "step_now": step_now,
        "back": jnp.where(unseen, jnp.nan, back),
        "root_named": jnp.where(kept > 3, jnp.log(3 / kept) / jnp.log(beta2), 6000.0) / 4,
        "case": jnp.select(
            [(later == 0) & ~unseen, done > 0, usual, kept > 3], [6 + done // 3, done + 2, 2, 0], 1
        ),
    }


_STEP = (
    "m is {m_now:.3~g} and √v is {root_now:.3~g}, "
    "so Adam’s step is {step_now:.2~g} times the usual one."
)
_AFTER = "At step {later:,.0f} after the spike "
_SHORT = _AFTER + _STEP + " "
_CAPPED = "√v is {root_now:.3~g}, and the step is {step_now:.2~g} times the usual one."


class SpikeMemory(Figure):
    """Adam's steps after one gradient that is far too long, and three remedies.

    Args:
      beta2: the memory of v, in [0.9, 0.999], default 0.999.
      done: ``"nothing"`` (the default), ``"clip"``, ``"skip"``, ``"clip_update"``.
      size: the length of the spike, in [2, 10000], default 1000.
      later: how many steps after the spike, up to 10000, default 250.
    """

    spec = FigureSpec(
        function=spike,
        controls=(
            Range("beta2", "memory of v", "β₂", 0.9, 0.999, 0.999, 0.001),
            Choice(
                "done",
                "about the spike",
                options=tuple(
                    zip(
                        ("nothing", "clip", "skip", "clip_update"),
                        ("do nothing", "clip the gradient", "skip the step", "clip the update"),
                        strict=True,
                    )
                ),
            ),
            LogRange("size", "length of the spike", "", 2.0, 10_000.0, 1000.0, 0.05),
            Integer("later", "steps after the spike", "", 0, REACH, 250),
        ),
        view=Profile(
            (
                Series("gradient", "gradient", "cotangent", "line", at="places", named=0.0),
                Series("m", "m", "state", "line", named=3.0),
                Series("root", "√v", "ink", "line", named="root_named"),
                Series("step", "Adam’s step", "parameter", "line", named=40.0),
            ),
            y=Axis((2e-4, 4e4), "log", label="as a multiple of the usual"),
            x=Axis((-float(BEFORE), float(REACH)), "symlog", 1.0, label="steps after the spike"),
            at="steps",
            thresholds=(
                Threshold(
                    "later",
                    "{later:,.0f} steps later",
                    drag="later",
                    axis="x",
                    foot=True,
                    dots=(("m_now", "state"), ("root_now", "ink"), ("step_now", "parameter")),
                    spans=(("m_now", "root_now", "parameter"), (1.0, "step_now", "parameter")),
                ),
                Threshold("size", role="cotangent", drag="size", on=0.0),
            ),
            level=True,
        ),
        title="How long Adam remembers one spike",
        look="Drag the upright line. The two thick stretches are equally long: m to √v, and the step to 1. "
        "Then drag the spike’s top, and lower β₂.",
        sentences=(
            _SHORT + "It is back to half its usual length after {back:,.0f} steps.",
            _SHORT + "It’s never below half.",
            _AFTER + "m and √v are as usual again, and so is Adam’s step.",
            "The spike is clipped to 1 before Adam sees it, so m and √v stay 1, and every step is as usual.",
            "The step of the spike isn’t taken, and Adam doesn’t see it: the other steps are as usual.",
            "No step is longer than usual. " + _AFTER + _CAPPED,
            "At the spike itself " + _STEP,
            "No step is longer than usual. At the spike itself " + _CAPPED,
        ),
        table=Table(
            columns=(
                ("m", "m_now"),
                ("v", "v_now"),
                ("√v", "root_now"),
                ("Adam’s step", "step_now"),
            ),
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
            "gradient": Part(
                "size", "The spike is {size:,.3~g} times as long as the other gradients."
            ),
            "m": Part("m_now", "m, the running mean of the gradients, is {value:.3~g}."),
            "root": Part("root_now", "√v, the root of that of their squares, is {value:.3~g}."),
            "step": Part("step_now", "Adam’s step is {value:.3~g} times the usual one."),
            "later": Part("later", "Step {later:,.0f} after the spike."),
        },
        equation=(
            r"$\eta\, m / \sqrt v$ = η × "
            + part("m", "{m_now:.3~g}")
            + " / "
            + part("root", "{root_now:.3~g}")
            + " = "
            + part("step", "{step_now:.3~g} η"),
        ),
        prediction=Prediction(
            "A weight’s gradient is 1 at every step but one, and 1,000 at that one. Adam’s β₂ is 0.999. "
            "How long is Adam’s step 250 steps later, as a multiple of the usual one? Drag the level.",
            answer="step_now",
            how="number",
            settings={"beta2": 0.999, "done": "nothing", "size": 1000.0, "later": 250},
            conceals=(
                *("m", "root", "step", "m_now", "v_now", "root_now", "step_now"),
                *("back", "case"),
            ),
            guess=LogRange("guess", "your guess", "", 3e-3, 1e3, 1.0, 0.05),
            reveal="It is {step_now:.2~g} of the usual step: Adam still divides by √v, which is {root_now:.0f}.",
        ),
        note=(
            "One weight, whose gradient is 1 for ever but for the spike; m and v are as they are after many "
            "thousands of steps, and ε is 0. Both are in closed form, and Optax’s Adam agrees. β₁ is 0.9. The "
            "clips’ limit is 1, the usual length. Early in training the step comes out shorter still."
        ),
    )
