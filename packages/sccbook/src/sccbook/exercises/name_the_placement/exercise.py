"""Assignment 6: write ``name_the_placement(through, root, s)``, which reads a ledger.

Given are the coefficients that were measured of an unroll: ``through [K, K]``, with which loss k
reaches the parameters through step j, ``root [K]``, with which it reaches the root state, and the
scale s. Each loss is weighted 1/K. The answer is the name of the place where the scale is.
"""

import numpy as np

from sccbook.checking.parts import (
    Case,
    Comparison,
    Misconception,
    always,
    one_of,
)

AFTER, EVERY, BEFORE, OFF = "after_heads", "every_input", "before_heads", "off"
NAMES = (AFTER, EVERY, BEFORE, OFF)
NOISE = 1e-6
"""The part by which a measured coefficient is off, as in float32."""


def measured(steps: int, scale: float, placement: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of a placement, each slightly off: ``[K, K]`` and ``[K]``."""
    k = np.arange(1, steps + 1)
    lag = k[:, None] - k[None, :]
    s = 1.0 if placement == OFF else scale
    through = np.where(lag >= 0, s ** (np.maximum(lag, 0) + (placement == BEFORE)), 0.0) / steps
    root = s ** (k - (placement == AFTER)) / steps
    rng = np.random.default_rng(seed)
    through = through * (1 + NOISE * rng.uniform(-1, 1, through.shape))
    return through, root * (1 + NOISE * rng.uniform(-1, 1, root.shape))


def _case(steps: int, scale: float, placement: str, seed: int) -> Case:
    words = f"for K = {steps}, s = {scale:g} and a scale that is {placement!r}"
    return Case((*measured(steps, scale, placement, seed), scale), words)


CASES = tuple(
    _case(steps, scale, placement, seed)
    for seed, (steps, scale) in enumerate([(5, 0.5), (3, 0.25), (2, 0.9), (4, 0.0), (6, 2.0)])
    for placement in NAMES
)


def right(through: np.ndarray, root: np.ndarray, s: float) -> str:
    """Return the name of the place.

    Loss 1 passes no scale to step 1, unless the scale is before the heads; the root tells the rest.
    """
    weight = 1 / len(root)
    if not np.isclose(through[0, 0], weight, rtol=1e-4):
        return BEFORE
    if np.isclose(through[1, 0], weight, rtol=1e-4):
        return OFF
    return AFTER if np.isclose(root[0], weight, rtol=1e-4) else EVERY


MISCONCEPTIONS = (
    *always(NAMES, "ledger",
        "A comparison that never holds would do that: each loss is weighted 1/K, and what is measured is off in its "
        "last digits."),
    Misconception("root_ignored",
        "only the root tells these two placements apart, and you don't look at it: 'every_input' "
        "is called 'after_heads'.",
        {"every_input": AFTER}),
    Misconception("root_ignored",
        "only the root tells these two placements apart, and you don't look at it: 'after_heads' "
        "is called 'every_input'.",
        {"after_heads": EVERY}),
    Misconception("through_ignored",
        "'before_heads' is called 'every_input'. At the root the two are the same. Look at what a "
        "step gets from its own loss.",
        {"before_heads": EVERY}),
    Misconception("through_ignored",
        "'every_input' is called 'before_heads'. At the root the two are the same. Look at what a "
        "step gets from its own loss.",
        {"every_input": BEFORE}),
    Misconception("after_and_before_swapped",
        "'after_heads' and 'before_heads' have changed places. Which of them scales a step's own "
        "loss?",
        {"after_heads": BEFORE, "before_heads": AFTER}),
    Misconception("after_and_every_swapped",
        "'after_heads' and 'every_input' have changed places. With a scale at every input, the "
        "first included, loss 1 passes one on its way to the root. After the heads it passes "
        "none.",
        {"after_heads": EVERY, "every_input": AFTER}),
    Misconception("every_and_before_swapped",
        "'every_input' and 'before_heads' have changed places.",
        {"every_input": BEFORE, "before_heads": EVERY}),
    Misconception("off_overlooked",
        "a ledger in which nothing is scaled is called 'after_heads'. Look at a loss that goes "
        "back several steps.",
        {"off": AFTER}),
    Misconception("off_overlooked",
        "a ledger in which nothing is scaled is called 'every_input'. Look at a loss that goes "
        "back several steps.",
        {"off": EVERY}),
    Misconception("scaled_or_not",
        "your answer tells whether there's a scale, but not where: whatever is scaled is called "
        "'after_heads'.",
        {"every_input": AFTER, "before_heads": AFTER}),
    Misconception("paper_or_before",
        "everything but 'before_heads' is called 'after_heads'.",
        {"every_input": AFTER, "off": AFTER}),
    Misconception("before_overlooked",
        "'before_heads' is called 'after_heads'. Both fall by s for each step back. Look at where "
        "they begin.",
        {"before_heads": AFTER}),
    Misconception("before_overlooked",
        "'before_heads' is called 'off'.",
        {"before_heads": OFF}),
    Misconception("off_and_after_swapped",
        "'off' and 'after_heads' have changed places.",
        {"off": AFTER, "after_heads": OFF}),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="every placement is told from every other, at five scales and lengths.",
    first=one_of(CASES, NAMES),
    quantity="the name",
).exercise(
    "name_the_placement",
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
