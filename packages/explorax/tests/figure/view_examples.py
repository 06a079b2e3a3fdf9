"""An example of every view: a function each, with its controls, view and words, as a reader would write them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorax import Integer, LogRange, Point, Range
from explorax.views import (
    Axis,
    Chain,
    Cloud,
    Dot,
    Image,
    Matrix,
    Multiples,
    Panels,
    Plane,
    Profile,
    Ring,
    Series,
    Surface,
    Threshold,
    Trail,
    Vector,
    record,
)


def two_paths(s: Any) -> dict[str, Any]:
    """Two arrows, one of them scaled, and their sum."""
    direct, unscaled = jnp.array([1.6, 0.4]), jnp.array([-0.32, 1.83])
    whole, plain = direct + s * unscaled, direct + unscaled
    turned = jnp.degrees(jnp.arctan2(whole[1], whole[0]) - jnp.arctan2(plain[1], plain[0]))
    return {
        "direct": direct,
        "through": s * unscaled,
        "unscaled": unscaled,
        "whole": whole,
        "turned": turned,
    }


GRADIENTS = np.random.default_rng(3).normal([0.9, 0.8], [0.6, 0.5], (200, 2))
GRADIENTS[::8] += [2.4, -3.4]  # rare ones


def clipped_batch(c: Any) -> dict[str, Any]:
    """200 gradients of a small batch each, clipped to the norm c, and the mean of both."""
    gradients = jnp.asarray(GRADIENTS)
    norms = jnp.linalg.norm(gradients, axis=1, keepdims=True)
    clipped = gradients * jnp.minimum(1.0, c / norms)
    return {
        "gradients": gradients,
        "clipped": clipped,
        "mean": jnp.mean(clipped, axis=0),
        "true_mean": jnp.mean(gradients, axis=0),
        "share": 100 * jnp.mean(norms > c),
    }


FACTORS = 10.0 ** np.linspace(-12, 4, 81)


def first_steps(factor: Any) -> dict[str, Any]:
    """The first step of SGD and of Adam where the loss is multiplied by a factor."""

    def steps(factor: Any) -> tuple[Any, Any]:
        g = factor * jax.grad(lambda w: 0.5 * (w - 3.0) ** 2)(2.0)
        mean, square = 0.1 * g / (1 - 0.9), 0.001 * g * g / (1 - 0.999)
        return 0.01 * jnp.abs(g), 0.01 * jnp.abs(mean) / (jnp.sqrt(square) + 1e-8)

    sgd, adam = jax.vmap(steps)(jnp.asarray(FACTORS))
    here = steps(factor)
    return {
        "factors": jnp.asarray(FACTORS),
        "sgd": sgd,
        "adam": adam,
        "sgd_here": here[0],
        "adam_here": here[1],
    }


def signed_profile(gain: Any) -> dict[str, Any]:
    """Derivative of a linear chain's last state by the input of each of 12 steps."""
    return {"gradient": gain ** jnp.arange(11.0, -1.0, -1.0)}


def ledger(s: Any, steps: Any) -> dict[str, Any]:
    """Part of a parameter's gradient that each loss k sends through each application j of an unroll."""
    k, j = jnp.arange(1, 9)[:, None], jnp.arange(1, 9)[None, :]
    present = (j <= k) & (k <= steps)
    sent = jnp.where(present, s ** (k - j).clip(0), 0.0)
    return {"sent": sent, "total": sent.sum()}


def bowl(tilt: Any, at: Any) -> dict[str, Any]:
    """A saddle that tilts, as a field of the program."""
    x, y = jnp.linspace(-2, 2, 41)[None, :], jnp.linspace(-2, 2, 41)[:, None]

    def value(x: Any, y: Any) -> Any:
        return 0.5 * (x * x - y * y) + tilt * x

    downhill = -0.4 * jnp.stack(jax.grad(value, (0, 1))(at[0], at[1]))
    path = jnp.stack([at, at + downhill, at + 2 * downhill])
    return {"field": value(x, y), "downhill": downhill, "path": path, "value": value(at[0], at[1])}


def products(a: Any, b: Any) -> dict[str, Any]:
    """Powers 1 to 8 of a matrix, by its columns, and how long each makes the longest arrow at most."""
    matrix = jnp.stack([a, b], axis=1)
    powers = jax.lax.scan(lambda power, _: (matrix @ power,) * 2, jnp.eye(2), length=8)[1]
    return {"matrix": matrix, "powers": powers, "largest": jnp.linalg.norm(powers, axis=(1, 2))}


