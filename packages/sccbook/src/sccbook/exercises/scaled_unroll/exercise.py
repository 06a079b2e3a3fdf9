"""Chapter 04: write ``scaled_unroll(step, loss, theta, h, steps, scale)``.

An unroll of ``steps`` steps with a scale between every two of them. What is seen of an
answer is the sum of the losses and its gradients: of theta, which every step uses, and of
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
      before: at the input of step k, counted from 0.
      after: on the state that step k leads to, before the head.
      heard: on the loss of step k.
      between: on the state, after the head and before the next step.
      parameters: on theta, at step k; read: on theta where the step reads it, and not the head.
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
    """Scale what comes back by a factor made of the step's number and s."""
    return lambda x, k, s: scale_gradient(x, factor(k, s))


_scale = _scaled(lambda k, s: s)


def _stop(h: Any, k: int, s: Any) -> Any:
    return jax.lax.stop_gradient(h)


right = unroll(between=_scale)


def _one_coin(step: Any, loss: Any, theta: Any, h: Any, steps: int, s: Any) -> Any:
    whole = unroll()(step, loss, theta, h, steps, s)
    cut = unroll(between=_stop)(step, loss, theta, h, steps, s)
    return scale_gradient(whole, s) + scale_gradient(cut, 1 - s) - jax.lax.stop_gradient(cut)


MISCONCEPTIONS = (
    Misconception(
        "no_scale",
        "the loss is right, but every gradient arrives in full, whatever the scale. Either "
        "there's no scale, or no gradient passes where you put it: after the last use of a state, "
        "or on a copy that nothing reads.",
        unroll(),
    ),
    Misconception(
        "before_the_head",
        "each loss's gradient passes a scale before it reaches its own step, so none arrives in "
        "full. Let the head read the state as it comes from the step.",
        unroll(after=_scale),
    ),
    Misconception(
        "at_every_input",
        "theta gets the right gradient, but the first state doesn't: there's a scale in front of "
        "the first step, which has no step before it.",
        unroll(before=_scale),
    ),
    Misconception(
        "outside_the_loop",
        "only the first state's gradient is scaled. You use the scale once, outside the loop, so "
        "theta gets its gradient as if there were none.",
        unroll(before=_scaled(lambda k, s: s if k == 0 else 1.0)),
    ),
    Misconception(
        "first_scale_only",
        "only the first scale of the unroll acts. There should be one between every two steps.",
        unroll(between=_scaled(lambda k, s: s if k == 0 else 1.0)),
    ),
    Misconception(
        "on_the_parameters",
        "the whole gradient of theta is multiplied by the scale, and the state's isn't. That's a "
        "learning rate for theta. What comes from farther away should arrive smaller than what "
        "comes from near.",
        unroll(parameters=_scale),
    ),
    Misconception(
        "on_the_parameters_of_the_steps",
        "all that theta gets through the steps is multiplied by the scale, and the state's "
        "gradient isn't: you scale theta where the step reads it. Scale what passes from one step "
        "to the next.",
        unroll(read=_scale),
    ),
    Misconception(
        "on_the_parameters_each_time",
        "theta passes one more scale at every step, so later steps get the least, and the state's "
        "gradient isn't scaled. What comes from farther away should arrive smaller, whichever "
        "step it reaches.",
        unroll(parameters=_scaled(lambda k, s: s ** (k + 1))),
    ),
    Misconception(
        "around_the_head",
        "there are two scales at every state, one before the head and one after it. A loss's "
        "gradient should reach its own step in full, and pass one scale on the way to the next.",
        unroll(after=_scale, between=_scale),
    ),
    Misconception(
        "two_places",
        "there's a scale in a second place as well: on the losses, or at each input as well as "
        "between steps. A gradient should pass one scale for each step that it goes back.",
        unroll(heard=_scale, between=_scale),
        unroll(before=_scale, between=_scale),
    ),
    Misconception(
        "on_the_losses",
        "every gradient is multiplied by the scale once, so near losses are scaled as much as far "
        "ones. You scale the losses; the scale belongs between the steps.",
        unroll(heard=_scale),
    ),
    Misconception(
        "discounted",
        "loss k is scaled by a power of the scale that depends only on k, so it's the same for "
        "all steps. That's a discount. What counts is how many steps there are between a loss and "
        "the step that it reaches.",
        unroll(heard=_scaled(lambda k, s: s**k)),
    ),
    Misconception(
        "one_coin",
        "a gradient that passes several scales is scaled only once, as in a mixture of the whole "
        "gradient and the truncated one. Each should scale it again.",
        _one_coin,
    ),
    Misconception(
        "truncated",
        "no gradient passes between two steps, whatever the scale. This is a truncation, which is "
        "right only at scale = 0.",
        unroll(between=_stop),
    ),
    Misconception(
        "one_minus_scale",
        "what passes between two steps is multiplied by 1 - scale. At 0.5 you can't tell the "
        "difference.",
        unroll(between=_scaled(lambda k, s: 1 - s)),
    ),
    Misconception(
        "scaled_twice",
        "what passes between two steps is scaled twice: there's a second scale.",
        unroll(between=_scale, before=_scaled(lambda k, s: s if k > 0 else 1.0)),
    ),
    Misconception(
        "fixed_half",
        "what passes between two steps is halved, whatever the scale. The scale is an argument.",
        unroll(between=_scaled(lambda k, s: 0.5)),
    ),
    Misconception(
        "reversed",
        "what passes between two steps is multiplied by minus the scale.",
        unroll(between=_scaled(lambda k, s: -s)),
    ),
    Misconception(
        "clipped",
        "what passes between two steps is clipped, not scaled: small gradients pass unchanged.",
        unroll(between=lambda h, k, s: clip_gradient(h, -abs(s), abs(s))),
    ),
    Misconception(
        "state_scaled",
        "the sum of the losses changes with the scale: the state itself is multiplied by it, so "
        "the next step starts from another state.",
        unroll(between=lambda h, k, s: s * h),
    ),
    Misconception(
        "losses_multiplied",
        "the sum of the losses changes with the scale: losses are multiplied by it. The number "
        "you report must not depend on it.",
        unroll(heard=lambda loss, k, s: s * loss),
    ),
    Misconception(
        "discounted_losses",
        "the sum of the losses changes with the scale: losses are multiplied by its powers, as "
        "rewards are discounted. The number you report must not depend on it.",
        unroll(heard=lambda loss, k, s: s**k * loss),
    ),
    Misconception(
        "mean",
        "you return the mean of the losses. Return their sum.",
        unroll(between=_scale, total=lambda losses: sum(losses) / len(losses)),
    ),
    Misconception(
        "one_step_early",
        "each loss is taken before its step, so the first state has a loss and the last one has "
        "none. Take each after its step.",
        lambda step, loss, theta, h, steps, s: (
            loss(theta, h) + unroll(after=_scale)(step, loss, theta, h, steps - 1, s)
        ),
    ),
    Misconception(
        "last_loss_only",
        "you return the last step's loss alone. Every step has a loss, and they add up.",
        unroll(between=_scale, total=lambda losses: losses[-1]),
    ),
)

PASSED = (
    "the loss is the plain sum, and each step gets the gradient of its own loss in full, "
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
