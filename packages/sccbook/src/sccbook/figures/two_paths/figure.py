"""Two paths to a parameter, a scale on one of them, and the sum that ``jax.grad`` reports."""

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Part, Point, Prediction, Preset, Range, Table, Toggle
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Arc, Inset, Plane, Trail, Vector
from scaleclip.ops.scaling import scale_gradient

W = (0.4, 0.2)
"""The trunk's weights, at which every gradient is taken."""

HEAD_B = ((1.0, -0.5), (0.5, 1.0))
TARGET_B = (1.58, -0.56)
"""Head B's matrix and target: its loss sends the trunk the gradient (-0.8, 1.6)."""


def two_paths(scale: Array, both: Array, a: Array) -> dict[str, Array]:
    """A trunk with two heads: what each sends to the trunk's weights w, and the sum.

    The losses are l_A = |h - t_A|^2 / 2 and l_B = |M h - t_B|^2 / 2, both at h = w; the target
    t_A is set so that the gradient of l_A is ``a``.

    Args:
      scale: float ``[]``; s.
      both: bool ``[]``; whether head A's path passes a scale too.
      a: float ``[2]``; gradient from head A where no scale stands.

    Returns:
      ``own``, ``through``, ``whole`` ``[2]``: the gradient along path A, along path B, and of w;
      ``unscaled`` and ``before`` ``[2]``: along path B, and of w, at s = 1; ``alone``,
      whether A has no scale; ``sides`` ``[3, 2]``, two sides of the parallelogram; ``loss``; ``turned``, the angle between
      ``before`` and ``whole`` in degrees; ``answer`` and ``case`` for the words.
    """
    w = jnp.array(W)
    matrix, target_b = jnp.array(HEAD_B), jnp.array(TARGET_B)
    target_a = w - a

    def loss(w: Array, on_a: Array | float, on_b: Array | float) -> Array:
        to_a, to_b = scale_gradient(w, on_a), scale_gradient(w, on_b)
        error_a, error_b = to_a - target_a, matrix @ to_b - target_b
        return 0.5 * jnp.sum(error_a**2) + 0.5 * jnp.sum(error_b**2)

    on_a = jnp.where(both, scale, 1.0)
    value, whole = jax.value_and_grad(loss)(w, on_a, scale)
    own = jax.grad(loss)(w, on_a, 0.0)
    through = jax.grad(loss)(w, 0.0, scale)
    before = jax.grad(loss)(w, 1.0, 1.0)

    cross = before[0] * whole[1] - before[1] * whole[0]
    gone = jnp.dot(whole, whole) < 1e-18
    angle = jnp.abs(jnp.degrees(jnp.arctan2(cross, jnp.dot(before, whole))))
    turned = jnp.where(gone, 0.0, angle)
    kept, opposite = turned < 1e-6, turned > 180 - 1e-6
    on_one = jnp.where(gone, jnp.where(scale == 0, 8, 4), jnp.where(kept, 2, opposite * 3))
    on_both = jnp.where(scale > 0, 5, jnp.where(scale < 0, 6, 7))
    return {
        "own": own,
        "through": through,
        "whole": whole,
        "unscaled": jax.grad(loss)(w, 0.0, 1.0),
        "before": before,
        "alone": ~jnp.asarray(both),
        "sides": jnp.stack([own, whole, through]),
        "loss": value,
        "turned": turned,
        "answer": jnp.where(kept, jnp.where(scale == 1, 0, 1), jnp.where(opposite, 3, 2)),
        "case": jnp.where(scale == 1, 1, jnp.where(both, on_both, on_one)),
    }


_SET = "With s = {scale} on path B, the gradient of w"


