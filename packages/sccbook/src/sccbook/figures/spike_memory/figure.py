"""One gradient is far too large: what Adam does at that step, and at the thousands of steps after it."""

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, LogRange, Part, Prediction, Range, Table
from explorax.figure.equation import part
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

BETA_1 = 0.9
REACH = 20_000
LATER = np.unique(np.concatenate([np.arange(8), np.geomspace(8, REACH, 36).round()]))
STEPS = np.concatenate([[-1, -1], LATER])
"""Steps after the spike at which the lines are drawn: its own is step 0, those before it -1."""
START, SPIKE, JUMP = 0.25, 0.5, 0.01
"""Where a logarithmic axis begins, where the spike is drawn on it, and how wide a jump is."""
PLACES = np.concatenate([[START, SPIKE - JUMP], np.maximum(LATER, SPIKE)])
AROUND = np.array([START, SPIKE - JUMP, SPIKE, SPIKE + JUMP, REACH])
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
      ``places`` ``[n]``; ``gradient``, and what Adam has ``seen`` of it, ``[5]``, at ``around``; ``m``, ``root``,
      ``step`` ``[n]``: Adam's m, the root of v and their quotient at each place, usual is 1; with ``_now`` ``[]`` at
      ``later``, and ``v_now``; ``ratio``, the root over m there; ``back``, after how many steps half of
      the usual step is back, NaN where it is never below half, or a remedy keeps it from that;
      ``half``, ``half_at`` ``[1]``, ``halved``: its mark; ``case``.
    """
    unseen = (done == 1) | (done == 2)

    def adam(steps: Array) -> tuple[Array, Array, Array]:
        m, v = (jnp.where(unseen, 1.0, mean) for mean in after_spike(size, beta2, steps))
        taken = jnp.where((done == 2) & (steps == 0), 0.0, m / jnp.sqrt(v))
        return m, v, jnp.where(done == 3, jnp.minimum(taken, 1.0), taken)

    gradient = jnp.where(AROUND == SPIKE, size, 1.0)
    m, v, step = adam(jnp.asarray(STEPS))
    m_now, v_now, step_now = (mean[0] for mean in adam(later * jnp.ones(1)))
    kept = (1 - beta2) * (size**2 - 1)
    # v = 4: by then m is as usual again
    back = jnp.where((kept > 3) & ~unseen, jnp.ceil(jnp.log(3 / kept) / jnp.log(beta2)), jnp.nan)
    usual = (m_now < 1.005) & (v_now < 1.01)
    return {
        "places": jnp.asarray(PLACES),
        "around": jnp.asarray(AROUND),
        "gradient": gradient,
        "seen": jnp.where(unseen, 1.0, gradient),
        "m": m,
        "root": jnp.sqrt(v),
        "step": step,
        "m_now": m_now,
        "v_now": v_now,
        "root_now": jnp.sqrt(v_now),
        "step_now": step_now,
        "ratio": jnp.sqrt(v_now) / m_now,
        "half": jnp.full(1, 0.5),
        "half_at": back[None],
        "halved": ~jnp.isnan(back),
        "back": back,
        "case": jnp.select([done > 0, usual, kept > 3], [done + 2, 2, 0], 1),
    }


_STEP = (
    "m is {m_now:.3~g} and √v is {root_now:.3~g}, "
    "so Adam’s step is {step_now:.2~g} times the usual size."
)
_AFTER = "At step {later:,.0f} after the spike, "
_SHORT = _AFTER + _STEP + " "


class SpikeMemory(Figure):
    """Adam's steps after one gradient that is far too large, and three remedies.

    Args:
      beta2: the memory of v, in [0.9, 0.999], default 0.999.
      done: ``"nothing"`` (the default), ``"clip"``, ``"skip"``, ``"clip_update"``.
      size: the size of the spike, in [2, 10000], default 1000.
      later: how many steps after the spike, 1 to 20000, default 250.
    """

    spec = FigureSpec(
        function=spike,
        controls=(
            Range("beta2", "memory of v", "β₂", 0.9, 0.999, 0.999, 0.001),
            Choice(
                "done",
                "the spike",
                options=tuple(
                    zip(
                        ("nothing", "clip", "skip", "clip_update"),
                        ("do nothing", "clip the gradient", "skip the step", "clip the update"),
                        strict=True,
                    )
                ),
            ),
            LogRange("size", "size of the spike", "", 2.0, 10_000.0, 1000.0, 0.05),
            Integer("later", "steps after the spike", "", 1, REACH, 250),
        ),
        view=Profile(
            (
                Series(
                    "gradient",
                    "gradient: {size:,.3~g}",
                    "cotangent",
                    "line",
                    at="around",
                    behind=True,
                    named=SPIKE,
                ),
                Series("seen", "", "cotangent", "line", at="around"),
                Series("root", "√v: size", "ink", "line", named=8.0),
                Series("m", "m: mean", "state", "line", named=1.5),
                Series("step", "step: m / √v", "parameter", "line", named=6.0),
                Series(
                    "half",
                    "step: ½",
                    "parameter",
                    "points",
                    at="half_at",
                    named="back",
                    when="halved",
                ),
            ),
            y=Axis((1e-4, 1e6), "log", label="multiple of the usual value (log scale)"),
            x=Axis(
                (START, float(REACH)),
                "log",
                label="steps after the spike (log scale)",
            ),
            at="places",
            plot=290,
            thresholds=(
                Threshold(
                    "later",
                    "step {later:,.0f}",
                    drag="later",
                    axis="x",
                    foot=True,
                    dots=(("m_now", "state"), ("root_now", "ink"), ("step_now", "parameter")),
                    spans=(
                        ("m_now", "root_now", "parameter", "× {ratio:.2~g}"),
                        (1.0, "step_now", "parameter", "÷ {ratio:.2~g}"),
                    ),
                ),
                Threshold("size", role="cotangent", drag="size", on=SPIKE),
            ),
        ),
        title="How long Adam remembers one spike",
        look="Drag the upright line. The two thick stretches have the same height: m to √v, and the step to 1. Then "
        "drag the spike’s top, and lower β₂.",
        sentences=(
            _SHORT + "The step is back to half after {back:,.0f} steps.",
            _SHORT + "The step never falls below half the usual size.",
            _AFTER + "m and √v are as usual again, and so is Adam’s step.",
            "The spike is clipped to 1 before Adam sees it, so m and √v stay 1, and every step is as usual.",
            "The step of the spike isn’t taken, and Adam doesn’t see it: the other steps are as usual.",
            "No step is larger than usual. But the spike is in v. " + _AFTER + _STEP,
        ),
        table=Table(
            columns=(
                ("m", "m_now"),
                ("v", "v_now"),
                ("√v", "root_now"),
                ("Adam’s step", "step_now"),
            ),
            rows="step {later:,.0f}",
            count=1,
            general=True,
        ),
        stages=((("beta2", "done"), ("size", "later")),),
        stills=(
            {"beta2": 0.999, "done": "nothing"},
            {"beta2": 0.95, "done": "nothing"},
            {"beta2": 0.999, "done": "clip_update"},
        ),
        parts={
            "gradient": Part(
                "size", "The spike is {size:,.3~g} times as large as the other gradients."
            ),
            "m": Part("m_now", "m, the running mean of the gradients, is {value:.3~g}."),
            "root": Part(
                "root_now", "√v, the root of the running mean of their squares, is {value:.3~g}."
            ),
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
            "With β₂ = 0.999, Adam’s step is back to half the usual size after 5,807 steps. After how many with "
            "β₂ = 0.95, a usual value for language models?",
            answer="back",
            how="number",
            settings={"beta2": 0.95, "done": "nothing", "size": 1000.0},
            conceals=("root", "step"),
            guess=LogRange("guess", "your guess", "", 10.0, 1e4, 1000.0, 0.02),
            unit=" steps",
            reveal="After {back:,.0f}: v forgets 5 % of the spike at each step rather than 0.1 %.",
        ),
        note=(
            "One weight, whose gradient is always 1 except for the spike; before it m and v have settled over many "
            "thousands of steps, and ε is 0. Both are computed in closed form, and Optax’s Adam agrees. β₁ is 0.9. "
            "The clips’ limit is 1, the usual size. Early in training the step comes out smaller still."
        ),
    )
