"""Assignment 7: write ``loss_scales(largest, start, interval)``, a loss scale that finds its level.

At step n the gradients are finite if the loss scale is at most ``largest[n]``. Asked for are the scales at which the
steps are computed: a step that isn't finite is skipped and halves the scale, and ``interval`` finite steps in a row
double it.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
)

CASES = tuple(
    Case(
        (np.repeat(2.0 ** np.array(levels), counts), 2.0**start, interval),
        f"for start = {2**start}, interval = {interval} and {sum(counts)} steps with largest = "
        + ", then ".join(
            f"{2.0**level:g} for {n}" for level, n in zip(levels, counts, strict=True)
        ),
    )
    for levels, counts, start, interval in (
        ([10], [12], 10, 4),
        ([5], [14], 8, 3),
        ([6, 3, 9], [9, 7, 23], 6, 4),
        ([12.5], [20], 4, 2),
        ([7, 6.5, 2], [10, 20, 10], 9, 5),
        ([3, 1, 3, 1, 6], [4, 1, 4, 1, 30], 3, 6),
    )
)


def schedule(
    *,
    grows: float = 2.0,
    shrinks: float = 0.5,
    more: int = 0,
    resets: bool = True,
    again: bool = True,
    strict: bool = False,
    every: bool = False,
    after: bool = False,
) -> Function:
    """Make the right schedule of the scale, or one with something changed.

    Args:
      grows: the factor after ``interval`` finite steps.
      shrinks: the factor after a step that isn't finite.
      more: so many finite steps more are waited for.
      resets: whether a skipped step starts the count again.
      again: whether a growth does.
      strict: whether a scale that equals the largest one overflows, too.
      every: whether the step's number is asked for, in place of a count.
      after: whether the scale after each step is noted, in place of the one that the step had.
    """

    def answer(largest: Array, start: float, interval: int) -> Array:
        scale, count, used, left = start, 0, [], []
        for n, most in enumerate(largest):
            used.append(scale)
            if scale > most or (strict and scale == most):
                scale *= shrinks
                count = 0 if resets else count
            else:
                count += 1
                if (n + 1) % interval == 0 if every else count >= interval + more:
                    scale *= grows
                    count = 0 if again else count
            left.append(scale)
        return np.array(left if after else used)

    return answer


right = schedule()


def _read(value: Any, case: Case) -> Any:
    """Return a list of numbers as an array, and anything else as it is."""
    row = isinstance(value, list | tuple) and all(
        isinstance(one, int | float) or (isinstance(one, np.ndarray) and one.shape == ())
        for one in value
    )
    return np.array(value, float) if row else value


MISCONCEPTIONS = (
    Misconception("constant", "the scale stays where it starts.", schedule(grows=1.0, shrinks=1.0)),
    Misconception("never_grows",
        "the scale goes down and never up again: after one bad batch, the scale is too small for the rest of the run.",
        schedule(grows=1.0)),
    Misconception("never_shrinks",
        "the scale never goes down, so every step after the first overflow is skipped.",
        schedule(shrinks=1.0)),
    Misconception("after_the_step",
        "the scales are right, but come one step too early: it returns the scale after each step. The first step uses "
        "start.",
        schedule(after=True)),
    Misconception("skips_do_not_reset",
        "the count of finite steps goes on after a skipped step. The finite steps have to come in a row.",
        schedule(resets=False)),
    Misconception("growth_does_not_reset",
        "once the scale has grown, it grows again at every finite step. When should the count start again?",
        schedule(again=False)),
    Misconception("by_number",
        "the scale grows at fixed steps of the run. Count the steps from the last change of the scale.",
        schedule(every=True)),
    Misconception("one_too_many",
        "it waits for one more finite step than the interval before it doubles the scale.",
        schedule(more=1)),
    Misconception("one_too_few",
        "it doubles the scale one finite step too early.",
        schedule(more=-1)),
    Misconception("equal_overflows",
        "a step whose scale equals the largest one is skipped. At that scale the gradients are still finite.",
        schedule(strict=True)),
    Misconception("other_factors",
        "the scale changes at the right steps, but by a factor other than 2.",
        *(schedule(grows=grows, shrinks=shrinks)
          for grows in (1.5, 2.0, 4.0, 10.0) for shrinks in (0.1, 0.25, 0.5, 0.75) if (grows, shrinks) != (2.0, 0.5))),
    Misconception("at_the_largest",
        "it returns the largest scale at which each step is finite. Nobody knows that scale before the step: a run finds "
        "out by skipping.",
        lambda largest, start, interval: largest,
        lambda largest, start, interval: np.minimum(largest, start)),
)  # fmt: skip

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="the scale comes down where it has to, and is doubled again after every interval of finite steps.",
    read=_read,
    quantity="the row of scales",
).exercise(
    "loss_scales",
    partial={
        "never_grows": 0.25,
        "after_the_step": 0.75,
        "skips_do_not_reset": 0.75,
        "growth_does_not_reset": 0.5,
        "by_number": 0.25,
        "one_too_many": 0.75,
        "one_too_few": 0.75,
        "equal_overflows": 0.75,
        "other_factors": 0.75,
    },
)
"""An answer is called as ``answer(largest, start, interval)`` and returns an array or a list, one scale a step."""
