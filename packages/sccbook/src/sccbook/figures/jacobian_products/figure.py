"""Products of one Jacobian: what k steps make of the circle of all vectors of length 1."""

import jax.numpy as jnp
from jax import Array

from explorax import Integer, Part, Point, Prediction, Preset, Range, Table, Toggle
from explorax.figure.equation import muted
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import (
    Axis,
    Image,
    Panels,
    Plane,
    Profile,
    Ring,
    Series,
    Threshold,
    Trail,
    Vector,
)
from sccbook.models import examples

STEPS = 24
"""The most steps."""
LEAST, MOST = 0.02, 20.0
"""Lengths that are drawn."""
ENDS = 1.6, 1.6
"""How far across and up a line along an eigenvector goes."""

GROWS_FIRST = {"a": (0.9, 0.0), "b": (1.0, 0.7)}
"""A matrix with the eigenvalues 0.9 and 0.7, and nearly parallel eigenvectors, (1, 0) and (5, -1)."""
SHRINKS = {"a": (0.9, 0.0), "b": (0.0, 0.7)}
"""One with the same eigenvalues, and eigenvectors at right angles."""
EXPLODES = {"a": (1.1, 0.0), "b": (-0.6, 0.5)}
"""One with the eigenvalues 1.1 and 0.5."""


def jacobian_products(a: Array, b: Array, scale: Array, k: Array, back: Array) -> dict[str, Array]:
    """The products (s A)^k of one Jacobian A, and what bounds them.

    Args:
      a, b: float ``[2]``; A's columns.
      scale: float ``[]``; s >= 0, in front of every step.
      k: int ``[]``, 1 to ``STEPS``; after how many steps the ellipse is drawn.
      back: bool ``[]``; whether it is that of the transposed product, which a gradient meets on
        its way back.

    Returns:
      ``product`` ``[2, 2]``, (s A)^k or its transpose; ``tips`` ``[24, 2]``, where the longest vector
      ends after every k, and ``tip`` ``[2]``, after this one; ``ahead``, ``behind``, 1 for the one that is drawn and 0 for
      the other; ``line_1``, ``line_2`` ``[2, 2]``, the ends of lines along the eigenvectors, where they are
      ``real``, and ``eigen_1``, ``eigen_2``, the eigenvalues; ``longest``, and ``spot``, the same where it is drawn; ``largest``, ``least``, ``lower``, ``upper``
      ``[24]``, the singular values of every product, (s rho)^k and (s sigma)^k; ``below``, ``above``,
      these bounds at k; ``steps`` ``[24]``, 1 to 24; ``radius``, ``one``, the spectral radius and the largest singular value of
      s A; ``peak``, ``when``, ``last``, ``answer`` and ``case`` for the words.
    """
    found = examples.products(scale * a, scale * b, STEPS)
    largest, products = found["largest"], found["powers"]
    matrix = jnp.where(back, found["matrix"].T, found["matrix"])
    apart, values, lines = eigenvectors(matrix)
    area = determinant(matrix)
    radius = jnp.where(apart >= 0, jnp.max(jnp.abs(values)), jnp.sqrt(jnp.maximum(area, 0.0)))
    steps = jnp.arange(1, STEPS + 1)
    lower, upper = radius**steps, largest[0] ** steps
    products = jnp.where(back, jnp.swapaxes(products, 1, 2), products)
    tips = longest_vectors(products)
    peak = jnp.max(largest)
    grows = peak > 1 + 1e-12
    in_the_end = jnp.where(jnp.abs(radius - 1) < 1e-9, 2, jnp.where(radius < 1, 1, 3))
    kind = jnp.where(grows | (radius > 1 - 1e-9), in_the_end, 0)
    return {
        "product": products[k - 1],
        "tips": tips,
        "tip": tips[k - 1],
        "real": apart > 1e-12,
        "line_1": lines[0],
        "line_2": lines[1],
        "eigen_1": values[0],
        "eigen_2": values[1],
        "ahead": jnp.where(back | (peak == 0), 0.0, 1.0),
        "behind": jnp.where(back & (peak > 0), 1.0, 0.0),
        "longest": largest[k - 1],
        "spot": jnp.where(largest[k - 1] < LEAST, jnp.nan, largest[k - 1]),
        "largest": largest,
        "steps": steps,
        "least": jnp.where(largest > 0, jnp.abs(area) ** steps / jnp.maximum(largest, 1e-300), 0.0),
        "lower": lower,
        "upper": upper,
        "below": lower[k - 1],
        "above": upper[k - 1],
        "radius": radius,
        "one": largest[0],
        "peak": peak,
        "when": jnp.argmax(largest) + 1,
        "last": largest[-1],
        "answer": jnp.where(grows, jnp.where(in_the_end == 1, 1, 2), 0),
        "case": jnp.where(peak == 0, 8, kind + 4 * (apart < -1e-12)),
    }


