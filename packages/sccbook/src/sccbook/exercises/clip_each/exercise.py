"""Chapter 18: write ``clip_each(g, c)``, which limits each coordinate of a gradient by itself.

An answer is observed by what it returns for gradients of two numbers, as the chapter's figure has
them: with one coordinate beyond the limit, or both, or none, on either side of 0. One is longer
than the limit though neither of its coordinates is.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    Mistake,
    Observations,
    in_numpy,
    require_not_in_place,
)

norm = np.linalg.norm

CASES = tuple(
    Case((np.array(g), c), f"for g = {g} and c = {c:g}")
    for g, c in (
        ([2.0, 0.5], 1.0),
        ([0.4, -3.0], 2.0),
        ([0.8, -0.8], 1.0),
        ([-2.5, 3.0], 0.5),
        ([-0.3, 0.2], 1.5),
        ([-4.0, -1.25], 3.0),
        ([0.0, 0.0], 1.0),
        ([0.003, -0.004], 0.1),
    )
)


def right(g: np.ndarray, c: Any) -> Any:
    """Return each coordinate as it is, or at the nearer end of ``[-c, c]``."""
    return np.clip(g, -c, c)


def _shortened(order: Any) -> Function:
    """Multiply the gradient by one factor where its norm of this order is above the limit."""
    return lambda g, c: g * (c / norm(g, order)) if norm(g, order) > c else g


def _only(chosen: Function) -> Function:
    """Limit some of the coordinates, and not the others."""
    return lambda g, c: np.where(chosen(g), right(g, c), g)


MISCONCEPTIONS = (
    Misconception("unchanged", "the gradient comes back as it was, however large a coordinate is.",
        lambda g, c: g),
    Misconception("by_norm",
        "the gradient is scaled down as a whole and keeps its direction. That's the clip by norm, from the figure "
        "further up. Here each coordinate is limited by itself.",
        _shortened(2),
        lambda g, c: g * np.minimum(1.0, c / (norm(g) + 1e-6))),
    Misconception("shared_factor",
        "both coordinates are multiplied by the factor that the larger one needs. The smaller one may be within the "
        "limit, and then it should stay as it is.",
        _shortened(np.inf)),
    Misconception("only_above",
        "a coordinate above c is limited, but one below -c isn't: {run} the result should be {expected}, but it is "
        "{given}.",
        lambda g, c: np.minimum(g, c)),
    Misconception("only_below",
        "a coordinate below -c is limited, but one above c isn't: {run} the result should be {expected}, but it is "
        "{given}.",
        lambda g, c: np.maximum(g, -c)),
    Misconception("negatives_lost",
        "a negative coordinate becomes 0. The interval goes from -c to c, not from 0 to c.",
        lambda g, c: np.clip(g, 0.0, c)),
    Misconception("sign_lost",
        "a negative coordinate comes out positive. Only its size is limited; the sign should stay.",
        lambda g, c: np.minimum(np.abs(g), c),
        lambda g, c: np.where(np.abs(g) > c, c, g),
        lambda g, c: np.abs(g)),
    Misconception("ends_swapped",
        "every coordinate comes out the same, whatever the gradient is. The two ends of the interval are swapped.",
        lambda g, c: np.clip(g, c, -c),
        lambda g, c: np.full_like(g, c),
        lambda g, c: np.full_like(g, -c)),
    Misconception("limit_ignored",
        "each coordinate is kept between -1 and 1, whatever c is.",
        lambda g, c: np.clip(g, -1.0, 1.0)),
    Misconception("half_the_interval",
        "each coordinate is limited to half of c. The interval is 2c wide: c on each side of 0.",
        lambda g, c: np.clip(g, -c / 2, c / 2)),
    Misconception("twice_the_interval",
        "a coordinate may still be as large as 2c. The limit is c on each side of 0.",
        lambda g, c: np.clip(g, -2 * c, 2 * c)),
    Misconception("always_limit",
        "each coordinate comes out as large as c, even a small one. A clip never makes a coordinate larger.",
        lambda g, c: c * np.sign(g),
        lambda g, c: c * g / np.abs(g),  # NaN at zero
        lambda g, c: np.where(g < 0, -c, c)),
    Misconception("sign_alone",
        "only the sign of each coordinate is left. A coordinate within the limit should stay as it is.",
        lambda g, c: np.sign(g)),
    Misconception("wrong_way_round",
        "a coordinate within the limit is moved out to it, and a larger one is left alone. It "
        "should be the other way round.",
        lambda g, c: np.sign(g) * np.maximum(np.abs(g), c),
        lambda g, c: np.where(g < 0, np.minimum(g, -c), np.maximum(g, c))),
    Misconception("removed",
        "a coordinate beyond the limit becomes 0. It should come out at the limit.",
        lambda g, c: np.where(np.abs(g) > c, 0.0, g),
        lambda g, c: np.where(np.abs(g) < c, g, 0.0)),
    Misconception("subtracted",
        "what comes back is what should be cut off: the part of each coordinate beyond the limit. That's a soft "
        "threshold, which sets small coordinates to 0 and leaves large ones large.",
        lambda g, c: g - right(g, c)),
    Misconception("shifted",
        "c is subtracted from each coordinate, even from a small one. But c is a bound, not a step.",
        lambda g, c: g - c),
    Misconception("soft",
        "each coordinate is squeezed smoothly, so even small ones change a little. A clip does nothing to a "
        "coordinate within the limit: {run} the result should be {expected}, but it is {given}.",
        lambda g, c: c * np.tanh(g / c),
        lambda g, c: np.tanh(g),
        lambda g, c: c * g / (c + np.abs(g))),
    Misconception("scaled",
        "both coordinates are multiplied by c, and neither is limited. But c is a bound, not a factor.",
        lambda g, c: g * c),
    Misconception("larger_only",
        "only the larger coordinate is limited. Each has the same limit.",
        _only(lambda g: np.abs(g) == np.max(np.abs(g)))),
    Misconception("one_coordinate",
        "only one of the two coordinates is limited, always the same one.",
        _only(lambda g: np.arange(g.size) == 0),
        _only(lambda g: np.arange(g.size) == 1)),
    Misconception("shortened_as_well",
        "each coordinate is limited, and then the whole gradient is scaled down to norm c. Here the limits make a "
        "box, and its corners are farther out than c.",
        lambda g, c: _shortened(2)(right(g, c), c)),
    Misconception("box_in_the_circle",
        "each coordinate is limited to c divided by the root of 2, so that no result has a norm above c. Here the "
        "limit is c itself, and the corners of the box are farther out.",
        lambda g, c: right(g, c / np.sqrt(2))),
    Misconception("relative_limit",
        "each coordinate is limited to c times the gradient's own norm. The limit is c, however large the gradient "
        "is.",
        lambda g, c: np.clip(g, -c * norm(g), c * norm(g))),
)  # fmt: skip

PASSED = (
    "each coordinate beyond the limit comes out at it, on its side of 0, and the others are left alone. A gradient "
    "limited in this way can turn: look at the two arrows."
)


def _first(observations: Observations) -> None:
    require_not_in_place(
        observations,
        "it writes into g. A JAX array can't be changed in place: return a new one.",
    )
    if isinstance(observations.first.value, dict):
        raise Mistake(
            "in_a_dict",
            "it returns a dict. A figure that draws several results needs their names; this "
            "function has one result, so return that by itself.",
        )


EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    first=_first,
    draw=lambda random: {
        "g": np.array(random.choices((-3.0, -1.2, -0.4, 0.3, 0.8, 2.5), k=2)),
        "c": random.choice((0.5, 1.0, 2.0)),
    },
).exercise("clip_each")
