"""A curve and the tangent that ``jax.grad`` reports for it."""

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from scaleclip.ops.scaling import scale_gradient
from sccbook.figures._views import DIST

LOW, HIGH, POINTS = -2.0, 2.0, 81
RATE = 0.5
"""Of the step of gradient descent that is drawn."""


def curve(x: Array) -> Array:
    """A curve with slopes of both signs: f(x) = 1 + x / 2 + sin(2 x) / 2."""
    return 1.0 + 0.5 * x + 0.5 * jnp.sin(2.0 * x)


def reported(scale: Array, x: Array) -> dict[str, Array]:
    """The curve f, its value and slope at x, and what f(scale_gradient(x, s)) reports.

    Args:
      scale: float ``[]``; s.
      x: float ``[]``; where the tangent is taken.

    Returns:
      ``abscissae``, ``ordinates`` ``[81]``; ``value``, ``slope`` and ``reported`` at x;
      ``goal``, ``after``: where a step of descent ends, and f there; ``moves``, what f does: 0 it
      falls, 1 it rises, 2 it stays.
    """

    def scaled(x: Array) -> Array:
        return curve(scale_gradient(x, scale))

    abscissae = jnp.linspace(LOW, HIGH, POINTS)
    value, slope = jax.value_and_grad(scaled)(x)
    true_slope = jax.grad(curve)(x)
    goal = x - RATE * slope
    after = curve(goal)
    case = jnp.where(scale == 0, 1, jnp.where(scale == 1, 2, jnp.where(scale < 0, 3, 0)))
    return {
        "abscissae": abscissae,
        "ordinates": jax.vmap(lambda x: curve(scale_gradient(x, scale)))(abscissae),
        "value": value,
        "slope": true_slope,
        "reported": slope,
        "goal": goal,
        "after": after,
        "moves": jnp.where(after < value, 0, jnp.where(after > value, 1, 2)),
        "case": jnp.where(scale == -1, 4, case),
    }


class Tangent(View):
    """A curve, its tangent, and another slope at the same point."""

    kind = "tangent"
    script = DIST / "tangent.js"
    style = DIST / "tangent.css"
    reads = ("abscissae", "ordinates", "value", "slope", "reported", "goal", "after", "moves", "x")


_STAYS = "The value stays {value:,.2f}. The reported slope is {reported:,.2f}"


class ReportedTangent(Figure):
    """A curve, its tangent, and the tangent that is reported where x passes a scale.

    Args:
      scale: s in [-2, 2], default 0.5; the slider goes from -1 to 1.
      x: where, in [-2, 2], default 0.2.
    """

    spec = FigureSpec(
        function=reported,
        controls=(
            Range("scale", "scale", "s", -1.0, 1.0, 0.5, 0.01, allowed=(-2.0, 2.0)),
            Range("x", "position", "x", -1.6, 1.6, 0.2, 0.01, allowed=(LOW, HIGH)),
        ),
        view=Tangent(),
        title="A curve and its reported tangent",
        look="Drag the tangent’s end or s: the tangent tilts; the curve and the value don’t change.",
        sentences=(
            _STAYS + ", {scale} times the true slope, {slope:,.2f}.",
            _STAYS + ", so gradient descent takes no step.",
            "The value is {value:,.2f}, and the reported slope is the true one, {slope:,.2f}.",
            _STAYS + ", {scale} times the true slope, so a step of descent goes uphill.",
            _STAYS + ", the true slope reversed, so a step of descent goes uphill.",
        ),
        table=Table(columns=(("value", "value"), ("slope", "slope"), ("reported", "reported"))),
        labels={
            "value": "f(x) = {value:,.2f}",
            "true": "true slope {slope:,.2f}",
            "reported": "reported slope {scale} × {slope:,.2f} = {reported:,.2f}",
            "step": f"at rate {RATE} f falls to {{after:,.2f}}|at rate {RATE} f rises to {{after:,.2f}}|"
            "no step: the reported slope is 0",
        },
        presets=(
            Preset("stopped: s = 0", {"scale": 0.0}),
            Preset("reversed: s = −1", {"scale": -1.0}),
            Preset("unchanged: s = 1", {"scale": 1.0}),
        ),
        stills=({"scale": 1.0}, {"scale": 0.5}, {"scale": 0.0}),
        parts={
            "value": Part("value", "The value at {x} is {value:,.2f}."),
            "slope": Part("slope", "The true slope of the curve is {slope:,.2f}."),
            "reported": Part("reported", "The slope that is reported is {reported:,.2f}."),
        },
        equation=(
            r"$y = f(x) = \class{value}{\live{value:,.2f}}$",
            r"the reported slope: $\class{reported}{s \cdot \class{slope}{f'(x)} = \live{scale} \cdot "
            r"\class{slope}{\live{slope:,.2f}} = \live{reported:,.2f}}$",
        ),
        prediction=Prediction(
            "Set s = −1, and let x take a step against the reported slope. What does f(x) do?",
            answer="moves",
            how="choice",
            options=("it falls", "it rises", "it stays"),
            settings={"scale": -1.0},
            conceals=("reported", "case"),
            reveal="It rises. The reported slope has the wrong sign, so a step against it goes uphill.",
        ),
        note=(
            r"The curve is $f(x) = 1 + \frac{x}{2} + \frac{\sin 2x}{2}$. The orange line is a surrogate: it is what "
            "<code>jax.grad</code> reports for <code>f(scale_gradient(x, s))</code>, and it is not "
            "tangent to the curve unless s = 1 or the slope is 0. The arrow is a step of gradient descent on x, with a "
            f"learning rate of {RATE}."
        ),
    )
