"""What becomes of the steps of five optimizers when the loss is divided by a number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from explorax import LogRange, Part, Prediction, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Role, View
from sccbook.figures._views import DIST

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

NAMES = ("SGD", "momentum", "RMSProp (ε under the root)", "Adam", "AdamW")
ADAM = NAMES.index("Adam")


def optimizers(epsilon: Any) -> tuple[optax.GradientTransformation, ...]:
    """Return Optax's own, in the order of ``NAMES``, with its defaults but for rate, epsilon and AdamW's decay."""
    return (
        optax.sgd(RATE),
        optax.sgd(RATE, momentum=0.9),
        optax.rmsprop(RATE, eps=epsilon),
        optax.adam(RATE, b2=BETA_2, eps=epsilon),
        optax.adamw(RATE, eps=epsilon, weight_decay=DECAY),
    )


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
    """The 60th step of five optimizers, with the loss divided by this number and as it was.

    Args:
      divisor: float ``[]``, above 0; what the loss is divided by: 1 / kappa.
      epsilon: float ``[]``, above 0; of RMSProp, Adam and AdamW.

    Returns:
      ``at_one``, ``now``, ``shares`` ``[5]``, sizes of steps with the loss as it was and divided, and
      their quotients; ``percent``, Adam's; ``mean``, ``root``, Adam's m-hat and the root of its v-hat;
      ``root_at_one``; ``step``, Adam's; ``meets``, the divisor at which root and epsilon are equal, ``over``, root over epsilon;
      ``answer``, Adam's step: 0 as small as SGD's, 1 a few per cent, 2 about half, 3 as it was.
    """
    both = jax.vmap(gradients)(jnp.stack([jnp.ones_like(divisor), 1 / divisor]))
    at_one, now = (
        jnp.stack([last_step(one, grads)[0] for one in optimizers(epsilon)]) for grads in both
    )
    _, state = last_step(optimizers(epsilon)[ADAM], both[1])
    mean = state[0].mu / (1 - 0.9**STEPS)
    root = jnp.sqrt(state[0].nu / (1 - BETA_2**STEPS))
    share = now[ADAM] / at_one[ADAM]
    near = share > 0.98
    falls = epsilon > 10 * root
    answer = jnp.where(near, 3, jnp.where(share > 0.3, 2, jnp.where(share > 3 / divisor, 1, 0)))
    return {
        "at_one": at_one,
        "now": now,
        "shares": now / at_one,
        "percent": 100 * share,
        "mean": mean,
        "root": root,
        "root_at_one": root * divisor,
        "step": now[ADAM],
        "meets": root * divisor / epsilon,
        "over": root / epsilon,
        "answer": answer,
        "case": jnp.where(divisor == 1, 3, jnp.where(near, 0, jnp.where(falls, 2, 1))),
    }


@dataclass(frozen=True)
class Shrinking(View):
    """A ruler on which the loss is divided, and below it one for each step, on the same scale.

    Attributes:
      names: of the optimizers.
      roles: their colours.
    """

    names: Sequence[str] = ()
    roles: Sequence[Role] = ()
    kind = "shrinking"
    script = DIST / "shrinking.js"
    reads = ("shares", "meets", "root_at_one", "divisor", "epsilon")


_DIVIDED = "SGD now needs {divisor:,.2~f} steps to do what one did. "


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
        view=Shrinking(NAMES, ("cotangent", "cotangent", "state", "parameter", "own")),
        title="Divide the loss: whose step shrinks?",
        look="Drag the upper knob: SGD’s step shrinks with the loss, Adam’s stays until √v̂ is near ε. The lower knob sets ε.",
        sentences=(
            _DIVIDED
            + "Adam’s step is unchanged to within 2 %. RMSProp’s, with ε under the root as in Optax and "
            "Keras, shrinks sooner.",
            _DIVIDED
            + "Adam’s is {percent:.2~g} % of what it was: its gradients are {over:.2~g} times ε.",
            "Adam’s gradients are now far below ε: from there on its step shrinks with the loss, as SGD’s does all along. AdamW’s "
            "weight decay stays, because no factor on the loss touches it.",
            "The loss isn’t divided, so all steps are as they were.",
        ),
        table=Table(
            columns=(("as it was", "at_one"), ("now", "now"), ("share", "shares")),
            rows=NAMES,
            count=len(NAMES),
            caption="The size of the 60th step, with the loss divided by {divisor:,.2~f}",
            general=True,
        ),
        presets=(
            Preset("divide by a billion", {"divisor": 1e9, "epsilon": 1e-8}),
            Preset("ε = 10⁻⁴", {"divisor": 1e3, "epsilon": 1e-4}),
        ),
        stages=((("divisor", "epsilon"), ()),),
        stills=({"divisor": 1e3}, {"divisor": 1e6}, {"divisor": 1e9}),
        labels={
            "loss": "The loss is divided by (log scale)",
            "ring": "| as much as the loss",
            "step": "The step is divided by",
            "meets": "gradients below ε from here",
        },
        parts={
            "shares": Part(
                "shares", "Optimizer {n} of five: its step is {value:.3~g} of what it was."
            ),
            "meets": Part("meets", "With the loss divided by {value:,.3~g}, Adam’s √v̂ equals ε."),
        },
        equation=(
            r"Adam’s step: $\eta {\displaystyle\frac{\hat m}{\sqrt{\hat v} + \epsilon}} = 0.01 \cdot {\displaystyle"
            r"\frac{\live{mean:.2~g}}{\class{meets}{\live{root:.2~g}} + \live{epsilon:.2~g}}} = \live{step:.3~g}$",
        ),
        prediction=Prediction(
            "Divide the loss by a million instead, and SGD’s step becomes a millionth of what it was. What happens to "
            "Adam’s step if the gradients were about 0.01 and ε is the usual 10⁻⁸?",
            answer="answer",
            how="choice",
            options=(
                "a millionth of what it was",
                "a few per cent of what it was",
                "about half of what it was",
                "it stays as it was",
            ),
            settings={"divisor": 1e6, "epsilon": 1e-8},
            conceals=("shares", "now", "percent", "step"),
            reveal="About half is left: Adam’s step is {percent:.0f} % of what it was, because its gradients have become as small as ε.",
        ),
        note=(
            "One weight, held at w = 1, and a model w x on ten examples, in minibatches of two: all five optimizers "
            "get the same 60 gradients of κ times the loss, from <code>jax.grad</code>, and their 60th steps are "
            "compared. With momentum the step is ten times SGD’s and falls with it. The optimizers are Optax’s, in "
            "float64. RMSProp’s ε is under the root there, as in Keras, so its step shrinks where √v is near √ε; "
            "PyTorch has it outside. AdamW’s step ends at ηλw, its decay, with λ = 0.01."
        ),
    )
