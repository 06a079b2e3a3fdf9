"""Chapter 00: write the backward pass of an unroll, ``my_backward(theta, states, targets)``.

The unroll is h_k = tanh(theta h_{k-1} + a_k), k from 1 to K, its loss the sum of
(h_k - t_k)^2. What is asked for is the gradient of theta, from the states alone.
"""

from functools import partial
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Function, Misconception
from gradlab.exercises.checking.findings import Case

Array = np.ndarray


def _case(theta: float, h: float, actions: list[float], targets: list[float], words: str) -> Case:
    states = [h]
    for a in actions:
        states.append(float(np.tanh(theta * states[-1] + a)))
    return Case((theta, np.array(states), np.array(targets)), words)


CASES = (
    _case(1.4, 0.5, [0.3, -0.9, 0.2], [0.2, 0.1, -0.4], "for three steps and theta = 1.4"),
    _case(-0.8, 0.9, [0.1, 0.4, -0.2], [-0.3, 0.5, 0.6], "for three steps and theta = -0.8"),
    _case(0.6, -0.7, [0.5, 0.2], [0.4, -0.2], "for two steps and theta = 0.6"),
    _case(1.1, 0.4, [-0.6], [0.3], "for one step and theta = 1.1"),
    _case(
        0.9, 0.8, [-0.2, 0.6, 0.1, -0.5, 0.3], [0.1, -0.2, 0.7, 0.2, -0.1],
        "for five steps and theta = 0.9",
    ),
)  # fmt: skip


def _own(states: Array, targets: Array) -> Any:
    return 2 * (states[1:] - targets)


def backward(
    theta: float,
    states: Array,
    targets: Array,
    *,
    own: Function = _own,
    slope: Function = lambda states: 1 - states[1:] ** 2,
    reads: Function = lambda theta, states: states[:-1],
    chain: Function = lambda theta, slope, read: theta * slope,
    joins_late: bool = False,
    gather: Function = np.sum,
) -> Any:
    """Return the gradient of theta, or what comes out where one piece of the pass is another.

    Args:
      theta: float.
      states: ``[K + 1]``.
      targets: ``[K]``.
      own: what the losses send to their own states, ``[K]``.
      slope: the derivatives of the tanh, from what came out of it, ``[K]``.
      reads: what is theta's factor, ``[K]``.
      chain: by what a cotangent is multiplied on its way to the state before, ``[K]``.
      joins_late: whether a loss joins only after its own application has been passed.
      gather: from what each application hands to theta, ``[K]``, to the answer.
    """
    arrives, slopes = own(states, targets), slope(states)
    read = reads(theta, states) * np.ones(len(targets))
    factors = chain(theta, slopes, read) * np.ones(len(targets))
    received, cotangent = np.zeros(len(targets)), 0.0
    for k in reversed(range(len(targets))):
        heard = cotangent if joins_late else cotangent + arrives[k]
        received[k] = heard * slopes[k] * read[k]
        cotangent = heard * factors[k] + (arrives[k] if joins_late else 0.0)
    return gather(received)


def _forward_order(theta: float, states: Array, targets: Array) -> Any:
    """The chain run from the first application to the last."""
    received, cotangent = 0.0, 0.0
    for own, before, after in zip(_own(states, targets), states[:-1], states[1:], strict=True):
        cotangent = (cotangent + own) * (1 - after**2)
        received += cotangent * before
        cotangent *= theta
    return received


