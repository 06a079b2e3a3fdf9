"""Chapter 03: write ``my_test(loss, theta, h)``, which finds where a port's scale line acts.

The port is a black box: ``loss(theta, h, scale)`` returns the losses of steps 1 to K, and can be
differentiated. No value of the loss tells the places apart, so an answer has to look at gradients: with
0 in place of the scale, what passes the line is gone, and the rest is as it was.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sccbook.checking.findings import Mistake
from sccbook.checking.muzero_ports import PLACES, port
from sccbook.checking.parts import (
    Case,
    Comparison,
    Misconception,
    Observations,
    always,
    one_of,
)

ONCE, TOP, BEFORE, AFTER, TWICE, VALUE, OFF = PLACES
NETWORKS = ((4, 6), (2, 8), (4, 14))
"""Steps and seed: a line with s = 1/2 after the heads leaves 0.46, 1.32 and 1.00 of the norm of theta's gradient."""

CASES = tuple(
    Case((place, *network), f"for port {number}")
    for number, (network, place) in enumerate(
        ((network, PLACES[(3 + i) % 7]) for network in NETWORKS for i in range(7)), start=1
    )
)
TRUE = tuple(case.arguments[0] for case in CASES)


@dataclass(frozen=True)
class Symptoms:
    """What a port shows at the scales 1, 1/2, 0 and -1/2: losses, and gradients of theta and of h."""

    loss: tuple[float, ...]
    theta: tuple[np.ndarray, ...]
    root: tuple[np.ndarray, ...]


@lru_cache(maxsize=256)
def _symptoms(place: str, steps: int, seed: int, floats: Any) -> Symptoms:
    """``floats``, the dtype that Python's have in JAX, is there as a part of the key."""
    loss, theta, h = port(place, steps, seed)
    both = jax.value_and_grad(loss, argnums=(0, 1))
    runs = [both(theta, h, s) for s in (1.0, 0.5, 0.0, -0.5)]
    thetas, roots = ([np.asarray(run[1][i]) for run in runs] for i in (0, 1))
    return Symptoms(tuple(float(run[0]) for run in runs), tuple(thetas), tuple(roots))


def _differ(seen: tuple[Any, ...], i: int = 2, j: int = 0) -> bool:
    return not np.allclose(seen[j], seen[i], rtol=1e-5, atol=1e-6)


def right(seen: Symptoms) -> str:
    """Return the place: the value first, then theta at the scale 0, then the root and -1/2."""
    if _differ(seen.loss):
        return VALUE
    if not np.any(seen.theta[2]):
        return BEFORE
    if _differ(seen.theta):
        if not np.any(seen.root[2]):
            return TOP
        return AFTER if _differ(seen.theta, 3, 1) else TWICE
    return ONCE if _differ(seen.root) else OFF


def _parts(seen: Symptoms) -> tuple[float, float]:
    """Return the norms of both gradients at one half, as parts of those at 1."""
    norm = np.linalg.norm
    theta, root = (norm(g[1]) / norm(g[0]) for g in (seen.theta, seen.root))
    return float(theta), float(root)


def _smaller(seen: Symptoms) -> str:
    """Call the line ``after_heads`` where theta's gradient gets smaller, and ``off`` elsewhere."""
    return AFTER if _parts(seen)[0] < 1 else OFF


SMALLER = (
    "smaller_means_scaled",
    "it judges by how large a gradient is at one half. Later losses may pull against a step's own: then the "
    "gradient grows when the line is put in, or stays as large as it was.",
)


def _judged_by_size(names: tuple[str, ...]) -> bool:
    """Tell whether one place got several names, and a gradient's norm alone divides them.

    It's looked for between names of lines that act in the loop and that don't, and between
    ``before_heads`` and the other places in the loop.
    """
    if len(set(zip(TRUE, names, strict=True))) == len(set(TRUE)):
        return False
    parts = [_parts(_symptoms(*case.arguments, jnp.result_type(float))) for case in CASES]
    runs = [run for run in zip(TRUE, names, parts, strict=True) if run[1] != VALUE]
    in_loop = [run for run in runs if run[1] not in (OFF, ONCE)]
    return any(
        _divided(some, group, i)
        for some, group in ((runs, {OFF, ONCE}), (runs, {OFF}), (in_loop, {BEFORE}))
        for i in (0, 1)
    )


