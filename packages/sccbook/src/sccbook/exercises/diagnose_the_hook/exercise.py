"""Chapter 09: write ``my_diagnosis(before, after, limit)``, which says what a hook at a state does.

Recorded are the gradients of a batch before and after a hook that was meant to clip each example at the
limit. Each hook has one fault or none, and one batch tells which.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
)


def _shortened(axis: int | None = 1, root: bool = False, always: bool = False) -> Function:
    """Make a hook that multiplies by limit / norm where that is below 1, except for its fault."""

    def hook(g: Array, limit: float) -> Any:
        norm = np.linalg.norm(g, axis=axis, keepdims=True)
        factor = limit / (np.sqrt(norm) if root else norm)
        return g * (factor if always else np.minimum(1.0, factor))

    return hook


HOOKS: dict[str, Function] = {
    "right": _shortened(),
    "root": _shortened(root=True),
    "no_minimum": _shortened(always=True),
    "whole_batch": _shortened(axis=None),
    "wrong_axis": _shortened(axis=0),
    "by_value": lambda g, limit: np.clip(g, -limit, limit),
}
"""The hooks by what they do: from the gradients ``[B, D]`` and the limit to what they hand on."""
RIGHT, ROOT, NO_MINIMUM, WHOLE_BATCH, WRONG_AXIS, BY_VALUE = HOOKS

NAMES = (WHOLE_BATCH, ROOT, RIGHT, BY_VALUE, NO_MINIMUM, WRONG_AXIS)
BATCHES = ((3, 2, 1.0, 1), (4, 3, 2.0, 2), (6, 4, 0.5, 3))
"""B, D, the limit and a seed."""


def record(name: str, examples: int, size: int, limit: float, seed: int) -> tuple[Any, ...]:
    """Return a batch before and after the hook of a name, and the limit: some rows are short, some long."""
    source = np.random.default_rng(seed)
    before = source.normal(size=(examples, size))
    lengths = limit * np.where(np.arange(examples) % 2, 0.3, 4.0) * source.uniform(1, 2, examples)
    before *= (lengths / np.linalg.norm(before, axis=1))[:, None]
    return before, HOOKS[name](before, limit), limit


CASES = tuple(
    Case(record(name, *batch), f"for hook {number}")
    for number, (name, batch) in enumerate(
        ((name, batch) for batch in BATCHES for name in NAMES), start=1
    )
)


def right(before: Array, after: Array, limit: float) -> str:
    """Return the name of the only hook that does this."""
    (name,) = (
        name for name, hook in HOOKS.items() if np.allclose(hook(before, limit), after, rtol=1e-5)
    )
    return name


def _by_length(otherwise: str) -> Function:
    """Call a hook right if no row comes out too long."""

    def answer(before: Array, after: Array, limit: float) -> str:
        longest = np.max(np.linalg.norm(after, axis=1))
        return RIGHT if longest <= 1.001 * limit else otherwise

    return answer


def _across(before: Array, after: Array, limit: float) -> str:
    """Compare with hooks that take a column for an example."""
    left = {name: hook(before.T, limit).T for name, hook in HOOKS.items()}
    return min(left, key=lambda name: float(np.abs(left[name] - after).max()))


_UNTURNED = {"root": RIGHT, "no_minimum": RIGHT, "whole_batch": RIGHT}

MISCONCEPTIONS = (
    *always(HOOKS, "hook"),
    Misconception("across",
        "the norms are taken along the wrong axis: in [B, D] an example is a row, so squares are added up over its D "
        "entries.",
        _across, {"right": WRONG_AXIS, "wrong_axis": RIGHT}),
    Misconception("turns_alone",
        "it asks only whether a row is turned. Three of the faults turn no row. What norm does each row come out "
        "with, the rows below the limit included?",
        _UNTURNED, _UNTURNED | {"by_value": WRONG_AXIS}, _UNTURNED | {"wrong_axis": BY_VALUE}),
    Misconception("by_value_by_size",
        "it says 'by_value' as soon as no entry is above the limit. A clip of each row's norm leaves none above it "
        "either.",
        lambda before, after, limit: (
            BY_VALUE if np.all(np.abs(after) <= 1.001 * limit) else right(before, after, limit))),
    Misconception("only_the_limit",
        "it asks only whether any row is still above the limit. Some faulty hooks pass that test. Compare what comes "
        "out with what went in.",
        *(_by_length(name) for name in HOOKS if name != RIGHT)),
    Misconception("short_rows_overlooked",
        "'no_minimum' is overlooked: it does the right thing with rows above the limit. What does it do with the "
        "others?",
        *({"no_minimum": name} for name in HOOKS if name != NO_MINIMUM)),
    Misconception("neighbours_overlooked",
        "'whole_batch' is overlooked. It turns no row, and none comes out above the limit. Does a row below the limit "
        "stay as it was?",
        *({"whole_batch": name} for name in HOOKS if name != WHOLE_BATCH)),
    Misconception("short_rows_not_asked",
        "'no_minimum' and 'whole_batch' are overlooked: both leave no row above the limit. Does a row below the limit "
        "stay as it was?",
        {"no_minimum": RIGHT, "whole_batch": RIGHT}),
    Misconception("root_overlooked",
        "'root' is overlooked. It turns no row, but large rows come out with different norms. What norm does a row of "
        "norm n come out with?",
        *({"root": name} for name in HOOKS if name != ROOT)),
    Misconception("turned_overlooked",
        "two of the hooks turn rows, and your function misses that. Are all entries of a row multiplied by one "
        "factor?",
        *({"by_value": a, "wrong_axis": b} for a in (RIGHT, ROOT, WHOLE_BATCH) for b in (RIGHT, ROOT, WHOLE_BATCH)),
        *({"by_value": name} for name in (RIGHT, ROOT, WHOLE_BATCH, NO_MINIMUM)),
        *({"wrong_axis": name} for name in (RIGHT, ROOT, WHOLE_BATCH, NO_MINIMUM))),
    Misconception("turned_by_which",
        "'by_value' and 'wrong_axis' are confused. Both turn rows. Which of them multiplies a whole column by one "
        "factor?",
        {"by_value": WRONG_AXIS}, {"wrong_axis": BY_VALUE},
        {"by_value": WRONG_AXIS, "wrong_axis": BY_VALUE}),
    Misconception("right_suspected",
        "a hook without a fault is said to have one. It leaves rows below the limit as they are, and scales each of "
        "the others down to the limit.",
        *({"right": name} for name in HOOKS if name != RIGHT)),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"your function identifies what each of the {len(CASES)} hooks does.",
    first=one_of(CASES, tuple(HOOKS)),
    quantity="the answer",
).exercise(
    "diagnose_the_hook",
    partial={
        "across": 0.5,
        "turns_alone": 0.25,
        "by_value_by_size": 0.25,
        "only_the_limit": 0.25,
        "short_rows_overlooked": 0.5,
        "neighbours_overlooked": 0.5,
        "short_rows_not_asked": 0.25,
        "root_overlooked": 0.5,
        "turned_overlooked": 0.5,
        "turned_by_which": 0.75,
        "right_suspected": 0.5,
    },
)
"""An answer is called as ``answer(before, after, limit)`` and returns one of ``HOOKS``."""
