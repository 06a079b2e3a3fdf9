"""Chapter 04: write ``scaled_unroll(step, loss, theta, h, steps, scale)``.

An unroll of ``steps`` applications with a scale between every two of them. What is seen of an
answer is the sum of the losses and its gradients: of theta, which every application uses, and of
the first state.
"""

from typing import Any

import jax
import numpy as np

from scaleclip.ops.clipping import clip_gradient
from scaleclip.ops.scaling import scale_gradient
from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    require_a_loss,
)

THETA = np.array([[0.9, -0.4], [0.5, 1.1]])
H = np.array([0.6, -0.2])


def unroll(
    before: Function = lambda h, k, s: h,
    after: Function = lambda h, k, s: h,
    heard: Function = lambda loss, k, s: loss,
    between: Function = lambda h, k, s: h,
    parameters: Function = lambda theta, k, s: theta,
    read: Function = lambda theta, k, s: theta,
    total: Function = sum,
) -> Function:
    """Make an answer with something at each place where a scale could sit.

    Args:
      before: at the input of application k, counted from 0.
      after: on the state that application k leads to, before the head.
      heard: on the loss of application k.
      between: on the state, after the head and before the next application.
      parameters: on theta, at application k; read: on theta where the step reads it, and not the head.
      total: makes one number of the losses.
    """

    def answer(step: Any, loss: Any, theta: Any, h: Any, steps: int, s: Any) -> Any:
        losses = []
        for k in range(steps):
            own = parameters(theta, k, s)
            h = after(step(read(own, k, s), before(h, k, s)), k, s)
            losses.append(heard(loss(own, h), k, s))
            h = between(h, k, s)
        return total(losses)

    return answer


def _scaled(factor: Function) -> Function:
    """Scale what comes back by a factor made of the application's number and s."""
    return lambda x, k, s: scale_gradient(x, factor(k, s))


_gate = _scaled(lambda k, s: s)


def _stop(h: Any, k: int, s: Any) -> Any:
    return jax.lax.stop_gradient(h)


right = unroll(between=_gate)


def _one_coin(step: Any, loss: Any, theta: Any, h: Any, steps: int, s: Any) -> Any:
    whole = unroll()(step, loss, theta, h, steps, s)
    cut = unroll(between=_stop)(step, loss, theta, h, steps, s)
    return scale_gradient(whole, s) + scale_gradient(cut, 1 - s) - jax.lax.stop_gradient(cut)


