"""Chapter 03: write ``my_loss(step, head, theta, h, actions, targets, scale)``.

The loss of MuZero's ``update_weights`` on one example, of a step and a head that are given: a
weight of 1 on the root's loss and 1/K on the others, on their gradients alone, and the scale
after the heads. What is seen of an answer is the loss that it reports and its gradients: of the
step's parameters, of the head's, and of the root state.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from scaleclip.ops.clipping import clip_gradient, clip_gradient_norm
from scaleclip.ops.scaling import scale_gradient
from sccbook.checking.parts import (
    Case,
    Comparison,
    Function,
    Misconception,
    require_a_loss,
)

THETA = {"step": np.array([[0.9, -0.4], [0.5, 1.1]]), "head": np.array([0.7, -0.6])}
H = np.array([0.6, -0.2])
ACTIONS = np.array([1.0, 0.0, 1.0])
TARGETS = np.array([0.4, -0.9, 1.2, 0.3])


def _same(x: Any, k: int, steps: int, s: Any) -> Any:
    return x


def _scaled(factor: Function) -> Function:
    """Scale what comes back by a factor made of the step's number, K and s."""
    return lambda x, k, steps, s: scale_gradient(x, factor(k, steps, s))


_scale = _scaled(lambda k, steps, s: s)
_weighted = _scaled(lambda k, steps, s: 1.0 if k == 0 else 1 / steps)


def unroll(
    *,
    root: Function = _same,
    top: Function = _same,
    before: Function = _same,
    after: Function = _scale,
    weight: Function = _weighted,
    total: Function = sum,
) -> Function:
    """Make the right answer, or one where something else acts somewhere.

    Each of these acts on a state or a loss, and is given the number of its step, K and s.

    Args:
      root: on the root state, before anything reads it.
      top: on the state at the input of step k, from 1.
      before, after: on the state that step k leads to, before and after the head.
      weight: on the loss of state k, from 0.
      total: makes one number of the losses.
    """

    def answer(step: Any, head: Any, theta: Any, h: Any, actions: Any, targets: Any, s: Any) -> Any:
        steps = len(actions)
        h = root(h, 0, steps, s)
        losses = [weight(head(theta, h, targets[0]), 0, steps, s)]
        for k in range(1, steps + 1):
            h = step(theta, top(h, k, steps, s), actions[k - 1])
            h = before(h, k, steps, s)
            losses.append(weight(head(theta, h, targets[k]), k, steps, s))
            h = after(h, k, steps, s)
        return total(losses)

    return answer


right = unroll()


def _divided(divisor: Function) -> Function:
    return lambda loss, k, steps, s: loss / divisor(k, steps)


def _late(step: Any, head: Any, theta: Any, h: Any, actions: Any, targets: Any, s: Any) -> Any:
    """Compare each prediction with the target of the state before."""
    shifted = jnp.concatenate([targets[:1], targets[:-1]])
    return right(step, head, theta, h, actions, shifted, s)


