"""Products of one Jacobian: what 1 to 8 applications make of the unit circle, and how fast."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array

from gradlab.figure.controls import Control, Point, Range, Toggle
from gradlab.figure.equation import muted
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import (
    Axis,
    Image,
    Multiples,
    Panels,
    Plane,
    Profile,
    Ring,
    Series,
    Trail,
    Vector,
)
from gradlab.figure.widget import Figure
from gradlab.unroll import examples as examples

DRAWN, STEPS = 8, 24
"""Numbers of products: those drawn as ellipses, and those measured."""

GROWS_FIRST = {"a": (0.86, 0.08), "b": (-0.88, 0.86)}
"""A matrix of spectral radius 0.9 that is not normal: a turn, in coordinates that were squeezed."""
TURN = {"a": (0.72, 0.54), "b": (-0.54, 0.72)}
"""One that turns, and shortens everything to 0.9."""


def jacobian_products(a: Array, b: Array, scale: Array, back: Array) -> dict[str, Array]:
    """The products (s A)^k of one Jacobian A, and what bounds them.

    Args:
      a, b: float ``[2]``; A's columns.
      scale: float ``[]``; s >= 0, at the input of every application.
      back: bool ``[]``; whether the ellipses are those of the transposed products, which a
        gradient meets on its way back.

    Returns:
      ``factor`` ``[2, 2]``, s A; ``forward``, ``backward`` ``[8, 2, 2]``, the products and their
      transposes; ``axes`` ``[8, 2, 2]``, the ends of the ellipse's long axis; ``stretch``,
      ``least``, ``radii`` ``[8]``, its half axes and (s rho)^k; ``largest``, ``lower``, ``upper``
      ``[24]``, the largest singular value of the product of k factors, (s rho)^k and (s sigma)^k;
      ``radius``, ``one``, the spectral radius and the largest singular value of s A; ``peak``,
      ``when``, ``last``, ``answer`` and ``case`` for the words.
    """
    found = examples.products(scale * a, scale * b, STEPS)
    factor, largest = found["matrix"], found["largest"]
    products = found["powers"][:DRAWN]
    radius = spectral_radius(factor)
    k = jnp.arange(1, STEPS + 1)
    lower, upper = radius**k, largest[0] ** k
    peak = jnp.max(largest)
    grows = peak > 1 + 1e-12
    in_the_end = jnp.where(jnp.abs(radius - 1) < 1e-9, 2, jnp.where(radius < 1, 1, 3))
    return {
        "factor": factor,
        "forward": products,
        "backward": jnp.swapaxes(products, 1, 2),
        "axes": long_axes(products, back),
        "ahead": jnp.where(back, 0.0, 1.0),
        "behind": jnp.where(back, 1.0, 0.0),
        "stretch": largest[:DRAWN],
        "least": examples.stretches(products)[1],
        "radii": lower[:DRAWN],
        "largest": largest,
        "lower": lower,
        "upper": upper,
        "radius": radius,
        "one": largest[0],
        "peak": peak,
        "when": jnp.argmax(largest) + 1,
        "last": largest[-1],
        "answer": jnp.where(grows, jnp.where(in_the_end == 1, 1, 2), 0),
        "case": jnp.where(grows | (radius > 1 - 1e-9), in_the_end, 0),
    }


def spectral_radius(matrix: Array) -> Array:
    """The largest absolute eigenvalue of a 2 x 2 matrix, from its trace and determinant."""
    half = (matrix[0, 0] + matrix[1, 1]) / 2
    area = matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]
    apart = ((matrix[0, 0] - matrix[1, 1]) / 2) ** 2 + matrix[0, 1] * matrix[1, 0]
    real = jnp.abs(half) + jnp.sqrt(jnp.maximum(apart, 0.0))
    return jnp.where(apart >= 0, real, jnp.sqrt(jnp.maximum(area, 0.0)))


def long_axes(matrices: Array, back: Array) -> Array:
    """The two ends of the long axis of each ellipse, ``[n, 2, 2]``; a point where it is a circle."""
    p, q, r, s = (matrices[:, i, j] for i in (0, 1) for j in (0, 1))
    mirror, turn = jnp.arctan2(r + q, p - s), jnp.arctan2(r - q, p + s)
    angle = jnp.where(back, mirror - turn, mirror + turn) / 2
    longest, shortest = examples.stretches(matrices)
    half = jnp.where(longest - shortest > 1e-9 * longest, longest, 0.0)
    end = half[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    return jnp.stack([-end, end], axis=1)


CORNER = (-1.8, -1.8), (1.8, 1.8)
CONTROLS: tuple[Control, ...] = (
    Point("a", "first column of A", "a", *CORNER, GROWS_FIRST["a"], 0.01),
    Point("b", "second column of A", "b", *CORNER, GROWS_FIRST["b"], 0.01),
    Range("scale", "scale", "s", 0.0, 1.0, 1.0, 0.01),
    Toggle("back", "backward: the products transposed"),
)
UNIT = Ring(1.0, role="muted")
MATRIX = Plane(
    (
        UNIT,
        Image("factor", role="state"),
        Vector("a", "a", "ink", drag="a"),
        Vector("b", "b", "ink", drag="b"),
    ),
    x=(-2.0, 2.0),
    y=(-2.0, 2.0),
)
ELLIPSE = Plane(
    (
        UNIT,
        Ring("radii", key="radius (sρ)ᵏ"),
        Trail("axes", role="ink", dots=False, key="its long axis"),
        Image("forward", "ahead", role="state"),
        Image("backward", "behind", role="cotangent"),
    ),
    x=(-2.4, 2.4),
    y=(-2.2, 2.2),
)
GROWTH = Profile(
    (
        Series("upper", "(sσ)ᵏ: never above", "ink", "line"),
        Series("lower", "(sρ)ᵏ: never below", "limit", "line"),
        Series("largest", "largest singular value", "cotangent", "points"),
    ),
    y=Axis((1e-3, 1e3), "log"),
    x=Axis(label="applications k"),
)

_GIVEN = "With s = {scale}, the spectral radius is {radius:,.2f}"

SPEC = FigureSpec(
    function=jacobian_products,
    controls=CONTROLS,
    view=Panels(
        (
            (
                "",
                Panels(
                    (
                        ("One application, its columns a and b", MATRIX),
                        ("Stretch of k applications, at most", GROWTH),
                    ),
                    wide="beside",
                ),
            ),
            (
                "After 1 to 8 applications",
                Multiples(
                    ELLIPSE,
                    over=("stretch", "forward", "backward", "axes", "radii"),
                    titles="{n}: ×{stretch:,.2f}",
                ),
            ),
        )
    ),
    title="Eight ellipses down an unroll",
    look="Drag the columns of A. Grey is the unit circle, dashed the circle of radius (sρ)ᵏ.",
    sentences=(
        _GIVEN + ". One application stretches by at most {one:,.2f}, so no product stretches anything; "
        "that of 24 stretches by at most {last:.3~g}.",
        _GIVEN + ", below 1, and still products grow at first: within 24 applications up to "
        "×{peak:,.2f}, after {when}. After 24 it is ×{last:.3~g}.",
        _GIVEN + ": products neither vanish nor grow geometrically; after 24 applications the largest "
        "singular value is {last:.3~g}.",
        _GIVEN + ", above 1: in some direction products grow without bound, ×{last:.3~g} after 24 "
        "applications.",
    ),
    table=Table(
        columns=(
            ("largest", "stretch"),
            ("smallest", "least"),
            ("(sρ)ᵏ", "lower"),
            ("(sσ)ᵏ", "upper"),
        ),
        rows="k = {n}",
        count=DRAWN,
        caption="Singular values of the product of k factors, and the two bounds of the largest",
        general=True,
    ),
    parts={
        "stretch": Part("stretch", "After {n} applications no vector of length 1 is longer than {value:,.2f}."),
        "largest": Part("largest", "The product of {n} factors stretches by up to {value:.3~g}."),
    },
    stages=((("scale", "back"), ("a", "b")),),
    presets=(
        Preset("0.9, a turn", {**TURN, "scale": 1.0}),
        Preset("0.9, not normal", {**GROWS_FIRST, "scale": 1.0}),
        Preset("1.1", {"a": (1.1, 0.0), "b": (-0.6, 0.5), "scale": 1.0}),
    ),
    stills=(
        TURN,
        GROWS_FIRST,
        {"a": (1.1, 0.0), "b": (-0.6, 0.5)},
    ),
    equation=(
        r"$(s\rho)^k \le \|(\class{scale}{s}A)^k\| \le (s\sigma)^k$",
        muted("k = 8:")
        + r" $\class{lower}{\live{lower.7:.3~g}} \le \class{stretch.8}{\live{stretch.7:.3~g}} "
        r"\le \class{upper}{\live{upper.7:.3~g}}$",
    ),
    prediction=Prediction(
        "Both eigenvalues of this A have the absolute value 0.9: its spectral radius is 0.9, and every "
        "application shortens what passes it. Another A has the same spectral radius. Can a gradient grow on "
        "its way back through that one’s products?",
        answer="answer",
        how="choice",
        options=(
            "no, every application shortens it",
            "yes, at first; in the end it vanishes",
            "yes, and it goes on growing",
        ),
        settings={**GROWS_FIRST, "scale": 1.0},
        holds=TURN,
        reveal="Up to ×{peak:,.2f}, after {when} applications; after 24 it is ×{last:.3~g}.",
    ),
    note=(
        "A is the Jacobian of one application, "
        r"$\partial h_k / \partial h_{k-1}$, the same in every one; ρ is its spectral "
        "radius, σ its largest singular value, and s a scale at every input. An ellipse is what the "
        "product makes of all changes of length 1. Backward, a gradient meets the transposed product: "
        "the ellipse is turned, and its half axes, the singular values, stay. Both bounds hold "
        "for every k; (sρ)ᵏ is also the rate in the end: the k-th root of the largest singular value "
        "tends to sρ."
    ),
)  # fmt: skip


class JacobianProducts(Figure):
    """The unit circle after 1 to 8 applications of one 2 x 2 Jacobian.

    Args:
      a, b: A's columns, ``(x, y)`` each in [-1.8, 1.8], default (0.86, 0.08) and
        (-0.88, 0.86).
      scale: s in [0, 1], default 1.
      back: whether the ellipses are those of the transposed products, default False.
    """

    spec = SPEC
