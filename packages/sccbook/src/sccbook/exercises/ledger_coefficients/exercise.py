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
    gates: Function = lambda k, j, at: k - j + (at == BEFORE),
    root: Function = lambda k, at: k - (at == AFTER),
    weight: Function = lambda k: 1.0 / k.size,
    present: Function = lambda k, j: j <= k,
    masked: bool = True,
) -> Function:
    """Make the right factors, or some with a piece replaced: gates, those to the root, weights, entries."""

    def ledger(steps: int, scale: float, placement: str) -> tuple[np.ndarray, np.ndarray]:
        k = np.arange(1.0, steps + 1)  # floats: a negative power of 0 is infinite
        down, across = k[:, None], k[None, :]
        powers = np.float64(scale) ** gates(down, across, placement) * np.ones((steps, steps))
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
    "gates": lambda k, j, at: k - j + 1 + (at == BEFORE),
    "root": lambda k, at: k + 1 - (at == AFTER),
}

MISCONCEPTIONS = (
    Misconception("one_placement",
        "the placement is ignored: all three give the same factors. Follow a gradient back for each "
        "of them, and count the gates it passes.",
        _always(AFTER), _always(EVERY), _always(BEFORE),
        _ledger(gates=lambda k, j, at: k - j, root=lambda k, at: k + 1)),
    Misconception("every_input_is_after_heads",
        "the applications are right, and at the root two placements are taken for one. They differ "
        "there: one has a gate at the root state itself, the other starts after the first "
        "application.",
        _ledger(root=lambda k, at: k - (at != BEFORE))),
    Misconception("root_has_no_gate",
        "the applications are right. At the root one gate is missing for two of the placements: the "
        "first application's own gate lies on the way there too.",
        _ledger(root=lambda k, at: k - 1)),
    Misconception("root_one_too_many",
        "the applications are right. At the root, {run}, you count a gate that does not exist: in the "
        "pseudocode none stands at the root state.",
        _ledger(root=lambda k, at: k)),
    Misconception("one_root_off",
        "the applications are right. At the root, {run}, the power is one off. Follow loss 1 back to it, and count the "
        "gates of this placement that it passes.",
        *(_ledger(root=lambda k, at, of=of, more=more: k - (at == AFTER) + more * (at == of))
          for of in (AFTER, EVERY, BEFORE) for more in (1, -1)),
        _ledger(root=lambda k, at: k - (at == AFTER) + 1), _ledger(root=lambda k, at: k - (at == AFTER) - 1),
        _ledger(root=lambda k, at: np.maximum(k - (at == AFTER) - 1, 0)),
        _ledger(root=lambda k, at: k + (at != AFTER) - (at == AFTER))),
    Misconception("root_unscaled",
        "the applications are right, but the root gets every loss unscaled. What reaches it has "
        "passed all the gates on the way.",
        _ledger(root=lambda k, at: 0 * k)),
    Misconception("root_reversed",
        "the root's entries stand in reverse. The last loss has the longest way.",
        _changed(lambda through, root, s: (through, root[::-1]))),
    Misconception("before_is_after",
        "before and after the heads get the same factors to the applications. Before the heads, a "
        "loss passes the gate of its own state as well.",
        lambda steps, s, at: (right(steps, s, AFTER)[0], right(steps, s, at)[1]),
        _ledger(gates=lambda k, j, at: k - j)),
    Misconception("heads_the_wrong_way_round",
        "before and after the heads have changed places. \"After\" is meant in the forward pass: the "
        "head reads the state, then comes the gate, so the head's own gradient does not pass it.",
        lambda steps, s, at: right(steps, s, {AFTER: BEFORE, BEFORE: AFTER, EVERY: EVERY}[at]),
        _ledger(gates=lambda k, j, at: k - j + (at == AFTER))),
    Misconception("one_too_many",
        "every power is one too high. A loss passes no gate on its way into the application right "
        "before it, unless one stands before the heads.",
        _ledger(**_ONE_MORE), _ledger(gates=lambda k, j, at: k - j + 1 + (at == BEFORE)),
        _ledger(gates=lambda k, j, at: k - j + 1)),
    Misconception("one_placement_off",
        "{run}, a power is one off. Where does the gate of this placement lie: does a loss pass one on its way into the "
        "application right before it?",
        *(_ledger(gates=lambda k, j, at, of=of, more=more: np.maximum(k - j + (at == BEFORE) + more * (at == of), 0),
                  root=lambda k, at, of=of, r=r: k - (at == AFTER) + r * (at == of))
          for of in (AFTER, EVERY, BEFORE) for more in (1, -1) for r in (0, more))),
    Misconception("power_of_loss",
        "the power depends on the loss alone, so that every application hears it equally. Each gate on "
        "the way takes its factor, and the way is shorter to a late application.",
        _ledger(gates=lambda k, j, at: k), _ledger(gates=lambda k, j, at: k - 1 + (at == BEFORE)),
        _ledger(gates=lambda k, j, at: k - (at == AFTER)), _ledger(gates=lambda k, j, at: k - 1)),
    Misconception("power_of_application",
        "the power depends on the application alone. What counts is how far the loss is from it.",
        _ledger(gates=lambda k, j, at: j), _ledger(gates=lambda k, j, at: j - 1),
        _ledger(gates=lambda k, j, at: j - 1 + (at == BEFORE)),
        _ledger(gates=lambda k, j, at: k.size - j + (at == BEFORE))),
    Misconception("one_gate_for_all",
        "every entry has one factor of s, or none on the diagonal. Each gate multiplies again: over "
        "two of them it is the square.",
        _ledger(gates=lambda k, j, at: np.minimum(k - j + (at == BEFORE), 1),
                   root=lambda k, at: np.minimum(k - (at == AFTER), 1)),
        _ledger(gates=lambda k, j, at: 1, root=lambda k, at: 1)),
    Misconception("added_not_multiplied",
        "the gates' factors are added, so that the factor falls, or grows, in equal steps. Along a "
        "path they multiply.",
        _changed(lambda through, root, s: (
            s * np.tril(np.subtract.outer(range(root.size), range(root.size))) / root.size, root))),
    Misconception("unscaled",
        "no entry depends on s.",
        _ledger(gates=lambda k, j, at: 0, root=lambda k, at: 0 * k)),
    Misconception("transposed",
        "rows and columns have changed places: rows are losses, and loss k reaches the "
        "applications up to k.",
        _changed(lambda through, root, s: (through.T, root))),
    Misconception("reversed",
        "time runs backward: the first row should be loss 1, which reaches the first application "
        "alone.",
        _changed(lambda through, root, s: (through[::-1, ::-1], root[::-1])),
        _changed(lambda through, root, s: (through[::-1], root)),
        _changed(lambda through, root, s: (through[:, ::-1], root))),
    Misconception("future",
        "losses reach applications that come after them. Loss k has no way to an application beyond "
        "k: those entries are 0.",
        _ledger(present=lambda k, j: True), _ledger(gates=lambda k, j, at: np.abs(k - j) + (at == BEFORE),
                present=lambda k, j: True),
        _ledger(gates=lambda k, j, at: np.maximum(k - j + (at == BEFORE), 0), present=lambda k, j: True)),
    Misconception("diagonal_missing",
        "the diagonal is empty. Each loss reaches the application right before it.",
        _ledger(present=lambda k, j: j < k)),
    Misconception("diagonal_only",
        "each loss reaches its own application alone. The dynamics are applied K times with the "
        "same parameters, and each loss reaches all the applications before it.",
        _ledger(present=lambda k, j: j == k)),
    Misconception("weights_missing",
        "the weight of each loss is missing: each should count 1/K.",
        _ledger(weight=lambda k: np.ones(k.size))),
    Misconception("root_weights_missing",
        "the applications are right. At the root the weight of each loss is missing.",
        _changed(lambda through, root, s: (through, root * root.size))),
    Misconception("applications_weights_missing",
        "the root is right. In the applications' factors the weight of each loss is missing.",
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
        "the columns, or the rows, have been normalised to add up to one. They should not: that is what the "
        "chapter's T(K) is about. Each entry is a power of s times the weight.",
        _changed(lambda through, root, s: (through / through.sum(0, keepdims=True), root)),
        _changed(lambda through, root, s: (through / through.sum(1, keepdims=True), root))),
    Misconception("zero_scale",
        "{run}, an entry is infinite or NaN: above the diagonal a power is negative, and 0 to a "
        "negative power is infinite. At s = 0 the other entries should still be right.",
        _ledger(masked=False),
        _ledger(masked=False, gates=lambda k, j, at: k - j + (at == BEFORE))),
    Misconception("one_half_for_s",
        "s is taken to be one half, whatever is asked.",
        lambda steps, s, at: right(steps, 0.5, at)),
)  # fmt: skip

PASSED = (
    "for every placement each loss reaches its own application, the earlier ones and the root, with one "
    "factor of s for each gate on its way, and with its weight."
)

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    reference_probe=in_numpy,
    read=lambda value, case: tuple(value) if isinstance(value, list) else value,
    parts=("through", "root"),
).exercise(
    "ledger_coefficients",
    partial={
        "zero_scale": 0.75,
        "root_weights_missing": 0.75,
        "weights_missing": 0.5,
        "root_has_no_gate": 0.5,
        "every_input_is_after_heads": 0.5,
        "transposed": 0.5,
    },
)
