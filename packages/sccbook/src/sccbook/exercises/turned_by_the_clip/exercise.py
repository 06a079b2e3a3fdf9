"""Assignment 3: find a gradient that a clip by value turns by a given angle.

Asked for is ``turned_by_the_clip(limit, angle)``: a gradient of two numbers, between which and its
clip by value at ``limit`` lies ``angle``, in degrees, above 0 and below 45. A clip by norm turns no
gradient at all. Infinitely many answers are right.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import Array, Case, Flaw, Mistake, Properties, require_floats

DEGREES = 0.05
"""Error that is allowed of the angle."""

CASES = tuple(
    Case((limit, angle), f"for limit = {limit:g} and angle = {angle:g}")
    for limit, angle in ((1.0, 20.0), (1.0, 40.0), (0.5, 30.0), (4.0, 10.0), (0.02, 44.0), (25.0, 1.0))
)  # fmt: skip


def between(g: Array, h: Array) -> float:
    """Return the angle between two gradients, in degrees, from 0 to 180."""
    return float(np.degrees(np.arctan2(abs(g[0] * h[1] - g[1] * h[0]), g @ h)))


def turned(g: Array, limit: float) -> float:
    """Return by how many degrees a clip by value turns a gradient."""
    return between(g, np.clip(g, -limit, limit))


def _from_the_diagonal(g: Array) -> float:
    """Return the angle to the nearest diagonal: the most that a clip by value can turn a gradient."""
    return between(np.abs(g), np.ones(2))


def _is(angle: float, wanted: float) -> bool:
    return abs(angle - wanted) < DEGREES


def _read(value: Any, case: Case) -> Array:
    g = require_floats(value, case, "two numbers")
    if g.shape != (2,):
        raise Mistake(
            "shape_changed",
            f"{case.words} it returned an array of shape {g.shape}, not two numbers.",
        )
    if not np.all(np.isfinite(g)):
        raise Mistake(
            "not_finite", f"{case.words} it returned {g.tolist()}, which isn't a gradient to clip."
        )
    if not np.any(g):
        raise Mistake("zero", f"{case.words} it returned zero, which has no direction to turn.")
    return g


def _degrees_as_radians(g: Array, limit: float, angle: float) -> bool:
    """Tell whether the direction, up to signs, is that of an angle in degrees taken for radians."""
    angles = np.array([angle, 45 - angle, 45 + angle, np.pi / 4 - angle, np.pi / 4 + angle])
    directions = np.abs([np.cos(angles), np.sin(angles)]).T
    found = np.abs(g) / np.linalg.norm(g)
    return any(
        np.allclose(found, d, atol=1e-4) or np.allclose(found, d[::-1], atol=1e-4)
        for d in directions
    )


FLAWS = (
    Flaw("limit_ignored",
         "it is turned by the angle where the limit is 1, but not at other limits. A larger limit clips the same "
         "gradient less.",
         lambda g, limit, angle: limit != 1 and _is(turned(g * limit, limit), angle)),
    Flaw("nothing_clipped",
         "{run} both numbers of {given} are within the limit: nothing is clipped, so nothing is "
         "turned.",
         lambda g, limit, angle: bool(np.all(np.abs(g) <= limit))),
    Flaw("on_an_axis",
         "{run} it returned {given}. A clip makes a gradient along an axis smaller, but keeps its direction.",
         lambda g, limit, angle: bool(np.any(g == 0))),
    Flaw("on_the_diagonal",
         "{run} it returned {given}, whose two numbers are equally large. Both are cut to the same size, so the "
         "direction stays.",
         lambda g, limit, angle: _is(_from_the_diagonal(g), 0)),
    Flaw("degrees_as_radians",
         "the angle is given in degrees, and NumPy's functions take radians.",
         _degrees_as_radians),
    Flaw("from_the_axis",
         "{run} the gradient {given} is turned by 45 degrees less the angle: the angle lies between the gradient and "
         "the axis, not between the gradient and its clip.",
         lambda g, limit, angle: _is(turned(g, limit), 45 - angle)),
    Flaw("half", "{run} the gradient {given} is turned by half of the angle.",
         lambda g, limit, angle: _is(turned(g, limit), angle / 2)),
    Flaw("too_short",
         "{run} the gradient {given} has a direction that would do, but is too small: at its size the clip turns it "
         "by less than the angle.",
         lambda g, limit, angle: _is(_from_the_diagonal(g), angle) and turned(g, limit) < angle),
    Flaw("wrong_length",
         "{run} the gradient {given} is turned by another angle. At another size the same direction would be turned "
         "by the right angle.",
         lambda g, limit, angle: _from_the_diagonal(g) > angle),
    Flaw("wrong_direction",
         "{run} the gradient {given} is turned by less than the angle, however large it is made: look at where a very "
         "large gradient ends up.",
         lambda g, limit, angle: _from_the_diagonal(g) < angle),
)  # fmt: skip

EXERCISE = Properties(
    cases=CASES,
    holds=lambda g, limit, angle: _is(turned(g, limit), angle),
    flaws=FLAWS,
    passed="at every limit and every angle tried, the clip by value turns this gradient by that angle.",
    read=_read,
    same="it returns {given}, whatever limit and angle are. The example should fit the limit and the angle given.",
    missed="{run} it returned {given}, which is turned by another angle.",
    quantity="such a gradient",
    draw=lambda random: {
        "limit": random.choice((0.5, 1.0, 2.0, 5.0)),
        "angle": random.choice((10.0, 15.0, 20.0, 30.0, 35.0)),
    },
).exercise(
    "turned_by_the_clip",
    partial={
        "limit_ignored": 0.67,
        "degrees_as_radians": 0.67,
        "too_short": 0.5,
        "from_the_axis": 0.33,
        "half": 0.33,
    },
)