MISCONCEPTIONS = (
    Misconception(
        "no_scale",
        "the loss is right, and every gradient arrives whole, whatever the scale. Either there is "
        "no scale, or it stands where no gradient passes: after the last use of a state, or on a "
        "copy that nothing reads.",
        unroll(),
    ),
    Misconception(
        "before_the_head",
        "each loss's gradient passes a scale before it reaches its own application, so that none "
        "arrives in full. "
        "The head should read the state as it comes from the step.",
        unroll(after=_gate),
    ),
    Misconception(
        "at_every_input",
        "what theta receives is right, and what the first state receives is not: a scale stands "
        "in front of the first application, where there is no application before it.",
        unroll(before=_gate),
    ),
    Misconception(
        "outside_the_loop",
        "only what the first state receives is scaled. The scale is met once, outside the loop, "
        "and theta receives its gradient as if there were none.",
        unroll(before=_scaled(lambda k, s: s if k == 0 else 1.0)),
    ),
    Misconception(
        "first_gate_only",
        "only the first gate of the unroll scales. There should be one between every two "
        "applications.",
        unroll(between=_scaled(lambda k, s: s if k == 0 else 1.0)),
    ),
    Misconception(
        "on_the_parameters",
        "the gradient of theta is multiplied by the scale as a whole, and the state's not at all. "
        "That is a learning rate for theta. What comes from farther away should arrive "
        "smaller than what comes from near.",
        unroll(parameters=_gate),
    ),
    Misconception(
        "on_the_parameters_of_the_steps",
        "what theta receives through the steps is multiplied by the scale as a whole, and the "
        "state's gradient not at all: the scale stands on theta, where the step reads it. It "
        "belongs on what passes from one step to the next.",
        unroll(read=_gate),
    ),
    Misconception(
        "on_the_parameters_each_time",
        "theta passes one more scale at every application, so the later ones receive the least, "
        "and the state's gradient is not scaled. What comes from farther away should arrive "
        "smaller, whichever application it reaches.",
        unroll(parameters=_scaled(lambda k, s: s ** (k + 1))),
    ),
    Misconception(
        "around_the_head",
        "there are two scales at every state, one before the head and one after it. The gradient "
        "of a loss should reach its own application in full, and pass one scale on to the next.",
        unroll(after=_gate, between=_gate),
    ),
    Misconception(
        "two_places",
        "the scale is in a second place as well: on the losses, or at each input beside the one between "
        "applications. A gradient should meet one scale for each application that it goes on to.",
        unroll(heard=_gate, between=_gate),
        unroll(before=_gate, between=_gate),
    ),
    Misconception(
        "on_the_losses",
        "every gradient is multiplied by one and the same factor, the scale. Then near losses are "
        "scaled as much as far ones: the scale stands on the losses, and not between applications.",
        unroll(heard=_gate),
    ),
    Misconception(
        "discounted",
        "loss k is scaled by a power of the scale that depends on its number alone, the same for all "
        "applications: a discount. What counts is "
        "how many applications lie between a loss and the one that it reaches.",
        unroll(heard=_scaled(lambda k, s: s**k)),
    ),
    Misconception(
        "one_coin",
        "a gradient that passes several gates is scaled only once. It should be scaled again at each. "
        "A mixture of the whole gradient and the truncated one does that.",
        _one_coin,
    ),
    Misconception(
        "truncated",
        "no gradient passes between two applications, whatever the scale. This is a truncation: "
        "it is right only at scale = 0.",
        unroll(between=_stop),
    ),
    Misconception(
        "one_minus_scale",
        "what passes between two applications is multiplied by 1 - scale. At one half nobody can "
        "tell.",
        unroll(between=_scaled(lambda k, s: 1 - s)),
    ),
    Misconception(
        "scaled_twice",
        "what passes between two applications is scaled twice: a second scale stands there.",
        unroll(between=_gate, before=_scaled(lambda k, s: s if k > 0 else 1.0)),
    ),
    Misconception(
        "fixed_half",
        "what passes between two applications is halved, whatever the scale. The scale is an "
        "argument.",
        unroll(between=_scaled(lambda k, s: 0.5)),
    ),
    Misconception(
        "reversed",
        "what passes between two applications is multiplied by minus the scale.",
        unroll(between=_scaled(lambda k, s: -s)),
    ),
    Misconception(
        "clipped",
        "what passes between two applications is clipped and not scaled: small gradients pass "
        "whole.",
        unroll(between=lambda h, k, s: clip_gradient(h, -abs(s), abs(s))),
    ),
    Misconception(
        "state_scaled",
        "the sum of the losses is not what it is without a scale: the state itself is "
        "multiplied by the scale, so the next step starts from another place.",
        unroll(between=lambda h, k, s: s * h),
    ),
    Misconception(
        "losses_multiplied",
        "the sum of the losses is not what it is without a scale: losses are "
        "multiplied by the scale. The number that is reported must not depend on it.",
        unroll(heard=lambda loss, k, s: s * loss),
    ),
    Misconception(
        "discounted_losses",
        "the sum of the losses is not what it is without a scale: losses are "
        "multiplied by powers of the scale, as rewards are discounted. The number that is "
        "reported must not depend on the scale.",
        unroll(heard=lambda loss, k, s: s**k * loss),
    ),
    Misconception(
        "mean",
        "the sum of the losses is asked for; what is returned is their mean.",
        unroll(between=_gate, total=lambda losses: sum(losses) / len(losses)),
    ),
    Misconception(
        "one_step_early",
        "the losses are not those of the states that the steps lead to: each is taken before its "
        "step, so that the first state has one and the last state has none.",
        lambda step, loss, theta, h, steps, s: (
            loss(theta, h) + unroll(after=_gate)(step, loss, theta, h, steps - 1, s)
        ),
    ),
    Misconception(
        "last_loss_only",
        "what is returned is the last step's loss alone. Every step has a loss, and they add up.",
        unroll(between=_gate, total=lambda losses: losses[-1]),
    ),
)

PASSED = (
    "the loss is the plain sum, and each application receives the gradient of its own loss in full, "
    "that of the next loss times the scale, that of the one after times its square, and so on."
)


def _case(steps: int, scale: float, head: str = "state") -> Case:
    words = "" if head == "state" else " and a head that uses theta"
    return Case((head, THETA, H, steps, scale), f"with steps = {steps}, scale = {scale}{words}")


CASES = (_case(3, 0.5), _case(3, 0.25), _case(2, 0.0), _case(2, 1.0), _case(2, -0.75, "both"))


EXERCISE = Comparison(
    probe="unroll",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    read=require_a_loss,
    quantity="the loss with its gradients",
).exercise(
    "scaled_unroll",
    partial={
        "scaled_twice": 0.5,
        "mean": 0.5,
        "at_every_input": 0.5,
        "before_the_head": 0.25,
    },
)
"""An answer is called as ``answer(step, loss, theta, h, steps, scale)``, with ``step(theta, h)``, the
next state, and ``loss(theta, h)``, a number, and returns the sum of the ``steps`` losses."""