MISCONCEPTIONS = (
    Misconception(
        "plain",
        "the loss is right, but every gradient arrives in full: neither the steps' losses nor the "
        "states have their scale.",
        unroll(after=_same, weight=_same),
    ),
    Misconception(
        "no_scale",
        "the weights of the losses are right, but nothing between two steps is scaled. Either the "
        "line is missing, or it has slipped out of the loop: nothing reads the state after the "
        "last step, so no gradient passes there.",
        unroll(after=_same),
    ),
    Misconception(
        "no_weights",
        "the states have their scale, but each loss counts in full. Together the K steps should "
        "count as much as the root.",
        unroll(weight=_same),
    ),
    Misconception(
        "root_divided",
        "the root's loss is weighted like one of the steps. It should count in full, as much as "
        "all the steps together.",
        unroll(weight=_scaled(lambda k, steps, s: 1 / steps)),
    ),
    Misconception(
        "mean_weights",
        "each loss counts as one of K + 1, the root's included. The root's should count in full, "
        "and the other K should share the rest.",
        unroll(weight=_scaled(lambda k, steps, s: 1 / (steps + 1))),
    ),
    Misconception(
        "one_too_many",
        "the steps' losses are weighted as if there were K + 1 of them. The root's loss is not "
        "one of them.",
        unroll(weight=_scaled(lambda k, steps, s: 1.0 if k == 0 else 1 / (steps + 1))),
    ),
    Misconception(
        "divided",
        "every gradient is right, but the number you report isn't the plain sum: losses are "
        "divided, where only their gradients should be.",
        unroll(weight=_divided(lambda k, steps: 1 if k == 0 else steps)),
    ),
    Misconception(
        "all_divided",
        "the losses are divided, the root's included, so the number you report isn't the plain "
        "sum. And the root's loss should count in full.",
        unroll(weight=_divided(lambda k, steps: steps)),
    ),
    Misconception(
        "averaged",
        "you return the mean of the losses. Return their sum, with weights that act on gradients "
        "alone.",
        unroll(weight=_same, total=lambda losses: sum(losses) / len(losses)),
    ),
    Misconception(
        "weighted_twice",
        "the steps' losses are weighted twice, once in their value and once in their gradient.",
        unroll(
            weight=lambda loss, k, steps, s: (
                loss if k == 0 else scale_gradient(loss / steps, 1 / steps)
            )
        ),
    ),
    Misconception(
        "before_heads",
        "a loss passes the scale on the way to its own step, so none arrives in full. Several "
        "public ports have the line there, but in the pseudocode the heads read the state before "
        "the line.",
        unroll(before=_scale, after=_same),
    ),
    Misconception(
        "every_input",
        "the step's parameters get what they should, but the root doesn't: its state meets the "
        "line before the first step. You can read the paper's prose this way, but not the "
        "pseudocode.",
        unroll(top=_scale, after=_same),
    ),
    Misconception(
        "before_the_loop",
        "the line is used once, before the loop. There it multiplies what the root gets from the "
        "steps, and the step's parameters get what they would without it.",
        unroll(top=_scaled(lambda k, steps, s: s if k == 1 else 1.0), after=_same),
    ),
    Misconception(
        "at_the_root",
        "everything that the root state gets is scaled, its own loss too, and nothing else is.",
        unroll(root=_scale, after=_same),
    ),
    Misconception(
        "first_only",
        "only the state after the first step has its scale. Every state needs one.",
        unroll(after=_scaled(lambda k, steps, s: s if k == 1 else 1.0)),
    ),
    Misconception(
        "scaled_twice",
        "what passes between two steps is scaled twice.",
        unroll(after=_scaled(lambda k, steps, s: s * s)),
    ),
    Misconception(
        "state_scaled",
        "the loss you report changes with the scale: the state itself is multiplied, so the next "
        "step starts from another state.",
        unroll(after=lambda h, k, steps, s: s * h),
    ),
    Misconception(
        "on_the_losses",
        "the scale is on the losses, next to their weight, and there's none on the states. So "
        "near and far losses are scaled alike, and the head is scaled too.",
        unroll(
            after=_same,
            weight=_scaled(lambda k, steps, s: 1.0 if k == 0 else s / steps),
        ),
    ),
    Misconception(
        "powers_on_the_losses",
        "each loss is scaled by a power of the scale that depends only on its number, the same "
        "for every step and for the head. That's a discount. What counts is how many steps there "
        "are between a loss and the step that it reaches.",
        unroll(
            after=_same,
            weight=_scaled(lambda k, steps, s: 1.0 if k == 0 else s ** (k - 1) / steps),
        ),
    ),
    Misconception(
        "swapped",
        "the two scales have changed places: the states have the losses' weight, and the losses "
        "the states' scale.",
        unroll(
            after=_scaled(lambda k, steps, s: 1 / steps),
            weight=_scaled(lambda k, steps, s: 1.0 if k == 0 else s),
        ),
    ),
    Misconception(
        "fixed_half",
        "what passes between two steps is halved, whatever the scale. The scale is an argument.",
        unroll(after=_scaled(lambda k, steps, s: 0.5)),
    ),
    Misconception(
        "one_minus_scale",
        "what passes between two steps is multiplied by 1 - scale. At 0.5 you can't tell the "
        "difference.",
        unroll(after=_scaled(lambda k, steps, s: 1 - s)),
    ),
    Misconception(
        "truncated",
        "no gradient passes between two steps, whatever the scale. This is a truncation.",
        unroll(after=lambda h, k, steps, s: jax.lax.stop_gradient(h)),
    ),
    Misconception(
        "clipped",
        "what passes between two steps is clipped, not scaled: small gradients pass unchanged.",
        unroll(after=lambda h, k, steps, s: clip_gradient(h, -abs(s), abs(s))),
    ),
    Misconception(
        "norm_clipped",
        "what passes between two steps has its norm clipped and isn't scaled: small gradients "
        "pass unchanged. That's chapter 09's clip at the state, a different operation.",
        unroll(after=lambda h, k, steps, s: clip_gradient_norm(h, max(abs(s), 1e-12))),
    ),
    Misconception(
        "no_root_loss",
        "the root's loss is missing. The root has a value and a policy, and both have targets.",
        unroll(total=lambda losses: sum(losses[1:])),
    ),
    Misconception(
        "last_loss_only",
        "you return the last step's loss alone. All K + 1 losses add up.",
        unroll(total=lambda losses: losses[-1]),
    ),
    Misconception(
        "late_targets",
        "each prediction is compared with the target of the state before. Target k belongs to "
        "state k, and target 0 to the root.",
        _late,
    ),
)

PASSED = (
    "the loss is the plain sum; the root's counts in full and the steps' 1/K each, in the "
    "gradients alone; and each step gets the gradient of its own loss without the scale s, that of "
    "the next loss times s, and so on back to the root."
)


def _case(steps: int, scale: float) -> Case:
    return Case(
        (THETA, H, ACTIONS[:steps], TARGETS[: steps + 1], scale),
        f"with K = {steps} and scale = {scale}",
    )


CASES = (_case(2, 0.5), _case(3, 0.25), _case(2, 0.0), _case(2, -0.75))


EXERCISE = Comparison(
    probe="update",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=PASSED,
    read=require_a_loss,
    quantity="the loss with its gradients",
).exercise(
    "update_weights",
    partial={
        "one_too_many": 0.75,
        "divided": 0.5,
        "root_divided": 0.5,
        "no_weights": 0.5,
        "before_heads": 0.25,
    },
)
"""An answer is called as ``answer(step, head, theta, h, actions, targets, scale)``, with
``step(theta, h, action)``, the next state, and ``head(theta, h, target)``, a loss; K actions and
K + 1 targets, the root's first; and returns one number."""
