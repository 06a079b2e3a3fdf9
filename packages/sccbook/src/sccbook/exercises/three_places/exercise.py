"""Chapter 02: write a training step with a scale, a clip and a cap, each in its place.

The right step and the wrong ones are one step with places, and what acts at each of them.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from scaleclip.ops import clip_by_norm, clip_by_value, clip_gradient_norm, max_norm, scale_gradient
from sccbook.checking.parts import Case, Comparison, Function, Misconception

RATE = 0.5
W = np.array([[-0.6, 0.3], [0.9, 0.5]])
X = np.array([[0.9, -0.8], [0.3, 0.7], [-0.2, 0.4]])
Y = np.array([[1.5, 0.7], [-0.3, 1.6], [0.2, -0.1]])
FAR = 100.0  # a limit that nothing reaches
CASES = tuple(  # scale, limit and cap, and what they are for the reader
    Case((W, X, Y, *numbers), words)
    for numbers, words in (
        ((1.0, FAR, FAR), "with scale = 1 and limits that nothing reaches"),
        ((0.5, FAR, FAR), "with scale = 0.5 and limits that nothing reaches"),
        ((1.0, 0.3, FAR), "with scale = 1, limit = 0.3 and a cap that nothing reaches"),
        ((1.0, FAR, 0.3), "with scale = 1, a limit that nothing reaches and cap = 0.3"),
        ((0.5, 0.6, 0.8), "with scale = 0.5, limit = 0.6 and cap = 0.8"),
        ((0.25, 1.2, 0.5), "with scale = 0.25, limit = 1.2 and cap = 0.5"),
    )
)


def _nothing(v: Array, *by: Any) -> Any:
    return v


def _scale(h: Array, s: Any, limit: Any, cap: Any) -> Any:
    return scale_gradient(h, s)


def _clip(g: Array, s: Any, limit: Any, cap: Any) -> Any:
    return clip_by_norm(g, limit)


def _cap(w: Array, s: Any, limit: Any, cap: Any) -> Any:
    return max_norm(w, cap, axis=0)


def step(
    *,
    inputs: Function = _nothing,
    before: Function = _nothing,
    state: Function = _scale,
    second: Function = _nothing,
    gradient: Function = _clip,
    update: Function = _nothing,
    start: Function = _nothing,
    after: Function = _cap,
) -> Function:
    """Make the right training step, or one where something else acts somewhere.

    Each of these is called with what it acts on, and with the scale s of what comes back through h,
    the limit of the gradient and the cap of w.

    Args:
      inputs, state: on x, and on h: its value, or what comes back.
      before: on w, before it is used.
      second: on w where it meets h.
      gradient, update: on the gradient of w, and on what is added to w.
      start: on w where the update is added.
      after: on w at the end.
    """

    def train(w: Array, x: Array, y: Array, *by: Any) -> tuple[Array, Array]:
        x, w = inputs(x, *by), before(w, *by)

        def loss(w: Array) -> Array:
            return 0.5 * jnp.sum((state(x @ w, *by) @ second(w, *by) - y) ** 2)

        value, g = jax.value_and_grad(loss)(w)
        return value, after(start(w, *by) + update(-RATE * gradient(g, *by), *by), *by)

    return train


def _both(first: Function, then: Function) -> Function:
    return lambda v, *by: then(first(v, *by), *by)


def _times(v: Array, s: Any, limit: Any, cap: Any) -> Any:
    return s * v


_RATE = (
    "the scale multiplies the whole {what}, so both paths are scaled. That amounts to another "
    "learning rate. It should act only on what comes back through the state."
)
MISCONCEPTIONS = (
    Misconception(
        "nothing_acts",
        "this is still the plain step. None of the three operations acts.",
        step(state=_nothing, gradient=_nothing, after=_nothing),
    ),
    Misconception(
        "only_scale",
        "the scale is in its place; the clip and the cap are still missing.",
        step(gradient=_nothing, after=_nothing),
    ),
    Misconception(
        "only_clip",
        "the clip is in its place; the scale and the cap are still missing.",
        step(state=_nothing, after=_nothing),
    ),
    Misconception(
        "only_cap",
        "the cap is in its place; the scale and the clip are still missing.",
        step(state=_nothing, gradient=_nothing),
    ),
    Misconception(
        "learning_rate",
        _RATE.format(what="gradient of w"),
        step(state=_nothing, gradient=_both(_times, _clip)),
        step(state=_nothing, gradient=_times, after=_nothing),
    ),
    Misconception(
        "learning_rate",
        _RATE.format(what="update"),
        step(state=_nothing, update=_times),
    ),
    Misconception(
        "value_scaled",
        "the state itself is multiplied by the scale, so the loss changes. The scale shouldn't "
        "change anything on the way forward.",
        step(state=_times),
        step(state=_times, gradient=_nothing, after=_nothing),
    ),
    Misconception(
        "direct_path_scaled",
        "the wrong path is scaled: what reaches w directly, where it meets h. It should be what "
        "comes back through h.",
        step(state=_nothing, second=_scale),
    ),
    Misconception(
        "stopped",
        "nothing comes back through the state, whatever the scale. What comes back should be "
        "multiplied by the scale.",
        step(state=lambda h, s, limit, cap: jax.lax.stop_gradient(h)),
    ),
    Misconception(
        "no_scale",
        "the clip and the cap are in their places, but what comes back through the state is not "
        "scaled.",
        step(state=_nothing),
    ),
    Misconception(
        "inputs_clipped",
        "the inputs are clipped, not the gradient. The network is trained on altered data, and the "
        "gradient has no bound.",
        step(inputs=lambda x, s, limit, cap: clip_by_norm(x, limit, -1), gradient=_nothing),
        step(inputs=_clip, gradient=_nothing),
        step(inputs=lambda x, s, limit, cap: clip_by_value(x, -limit, limit), gradient=_nothing),
    ),
    Misconception(
        "clipped_by_value",
        "each entry of the gradient is clipped by itself, which turns the gradient. One factor for "
        "all entries keeps its direction.",
        step(gradient=lambda g, s, limit, cap: clip_by_value(g, -limit, limit)),
    ),
    Misconception(
        "clipped_by_column",
        "the gradient is clipped column by column, which turns the whole. The clip takes one norm "
        "over all its entries here; it is the cap that takes one for each column.",
        step(gradient=lambda g, s, limit, cap: clip_by_norm(g, limit, 0)),
    ),
    Misconception(
        "normalised",
        "the gradient is brought to the limit even where it's smaller. A clip leaves a small "
        "gradient alone.",
        step(gradient=lambda g, s, limit, cap: limit * g / jnp.linalg.norm(g)),
    ),
    Misconception(
        "update_clipped",
        "the clip comes after the learning rate, so it bounds the update, not the gradient.",
        step(gradient=_nothing, update=_clip),
    ),
    Misconception(
        "clip_after_step",
        "the clip comes after the update, on the weights. The gradient has to be clipped before it's "
        "used.",
        step(gradient=_nothing, after=_both(_clip, _cap)),
    ),
    Misconception(
        "clip_at_state",
        "the clip acts at the state, on one of two paths. It should act on the gradient of w, when "
        "both paths have been added up.",
        step(
            state=lambda h, s, limit, cap: scale_gradient(clip_gradient_norm(h, limit), s),
            gradient=_nothing,
        ),
        step(
            state=lambda h, s, limit, cap: clip_gradient_norm(scale_gradient(h, s), limit),
            gradient=_nothing,
        ),
    ),
    Misconception(
        "scale_and_clip_swapped",
        "the scale and the clip have changed places: the clip acts at the state, and the scale on "
        "the whole gradient of w.",
        step(state=lambda h, s, limit, cap: clip_gradient_norm(h, limit), gradient=_times),
    ),
    Misconception(
        "no_clip",
        "the scale and the cap are in their places, but the gradient of w is not clipped.",
        step(gradient=_nothing),
    ),
    Misconception(
        "cap_on_gradient",
        "the cap is applied to the gradient, and nothing bounds the weights: many small gradients "
        "can still add up to weights of any size.",
        step(gradient=_both(_clip, _cap), after=_nothing),
        step(gradient=_both(_cap, _clip), after=_nothing),
    ),
    Misconception(
        "cap_on_update",
        "the cap is applied to the update. Many bounded updates can still add up to weights of "
        "any size.",
        step(update=_cap, after=_nothing),
    ),
    Misconception(
        "cap_before_step",
        "the cap comes before the update, so the loss is that of other weights, and the update can "
        "take the weights beyond the cap again.",
        step(before=_cap, after=_nothing),
    ),
    Misconception(
        "cap_before_update",
        "the old weights are capped, and the update is added afterwards. The cap comes last.",
        step(start=_cap, after=_nothing),
    ),
    Misconception(
        "cap_on_state",
        "the cap is applied to the state, whose value changes, and with it the loss. It is meant "
        "for the weights.",
        step(state=_both(_cap, _scale), after=_nothing),
    ),
    Misconception(
        "cap_rows",
        "the cap takes one norm for each row of w. The weights that lead to one output are a column "
        "here, since h = x w.",
        step(after=lambda w, s, limit, cap: max_norm(w, cap, axis=1)),
    ),
    Misconception(
        "cap_whole",
        "the cap takes one norm over all of w. It should take one for each column.",
        step(after=lambda w, s, limit, cap: max_norm(w, cap, axis=None)),
    ),
    Misconception(
        "no_cap",
        "the scale and the clip are in their places, but the weights are not capped after the "
        "update.",
        step(after=_nothing),
    ),
    Misconception(
        "uphill",
        "the update climbs the loss. It should be minus the rate times the gradient.",
        step(update=lambda u, s, limit, cap: -u),
    ),
)

EXERCISE = Comparison(
    probe="returned_of_jax",
    cases=CASES,
    right=step(),
    misconceptions=MISCONCEPTIONS,
    passed=(
        "the scale acts on what comes back through the state, the clip on the gradient of w, "
        "the cap on the weights after the update; and the loss is unchanged."
    ),
    quantity="(loss, new weights)",
).exercise(
    "three_places",
    partial={
        "cap_rows": 0.5,
        "cap_whole": 0.5,
        "update_clipped": 0.5,
        "no_scale": 0.5,
        "no_clip": 0.5,
        "no_cap": 0.5,
    },
)
"""An answer is called as ``step(w, x, y, scale, limit, cap)`` and returns ``(loss, new w)``."""
