"""Chapter 06: write ``coefficients_by_hand(K, s, placement)``, the factors of a ledger.

An answer is observed by the two arrays that it returns, ``through [K, K]`` and ``root [K]``, for
three placements, several scales, and an unroll of one step.
"""

from typing import Any

import numpy as np

from sccbook.checking.parts import Case, Comparison, Function, Misconception, in_numpy

AFTER, EVERY, BEFORE = "after_heads", "every_input", "before_heads"

CASES = tuple(
    Case((steps, scale, placement), f"for K = {steps}, s = {scale:g} and {placement!r}")
    for steps, scale in ((3, 0.5), (4, 0.8), (1, 0.3), (2, 3.0), (3, 1.0), (3, 0.0))
    for placement in (AFTER, EVERY, BEFORE)
)


def _ledger(
    scales: Function = lambda k, j, at: k - j + (at == BEFORE),
    root: Function = lambda k, at: k - (at == AFTER),
    weight: Function = lambda k: 1.0 / k.size,
    present: Function = lambda k, j: j <= k,
    masked: bool = True,
) -> Function:
    """Make the right factors, or some with a piece replaced: scales, those to the root, weights, entries."""

    def ledger(steps: int, scale: float, placement: str) -> tuple[np.ndarray, np.ndarray]:
        k = np.arange(1.0, steps + 1)  # floats: a negative power of 0 is infinite
        down, across = k[:, None], k[None, :]
        powers = np.float64(scale) ** scales(down, across, placement) * np.ones((steps, steps))
        there = present(down, across)
        through = np.where(there, powers, 0.0) if masked else powers * there
        to_root = np.float64(scale) ** root(k, placement) * np.ones(steps)
        return through * np.reshape(weight(k), (-1, 1)), to_root * weight(k)

    return ledger


right = _ledger()


def _changed(change: Function) -> Function:
    """Change the right factors afterwards: ``change(through, root, scale)``."""
    return lambda steps, scale, at: change(*right(steps, scale, at), scale)


def _always(placement: str) -> Function:
    return lambda steps, scale, _: right(steps, scale, placement)


_ONE_MORE: dict[str, Any] = {
    "scales": lambda k, j, at: k - j + 1 + (at == BEFORE),
    "root": lambda k, at: k + 1 - (at == AFTER),
}

