"""The operators as Optax transformations: ``optax.chain(clip_by_rms(1.0), optax.adam(1e-3))``.

Each has the name and the arguments of its operator in ``gradlab.ops``, which says what it does,
less the pytree. Clips stand where their gradients are: before ``optax.adam`` they clip the
gradients, after it its updates. Constraints stand last, since what is chained after them
would move the weights out of the set again; ``constrained`` goes around the whole chain.

``where(path, leaf) -> bool`` selects leaves, of the gradients for a clip and of the weights for
a constraint, as in ``gradlab.ops.selection``. None has a state. Arguments that cannot be right
are refused when a transformation is made. For limits that change in time use
``optax.inject_hyperparams(clip_by_rms, static_args="where")``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import optax
from jax.typing import ArrayLike

from gradlab import ops
from gradlab.ops import constrained
from gradlab.ops._nonfinite import Nonfinite
from gradlab.ops.layout import Axis, ColumnAxis, Layout
from gradlab.ops.selection import Where, on_selected

__all__ = [
    "clip_adaptively",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_rms",
    "clip_by_value",
    "constrained",
    "max_norm",
    "min_max_norm",
    "non_negative",
    "unit_norm",
]


def clip_by_value(
    minimum: ArrayLike,
    maximum: ArrayLike,
    *,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip every entry to ``[minimum, maximum]``."""
    return _clip(lambda g: ops.clip_by_value(g, minimum, maximum, nonfinite=nonfinite), where)


def clip_by_norm(
    max_norm: ArrayLike,
    axis: Axis = None,
    *,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip each leaf by its own norm, over ``axis``."""
    return _clip(lambda g: ops.clip_by_norm(g, max_norm, axis, nonfinite=nonfinite), where)


def clip_by_average_norm(
    max_norm: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip each leaf by its own norm, divided by the number of its entries."""
    return _clip(lambda g: ops.clip_by_average_norm(g, max_norm, nonfinite=nonfinite), where)


def clip_by_rms(
    max_rms: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip each leaf by its own root mean square."""
    return _clip(lambda g: ops.clip_by_rms(g, max_rms, nonfinite=nonfinite), where)


def clip_by_global_norm(
    max_norm: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip the selected leaves by the norm of all of them together."""
    return _clip(lambda g: ops.clip_by_global_norm(g, max_norm, nonfinite=nonfinite)[0], where)


def clip_adaptively(
    ratio: ArrayLike,
    floor: ArrayLike = 1e-3,
    *,
    axis: Axis = None,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip each unit's gradient to ``ratio`` times the norm of its weights.

    For Equinox and PyTorch give ``layout="out_in"``. Its ``update`` needs the weights, and
    raises a ValueError without them.
    """

    def clip(grads: Any, params: Any) -> Any:
        return ops.clip_adaptively(
            grads, params, ratio, floor, axis=axis, layout=layout, nonfinite=nonfinite
        )

    jax.eval_shape(lambda: clip({}, {}))

    def update(grads: Any, params: Any) -> Any:
        if params is None:
            raise ValueError(
                "clip_adaptively compares gradients with the weights: call "
                "update(grads, state, params)."
            )
        return on_selected(lambda chosen: clip(chosen, params), grads, where)

    return optax.stateless(update)


def max_norm(
    limit: ArrayLike,
    axis: ColumnAxis = "layout",
    epsilon: ArrayLike = 0.0,
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformationExtraArgs:
    """Keep every column of the kernels at most ``limit`` long.

    For Equinox and PyTorch give ``layout="out_in"``. Vectors are left alone, unless ``where``
    selects them.
    """
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint(lambda w: ops.max_norm(w, limit, axis, epsilon, **how))


def unit_norm(
    axis: ColumnAxis = "layout",
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformationExtraArgs:
    """Keep every column of the kernels at length 1; layouts and vectors as in ``max_norm``."""
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint(lambda w: ops.unit_norm(w, axis, **how))


def min_max_norm(
    low: ArrayLike,
    high: ArrayLike,
    rate: ArrayLike = 1.0,
    axis: ColumnAxis = "layout",
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformationExtraArgs:
    """Keep norms of columns near ``[low, high]``; layouts and vectors as in ``max_norm``."""
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint(lambda w: ops.min_max_norm(w, low, high, rate, axis, **how))


def non_negative(
    *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformationExtraArgs:
    """Keep all weights at 0 or above, biases too unless ``where`` selects others."""
    return _constraint(lambda w: ops.non_negative(w, where=where, nonfinite=nonfinite))


def _clip(clip: Callable[[Any], Any], where: Where | None) -> optax.GradientTransformation:
    jax.eval_shape(clip, {})  # refuses wrong limits now
    return optax.stateless(lambda grads, params: on_selected(clip, grads, where))


def _constraint(project: Callable[[Any], Any]) -> optax.GradientTransformationExtraArgs:
    jax.eval_shape(project, {})
    return constrained(optax.identity(), project)
