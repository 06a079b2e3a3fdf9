"""What becomes of the steps of five optimizers when the loss is divided by a number."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from explorax import LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Profile, Series, Threshold

WEIGHT = 1.0
"""The weight w, held there, so that all five see the same gradients."""
INPUTS = np.array([0.10, 0.12, 0.09, 0.11, 0.10, 0.13, 0.08, 0.10, 0.12, 0.09])
TARGETS = np.array([0.03, -0.01, 0.01, 0.02, -0.03, 0.07, 0.02, -0.02, 0.03, 0.0007])
"""Ten examples of the model w x, with the loss (w x - y)^2 / 2; two make a minibatch."""
STEPS = 60
RATE = 0.01
DECAY = 0.01
"""AdamW's weight decay: 0.01, as PyTorch has it (Optax's default is a hundredth of that)."""
BETA_2 = 0.999
MOST = 1e9
DIVISORS = np.logspace(0, 9, 55)
START = DIVISORS[DIVISORS <= 1000]  # Adam's line is drawn there before the answer

NAMES = ("SGD", "momentum", "RMSProp", "Adam", "AdamW")
RESULTS = tuple(name.lower() for name in NAMES)


def optimizers(epsilon: Any) -> dict[str, optax.GradientTransformation]:
    """Return Optax's own, with its defaults but for rate, epsilon and AdamW's decay."""
    return {
        "sgd": optax.sgd(RATE),
        "momentum": optax.sgd(RATE, momentum=0.9),
        "rmsprop": optax.rmsprop(RATE, eps=epsilon),
        "adam": optax.adam(RATE, b2=BETA_2, eps=epsilon),
        "adamw": optax.adamw(RATE, eps=epsilon, weight_decay=DECAY),
    }


def gradients(factor: Any) -> Array:
    """Return the gradient of ``factor`` times the loss at w = 1, for each of the minibatches ``[60]``."""
    order = np.arange(2 * STEPS).reshape(STEPS, 2) % INPUTS.size

    def loss(w: Array, x: Array, y: Array) -> Array:
        whole: Array = factor * jnp.mean((w * x - y) ** 2) / 2
        return whole

    every: Callable[..., Array] = jax.vmap(jax.grad(loss), (None, 0, 0))
    epoch = every(jnp.asarray(WEIGHT), *(jnp.asarray(a)[order[:5]] for a in (INPUTS, TARGETS)))
    return jnp.tile(epoch, STEPS // 5)


def last_step(optimizer: optax.GradientTransformation, grads: Array) -> tuple[Array, Any]:
    """Return the length of the last update after all these gradients, and the optimizer's state then."""
    w = jnp.asarray(WEIGHT)

    def step(carry: tuple[Any, Array], g: Array) -> tuple[tuple[Any, Array], None]:
        update, state = optimizer.update(g, carry[0], w)
        return (state, jnp.abs(update)), None

    (state, length), _ = jax.lax.scan(step, (optimizer.init(w), jnp.zeros_like(w)), grads)
    return length, state


