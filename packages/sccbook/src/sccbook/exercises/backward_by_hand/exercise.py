"""Chapter 00: put a scale into a backward pass, ``my_backward(theta, states, targets, s)``.

The unroll is h_k = tanh(theta h_{k-1}), k from 1 to K, its loss the sum of (h_k - t_k)^2 / 2. Between two
steps there's a scale: it passes the state on unchanged, and multiplies by s what comes back. The answer
is the gradient of theta that is then reported.

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
    scale: Function = lambda s, k, last: s,
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
      scale: by what the cotangent is multiplied after step k of ``last`` has been passed.
      arrives: what a state receives of its own loss and of what has passed the scale; ``inner`` is true
        of all states but the last.
      own: what a loss sends to its own state.
      slope: the derivative of the tanh.
      read: theta's factor.
      chain: by what the cotangent is multiplied in a step, on its way to the state before.
      joins_late: whether a loss joins only after its own step has been passed.
      share: from what a step sends to theta to what theta takes.
      gather: from these, the last step's first, to the answer.
    """
    received, cotangent, last = [], 0.0, len(targets)
    for k in range(last, 0, -1):
        before, after = states[k - 1], states[k]
        sent = own(before, after, targets[k - 1])
        here = cotangent if joins_late else arrives(sent, cotangent, s, k < last)
        tilt = slope(before, after)
        received.append(share(here * tilt * read(theta, before, after), k, s, last))
        cotangent = scale(s, k, last) * here * chain(theta, tilt) + (sent if joins_late else 0.0)
    return gather(received)


def _unscaled(answer: Function) -> Function:
    return lambda theta, states, targets, s: answer(theta, states, targets, 1.0)


def _unscaled_but(share: Function) -> Function:
    """Run the pass without a scale, with theta's shares scaled in another way."""
    return partial(backward, scale=lambda s, k, last: 1.0, share=share)