def determinant(matrix: Array) -> Array:
    """The determinant of a 2 x 2 matrix: without its sign, the product of its singular values."""
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def eigenvectors(matrix: Array) -> tuple[Array, Array, Array]:
    """How far apart a 2 x 2 matrix's eigenvalues are, below 0 where they are not real; they, ``[2]``; lines along their vectors."""
    (p, q), (r, t) = matrix
    half, apart = (p + t) / 2, ((p - t) / 2) ** 2 + q * r
    values = half + jnp.array([1.0, -1.0]) * jnp.sqrt(jnp.maximum(apart, 0.0))
    ways = jnp.stack([q + 0 * values, values - p, values - t, r + 0 * values], 1).reshape(2, 2, 2)
    lengths = jnp.sum(ways**2, axis=2)
    way = jnp.where((lengths[:, 0] > lengths[:, 1])[:, None], ways[:, 0], ways[:, 1])
    reach = jnp.min(jnp.asarray(ENDS) / jnp.maximum(jnp.abs(way), 1e-9), axis=1)
    left = jnp.where(way[:, 0] > 0, -reach, reach)  # the end that is named
    end = left[:, None] * way
    return apart, values, jnp.stack([-end, end], axis=1)


def longest_vectors(matrices: Array) -> Array:
    """Where the longest vector of each unit circle's image ends, ``[n, 2]``; 0 where that is a circle.

    Of its two ends it is the one on the side of the vector before.
    """
    (p, q), (r, s) = jnp.moveaxis(matrices, 0, 2)
    angle = (jnp.arctan2(r + q, p - s) + jnp.arctan2(r - q, p + s)) / 2
    longest, shortest = examples.stretches(matrices)
    half = jnp.where(longest - shortest > 1e-9 * longest, longest, 0.0)
    ends = half[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    before = jnp.concatenate([jnp.array([[1.0, 0.0]]), ends[:-1]])
    turned = jnp.where(jnp.sum(ends * before, axis=1) < 0, -1.0, 1.0)
    return ends * jnp.cumprod(turned)[:, None]


WAYS = ("ahead", "state"), ("behind", "cotangent")
"""The results that say whether vectors go forward or back, and their roles."""
TIPS, LONGEST = (
    ("longest vector, at 1, 2, … k", ""),
    (f"longest vector, k = 1 to {STEPS}", f"longest vector, k = 1 to {{steps.{STEPS - 1}}}"),
)
"""Names of their trails and of their lengths, in one place of the key: it leaves none for the template."""
CORNER = (-1.8, -1.8), (1.8, 1.8)

_NOW = "At k = {k} the longest vector has length {longest:.3~g}. "
_COMPLEX = " The eigenvalues are complex: no vector keeps its direction."
_SENTENCES = (
    _NOW + "One step leaves at most {one:,.2f} of any length, so nothing grows.",
    _NOW
    + "No eigenvalue is larger than {radius:,.2f}, and yet some vectors grow at first: up to ×{peak:,.2f}, at "
    "k = {when}.",
    _NOW
    + "The largest eigenvalue is 1, so the longest vector neither vanishes nor grows geometrically.",
    _NOW + "The largest eigenvalue is {radius:,.2f}: above 1, some vector grows for ever.",
)


class JacobianProducts(Figure):
    """The circle of all vectors of length 1 after 1 to 24 steps with one 2 x 2 Jacobian.

    Args:
      a, b: A's columns, ``(x, y)`` each in [-1.8, 1.8], default (0.9, 0) and (1, 0.7).
      scale: s in [0, 1], default 1.
      k: after how many steps the ellipse is drawn, 1 to 24, default 2.
      back: whether it is that of the transposed product, default False.
    """

    spec = FigureSpec(
        function=jacobian_products,
        controls=(
        Point("a", "first column of A", "a", *CORNER, GROWS_FIRST["a"], 0.01),
        Point("b", "second column of A", "b", *CORNER, GROWS_FIRST["b"], 0.01),
        Range("scale", "scale", "s", 0.0, 1.0, 1.0, 0.01),
        Integer("k", "steps", "k", 1, STEPS, 2, plays=True),
        Toggle("back", "backward (transposed)"),
    ),
        view=Panels(
            (
                ("The unit circle after k steps", Plane(
    (
        Ring(1.0, label="k = 0", role="muted", at=255.0),
        Trail("line_1", "", "own", dots=False, when="real", key="eigenvectors, ×{eigen_1:,.2f} and ×{eigen_2:,.2f}"),
        Trail("line_2", "", "own", dots=False, when="real"),
        Vector("a", "a", "muted", drag="a", towards=(0.3, -1.0), key="a and b, the columns of A"),
        Vector("b", "b", "muted", drag="b", towards=(-1.0, 0.2)),
        *(Image("product", role=role, when=way) for way, role in WAYS),
        *(Trail("tips", role=role, count="k", when=way, key=key) for (way, role), key in zip(WAYS, TIPS, strict=True)),
        *(Vector("tip", "k = {k}", role, towards=(-0.15, -1.0), when=way) for way, role in WAYS),
    ),
    x=(-2.3, 2.3),
    y=(-1.9, 1.9),
)),
                ("The length of the longest vector", Profile(
    (
        Series("upper", "largest singular value, to the power k", "limit", "line", when="one"),
        Series("lower", "largest eigenvalue, to the power k", "muted", "line", when="radius"),
        *(Series("largest", key, role, "line", when=way) for (way, role), key in zip(WAYS, LONGEST, strict=True)),
    ),
    plot=190,
    y=Axis((LEAST, MOST), "log"),
    x=Axis((1.0, STEPS), label="steps k"),
    at="steps",
    thresholds=(
        Threshold(1.0, role="muted"),
        Threshold(
            "k",
            "k = {k}: ×{longest:.3~g}",
            axis="x",
            drag="k",
            role="ink",
            dots=(("spot", "ink"),),
            foot=True,
        ),
    ),
)),
            ),
            wide="beside",
            linked=(("tips", "largest"), ("tip", "largest")),
        ),
        title="A matrix applied again and again",
        look="Drag the upright line, or a column of the matrix, a or b. Small rings: where the longest vector ended "
        "after each step.",
        sentences=(*_SENTENCES, *(each + _COMPLEX for each in _SENTENCES), "After one step nothing is left."),
        table=Table(
            columns=(
                ("longest", "largest"),
                ("shortest", "least"),
                ("lower bound", "lower"),
                ("upper bound", "upper"),
            ),
            rows="k = {n}",
            count=8,
            caption="The longest and the shortest vector after k steps (the singular values), and two "
            "bounds on the longest",
            general=True,
        ),
        parts={
            name: Part("longest", "After {k} steps the longest vector has length {longest:.3~g}.")
            for name in ("tip", "tips", "largest")
        },
        stages=((("k", "scale"), ("back", "a", "b")),),
        presets=(
            Preset("eigenvectors nearly parallel", {**GROWS_FIRST, "scale": 1.0, "k": 2}),
            Preset("eigenvectors at right angles", {**SHRINKS, "scale": 1.0, "k": 2}),
            Preset("an eigenvalue of 1.1", {**EXPLODES, "scale": 1.0, "k": 2}),
        ),
        stills=({**GROWS_FIRST, "k": 2}, {**SHRINKS, "k": 2}, {**EXPLODES, "k": 2}),
        equation=(
            r"$(\class{scale}{s}\,\rho(A))^k \le \sigma_{\max}((\class{scale}{s}A)^k) "
            r"\le (\class{scale}{s}\,\sigma_{\max}(A))^k$",
            muted("k = {k}:")
            + r" $\class{lower}{\live{below:.3~g}} \le \class{tip}{\live{longest:.3~g}} "
            r"\le \class{upper}{\live{above:.3~g}}$",
        ),
        prediction=Prediction(
            "Keep both eigenvalues, 0.9 and 0.7, but put the eigenvectors at right angles. What does the longest vector do then?",
            answer="answer",
            how="choice",
            options=(
                "it shrinks from the start",
                "it grows at first, then shrinks",
                "it grows for ever",
            ),
            settings={**SHRINKS, "scale": 1.0, "k": 2},
            reveal="It shrinks from the start. A vector grows only if its parts along the eigenvectors partly cancel, and then "
            "shrink at different rates. Parts at right angles can’t cancel.",
        ),
        note=(
            "A is the Jacobian of one step, "
            r"$\partial h_k / \partial h_{k-1}$, here the same in every one, and s is a scale in front of each. "
            r"The spectral radius $\rho(A)$ is the size of its largest eigenvalue. The largest singular value "
            r"$\sigma_{\max}$ is half the long axis of the ellipse. On its way back a gradient meets the transposed "
            "product: its ellipse is turned, but as long and as wide. Both bounds hold for every k; in "
            "the end the longest vector grows or shrinks as fast as the lower one."
        ),
    )  # fmt: skip