def _divided(runs: Any, group: set[str], i: int) -> bool:
    """Tell whether gradient i's norms divide the names in a group from the others, and wrongly."""
    inside, outside = (
        [parts[i] for _, name, parts in runs if (name in group) == there] for there in (True, False)
    )
    wrong = any((place in group) != (name in group) for place, name, _ in runs)
    return bool(wrong and inside and outside) and (
        max(inside) < min(outside) or max(outside) < min(inside)
    )


def _first(observations: Observations) -> None:
    one_of(CASES, PLACES)(observations)
    names = tuple(run.value for run in observations.seen)
    all_named = all(isinstance(name, str) for name in names) and len(names) == len(CASES)
    if all_named and _judged_by_size(names):
        raise Mistake(*SMALLER)


MISCONCEPTIONS = (
    Misconception("only_the_loss",
        "it looks at the loss alone. The loss shows only whether the state itself was multiplied; it's the same "
        "for all the other places.",
        lambda seen: VALUE if _differ(seen.loss) else OFF,
        lambda seen: VALUE if _differ(seen.loss) else AFTER),
    *always(PLACES, "port"),
    Misconception(*SMALLER,
        _smaller, lambda seen: VALUE if _differ(seen.loss) else _smaller(seen)),
    Misconception("value_overlooked",
        "one of the ports multiplies the state itself, so the network computes something else. Its gradients "
        "change as others do. What else changes?",
        *({"value": name} for name in PLACES if name != VALUE)),
    Misconception("acts_or_not",
        "it finds out whether a line acts in the loop, but not where: every line that acts is called "
        "'after_heads'.",
        *({"every_input": AFTER, "before_heads": AFTER, "twice": AFTER, **more} for more in (
            {}, {"before_loop": AFTER}, {"before_loop": AFTER, "value": AFTER}))),
    Misconception("twice_is_once",
        "a line that is called twice in a row is called 'after_heads'. At a scale of 0 the two look alike, since "
        "0 squared is 0. Try another scale as well.",
        {"twice": AFTER}),
    Misconception("once_is_twice",
        "a line that is called once is called 'twice'. At a scale of 0 the two look alike. Try another scale as "
        "well.",
        {"after_heads": TWICE}),
    Misconception("root_ignored",
        "theta's gradient alone can't tell all the places apart. Some differ only in what the root state gets.",
        *({**names, **more} for more in ({}, {"twice": AFTER}) for names in (
            {"every_input": AFTER}, {"after_heads": TOP}, {"every_input": AFTER, "before_loop": OFF},
            {"after_heads": TOP, "before_loop": OFF})),
        {"after_heads": TOP, "twice": TOP}, {"after_heads": TOP, "twice": TOP, "before_loop": OFF}),
    Misconception("theta_ignored",
        "the root state's gradient alone can't tell all the places apart. At a scale of 0 it's 0 for three of them.",
        {"before_heads": TOP}, {"every_input": BEFORE}, {"before_loop": TOP},
        {"before_heads": TOP, "before_loop": TOP}, {"before_heads": ONCE, "every_input": ONCE},
        {"every_input": BEFORE, "before_loop": BEFORE}),
    Misconception("once_is_nowhere",
        "a line that acts once, before the loop, is called 'off'. Theta's gradient doesn't change. Which one does?",
        {"before_loop": OFF}),
    Misconception("nowhere_is_once",
        "a line that doesn't act at all is called 'before_loop'.",
        {"off": ONCE}),
    Misconception("nowhere_is_after",
        "a line that doesn't act at all is called 'after_heads'. It may well be there in the code: but nothing uses "
        "what it returns, or it's below the loop. Does any gradient change?",
        {"off": AFTER}),
    Misconception("before_overlooked",
        "'before_heads' is called 'after_heads'. Both change theta's gradient. At a scale of 0, what is left of it?",
        {"before_heads": AFTER}, {"before_heads": AFTER, "twice": AFTER}),
    Misconception("after_and_before_swapped",
        "'after_heads' and 'before_heads' have changed places. Which of them lets a step's own loss through "
        "at a scale of 0?",
        {"after_heads": BEFORE, "before_heads": AFTER}),
    Misconception("after_and_top_swapped",
        "'after_heads' and 'every_input' have changed places. Which of them sits between the root and the "
        "first step?",
        {"after_heads": TOP, "every_input": AFTER}),
)  # fmt: skip


EXERCISE = Comparison(
    probe="of_port",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"your function names the right place for all {len(CASES)} ports.",
    reference_probe=lambda answer, *given: answer(_symptoms(*given, jnp.result_type(float))),
    first=_first,
    quantity="the answer",
).exercise(
    "find_the_line",
    partial={
        "twice_is_once": 0.75,
        "once_is_twice": 0.75,
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
