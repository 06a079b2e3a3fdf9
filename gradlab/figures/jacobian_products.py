"""Products of one Jacobian: what 1 to 8 applications make of the circle of all vectors of length 1."""

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

GROWS_FIRST = {"a": (0.9, 0.0), "b": (1.0, 0.7)}
"""A matrix with the eigenvalues 0.9 and 0.7, whose eigenvectors, (1, 0) and (5, -1), are nearly parallel."""
SHRINKS = {"a": (0.9, 0.0), "b": (0.0, 0.7)}
"""One with the same eigenvalues, and eigenvectors at right angles."""
EXPLODES = {"a": (1.1, 0.0), "b": (-0.6, 0.5)}
"""One with the eigenvalues 1.1 and 0.5."""


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
    Toggle("back", "backward (transposed)"),
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
        Ring("radii", key="circle of radius (sρ(A))ᵏ"),
        Trail("axes", role="ink", dots=False, key="its long axis"),
        Image("forward", "ahead", role="state"),
        Image("backward", "behind", role="cotangent"),
    ),
    x=(-2.4, 2.4),
    y=(-2.2, 2.2),
)
GROWTH = Profile(
    (
        Series("upper", "upper bound", "ink", "line"),
        Series("lower", "lower bound (sρ(A))ᵏ", "limit", "line"),
        Series("largest", "largest singular value", "cotangent", "points"),
    ),
    y=Axis((1e-3, 1e3), "log"),
    x=Axis(label="applications k"),
)

_GIVEN = "With s = {scale}, the spectral radius of sA is {radius:,.2f}"

SPEC = FigureSpec(
    function=jacobian_products,
    controls=CONTROLS,
    view=Panels(
        (
            (
                "",
                Panels(
                    (
                        ("One application: A and its columns", MATRIX),
                        ("Largest stretch in k applications", GROWTH),
                    ),
                    wide="beside",
                ),
            ),
            (
                "The circle after 1 to 8 applications",
                Multiples(
                    ELLIPSE,
                    over=("stretch", "forward", "backward", "axes", "radii"),
                    titles="{n}: ×{stretch:,.2f}",
                ),
            ),
        )
    ),
    title="A circle after one to eight applications",
    look="The grey circle is all vectors of length 1. Drag the columns of A to see what A does to it. (Spectral "
    "radius and largest singular value: both terms are explained below.)",
    sentences=(
        _GIVEN + ". One application makes no vector longer than ×{one:,.2f}, so nothing grows; after 24 the "
        "longest has length {last:.3~g}.",
        _GIVEN + ", below 1, and still some vectors grow at first: up to ×{peak:,.2f}, after {when} "
        "applications. After 24 the longest has length {last:.3~g}.",
        _GIVEN + ", so the longest vector neither vanishes nor grows geometrically; after 24 applications it has "
        "length {last:.3~g}.",
        _GIVEN + ", above 1: some vector grows for ever. After 24 applications the longest has length {last:.3~g}.",
    ),
    table=Table(
        columns=(
            ("longest", "stretch"),
            ("shortest", "least"),
            ("lower bound", "lower"),
            ("upper bound", "upper"),
        ),
        rows="k = {n}",
        count=DRAWN,
        caption="The longest and the shortest vector after k applications (the singular values), and two "
        "bounds of the longest",
        general=True,
    ),
    parts={
        "stretch": Part("stretch", "After {n} applications the longest vector has length {value:,.2f}."),
        "largest": Part("largest", "After {n} applications the longest vector has length {value:.3~g}."),
    },
    stages=((("scale", "back"), ("a", "b")),),
    presets=(
        Preset("eigenvectors at right angles", {**SHRINKS, "scale": 1.0}),
        Preset("eigenvectors nearly parallel", {**GROWS_FIRST, "scale": 1.0}),
        Preset("an eigenvalue of 1.1", {**EXPLODES, "scale": 1.0}),
    ),
    stills=(SHRINKS, GROWS_FIRST, EXPLODES),
    equation=(
        r"$(\class{scale}{s}\,\rho(A))^k \le \sigma_{\max}((\class{scale}{s}A)^k) "
        r"\le (\class{scale}{s}\,\sigma_{\max}(A))^k$",
        muted("k = 8:")
        + r" $\class{lower}{\live{lower.7:.3~g}} \le \class{stretch.8}{\live{stretch.7:.3~g}} "
        r"\le \class{upper}{\live{upper.7:.3~g}}$",
    ),
    prediction=Prediction(
        "This matrix A has the eigenvalues 0.9 and 0.7, and multiplying by it makes every vector shorter. Another "
        "matrix has the same two eigenvalues. Can a vector grow under repeated multiplication by this second matrix?",
        answer="answer",
        how="choice",
        options=(
            "no, each time it becomes shorter",
            "yes, at first; in the end it vanishes",
            "yes, and it goes on growing",
        ),
        settings={**GROWS_FIRST, "scale": 1.0},
        holds=SHRINKS,
        reveal="Up to ×{peak:,.2f}, after {when} applications; after 24 the longest has length {last:.3~g}.",
    ),
    note=(
        "A is the Jacobian of one application, "
        r"$\partial h_k / \partial h_{k-1}$, here the same in every one, and s is a scale at every input. "
        r"The spectral radius $\rho(A)$ is the size of its largest eigenvalue. The largest singular value "
        r"$\sigma_{\max}$ is half the long axis of the ellipse. On its way back a gradient meets the transposed "
        "product: its ellipse is turned, and has the same length and width. Both bounds hold for every k; the "
        "lower one is also how fast the longest vector grows or shrinks in the end."
    ),
)  # fmt: skip


class JacobianProducts(Figure):
    """The circle of all vectors of length 1 after 1 to 8 applications of one 2 x 2 Jacobian.

    Args:
      a, b: A's columns, ``(x, y)`` each in [-1.8, 1.8], default (0.9, 0) and (1, 0.7).
      scale: s in [0, 1], default 1.
      back: whether the ellipses are those of the transposed products, default False.
    """

    spec = SPEC
