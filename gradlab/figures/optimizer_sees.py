"""The steps of five optimizers against a factor on the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from gradlab.figure.controls import Control, LogRange
from gradlab.figure.equation import part
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Axis, Profile, Series, Threshold
from gradlab.figure.widget import Figure

WEIGHT = 1.0
"""The weight w, held there, so that all five see the same gradients."""
INPUTS = np.array([0.10, 0.12, 0.09, 0.11, 0.10, 0.13, 0.08, 0.10, 0.12, 0.09])
TARGETS = np.array([0.03, -0.01, 0.01, 0.02, -0.03, 0.07, 0.02, -0.02, 0.03, 0.00])
"""Ten examples of the model w x, with the loss (w x - y)^2 / 2; two make a minibatch."""
STEPS = 60
RATE = 0.01
DECAY = 0.01
"""AdamW's weight decay: 0.01, as PyTorch has it (Optax's default is a hundredth of that)."""
BETA_2 = 0.999
FACTORS = np.logspace(-10, 3, 66)

NAMES = ("SGD", "momentum", "RMSProp", "Adam", "AdamW")
RESULTS = ("sgd", "momentum", "rmsprop", "adam", "adamw")


def optimizers(epsilon: Any) -> dict[str, optax.GradientTransformation]:
    """Optax's own, with its defaults but for the learning rate, epsilon and AdamW's decay."""
    return {
        "sgd": optax.sgd(RATE),
        "momentum": optax.sgd(RATE, momentum=0.9),
        "rmsprop": optax.rmsprop(RATE, eps=epsilon),
        "adam": optax.adam(RATE, b2=BETA_2, eps=epsilon),
        "adamw": optax.adamw(RATE, eps=epsilon, weight_decay=DECAY),
    }


def gradients(factor: Any) -> Array:
    """The gradient of ``factor`` times the loss at w = 1, for each of the minibatches ``[60]``."""
    order = np.arange(2 * STEPS).reshape(STEPS, 2) % INPUTS.size

    def loss(w: Array, x: Array, y: Array) -> Array:
        whole: Array = factor * jnp.mean((w * x - y) ** 2) / 2
        return whole

    every: Callable[..., Array] = jax.vmap(jax.grad(loss), (None, 0, 0))
    epoch = every(jnp.asarray(WEIGHT), *(jnp.asarray(a)[order[:5]] for a in (INPUTS, TARGETS)))
    return jnp.tile(epoch, STEPS // 5)


def last_step(optimizer: optax.GradientTransformation, grads: Array) -> tuple[Array, Any]:
    """The length of the last update after all these gradients, and the optimizer's state then."""
    w = jnp.asarray(WEIGHT)

    def step(carry: tuple[Any, Array], g: Array) -> tuple[tuple[Any, Array], None]:
        update, state = optimizer.update(g, carry[0], w)
        return (state, jnp.abs(update)), None

    (state, length), _ = jax.lax.scan(step, (optimizer.init(w), jnp.zeros_like(w)), grads)
    return length, state