MISCONCEPTIONS = (
    Misconception(
        "last_use_only",
        "only the last application is counted. theta is used in every one of them, and each "
        "use hands it a gradient.",
        partial(backward, gather=lambda received: received[-1]),
    ),
    Misconception(
        "overwritten",
        "only the first application is counted, the one that is reached last on the way back. "
        "Is theta's gradient overwritten at each step, where it should grow?",
        partial(backward, gather=lambda received: received[0]),
    ),
    Misconception(
        "chain_forgotten",
        "each application hears its own loss and no later one. What arrives at a state has to be "
        "passed on to the state before.",
        partial(backward, chain=lambda theta, slope, read: 0.0),
    ),
    Misconception(
        "own_loss_forgotten",
        "only the last loss is heard. Each state has a loss of its own, whose gradient joins what "
        "comes from the right.",
        partial(backward, own=lambda h, y: _own(h, y) * (np.arange(len(y)) == len(y) - 1)),
    ),
    Misconception(
        "joins_late",
        "each loss joins one application too late: its own application does not hear it. It has "
        "to be added before theta reads what arrives.",
        partial(backward, joins_late=True),
    ),
    Misconception(
        "factor_two",
        "every term is half as large as it should be. The loss is a square without a half in "
        "front of it; what is its derivative?",
        partial(backward, own=lambda states, targets: states[1:] - targets),
    ),
    Misconception(
        "sign",
        "the size is right, and the sign is not. Is it target minus state somewhere, or already "
        "a step down the loss?",
        partial(backward, gather=lambda received: -np.sum(received)),
    ),
    Misconception(
        "averaged",
        "it is the mean over the applications. The uses of theta add up: nothing divides by "
        "their number.",
        partial(backward, gather=np.mean),
    ),
    Misconception(
        "gradient_of_the_state",
        "this is what arrives at the first state, after all applications. What is asked for is "
        "the gradient of theta.",
        partial(
            backward,
            reads=lambda theta, states: theta,
            gather=lambda received: received[0],
        ),
    ),
    Misconception(
        "no_slope",
        "the tanh is missing: a cotangent on its way back through tanh is multiplied by the "
        "derivative of tanh, for theta and for the state before.",
        partial(backward, slope=lambda states: np.ones(len(states) - 1)),
    ),
    Misconception(
        "no_slope_in_the_chain",
        "theta's own factors are right, but the cotangent is passed to the state before without "
        "the derivative of tanh.",
        partial(backward, chain=lambda theta, slope, read: theta),
    ),
    Misconception(
        "no_theta_in_the_chain",
        "the cotangent is passed on through tanh, but not through the product with theta: the "
        "state before was multiplied by it.",
        partial(backward, chain=lambda theta, slope, read: slope),
    ),
    Misconception(
        "passes_on_the_wrong_factor",
        "the cotangent is passed on times the state. That is theta's factor: to the state before "
        "goes what the state was multiplied by.",
        partial(backward, chain=lambda theta, slope, read: slope * read),
    ),
    Misconception(
        "theta_for_state",
        "theta is handed a product with theta. In theta h, the factor of theta is h, and the "
        "factor of h is theta.",
        partial(backward, reads=lambda theta, states: theta),
    ),
    Misconception(
        "tanh_twice",
        "tanh is applied once more: the derivative is taken as if a state were what goes into "
        "tanh. It is what comes out.",
        partial(backward, slope=lambda states: 1 - np.tanh(states[1:]) ** 2),
    ),
    Misconception(
        "tanh_of_the_input",
        "the derivative of tanh is written with what went into tanh. Written as one minus a "
        "square, it is the square of what came out.",
        partial(backward, slope=lambda states: 1 - np.arctanh(states[1:]) ** 2),
    ),
    Misconception(
        "tanh_of_the_state_before",
        "the derivative of tanh is taken at the state before. It belongs to the state that came "
        "out of this tanh.",
        partial(backward, slope=lambda states: 1 - states[:-1] ** 2),
    ),
    Misconception(
        "shifted",
        "the states that theta multiplied are shifted by one: application k multiplied the state "
        "before it, not the one that it made.",
        partial(backward, reads=lambda theta, states: states[1:]),
    ),
    Misconception(
        "loss_of_the_state_before",
        "each target is compared with the state before its own. The first state has no loss; "
        "the target with index 0 belongs to the state with index 1.",
        partial(backward, own=lambda states, targets: 2 * (states[:-1] - targets)),
    ),
    Misconception(
        "targets_backwards",
        "the targets run the other way from the states. If you turn one of them around, turn "
        "the other as well.",
        partial(backward, own=lambda states, targets: 2 * (states[1:] - targets[::-1])),
    ),
    Misconception(
        "wrong_direction",
        "the pass runs from the first application to the last. A loss reaches the applications "
        "before it, so the way back begins at the end.",
        _forward_order,
    ),
)

EXERCISE = Comparison(
    cases=CASES,
    right=backward,
    misconceptions=MISCONCEPTIONS,
    passed=(
        "the gradient of theta is right, for one, two, three and five steps: every use is "
        "counted, and each hears its own loss and all later ones."
    ),
    quantity="the gradient of theta",
).exercise(
    "backward_by_hand",
    partial={
        "factor_two": 0.75,
        "sign": 0.75,
        "averaged": 0.5,
        "joins_late": 0.5,
        "own_loss_forgotten": 0.25,
    },
)
