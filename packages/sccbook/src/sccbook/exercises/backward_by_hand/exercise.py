"""Chapter 00: put a gate into a backward pass, ``my_backward(theta, states, targets, s)``.

The unroll is h_k = tanh(theta h_{k-1}), k from 1 to K, its loss the sum of (h_k - t_k)^2 / 2. Between two
applications stands a gate: it passes the state as it is, and multiplies by s what comes back. What is
asked for is the gradient of theta that is reported then.

Floats, lists and ``math`` alone: the chapter needs nothing else.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from sccbook.checking.comparisons import Comparison, Function, Misconception
from sccbook.checking.findings import Case

Numbers = Sequence[float]


def _case(theta: float, h: float, targets: Numbers, s: float, steps: str) -> Case:
    states = [h]
    for _ in targets:
        states.append(math.tanh(theta * states[-1]))
    return Case((theta, states, list(targets), s), f"for {steps}, theta = {theta} and s = {s}")


CASES = (
    _case(1.4, 0.5, [0.2, 0.2, 0.2], 0.5, "three steps"),
    _case(-0.8, 0.9, [-0.3, 0.5, 0.6], 0.3, "three steps"),
    _case(1.1, 0.4, [0.3], 0.5, "one step"),
    _case(0.6, -0.7, [0.4, -0.2], 2.0, "two steps"),
    _case(0.9, 0.8, [0.1, -0.2, 0.7, 0.2, -0.1], 0.25, "five steps"),
)


def backward(
    theta: float,
    states: Numbers,
    targets: Numbers,
    s: float,
    *,
    gate: Function = lambda s, k, last: s,
    arrives: Function = lambda own, passed, s, inner: own + passed,
    own: Function = lambda before, after, target: after - target,
    slope: Function = lambda before, after: 1 - after**2,
    read: Function = lambda theta, before, after: before,
    chain: Function = lambda theta, slope: slope * theta,
    joins_late: bool = False,
    share: Function = lambda received, k, s, last: received,
    gather: Function = sum,
) -> Any:
    """Return the gradient of theta, or the result with one piece of the pass replaced.

    Args:
      theta: float.
      states: K + 1 numbers.
      targets: K numbers; the first belongs to the second state.
      s: float.
      gate: by what the cotangent is multiplied after application k of ``last`` has been passed.
      arrives: what a state receives of its own loss and of what has passed the gate; ``inner`` is true
        of all states but the last.
      own: what a loss sends to its own state.
      slope: the derivative of the tanh.
      read: theta's factor.
      chain: by what the cotangent is multiplied in an application, on its way to the state before.
      joins_late: whether a loss joins only after its own application has been passed.
      share: from what an application hands to theta to what theta takes.
      gather: from these, the last application's first, to the answer.
    """
    received, cotangent, last = [], 0.0, len(targets)
    for k in range(last, 0, -1):
        before, after = states[k - 1], states[k]
        sent = own(before, after, targets[k - 1])
        here = cotangent if joins_late else arrives(sent, cotangent, s, k < last)
        tilt = slope(before, after)
        received.append(share(here * tilt * read(theta, before, after), k, s, last))
        cotangent = gate(s, k, last) * here * chain(theta, tilt) + (sent if joins_late else 0.0)
    return gather(received)


def _ungated(answer: Function) -> Function:
    return lambda theta, states, targets, s: answer(theta, states, targets, 1.0)


def _ungated_but(share: Function) -> Function:
    """Run the pass without a gate, with theta's shares scaled in another way."""
    return partial(backward, gate=lambda s, k, last: 1.0, share=share)


def _with_and_without(answer: Function) -> tuple[Function, Function]:
    """Make the same mistake in a pass with the gate, and in one that has none yet."""
    return answer, _ungated(answer)


def _changed(**changes: Any) -> tuple[Function, Function]:
    return _with_and_without(partial(backward, **changes))


def _times_s(answer: Function) -> Function:
    return lambda theta, states, targets, s: s * answer(theta, states, targets, s)


def _on_scaled_states(answer: Function, *, first: bool) -> Function:
    """Run the pass over a tape whose states have been multiplied by s."""

    def scaled(theta: float, states: Numbers, targets: Numbers, s: float) -> Any:
        tape = [h * s if first or k else h for k, h in enumerate(states)]
        return answer(theta, tape, targets, s)

    return scaled