def seen(divisor: Array, epsilon: Array) -> dict[str, Array]:
    """The 60th step of five optimizers with the loss divided by this number, and by 55 others.

    Args:
      divisor: float ``[]``, above 0; what the loss is divided by: 1 / kappa.
      epsilon: float ``[]``, above 0; of RMSProp, Adam and AdamW.

    Returns:
      ``divisors`` ``[55]``; ``sgd``, ``momentum``, ``rmsprop``, ``adam``, ``adamw`` ``[55]``, the
      step at each of them, as a multiple of that at 1, and with ``_now`` ``[]``, at ``divisor``;
      ``at_one``, ``now``, ``shares`` ``[5]``, lengths of steps at 1 and at ``divisor``, and their
      quotients; ``percent``, Adam's; ``mean``, ``root``, Adam's m-hat and the root of its v-hat;
      ``root_at_one``; ``g``, the last gradient; ``step``, Adam's; ``start``, ``adam_start``
      ``[19]``, its line's beginning; ``meets``, the divisor at which root and epsilon are equal;
      ``answer``, Adam's step: 0 as small as SGD's, 1 a few per cent, 2 about half, 3 as at 1.
    """
    # one more call of each: at 55 divisors, and at the one that is chosen; the first is 1
    asked = 1 / jnp.concatenate([jnp.asarray(DIVISORS), divisor[None]])
    seen_by_all = jax.vmap(gradients)(asked)
    found = {
        name: jax.vmap(lambda g, one=one: last_step(one, g)[0])(seen_by_all)
        for name, one in optimizers(epsilon).items()
    }
    _, state = last_step(optimizers(epsilon)["adam"], seen_by_all[-1])
    mean = state[0].mu / (1 - 0.9**STEPS)
    root = jnp.sqrt(state[0].nu / (1 - BETA_2**STEPS))
    at_one = jnp.stack([found[name][0] for name in RESULTS])
    now = jnp.stack([found[name][-1] for name in RESULTS])
    share = now[3] / at_one[3]
    near = share > 0.98
    falls = epsilon > 10 * root
    answer = jnp.where(near, 3, jnp.where(share > 0.3, 2, jnp.where(share > 3 / divisor, 1, 0)))
    return {
        "divisors": jnp.asarray(DIVISORS),
        **{name: lengths[:-1] / lengths[0] for name, lengths in found.items()},
        **{f"{name}_now": lengths[-1] / lengths[0] for name, lengths in found.items()},
        "start": jnp.asarray(START),
        "adam_start": found["adam"][:19] / found["adam"][0],
        "at_one": at_one,
        "now": now,
        "shares": now / at_one,
        "percent": 100 * share,
        "mean": mean,
        "root": root,
        "root_at_one": root * divisor,
        "g": seen_by_all[-1, -1],
        "step": now[3],
        "meets": root * divisor / epsilon,
        "answer": answer,
        "case": jnp.where(divisor == 1, 3, jnp.where(near, 0, jnp.where(falls, 2, 1))),
    }


_DIVIDED = "The loss is divided by {divisor:,.2~f}, and so is SGD’s step. "
_ROOT = ": √v̂ is {root:.2~g}, and ε is {epsilon:.2~g}."


