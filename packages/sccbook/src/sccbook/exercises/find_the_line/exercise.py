"""Chapter 03: write ``my_test(loss, theta, h)``, which finds where the scale line of a port sits.

The port is a black box: ``loss(theta, h, scale)`` returns the losses of steps 1 to K, and can be
differentiated. No value of the loss tells the places of the line apart, so an answer has to look at the
gradients: at 0 in place of the half what passes the line is gone, and what does not is whole.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sccbook.checking.muzero_ports import PLACES, port
from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
)

ONCE, TOP, BEFORE, AFTER, VALUE, OFF = PLACES
NETWORKS = ((4, 6), (2, 8), (4, 14))
"""Steps and seed: with the half after the heads the dynamics' gradient has 0.46, 1.32 and 1.00 of its length."""

CASES = tuple(
    Case((place, *network), f"for port {number}")
    for number, (network, place) in enumerate(
        ((network, PLACES[(3 + i) % 6]) for network in NETWORKS for i in range(6)), start=1
    )
)


@dataclass(frozen=True)
class Symptoms:
    """What a port shows at the scales 1, 1/2 and 0: losses, and gradients of theta and of h."""

    loss: tuple[float, ...]
    theta: tuple[np.ndarray, ...]
    root: tuple[np.ndarray, ...]


@lru_cache(maxsize=256)
def _symptoms(place: str, steps: int, seed: int, floats: Any) -> Symptoms:
    """``floats``, the dtype that Python's have in JAX, is there as a part of the key."""
    loss, theta, h = port(place, steps, seed)
    runs = [jax.value_and_grad(loss, argnums=(0, 1))(theta, h, s) for s in (1.0, 0.5, 0.0)]
    thetas, roots = ([np.asarray(run[1][i]) for run in runs] for i in (0, 1))
    return Symptoms(tuple(float(run[0]) for run in runs), tuple(thetas), tuple(roots))


def _differ(seen: tuple[Any, ...], i: int = 2) -> bool:
    return not np.allclose(seen[0], seen[i], rtol=1e-5, atol=1e-6)


def right(seen: Symptoms) -> str:
    """Return the place: the value first, then theta at the scale 0, then the root."""
    if _differ(seen.loss):
        return VALUE
    if not np.any(seen.theta[2]):
        return BEFORE
    if _differ(seen.theta):
        return AFTER if np.any(seen.root[2]) else TOP
    return ONCE if _differ(seen.root) else OFF


def _shorter(*, value: bool) -> Function:
    """Compare the length of theta's gradient at one half with that at 1."""

    def answer(seen: Symptoms) -> str:
        if value and _differ(seen.loss):
            return VALUE
        whole, half = (np.linalg.norm(g) for g in seen.theta[:2])
        return AFTER if half < whole else OFF

    return answer


def _by_lengths(theta: float, root: float, top: str, near: float) -> Function:
    """Decide everything but the value by the lengths of both gradients at one half and at 1.

    Args:
      theta: a length of theta's below this part of the whole means before the heads.
      root: and one of the root's below this part another place.
      top: its name.
      near: a part above this is the whole.
    """

    def answer(seen: Symptoms) -> str:
        if _differ(seen.loss):
            return VALUE
        of_theta, of_root = (
            np.linalg.norm(g[1]) / np.linalg.norm(g[0]) for g in (seen.theta, seen.root)
        )
        if of_theta > near:
            return ONCE if of_root < near else OFF
        if of_theta < theta:
            return BEFORE
        return top if of_root < root else AFTER

    return answer


MISCONCEPTIONS = (
    Misconception("only_the_loss",
        "it looks at the loss alone. The loss only shows whether the state itself was multiplied; it is the same "
        "for all the other places.",
        lambda seen: VALUE if _differ(seen.loss) else OFF,
        lambda seen: VALUE if _differ(seen.loss) else AFTER),
    *always(PLACES, "port"),
    Misconception("value_overlooked",
        "one of the ports multiplies the state itself, so that the network computes something else. Its "
        "gradients change as others do. What else does?",
        *({"value": name} for name in PLACES if name != VALUE)),
    Misconception("shorter_means_scaled",
        "it compares lengths. What comes from further off may point against what comes from near: then the "
        "gradient gets longer when the line is put in, or keeps its length.",
        _shorter(value=True), _shorter(value=False),
        *(_by_lengths(theta, root, top, near)
          for theta in (0.0, 0.5, 0.6, 0.75) for root in (0.0, 0.25, 0.5, 0.75)
          for top in (TOP, BEFORE) for near in (0.99, 1.0))),
    Misconception("acts_or_not",
        "it tells whether a line acts in the loop, and not where: whatever acts is called 'after_heads'.",
        {"every_input": AFTER, "before_heads": AFTER},
        {"every_input": AFTER, "before_heads": AFTER, "before_loop": AFTER},
        {"every_input": AFTER, "before_heads": AFTER, "before_loop": AFTER, "value": AFTER}),
    Misconception("root_ignored",
        "the gradient of theta cannot tell all places apart. Some differ only in what the root state "
        "receives.",
        {"every_input": AFTER}, {"after_heads": TOP}, {"every_input": AFTER, "before_loop": OFF},
        {"after_heads": TOP, "before_loop": OFF}),
    Misconception("theta_ignored",
        "the gradient of the root state cannot tell all places apart. At a scale of 0 the root receives "
        "nothing from three of them.",
        {"before_heads": TOP}, {"every_input": BEFORE}, {"before_loop": TOP},
        {"before_heads": TOP, "before_loop": TOP}, {"before_heads": ONCE, "every_input": ONCE},
        {"every_input": BEFORE, "before_loop": BEFORE}),
    Misconception("once_is_nowhere",
        "a line that acts once, before the loop, is called 'off'. Theta does not feel it. What does?",
        {"before_loop": OFF}),
    Misconception("nowhere_is_once",
        "a line that does not act at all is called 'before_loop'.",
        {"off": ONCE}),
    Misconception("nowhere_is_after",
        "a line that does not act at all is called 'after_heads'. In somebody's code it may indeed come after "
        "the heads, but below the loop, where no gradient passes it.",
        {"off": AFTER}),
    Misconception("before_overlooked",
        "'before_heads' is called 'after_heads'. Both change what theta receives. At a scale of 0, what is "
        "left of it?",
        {"before_heads": AFTER}),
    Misconception("after_and_before_swapped",
        "'after_heads' and 'before_heads' have changed places. Which of them lets a step's own loss through "
        "at a scale of 0?",
        {"after_heads": BEFORE, "before_heads": AFTER}),
    Misconception("after_and_top_swapped",
        "'after_heads' and 'every_input' have changed places. Which of them sits between the root and the "
        "first application?",
        {"after_heads": TOP, "every_input": AFTER}),
)  # fmt: skip


EXERCISE = Comparison(
    probe="of_port",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"your function names the right place for all {len(CASES)} ports.",
    reference_probe=lambda answer, *given: answer(_symptoms(*given, jnp.result_type(float))),
    first=one_of(CASES, PLACES),
    quantity="the answer",
).exercise(
    "find_the_line",
    partial={
        "value_overlooked": 0.75,
        "root_ignored": 0.5,
        "theta_ignored": 0.5,
        "once_is_nowhere": 0.75,
        "nowhere_is_once": 0.75,
        "before_overlooked": 0.5,
        "after_and_before_swapped": 0.5,
        "after_and_top_swapped": 0.5,
    },
)
"""An answer is called as ``answer(loss, theta, h)`` and returns one of ``PLACES``."""