def _with_and_without(answer: Function) -> tuple[Function, Function]:
    """Make the same mistake in a pass with the scale, and in one that has none yet."""
    return answer, _unscaled(answer)


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
        "this is the gradient without a scale. s isn't used yet, or it isn't used where it "
        "matters.",
        _unscaled(backward),
    ),
    Misconception(
        "everything_scaled",
        "every share of theta is multiplied by s once, so this is s times the gradient. A scale "
        "on theta or on the losses does that. Yours should sit between two steps. How many scales "
        "are there between the last loss and the last step? And between the last loss and the "
        "first step?",
        _times_s(_unscaled(backward)),
    ),
    Misconception(
        "own_loss_scaled_too",
        "you have scaled the state's own loss or theta's share as well. Scale only what goes to "
        "the state before.",
        _times_s(backward),
        partial(backward, share=lambda received, k, s, last: received * (s if k < last else 1.0)),
        partial(
            backward,
            scale=lambda s, k, last: 1.0,
            arrives=lambda own, passed, s, inner: (s if inner else 1.0) * (own + passed),
        ),
    ),
    Misconception(
        "states_scaled",
        "states are multiplied by s. A scale passes a state on unchanged and multiplies only what "
        "comes back.",
        *(
            _on_scaled_states(answer, first=first)
            for answer in _with_and_without(backward)
            for first in (False, True)
        ),
        partial(
            backward,
            share=lambda received, k, s, last: received * (s if k > 1 else 1.0),
        ),
        _unscaled_but(share=lambda received, k, s, last: received * (s if k > 1 else 1.0)),
    ),
    Misconception(
        "one_scale_only",
        "the cotangent is multiplied by s only once on its way back. There's a scale between "
        "every two steps, and the cotangent passes each of them.",
        partial(backward, scale=lambda s, k, last: s if k == last else 1.0),
        partial(backward, scale=lambda s, k, last: s if k == 2 else 1.0),
    ),
    Misconception(
        "gradient_scaled_in_each_turn",
        "the gradient collected so far is multiplied by s in each turn of the loop, so the last "
        "step's share is multiplied most often. It's the cotangent that passes the scales; the "
        "gradient passes none.",
        *(
            partial(backward, scale=scale, share=lambda received, k, s, last: received * s**k)
            for scale in (lambda s, k, last: s, lambda s, k, last: 1.0)
        ),
        partial(backward, share=lambda received, k, s, last: received * s ** (k - 1)),
    ),
    Misconception(
        "all_shares_but_the_last_scaled",
        "every share but the last is multiplied by s once. A share is a sum: what a step's own "
        "loss sends passes no scale, and what a later loss sends passes one or more.",
        _unscaled_but(share=lambda received, k, s, last: received * (s if k < last else 1.0)),
    ),
    Misconception(
        "scaled_by_the_distance_from_the_end",
        "all that reaches a step is scaled as if it came from the last loss. What an earlier loss "
        "sends passes fewer scales.",
        _unscaled_but(share=lambda received, k, s, last: received * s ** (last - k)),
    ),
    Misconception(
        "scaled_from_the_wrong_end",
        "the first step's share is scaled least. The way back begins at the last step, and each "
        "scale on it adds a factor. Did you multiply the gradient by s, where it should be the "
        "cotangent?",
        _unscaled_but(share=lambda received, k, s, last: received * s ** (k - 1)),
    ),
    Misconception(
        "scaled_more_and_more",
        "some of what comes back is multiplied by s too often. Each scale multiplies by s once, "
        "however many scales came before it.",
        partial(backward, scale=lambda s, k, last: s ** (last - k + 1)),
        partial(backward, share=lambda received, k, s, last: received * s ** (last - k)),
    ),
    Misconception(
        "scaled_twice",
        "the cotangent is multiplied by s twice at each scale.",
        partial(backward, scale=lambda s, k, last: s**2),
    ),
    Misconception(
        "one_minus_s",
        "each scale multiplies by one minus s. At s = 0.5 you can't tell the difference.",
        partial(backward, scale=lambda s, k, last: 1 - s),
    ),
    Misconception(
        "divided",
        "what comes back is divided by s, not multiplied by it.",
        partial(backward, scale=lambda s, k, last: 1 / s),
    ),
    Misconception(
        "last_use_only",
        "only the last step is counted. Every step uses theta, and each use adds a share to its "
        "gradient.",
        partial(backward, gather=lambda received: received[0]),
    ),
    Misconception(
        "overwritten",
        "only the first step is counted, which is the last one on the way back. Do you overwrite "
        "theta's gradient at each step, where you should add to it?",
        *_changed(gather=lambda received: received[-1]),
    ),
    Misconception(
        "chain_forgotten",
        "each step gets its own loss and no later one. Pass what arrives at a state on to the "
        "state before, through the scale.",
        partial(backward, scale=lambda s, k, last: 0.0),
    ),
    Misconception(
        "own_loss_forgotten",
        "only the last loss is counted. Each state has a loss of its own, whose gradient is added "
        "to what comes back from later steps.",
        *_changed(arrives=lambda own, passed, s, inner: passed if inner else own),
    ),
    Misconception(
        "joins_late",
        "each loss joins one step too late, so its own step doesn't get it. Add it before theta "
        "gets its share.",
        *_changed(joins_late=True),
    ),
    Misconception(
        "factor_two",
        "every share is twice as large as it should be. The loss is half a square. What is its "
        "derivative?",
        *_changed(own=lambda before, after, target: 2 * (after - target)),
    ),
    Misconception(
        "sign",
        "the size is right, but the sign is wrong. Did you take target minus state somewhere, or "
        "take an update for the gradient?",
        *_changed(gather=lambda received: -sum(received)),
    ),
    Misconception(
        "averaged",
        "this is the mean over the steps. The shares of theta add up, and nothing divides by "
        "their number.",
        *_changed(gather=lambda received: sum(received) / len(received)),
    ),
    Misconception(
        "gradient_of_the_state",
        "this is what arrives at the first state, after all steps. We asked for the gradient of "
        "theta.",
        *_changed(read=lambda theta, before, after: theta, gather=lambda received: received[-1]),
    ),
    Misconception(
        "no_slope",
        "the tanh is missing. A cotangent on its way back through tanh is multiplied by the "
        "derivative of tanh, for theta and for the state before.",
        *_changed(slope=lambda before, after: 1.0),
    ),
    Misconception(
        "no_slope_in_the_chain",
        "theta's own factors are right, but the cotangent goes on to the state before without the "
        "derivative of tanh.",
        *_changed(chain=lambda theta, slope: theta),
    ),
    Misconception(
        "no_theta_in_the_chain",
        "the cotangent is passed on through tanh, but not through the product with theta, by "
        "which the state before was multiplied.",
        *_changed(chain=lambda theta, slope: slope),
    ),
    Misconception(
        "theta_for_state",
        "theta's share has the factor theta. In the product theta h, the factor of theta is h, "
        "and the factor of h is theta.",
        *_changed(read=lambda theta, before, after: theta),
    ),
    Misconception(
        "tanh_of_the_state_before",
        "the derivative of tanh is taken at the state before. Take it at the state that came out "
        "of this tanh.",
        *_changed(slope=lambda before, after: 1 - before**2),
    ),
    Misconception(
        "state_not_squared",
        "the derivative of tanh is wrong: you take one minus the state. Which power of the state does "
        "it have?",
        *_changed(slope=lambda before, after: 1 - after),
    ),
    Misconception(
        "other_slope",
        "the derivative of tanh is wrong. To find it, compare it with (tanh(x + 0.001) - tanh(x)) "
        "/ 0.001 at some x. Note that the state is tanh(x) already.",
        *(
            answer
            for slope in (
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
        "theta's share has the wrong state: step k multiplies theta by the state before it, not "
        "by the one it makes.",
        *_changed(read=lambda theta, before, after: after),
    ),
    Misconception(
        "targets_backwards",
        "the targets run the other way from the states. If you reverse one of the two lists, "
        "reverse the other as well.",
        *_with_and_without(
            lambda theta, states, targets, s: backward(theta, states, targets[::-1], s)
        ),
    ),
    Misconception(
        "wrong_direction",
        "the pass runs from the first step to the last. A loss reaches the steps before it, so "
        "the way back begins at the end.",
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
        "what passes from a step back to the one before is multiplied by s, and nothing else is: "
        "for one, two, three and five steps, and for scales below 1 and above."
    ),
    quantity="the gradient of theta",
    draw=lambda random: dict(
        zip(
            ("theta", "states", "targets", "s"),
            _case(
                random.choice((0.6, 0.9, 1.4)),
                random.choice((0.5, 0.8)),
                random.choices((-0.9, -0.6, -0.3, 0.0), k=3),  # below every state: nothing cancels
                random.choice((0.2, 0.4, 2.0)),
                "three steps",
            ).arguments,
            strict=True,
        )
    ),
).exercise(
    "backward_by_hand",
    partial={
        "own_loss_scaled_too": 0.5,
        "one_scale_only": 0.5,
        "scaled_twice": 0.5,
        "factor_two": 0.75,
        "sign": 0.75,
        "averaged": 0.5,
    },
)