class OptimizerSees(Figure):
    """The steps of SGD, momentum, RMSProp, Adam and AdamW when the loss is divided by a number.

    Args:
      divisor: what the loss is divided by, 1 / kappa, in [1, 1e9], default 1000.
      epsilon: of RMSProp, Adam and AdamW, in [1e-11, 1e-3], default 1e-8.
    """

    spec = FigureSpec(
        function=seen,
        controls=(
            LogRange("divisor", "divide the loss by", "1/κ", 1.0, MOST, 1e3, 0.05),
            LogRange("epsilon", "epsilon", "ε", 1e-11, 1e-3, 1e-8, 0.1),
        ),
        view=Profile(
            (
                Series("adamw", "AdamW", "ink", "line"),
                Series("adam", "Adam", "parameter", "line"),
                Series("rmsprop", "RMSProp", "state", "line"),
                Series("sgd", "SGD, momentum", "cotangent", "line"),
                Series("adam_start", "Adam: ?", "parameter", "line", at="start", until="adam"),
            ),
            y=Axis((1e-10, 10.0), "log", label="the step, as a multiple of what it was"),
            x=Axis((1.0, MOST), "log", label="what the loss is divided by, 1/κ"),
            at="divisors",
            plot=228,
            thresholds=(
                Threshold(
                    "meets",
                    "√v̂ = ε",
                    drag="epsilon",
                    axis="x",
                    role="muted",
                    foot=True,
                    sides=("Adam hardly notices", "notices"),
                    divides="root_at_one",
                ),
                Threshold(
                    "divisor",
                    drag="divisor",
                    axis="x",
                    dots=(
                        ("sgd_now", "cotangent"),
                        ("rmsprop_now", "state"),
                        ("adamw_now", "ink"),
                        ("adam_now", "parameter"),
                    ),
                ),
            ),
        ),
        title="What becomes of the step when the loss shrinks",
        look="Drag the upper knob: SGD’s step falls with the loss, Adam’s stays until √v̂ is near ε. The lower one sets ε.",
        sentences=(
            _DIVIDED + "Adam’s stays as it was to within 2 %" + _ROOT,
            _DIVIDED + "Adam’s is {percent:.2~g} % of what it was" + _ROOT,
            _DIVIDED
            + "Adam’s is {adam_now:.2~g} of what it was and from here on falls as fast as SGD’s"
            + _ROOT,
            "The loss is as it was, and so are all steps.",
        ),
        table=Table(
            columns=(("at 1", "at_one"), ("now", "now"), ("now / at 1", "shares")),
            rows=NAMES,
            count=len(NAMES),
            caption="The length of the 60th step, with the loss divided by {divisor:,.2~f}",
            general=True,
        ),
        presets=(
            Preset("by a thousand", {"divisor": 1e3, "epsilon": 1e-8}),
            Preset("by a million", {"divisor": 1e6, "epsilon": 1e-8}),
            Preset("by a thousand, ε = 10⁻⁴", {"divisor": 1e3, "epsilon": 1e-4}),
        ),
        stages=((("divisor", "epsilon"), ()),),
        stills=({"divisor": 1e3}, {"divisor": 1e6}, {"divisor": 1e9}),
        parts={
            "adamw": Part(
                "adamw_now", "AdamW’s step is {value:.3~g} of what it was, decay included."
            ),
            "adam": Part("adam_now", "Adam’s step is {value:.3~g} of what it was."),
            "rmsprop": Part(
                "rmsprop_now",
                "RMSProp’s is {value:.3~g} of what it was; its ε stands under the root.",
            ),
            "sgd": Part("sgd_now", "SGD’s step is {value:.3~g} of what it was; momentum’s, too."),
            "meets": Part("meets", "With the loss divided by {value:,.3~g}, √v̂ and ε are equal."),
            "divisor": Part("divisor", "The loss is divided by {divisor:,.2~f}."),
        },
        equation=(
            r"Adam’s step: $\eta {\displaystyle\frac{\hat m}{\sqrt{\hat v} + \epsilon}} = 0.01 \cdot {\displaystyle"
            r"\frac{\live{mean:.2~g}}{\class{meets}{\live{root:.2~g}} + \live{epsilon:.2~g}}} = \class{adam}{\live{step:.3~g}}$",
        ),
        prediction=Prediction(
            "A weight’s gradients are about 0.01, and Adam’s ε is the usual 10⁻⁸. The loss is divided by a "
            "million, and SGD’s step becomes a millionth of what it was. What becomes of Adam’s?",
            answer="answer",
            how="choice",
            options=(
                "a millionth of what it was",
                "a few per cent of what it was",
                "about half of what it was",
                "it stays as it was",
            ),
            settings={"divisor": 1e6, "epsilon": 1e-8},
            conceals=(
                *RESULTS[2:],
                *("adam_now", "adamw_now", "rmsprop_now", "meets", "mean", "root", "step"),
                "now",
                "shares",
                "percent",
            ),
            reveal="About half is left: Adam’s step is {percent:.0f} % of what it was, because √v̂ has become as small as ε.",
        ),
        note=(
            "One weight, held at w = 1, and a model w x on ten examples, in minibatches of two: all five "
            "optimizers see the same 60 gradients, which are <code>jax.grad</code>’s of κ times the loss, and "
            "their 60th steps are compared. With momentum the step is ten times as long as SGD’s and falls with "
            "it. The optimizers are Optax’s, in float64. RMSProp’s ε stands under the root there, as in Keras, so "
            "its line bends where √v is near √ε; PyTorch has it outside. AdamW’s line ends at ηλw, its decay, "
            "with λ = 0.01."
        ),
    )