MISCONCEPTIONS = (
    Misconception(
        "scale_missing",
        "this is the gradient without a gate. s is not used yet, or not where it matters.",
        _ungated(backward),
    ),
    Misconception(
        "everything_scaled",
        "every share of theta is multiplied by s once, so this is s times the gradient. A gate on "
        "theta, or on the losses, does that. This one sits between two applications: how many "
        "gates lie between the last loss and the last application? And how many between the last "
        "loss and the first application?",
        _times_s(_ungated(backward)),
    ),
    Misconception(
        "own_loss_scaled_too",
        "you have scaled either the state's own loss or theta's share. Scale only what goes to the "
        "state before.",
        _times_s(backward),
        partial(backward, share=lambda received, k, s, last: received * (s if k < last else 1.0)),
        partial(
            backward,
            gate=lambda s, k, last: 1.0,
            arrives=lambda own, passed, s, inner: (s if inner else 1.0) * (own + passed),
        ),
    ),
    Misconception(
        "states_scaled",
        "states are multiplied by s. The gate passes a state as it is: only what comes back is "
        "multiplied.",
        *(
            _on_scaled_states(answer, first=first)
            for answer in _with_and_without(backward)
            for first in (False, True)
        ),
        partial(
            backward,
            share=lambda received, k, s, last: received * (s if k > 1 else 1.0),
        ),
        _ungated_but(share=lambda received, k, s, last: received * (s if k > 1 else 1.0)),
    ),
    Misconception(
        "one_gate_only",
        "the cotangent is scaled at one of the gates only. There is a gate between any two "
        "applications, and each is passed on the way back.",
        partial(backward, gate=lambda s, k, last: s if k == last else 1.0),
        partial(backward, gate=lambda s, k, last: s if k == 2 else 1.0),
    ),
    Misconception(
        "gradient_scaled_in_each_turn",
        "the gradient that has been collected is multiplied by s in each turn of the loop, so the "
        "last application's share is multiplied most often. The gradient passes no gate: it is the "
        "cotangent that does.",
        *(
            partial(backward, gate=gate, share=lambda received, k, s, last: received * s**k)
            for gate in (lambda s, k, last: s, lambda s, k, last: 1.0)
        ),
        partial(backward, share=lambda received, k, s, last: received * s ** (k - 1)),
    ),
    Misconception(
        "all_shares_but_the_last_scaled",
        "every share but the last is multiplied by s once. A share is a sum: what an application's "
        "own loss sends comes through no gate, and what a later loss sends comes through one gate "
        "or more.",
        _ungated_but(share=lambda received, k, s, last: received * (s if k < last else 1.0)),
    ),
    Misconception(
        "scaled_by_the_distance_from_the_end",
        "all that reaches an application is scaled as if it came from the last loss. What an "
        "earlier loss sends comes through fewer gates.",
        _ungated_but(share=lambda received, k, s, last: received * s ** (last - k)),
    ),
    Misconception(
        "scaled_from_the_wrong_end",
        "the first application's share is scaled least. The way back begins at the last "
        "application, and each gate on it adds a factor. Is the gradient multiplied by s where the "
        "cotangent should be?",
        _ungated_but(share=lambda received, k, s, last: received * s ** (k - 1)),
    ),
    Misconception(
        "scaled_more_and_more",
        "some of what comes back is multiplied by s too often. Each gate multiplies by s once, "
        "however many gates come before it.",
        partial(backward, gate=lambda s, k, last: s ** (last - k + 1)),
        partial(backward, share=lambda received, k, s, last: received * s ** (last - k)),
    ),
    Misconception(
        "scaled_twice",
        "the cotangent is multiplied by s twice at each gate.",
        partial(backward, gate=lambda s, k, last: s**2),
    ),
    Misconception(
        "one_minus_s",
        "each gate multiplies by one minus s. At one half you cannot tell the two apart.",
        partial(backward, gate=lambda s, k, last: 1 - s),
    ),
    Misconception(
        "divided",
        "what comes back is divided by s, not multiplied.",
        partial(backward, gate=lambda s, k, last: 1 / s),
    ),
    Misconception(
        "last_use_only",
        "only the last application is counted. theta is used in every one of them, and each use "
        "adds a share to its gradient.",
        partial(backward, gather=lambda received: received[0]),
    ),
    Misconception(
        "overwritten",
        "only the first application is counted, the one that is reached last on the way back. Is "
        "theta's gradient overwritten at each step, where it should grow?",
        *_changed(gather=lambda received: received[-1]),
    ),
    Misconception(
        "chain_forgotten",
        "each application receives its own loss and no later one. What arrives at a state has to "
        "be passed on to the state before, through the gate.",
        partial(backward, gate=lambda s, k, last: 0.0),
    ),
    Misconception(
        "own_loss_forgotten",
        "only the last loss is counted. Each state has a loss of its own, which joins what comes "
        "from the right.",
        *_changed(arrives=lambda own, passed, s, inner: passed if inner else own),
    ),
    Misconception(
        "joins_late",
        "each loss joins one application too late: its own application does not receive it. It has "
        "to be added before theta gets its share.",
        *_changed(joins_late=True),
    ),
    Misconception(
        "factor_two",
        "every share is twice as large as it should be. The loss is half a square; what is its "
        "derivative?",
        *_changed(own=lambda before, after, target: 2 * (after - target)),
    ),
    Misconception(
        "sign",
        "the size is right, and the sign is not. Is it target minus state somewhere, or already a "
        "step down the loss?",
        *_changed(gather=lambda received: -sum(received)),
    ),
    Misconception(
        "averaged",
        "it is the mean over the applications. The shares of theta add up: nothing divides by "
        "their number.",
        *_changed(gather=lambda received: sum(received) / len(received)),
    ),
    Misconception(
        "gradient_of_the_state",
        "this is what arrives at the first state, after all applications. What is asked for is the "
        "gradient of theta.",
        *_changed(read=lambda theta, before, after: theta, gather=lambda received: received[-1]),
    ),
    Misconception(
        "no_slope",
        "the tanh is missing: a cotangent on its way back through tanh is multiplied by the "
        "derivative of tanh, for theta and for the state before.",
        *_changed(slope=lambda before, after: 1.0),
    ),
    Misconception(
        "no_slope_in_the_chain",
        "theta's own factors are right, but the cotangent is passed to the state before without "
        "the derivative of tanh.",
        *_changed(chain=lambda theta, slope: theta),
    ),
    Misconception(
        "no_theta_in_the_chain",
        "the cotangent is passed on through tanh, but not through the product with theta: the "
        "state before was multiplied by it.",
        *_changed(chain=lambda theta, slope: slope),
    ),
    Misconception(
        "theta_for_state",
        "theta gets a product with theta. In theta h, the factor of theta is h, and the "
        "factor of h is theta.",
        *_changed(read=lambda theta, before, after: theta),
    ),
    Misconception(
        "tanh_of_the_state_before",
        "the derivative of tanh is taken at the state before. It belongs to the state that came "
        "out of this tanh.",
        *_changed(slope=lambda before, after: 1 - before**2),
    ),
    Misconception(
        "other_slope",
        "the derivative of tanh is another one. Find it from tanh(x + 0.001) - tanh(x) at one x, and compare: you "
        "have the state, which is tanh(x) already.",
        *(
            answer
            for slope in (
                lambda h: 1 - h,
                lambda h: 1 + h**2,
                lambda h: h**2,
                lambda h: h * (1 - h),
                lambda h: math.sqrt(1 - h**2),
                lambda h: 1 - math.tanh(h) ** 2,
                lambda h: 1 / math.cosh(h) ** 2,
            )
            for answer in _changed(slope=lambda before, after, slope=slope: slope(after))
        ),
    ),
    Misconception(
        "shifted",
        "the states that theta multiplied are shifted by one: application k multiplied the state "
        "before it, not the one that it made.",
        *_changed(read=lambda theta, before, after: after),
    ),
    Misconception(
        "targets_backwards",
        "the targets run the other way from the states. If you turn one of them around, turn the "
        "other as well.",
        *_with_and_without(
            lambda theta, states, targets, s: backward(theta, states, targets[::-1], s)
        ),
    ),
    Misconception(
        "wrong_direction",
        "the pass runs from the first application to the last. A loss reaches the applications "
        "before it, so the way back begins at the end.",
        *_with_and_without(  # on reversed lists, where a state comes before the one that it's made of
            lambda theta, states, targets, s: backward(
                theta,
                states[::-1],
                targets[::-1],
                s,
                own=lambda after, before, target: after - target,
                slope=lambda after, before: 1 - after**2,
                read=lambda theta, after, before: before,
            )
        ),
    ),
)

EXERCISE = Comparison(
    cases=CASES,
    right=backward,
    misconceptions=MISCONCEPTIONS,
    passed=(
        "what goes from one application to the one before is multiplied by s at each gate, and "
        "nothing else is: for one, two, three and five steps, and for scales below 1 and above."
    ),
    quantity="the gradient of theta",
).exercise(
    "backward_by_hand",
    partial={
        "own_loss_scaled_too": 0.5,
        "one_gate_only": 0.5,
        "scaled_twice": 0.5,
        "factor_two": 0.75,
        "sign": 0.75,
        "averaged": 0.5,
    },
)