class TwoPaths(Figure):
    """The gradients that two heads send to their trunk, one of them scaled, and their sum.

    Args:
      scale: s in [-1, 1], default 0.5.
      both: whether path A passes a scale too, default False.
      a: gradient from head A, ``(x, y)`` in [-2, 2] and [-1.5, 1.5], default (2, 0.5).
    """

    spec = FigureSpec(
        function=two_paths,
        controls=(
            Range("scale", "scale", "s", -1.0, 1.0, 0.5, 0.01),
            Toggle("both", "a scale on path A too"),
            Point("a", "gradient from head A", "a", (-2.0, -1.5), (2.0, 1.5), (2.0, 0.5), 0.05),
        ),
        view=Plane(
            (
                Trail("sides", role="muted", dots=False),
                Vector("a", "", "own", before=True, unless="own", drag="a"),
                Vector("unscaled", "", "cotangent", before=True, unless="through"),
                Arc("whole", "before", 1.55, "{turned:,.0f}°", "parameter"),
                Vector("before", "", "parameter", before=True, unless="whole", key="at s = 1"),
                Vector("own", "A", "own", when="alone"),
                Vector("own", "sA", "own", when="both"),
                Vector("through", "sB", "cotangent", drag="scale", along="unscaled"),
                Vector("whole", "A + sB", "parameter", when="alone"),
                Vector("whole", "sA + sB", "parameter", when="both"),
            ),
            x=(-2.4, 2.9),
            y=(-1.7, 2.8),
            x_label="along w₁",
            y_label="along w₂",
            ghosts=False,
            inset=Inset(
                size=(150.0, 84.0),
                arrows=(
                    ("own", "own", (104.0, 12.0), (36.0, 36.0)),
                    ("through", "cotangent", (104.0, 68.0), (36.0, 44.0)),
                ),
                bars=(
                    ("own", "own", (70.0, 24.0), "both"),
                    ("through", "cotangent", (70.0, 56.0)),
                ),
                rings=(("parameter", (24.0, 40.0)),),
                words=(
                    ("w", "parameter", (24.0, 44.5), "middle"),
                    ("head A", "own", (110.0, 16.5), "start"),
                    ("head B", "cotangent", (110.0, 72.5), "start"),
                    ("s", "cotangent", (70.0, 82.0), "middle"),
                ),
            ),
        ),
        title="Two paths to w, and a scale on one of them",
        look="Drag the tip of arrow B, and watch the sum. Then drag A, or scale both.",
        sentences=(
            _SET + " is {whole:,.2f}: turned by {turned:,.0f}°, away from B.",
            "With s = 1, the gradient of w is the sum of both paths, {whole:,.2f}.",
            _SET + " is {whole:,.2f}: its direction is unchanged, because A and B lie on one line.",
            _SET + " is {whole:,.2f}: it points the other way. A and B lie on one line.",
            _SET + " is 0: the paths cancel.",
            "With s = {scale} on both paths, the gradient of w is {whole:,.2f}: {scale} times as long, "
            "in the same direction.",
            "With s = {scale} on both paths, the gradient of w is {whole:,.2f}: it points the other way.",
            "With s = 0, both paths are blocked, so the gradient of w is 0.",
            _SET + " is 0: A sends nothing, and B is stopped.",
        ),
        table=Table(
            columns=(
                ("path A", "own"),
                ("path B", "through"),
                ("sum", "whole"),
                ("at s = 1", "before"),
            ),
            rows="w_{n}",
            count=2,
        ),
        parts={
            "own": Part("own", "Along path A, the gradient of w_{n} is {value:,.2f}."),
            "through": Part("through", "Along path B, the gradient of w_{n} is {value:,.2f}."),
            "whole": Part("whole", "The gradient of w_{n} is {value:,.2f}."),
        },
        stages=((("scale", "both"), ("a",)),),
        presets=(
            Preset("half, on one path", {"scale": 0.5, "both": False, "a": (2.0, 0.5)}),
            Preset("half, on both", {"scale": 0.5, "both": True, "a": (2.0, 0.5)}),
            Preset("opposed paths", {"scale": 0.25, "both": False, "a": (0.4, -0.8)}),
        ),
        stills=({"scale": 1.0}, {"scale": 0.5}, {"scale": 0.0}),
        equation=(
            r"$\bar w = \class{?both}{s \cdot} \class{own}{g_A} + s \cdot \class{through}{g_B}$",
            r"$= \class{own}{\live{own:,.2f}} + \class{through}{\live{through:,.2f}} "
            r"= \class{whole}{\live{whole:,.2f}}$",
            r"the loss, at every s: $\live{loss:,.2f}$",
        ),
        prediction=Prediction(
            "Two paths lead to w. You halve B. What happens to the sum, A + B?",
            answer="answer",
            how="choice",
            options=(
                "it doesn’t change",
                "only its length changes",
                "it turns",
                "it reverses",
            ),
            settings={"scale": 0.5, "both": False, "a": (2.0, 0.5)},
            reveal="The sum turns by {turned:,.0f}°, from {before:,.2f} to {whole:,.2f}.",
        ),
        note=(
            r"Two heads read the trunk’s weights, $w = (0.4, 0.2)$. Each head’s loss is half a squared error. When you "
            r"drag arrow A, the target of head A moves with it, so that the arrow remains its gradient. The outlined arrows "
            "are those at s = 1. With a scale in place, the sum is a surrogate: it is not the gradient of the loss that "
            "is reported."
        ),
    )