def seen(factor: Array, epsilon: Array) -> dict[str, Array]:
    """The 60th step of five optimizers, at this factor of the loss and at 66 others.

    Args:
      factor: float ``[]``, above 0; what the loss is multiplied by.
      epsilon: float ``[]``, above 0; of RMSProp, Adam and AdamW.

    Returns:
      ``factors`` ``[66]``; ``sgd``, ``momentum``, ``rmsprop``, ``adam``, ``adamw`` ``[66]``, the
      length of the step at each of them, and with ``_now`` ``[]``, at ``factor``; ``at_one``,
      ``now``, ``shares`` ``[5]``, steps at 1 and at ``factor``, and their quotients;
      ``adam_share``, ``sgd_share``, Adam's and SGD's of these; ``mean``, ``root``, Adam's m-hat
      and the root of its v-hat; ``g``, the last gradient; ``meets``, the factor at which root and
      epsilon are equal; ``answer``, whether Adam's step is 0 as small as SGD's, 1 a few
      per cent, 2 about half, 3 as at 1.
    """
    # one more call of each: at 66 factors, at 1, and at the one that is chosen
    asked = jnp.concatenate([jnp.asarray(FACTORS), jnp.ones(1), factor[None]])
    seen_by_all = jax.vmap(gradients)(asked)
    found = {
        name: jax.vmap(lambda g, one=one: last_step(one, g)[0])(seen_by_all)
        for name, one in optimizers(epsilon).items()
    }
    _, state = last_step(optimizers(epsilon)["adam"], seen_by_all[-1])
    mean = state[0].mu / (1 - 0.9**STEPS)
    root = jnp.sqrt(state[0].nu / (1 - BETA_2**STEPS))
    at_one = jnp.stack([found[name][-2] for name in RESULTS])
    now = jnp.stack([found[name][-1] for name in RESULTS])
    share = now[3] / at_one[3]
    meets = epsilon * factor / root
    near = jnp.abs(share - 1) < 0.02
    answer = jnp.where(near, 3, jnp.where(share > 0.3, 2, jnp.where(share > 3 * factor, 1, 0)))
    return {
        "factors": jnp.asarray(FACTORS),
        **{name: lengths[:-2] for name, lengths in found.items()},
        **{f"{name}_now": lengths[-1] for name, lengths in found.items()},
        "at_one": at_one,
        "now": now,
        "shares": now / at_one,
        "adam_share": share,
        "percent": 100 * share,
        "sgd_share": now[0] / at_one[0],
        "mean": mean,
        "root": root,
        "g": seen_by_all[-1, -1],
        "meets": meets,
        "answer": answer,
        "case": jnp.where(near, 0, jnp.where(share > 1, 3, jnp.where(factor > meets / 10, 1, 2))),
    }


_STEPS = "At κ = {factor:.3~g} SGD steps by {sgd_now:.3~g}, Adam by {adam_now:.3~g}, "
_ROOT = ": √v̂ is {root:.3~g}, and ε {epsilon:.3~g}."

CONTROLS: tuple[Control, ...] = (
    LogRange("factor", "factor of the loss", "κ", 1e-10, 1e3, 1e-3, 0.05),
    LogRange("epsilon", "epsilon", "ε", 1e-12, 1e-2, 1e-8, 0.1),
)