MISCONCEPTIONS = (
    Misconception("one_placement",
        "you ignore the placement: all three of yours give the same factors. For each of them, follow a gradient "
        "back and count the scales it passes.",
        _always(AFTER), _always(EVERY), _always(BEFORE),
        _ledger(scales=lambda k, j, at: k - j, root=lambda k, at: k + 1)),
    Misconception("every_input_is_after_heads",
        "`through` is right. At the root you treat two placements as one. They differ there: one scales "
        "the root state itself, the other begins after the first step.",
        _ledger(root=lambda k, at: k - (at != BEFORE))),
    Misconception("root_unscaled_itself",
        "`through` is right. At the root one scale is missing for two of the placements: the first step's "
        "own scale is on the way there, too.",
        _ledger(root=lambda k, at: k - 1)),
    Misconception("root_one_too_many",
        "`through` is right. At the root, {run}, you count a scale that isn't there: the pseudocode "
        "doesn't scale the root state.",
        _ledger(root=lambda k, at: k)),
    Misconception("one_root_off",
        "`through` is right. At the root, {run}, the power is off by one. Follow loss 1 back to the root, and count "
        "the scales it passes.",
        *(_ledger(root=lambda k, at, of=of, more=more: k - (at == AFTER) + more * (at == of))
          for of in (AFTER, EVERY, BEFORE) for more in (1, -1)),
        _ledger(root=lambda k, at: k - (at == AFTER) + 1), _ledger(root=lambda k, at: k - (at == AFTER) - 1),
        _ledger(root=lambda k, at: np.maximum(k - (at == AFTER) - 1, 0)),
        _ledger(root=lambda k, at: k + (at != AFTER) - (at == AFTER))),
    Misconception("root_unscaled",
        "`through` is right, but the root gets every loss unscaled. What gets there has passed all the "
        "scales on the way.",
        _ledger(root=lambda k, at: 0 * k)),
    Misconception("root_reversed",
        "the root's entries are in reverse order. The last loss is the farthest from the root.",
        _changed(lambda through, root, s: (through, root[::-1]))),
    Misconception("before_is_after",
        "before and after the heads have the same factors in `through`. Before the heads, a loss passes "
        "the scale at its own state as well.",
        lambda steps, s, at: (right(steps, s, AFTER)[0], right(steps, s, at)[1]),
        _ledger(scales=lambda k, j, at: k - j)),
    Misconception("heads_the_wrong_way_round",
        "you have swapped before and after the heads. \"After\" means in the forward pass: the head "
        "reads the state first and the scale follows, so the head's own gradient doesn't pass it.",
        lambda steps, s, at: right(steps, s, {AFTER: BEFORE, BEFORE: AFTER, EVERY: EVERY}[at]),
        _ledger(scales=lambda k, j, at: k - j + (at == AFTER))),
    Misconception("one_too_many",
        "every power is one too high. A loss passes no scale on its way to the step right before it, "
        "unless the scale is before the heads.",
        _ledger(**_ONE_MORE), _ledger(scales=lambda k, j, at: k - j + 1 + (at == BEFORE)),
        _ledger(scales=lambda k, j, at: k - j + 1)),
    Misconception("one_placement_off",
        "{run}, the power is off by one. With this placement, does a loss pass a scale on its way to the step right "
        "before it?",
        *(_ledger(scales=lambda k, j, at, of=of, more=more: np.maximum(k - j + (at == BEFORE) + more * (at == of), 0),
                  root=lambda k, at, of=of, r=r: k - (at == AFTER) + r * (at == of))
          for of in (AFTER, EVERY, BEFORE) for more in (1, -1) for r in (0, more))),
    Misconception("power_of_loss",
        "the power depends on the loss alone, so every step hears it equally. But a late step is nearer "
        "to the loss, and there are fewer scales on the way.",
        _ledger(scales=lambda k, j, at: k), _ledger(scales=lambda k, j, at: k - 1 + (at == BEFORE)),
        _ledger(scales=lambda k, j, at: k - (at == AFTER)), _ledger(scales=lambda k, j, at: k - 1)),
    Misconception("power_of_step",
        "the power depends on the step alone. What counts is how far away the loss is.",
        _ledger(scales=lambda k, j, at: j), _ledger(scales=lambda k, j, at: j - 1),
        _ledger(scales=lambda k, j, at: j - 1 + (at == BEFORE)),
        _ledger(scales=lambda k, j, at: k.size - j + (at == BEFORE))),
    Misconception("one_scale_for_all",
        "every entry has one factor of s, or none on the diagonal. Each scale multiplies again, so two "
        "of them make the square.",
        _ledger(scales=lambda k, j, at: np.minimum(k - j + (at == BEFORE), 1),
                   root=lambda k, at: np.minimum(k - (at == AFTER), 1)),
        _ledger(scales=lambda k, j, at: 1, root=lambda k, at: 1)),
    Misconception("added_not_multiplied",
        "the factors of the scales are added, so they fall or grow in equal amounts. Along a path they "
        "multiply.",
        _changed(lambda through, root, s: (
            s * np.tril(np.subtract.outer(range(root.size), range(root.size))) / root.size, root))),
    Misconception("unscaled",
        "no entry depends on s.",
        _ledger(scales=lambda k, j, at: 0, root=lambda k, at: 0 * k)),
    Misconception("transposed",
        "rows and columns are swapped: rows are losses, and loss k reaches the steps up to k.",
        _changed(lambda through, root, s: (through.T, root))),
    Misconception("reversed",
        "time runs backward: the first row should be loss 1, which reaches only the first step.",
        _changed(lambda through, root, s: (through[::-1, ::-1], root[::-1])),
        _changed(lambda through, root, s: (through[::-1], root)),
        _changed(lambda through, root, s: (through[:, ::-1], root))),
    Misconception("future",
        "losses reach steps that come after them. Loss k can't reach a step beyond k, so those entries "
        "are 0.",
        _ledger(present=lambda k, j: True), _ledger(scales=lambda k, j, at: np.abs(k - j) + (at == BEFORE),
                present=lambda k, j: True),
        _ledger(scales=lambda k, j, at: np.maximum(k - j + (at == BEFORE), 0), present=lambda k, j: True)),
    Misconception("diagonal_missing",
        "the diagonal is empty. Each loss reaches the step right before it.",
        _ledger(present=lambda k, j: j < k)),
    Misconception("diagonal_only",
        "each loss reaches only its own step. All K steps use the same parameters, and each loss reaches "
        "every step before it.",
        _ledger(present=lambda k, j: j == k)),
    Misconception("weights_missing",
        "the weights of the losses are missing: each loss should count 1/K.",
        _ledger(weight=lambda k: np.ones(k.size))),
    Misconception("root_weights_missing",
        "`through` is right. At the root the weights of the losses are missing.",
        _changed(lambda through, root, s: (through, root * root.size))),
    Misconception("through_weights_missing",
        "the root is right. In `through` the weights of the losses are missing.",
        _changed(lambda through, root, s: (through * root.size, root))),
    Misconception("weights_by_step",
        "loss k is weighted 1/k. All losses have the same weight here, 1/K.",
        _ledger(weight=lambda k: 1.0 / k)),
    Misconception("weights_with_step_0",
        "the losses are weighted 1/(K + 1). The loss at the root counts by itself: losses 1 to K have "
        "1/K each.",
        _ledger(weight=lambda k: np.full(k.size, 1.0 / (k.size + 1)))),
    Misconception("weights_twice",
        "the weight of each loss is applied twice.",
        _ledger(weight=lambda k: np.full(k.size, 1.0 / k.size**2))),
    Misconception("columns_normalised",
        "the columns, or the rows, are normalised to add up to one. They shouldn't be: what they add up to is what "
        "the chapter's T(K) measures. Each entry is a power of s times the weight.",
        _changed(lambda through, root, s: (through / through.sum(0, keepdims=True), root)),
        _changed(lambda through, root, s: (through / through.sum(1, keepdims=True), root))),
    Misconception("zero_scale",
        "{run}, an entry is infinite or NaN: above the diagonal a power is negative, and 0 to a "
        "negative power is infinite. At s = 0 the other entries should still be right.",
        _ledger(masked=False),
        _ledger(masked=False, scales=lambda k, j, at: k - j + (at == BEFORE))),
    Misconception("one_half_for_s",
        "s is always one half, whatever is given.",
        lambda steps, s, at: right(steps, 0.5, at)),
)  # fmt: skip

PASSED = (
    "for every placement each loss reaches its own step, the earlier ones and the root, with one factor of s "
    "for each scale on the way, and with its weight."
)

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    read=lambda value, case: tuple(value) if isinstance(value, list) else value,
    quantity="(through, root)",
    parts=("through", "root"),
    of_several=("one_placement",),
    draw=lambda random: {
        "K": random.choice((2, 3)),
        "s": random.choice((0.2, 0.4, 0.6, 3.0)),
        "placement": random.choice((AFTER, EVERY, BEFORE)),
    },
).exercise(
    "ledger_coefficients",
    partial={
        "zero_scale": 0.75,
        "root_weights_missing": 0.75,
        "weights_missing": 0.5,
        "root_unscaled_itself": 0.5,
        "every_input_is_after_heads": 0.5,
        "transposed": 0.5,
    },
)
