"""Assignment 6: write ``name_the_placement(through, root, s)``, which reads a ledger.

Given are the coefficients that were measured of an unroll: ``through [K, K]``, with which loss k
reaches the parameters through application j, ``root [K]``, with which it reaches the root state, and the
scale s. Each loss is weighted 1/K. The answer is the name of the place where the scale stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Misconception
from gradlab.exercises.checking.findings import Case, Exercise, Finding
from gradlab.exercises.checking.probes import Answered

AFTER, EVERY, BEFORE, OFF = "after_heads", "every_input", "before_heads", "off"
NAMES = (AFTER, EVERY, BEFORE, OFF)
NOISE = 1e-6
"""The part by which a measured coefficient is off, as in float32."""


def measured(steps: int, scale: float, placement: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients of a placement, each off by a little: ``[K, K]`` and ``[K]``."""
    k = np.arange(1, steps + 1)
    lag = k[:, None] - k[None, :]
    s = 1.0 if placement == OFF else scale
    more = 1 if placement == BEFORE else 0
    through = np.where(lag >= 0, np.power(s, np.maximum(lag, 0) + more), 0.0) / steps
    root = np.power(s, k - (placement == AFTER)) / steps
    rng = np.random.default_rng(seed)
    off = [1 + NOISE * rng.uniform(-1, 1, one.shape) for one in (through, root)]
    return through * off[0], root * off[1]


def _case(steps: int, scale: float, placement: str, seed: int) -> Case:
    through, root = measured(steps, scale, placement, seed)
    return Case(
        (through, root, scale), f"for K = {steps}, s = {scale:g} and a scale that is {placement!r}"
    )


CASES = tuple(
    _case(steps, scale, placement, seed)
    for seed, (steps, scale) in enumerate([(5, 0.5), (3, 0.25), (2, 0.9), (4, 0.0), (6, 2.0)])
    for placement in NAMES
)


def right(through: Any, root: Any, s: float) -> str:
    """Loss 1 passes no gate to application 1, unless it stands before the heads; the root tells the rest."""
    weight = 1 / len(root)
    if not np.isclose(through[0, 0], weight, rtol=1e-4):
        return BEFORE
    if np.isclose(through[1, 0], weight, rtol=1e-4):
        return OFF
    return AFTER if np.isclose(root[0], weight, rtol=1e-4) else EVERY


def _renamed(**names: str) -> Callable[..., str]:
    """The right answer, with some names in place of others."""

    def answer(through: Any, root: Any, s: float) -> str:
        found = right(through, root, s)
        return names.get(found, found)

    return answer


def _always(name: str) -> Misconception:
    return Misconception(
        "always_the_same",
        f"it says {name!r}, whatever was measured. A comparison that never holds would do that: each loss "
        "is weighted 1/K, and what is measured is off in its last digits.",
        lambda through, root, s: name,
    )


def _by_the_root(through: Any, root: Any, s: float) -> str:
    found = right(through, root, s)
    return EVERY if found == BEFORE else found


MISCONCEPTIONS = (
    *map(_always, NAMES),
    Misconception("root_ignored",
        "two placements are told apart by the root alone, and it is not looked at: what is 'every_input' is "
        "called 'after_heads'.",
        _renamed(every_input=AFTER)),
    Misconception("root_ignored",
        "two placements are told apart by the root alone, and it is not looked at: what is 'after_heads' is "
        "called 'every_input'.",
        _renamed(after_heads=EVERY)),
    Misconception("through_ignored",
        "'before_heads' is called 'every_input': at the root the two are the same. Look at what an application "
        "hears of its own loss.",
        _by_the_root),
    Misconception("through_ignored",
        "'every_input' is called 'before_heads': at the root the two are the same. Look at what an application "
        "hears of its own loss.",
        _renamed(every_input=BEFORE)),
    Misconception("after_and_before_swapped",
        "'after_heads' and 'before_heads' have changed places. Which of them is a step's own loss scaled by?",
        _renamed(after_heads=BEFORE, before_heads=AFTER)),
    Misconception("after_and_every_swapped",
        "'after_heads' and 'every_input' have changed places. With a gate at every input, the "
        "first too, loss 1 passes one on its way to the root; after the heads it passes none.",
        _renamed(after_heads=EVERY, every_input=AFTER)),
    Misconception("every_and_before_swapped",
        "'every_input' and 'before_heads' have changed places.",
        _renamed(every_input=BEFORE, before_heads=EVERY)),
    Misconception("off_overlooked",
        "a ledger in which nothing is scaled is called 'after_heads'. Look at a loss that comes from further "
        "back.",
        _renamed(off=AFTER)),
    Misconception("off_overlooked",
        "a ledger in which nothing is scaled is called 'every_input'. Look at a loss that comes from further "
        "back.",
        _renamed(off=EVERY)),
    Misconception("scaled_or_not",
        "it tells only whether a scale acts, and not where: whatever is scaled is called 'after_heads'.",
        _renamed(every_input=AFTER, before_heads=AFTER)),
    Misconception("paper_or_before",
        "whatever is not 'before_heads' is called 'after_heads'.",
        _renamed(every_input=AFTER, off=AFTER)),
    Misconception("before_overlooked",
        "'before_heads' is called 'after_heads': both fall by s from lag to lag. Look at where they begin.",
        _renamed(before_heads=AFTER)),
    Misconception("before_overlooked",
        "'before_heads' is called 'off'.",
        _renamed(before_heads=OFF)),
    Misconception("off_and_after_swapped",
        "'off' and 'after_heads' have changed places.",
        _renamed(off=AFTER, after_heads=OFF)),
)  # fmt: skip

compare = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="every placement is told from every other, at five scales and lengths.",
    what="the name",
)


def judge(answered: Answered) -> Finding:
    """Finds what an answer, ``name_the_placement(through, root, s)``, gets wrong."""
    for case, one in zip(CASES, answered.seen, strict=False):
        if isinstance(one.value, str) and one.value not in NAMES:
            known = ", ".join(map(repr, NAMES))
            return Finding(
                "not_a_name", f"{case.words} it returned {one.value[:40]!r}. The names are {known}."
            )
    return compare(answered)


EXERCISE = Exercise(
    "name_the_placement",
    probe="returned",
    cases=CASES,
    judge=judge,
    partial={
        "root_ignored": 0.5,
        "through_ignored": 0.5,
        "off_overlooked": 0.75,
        "before_overlooked": 0.5,
        "after_and_before_swapped": 0.25,
        "after_and_every_swapped": 0.5,
        "every_and_before_swapped": 0.5,
    },
)