SPEC = FigureSpec(
    function=seen,
    controls=CONTROLS,
    view=Profile(
        (
            Series("sgd", "SGD", "cotangent", "line"),
            Series("rmsprop", "RMSProp", "state", "line"),
            Series("momentum", "momentum", "own", "line"),
            Series("adamw", "AdamW\u00a0", "ink", "line"),
            Series("adam", "Adam", "parameter", "line"),
        ),
        y=Axis((1e-12, 1.0), "log", label="length of the step"),
        x=Axis((1e-10, 1e3), "log", label="factor κ of the loss"),
        at="factors",
        thresholds=(
            Threshold(
                "factor",
                "κ = {factor:.3~g}",
                drag="factor",
                axis="x",
                dots=(
                    ("sgd_now", "cotangent"),
                    ("momentum_now", "own"),
                    ("rmsprop_now", "state"),
                    ("adamw_now", "ink"),
                    ("adam_now", "parameter"),
                ),
            ),
            Threshold("meets", "√v̂ = ε", axis="x", role="muted", foot=True),
        ),
    ),
    title="What the optimizer sees of a factor",
    look="Drag κ down: SGD’s step falls with it, Adam’s stays, until √v̂ is near ε.",
    sentences=(
        _STEPS + "as at κ = 1 to within 2 %" + _ROOT,
        _STEPS + "{percent:,.0f} % of what it is at κ = 1" + _ROOT,
        _STEPS + "{adam_share:.3~g} of what it is at κ = 1, and it falls as SGD’s does" + _ROOT,
        _STEPS + "{adam_share:.3~g} times what it is at κ = 1" + _ROOT,
    ),
    table=Table(
        columns=(("at κ = 1", "at_one"), ("now", "now"), ("now / at 1", "shares")),
        rows=NAMES,
        count=len(NAMES),
        caption="The length of the 60th step, κ = {factor:.3~g}",
        general=True,
    ),
    presets=(
        Preset("κ = 10⁻³", {"factor": 1e-3, "epsilon": 1e-8}),
        Preset("κ = 10⁻⁶", {"factor": 1e-6, "epsilon": 1e-8}),
        Preset("κ = 10⁻³, ε = 10⁻³", {"factor": 1e-3, "epsilon": 1e-3}),
    ),
    stages=((("factor", "epsilon"), ()),),
    stills=({"factor": 1e-3}, {"factor": 1e-6}, {"factor": 1e-8}),
    parts={
        "sgd": Part("sgd_now", "SGD steps by {value:.3~g}: the rate times the gradient."),
        "momentum": Part("momentum_now", "With momentum 0.9 the step is {value:.3~g}."),
        "rmsprop": Part(
            "rmsprop_now", "RMSProp steps by {value:.3~g}; its ε stands under the root."
        ),
        "adamw": Part("adamw_now", "AdamW steps by {value:.3~g}, the decay of w included."),
        "adam": Part("adam_now", "Adam steps by {value:.3~g}."),
        "meets": Part("meets", "At κ = {value:.3~g}, √v̂ and ε are equal."),
        "factor": Part("factor", "The loss is multiplied by {factor:.3~g}."),
    },
    equation=(
        r"SGD: $\eta g$ = 0.01 × {g:.3~g} = " + part("sgd", "{sgd_now:.3~g}"),
        r"Adam: $\eta \displaystyle\frac{\hat m}{\sqrt{\hat v} + \varepsilon}$ = 0.01 × {mean:.3~g} / ("
        + part("meets", "{root:.3~g}")
        + " + {epsilon:.3~g}) = "
        + part("adam", "{adam_now:.3~g}"),
    ),
    prediction=Prediction(
        "With the learning rate 0.01, Adam’s step is 0.0099 long, from gradients of about 0.01. Its "
        "epsilon is 10⁻⁸, as usual. The loss is multiplied by a millionth, 10⁻⁶. What is Adam’s step?",
        answer="answer",
        how="choice",
        options=(
            "a millionth of what it was",
            "a few per cent of what it was",
            "about half of what it was",
            "what it was",
        ),
        settings={"factor": 1e-6, "epsilon": 1e-8},
        holds={"epsilon": 1e-8},
        conceals=(
            "adam",
            "adam_now",
            "adamw",
            "adamw_now",
            "rmsprop",
            "rmsprop_now",
            "meets",
            "mean",
            "root",
            "now",
            "shares",
            "adam_share",
            "percent",
        ),
        waiting="At κ = {factor:.3~g} SGD steps by {sgd_now:.3~g}. Commit, and you see the steps of the others.",
        reveal="It is {adam_now:.3~g}, {percent:,.0f} %: √v̂ has become {root:.3~g}, as small as ε.",
    ),
    note=(
        "One weight, held at w = 1, and a model w x on ten examples, in minibatches of two: all five "
        "see the same 60 gradients, which are <code>jax.grad</code>’s of κ times the loss. The "
        "optimizers are Optax’s, in float64. RMSProp’s ε is within the root there, as in Keras, so "
        "its line bends where √v is near √ε; PyTorch has it outside. AdamW’s line ends at ηλw, its "
        "decay with λ = 0.01."
    ),
)


class OptimizerSees(Figure):
    """The steps of SGD, momentum, RMSProp, Adam and AdamW against a factor of the loss.

    Args:
      factor: what the loss is multiplied by, in [1e-10, 1e3], default 1e-3.
      epsilon: of RMSProp, Adam and AdamW, in [1e-12, 1e-2], default 1e-8.
    """

    spec = SPEC