def three_steps(x: Any, forward: Any, backward: Any) -> dict[str, Any]:
    """Three steps of h = tanh(1.4 h): states, their cotangents, and what the parameter receives."""
    states = [x]
    for _ in range(3):
        states.append(jnp.tanh(1.4 * states[-1]))
    cotangents = [states[-1] - 0.2]
    for h in states[2::-1]:
        cotangents.append(1.4 * (1 - jnp.tanh(1.4 * h) ** 2) * cotangents[-1] + h - 0.2)
    states, cotangents = jnp.stack(states), jnp.stack(cotangents[::-1])
    received = cotangents[1:] * (1 - states[1:] ** 2) * states[:-1]
    losses = 0.5 * (states[1:] - 0.2) ** 2
    told = {"received": received, "total": jnp.sum(received), "losses": losses}
    return {"states": states, "cotangents": cotangents, **told}


LIMIT = Range("c", "clip at the norm", "c", 0.1, 3.0, 1.0, 0.01)

EXAMPLES: dict[str, dict[str, Any]] = {
    "two_paths": {
        "function": two_paths,
        "controls": [Range("s", "scale", "s", 0.0, 1.0, 0.5, 0.01)],
        "view": Plane(
            (
                Vector("direct", "direct", "own", key="past the scale"),
                Vector(
                    "through",
                    "s × through",
                    tail="direct",
                    drag="s",
                    along="unscaled",
                    key="through the scale: {s} of it",
                ),
                Vector(
                    "whole", "gradient of w", "parameter", key="their sum, turned by {turned:,.0f}°"
                ),
            ),
            x=(-0.5, 2.5),
            y=(-0.5, 2.5),
            x_label="w₁",
            y_label="w₂",
        ),
        "title": "A scale on one of two paths turns the gradient",
        "look": "Drag the head of the orange arrow: the green one turns.",
        "sentence": "With s = {s}, the gradient of w is turned by {turned:,.0f} degrees.",
    },
    "clipped_batch": {
        "function": clipped_batch,
        "controls": [LIMIT],
        "view": Plane(
            (
                Cloud("gradients", "tips", "ink", key="200 gradients"),
                Cloud(
                    "clipped",
                    tails="gradients",
                    key="clipped to the norm c: {share:,.0f} % of them",
                ),
                Ring("c", label="c = {c}", drag="c", at=150),
                Vector("true_mean", "", "ink", before=True, key="their mean, not clipped"),
                Vector("mean", "mean", "parameter", key="the mean of what is left"),
            ),
            x=(-1.5, 4.5),
            y=(-3.6, 2.4),
            guess="arrow",
        ),
        "title": "Clipping each gradient moves their mean",
        "look": "Drag the ring. Long gradients snap to it, and the mean turns.",
        "sentence": "At c = {c}, {share:,.0f} % are clipped, and their mean is {mean}.",
    },
    "products": {
        "function": products,
        "controls": [
            Point("a", "first column", "a", (-1.5, -1.5), (1.5, 1.5), (0.8, 0.3)),
            Point("b", "second column", "b", (-1.5, -1.5), (1.5, 1.5), (-1.0, 0.7)),
        ],
        "view": Panels(
            (
                (
                    "One Jacobian: drag its two columns",
                    Plane(
                        (
                            Ring(1.0, role="muted"),
                            Image("matrix"),
                            Vector("a", "a", "state", drag="a"),
                            Vector("b", "b", "state", drag="b"),
                        ),
                        x=(-2.0, 2.0),
                        y=(-1.5, 1.5),
                    ),
                ),
                (
                    "The unit circle after each application",
                    Multiples(
                        Plane(
                            (Ring(1.0, role="muted"), Image("powers")), x=(-2.4, 2.4), y=(-1.8, 1.8)
                        ),
                        over=("powers", "largest"),
                        titles="{n}: at most ×{largest}",
                    ),
                ),
            ),
        ),
        "title": "Products of one Jacobian",
        "look": "Drag the columns.",
        "sentence": "After eight applications, the longest arrow is {largest.7:,.2f} times as long.",
    },
    "three_steps": {
        "function": three_steps,
        "controls": [
            Range("x", "input", "h₀", -1.0, 1.0, 0.6, 0.01),
            Integer("forward", "states computed", "", 1, 4, 4),
            Integer("backward", "cotangents computed", "", 0, 4, 4),
        ],
        "view": Chain(
            "states",
            "cotangents",
            "received",
            "losses",
            span=(-1.0, 1.0),
            widest=1.2,
            drag="x",
            forward="forward",
            backward="backward",
        ),
        "title": "A tape of three steps",
        "look": "Drag the first bar, then play the tape back.",
        "sentence": "At h₀ = {x}, theta receives {total:,.2f} over its three uses.",
    },
    "first_steps": {
        "function": first_steps,
        "controls": [LogRange("factor", "factor of the loss", "λ", 1e-12, 1e4, 1.0)],
        "view": Profile(
            (
                Series("sgd", "SGD", "cotangent", "line"),
                Series("adam", "Adam", "parameter", "line"),
            ),
            y=Axis((1e-14, 1e2), "log", label="length of the first step"),
            x=Axis((1e-12, 1e4), "log", label="factor of the loss"),
            at="factors",
            thresholds=(
                Threshold(
                    "factor",
                    "λ = {factor:.3~g}",
                    drag="factor",
                    axis="x",
                    dots=(("sgd_here", "cotangent"), ("adam_here", "parameter")),
                ),
            ),
        ),
        "title": "What the optimizer sees of a factor",
        "look": "Drag λ: SGD’s step falls with it, Adam’s stays, until epsilon.",
        "sentence": "At λ = {factor:.3~g}, SGD steps by {sgd_here:.3~g} and Adam by {adam_here:.3~g}.",
    },
    "signed_profile": {
        "function": signed_profile,
        "controls": [Range("gain", "gain", "ρ", -3.0, 3.0, -2.0, 0.01)],
        "view": Profile(
            (Series("gradient", "", "cotangent"),),
            y=Axis((-1e6, 1e6), "symlog", 1.0, label="gradient of the last state"),
            x=Axis(label="input of step"),
            thresholds=(Threshold("gain", "gain {gain}", drag="gain"),),
        ),
        "title": "How far back the last state listens",
        "look": "Drag the gain.",
        "sentence": "With gain {gain}, the first input counts {gradient.0:.3~g}.",
    },
    "ledger": {
        "function": ledger,
        "controls": [
            Range("s", "scale", "s", 0.0, 1.0, 0.5, 0.01),
            Integer("steps", "unroll steps", "K", 1, 8, 8),
        ],
        "view": Matrix(
            "sent",
            rows="ℓ_{n}",
            columns="{n}",
            column_label="through application j",
            triangle=True,
            count="steps",
            row_part="loss",
            column_part="application",
        ),
        "title": "The ledger",
        "look": "Read along a row: what one loss sends. Down a column: what one application receives.",
        "sentence": "With s = {s} and K = {steps}, theta receives {total:,.2f} losses’ worth.",
    },
    "bowl": {
        "function": bowl,
        "controls": [
            Range("tilt", "tilt", "t", -1.0, 1.0, 0.3, 0.01),
            Point("at", "where", "x", (-2.0, -2.0), (2.0, 2.0), (1.2, 0.5)),
        ],
        "view": Panels(
            [
                (
                    "Computed",
                    Surface(
                        "field",
                        (-2.0, 2.0),
                        (-2.0, 2.0),
                        (-3.0, 3.0),
                        legend="height",
                        marks=(
                            Vector("downhill", "downhill", "ink", tail="at", key="downhill"),
                            Dot("at", "", "state", drag="at"),
                        ),
                    ),
                ),
                (
                    "Recorded",
                    Surface(
                        record(
                            np.exp(np.add.outer(np.arange(30.0), np.arange(20.0)) / 9),
                            "a ramp",
                            log=True,
                        ),
                        (-2.0, 2.0),
                        (-2.0, 2.0),
                        (1.0, 100.0),
                        log=True,
                        x_label="w₁",
                        y_label="w₂",
                        marks=(Trail("path", "", "ink", key="a path"),),
                    ),
                ),
            ]
        ),
        "title": "A saddle that tilts",
        "look": "Drag the point.",
        "sentence": "Tilted by {tilt}, the height is {value:,.2f}.",
    },
    "run": {
        "function": lambda carry, rate: (
            carry * (1 - rate),
            {"loss": carry, "decrease": carry * rate},
        ),
        "controls": {"rate": (0.0, 0.5, 0.1)},
        "run": 200,
        "carry": 1.0,
    },
    "by_itself": {
        "function": lambda x, rate: {
            "loss": 300 * jnp.exp(-9 * x * rate),
            "jump": jnp.where(x > rate, 1.0, 0.0),
            "half_jump": jnp.where(x > rate, 0.5, 0.0),
            "slope": 40 * x - 20,
        },
        "controls": {"x": (0.0, 1.0, 0.25), "rate": (0.1, 2.0, 0.5)},
    },
}
