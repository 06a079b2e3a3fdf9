"""Use the operators as Optax transformations.

>>> import jax.numpy as jnp, optax
>>> from scaleclip import transforms
>>> optimizer = optax.chain(transforms.clip_by_global_norm(1.0), optax.sgd(1.0))
>>> weights = {"w": jnp.zeros(2)}
>>> updates, _ = optimizer.update({"w": jnp.array([3.0, 4.0])}, optimizer.init(weights), weights)
>>> print(updates["w"])
[-0.6 -0.8]

Each has the name and arguments of its operator in ``scaleclip.ops``, which says what it does, without
the pytree. Put scales and clips where their gradients are: before ``optax.adam`` they act on the
gradients, after it on its updates. Put constraints last, since what is chained after them would move
the weights out of the set again; ``constrained`` goes around the whole chain. What acts at a tensor
inside the model (``ops.clip_gradient``, ``clip_gradient_norm``, and ``scale_gradient`` there) has no
such form: it belongs in the model.

``where(path, leaf) -> bool`` selects leaves, of the gradients for a clip and of the weights for a
constraint, as in ``scaleclip.ops.selection``. No transformation has a state. Wrong arguments are refused
when a transformation is made, and a limit of 0 warns. For limits that change over time use
``optax.inject_hyperparams(clip_by_rms)(max_rms=schedule)``; limits that a run sets itself, such as
ZClip's, need a state and are in ``scaleclip.probe.clip_by_global_norm``. Give a ``where`` as
``optax.inject_hyperparams(clip_by_rms, static_args="where")``: without ``static_args`` Optax takes it
for a schedule.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "jax"):
    import jax
    import jax.numpy as jnp
    import optax
    from jax.typing import ArrayLike

from scaleclip import ops
from scaleclip.ops import constrained
from scaleclip.ops._arguments import (
    concrete,
    map_float_leaves,
    map_float_leaves_by_path,
    real_scalar,
)
from scaleclip.ops._constrained import constrained_as
from scaleclip.ops._nonfinite import Nonfinite
from scaleclip.ops.layout import Axis, ColumnAxis, Layout
from scaleclip.ops.selection import Where, check_where, on_selected

__all__ = [
    "clip_adaptively",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_rms",
    "clip_by_value",
    "clip_per_example",
    "constrained",
    "max_norm",
    "min_max_norm",
    "non_negative",
    "reverse_gradient",
    "scale_gradient",
    "unit_norm",
]


def scale_gradient(scale: ArrayLike, *, where: Where | None = None) -> optax.GradientTransformation:
    """Multiply the gradients of the selected leaves by ``scale``.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.scale_gradient(0.5)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [1.5 2. ]

    For a parameter that is used once this is ``ops.scale_gradient`` around it in the model. Before
    ``optax.adam`` a scale of all steps is not seen but for its epsilon; after it, it is a factor of
    the learning rate. To scale what flows through a *state*, scale in the model.
    """
    factor = real_scalar(scale, "scale")

    def scaled(grads: Any) -> Any:
        return map_float_leaves(lambda g: factor.astype(g.dtype) * g, grads)

    return _clip("scale_gradient", scaled, where)


def reverse_gradient(
    strength: ArrayLike = 1.0, *, where: Where | None = None
) -> optax.GradientTransformation:
    """Multiply the gradients of the selected leaves by ``-strength``: what descends, ascends.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.reverse_gradient()
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [-3. -4.]
    """
    return scale_gradient(-real_scalar(strength, "strength"), where=where)


def clip_by_value(
    minimum: ArrayLike,
    maximum: ArrayLike,
    *,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip every entry to ``[minimum, maximum]``.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_by_value(-1.0, 3.5)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [3.  3.5]
    """
    return _clip(
        "clip_by_value",
        lambda g: ops.clip_by_value(g, minimum, maximum, nonfinite=nonfinite),
        where,
        minimum,
        maximum,
    )


def clip_by_norm(
    max_norm: ArrayLike,
    axis: Axis = None,
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip each leaf by its own norm, over ``axis``; with a ``layout`` each unit's gradient.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_by_norm(2.5)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [1.5 2. ]
    """
    how: Any = {"layout": layout, "nonfinite": nonfinite}
    return _clip(
        "clip_by_norm", lambda g: ops.clip_by_norm(g, max_norm, axis, **how), where, max_norm
    )


def clip_by_average_norm(
    max_norm: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip each leaf by its own norm, divided by the number of its entries.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_by_average_norm(1.25)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [1.5 2. ]
    """
    return _clip(
        "clip_by_average_norm",
        lambda g: ops.clip_by_average_norm(g, max_norm, nonfinite=nonfinite),
        where,
        max_norm,
    )


def clip_by_rms(
    max_rms: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip each leaf by its own root mean square.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_by_rms(1.5)
    >>> updates, _ = tx.update(jnp.full(4, 3.0), tx.init(jnp.zeros(4)), jnp.zeros(4))
    >>> print(updates)
    [1.5 1.5 1.5 1.5]
    """
    return _clip(
        "clip_by_rms", lambda g: ops.clip_by_rms(g, max_rms, nonfinite=nonfinite), where, max_rms
    )


def clip_by_global_norm(
    max_norm: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip the selected leaves by the norm of all of them together.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_by_global_norm(2.5)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [1.5 2. ]
    """
    return _clip(
        "clip_by_global_norm",
        lambda g: ops.clip_by_global_norm(g, max_norm, nonfinite=nonfinite)[0],
        where,
        max_norm,
    )


def clip_per_example(
    max_norm: ArrayLike, *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformation:
    """Clip each example's gradient by its norm over the selected leaves, and take the mean.

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_per_example(2.5)
    >>> updates, _ = tx.update(jnp.array([[3.0, 4.0], [0.5, 0.0]]), tx.init(jnp.zeros(2)), jnp.zeros(2))
    >>> print(updates)
    [1. 1.]

    It doesn't go inside ``optax.MultiSteps``, which wants updates of the gradients' shapes: put it
    before, ``optax.chain(clip_per_example(1.0), optax.MultiSteps(optimizer, k))``.

    Its ``update`` is given gradients ``[B, ...]``, as by ``jax.vmap`` of a gradient, and returns
    their mean over the examples, ``[...]``; of leaves that are not selected too.
    """

    def clip(grads: Any) -> Any:
        return ops.clip_per_example(grads, max_norm, nonfinite=nonfinite)

    _check("clip_per_example", clip, where, max_norm)

    def update(grads: Any, params: Any) -> Any:
        shapes = [jnp.shape(leaf) for leaf in jax.tree.leaves(grads) if hasattr(leaf, "shape")]
        given = [jnp.shape(leaf) for leaf in jax.tree.leaves(params) if hasattr(leaf, "shape")]
        if shapes and shapes == given:
            raise ValueError(
                f"clip_per_example needs gradients [B, ...], one for each example, but they have the "
                f"shapes of the weights, {', '.join(map(str, shapes[:3]))}. Give it what jax.vmap of a "
                "gradient returns; inside optax.MultiSteps, put it before MultiSteps."
            )
        clipped = on_selected(clip, grads, where)
        return map_float_leaves_by_path(lambda g, path: jnp.mean(g, axis=0), clipped, "grads")

    return optax.stateless(update)


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

    >>> import jax.numpy as jnp
    >>> from scaleclip import transforms
    >>> tx = transforms.clip_adaptively(0.5)
    >>> updates, _ = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.array([3.0, 4.0])), jnp.array([3.0, 4.0]))
    >>> print(updates)
    [1.5 2. ]

    For Equinox and PyTorch give ``layout="out_in"``. Its ``update`` needs the weights, and
    raises a ValueError without them.
    """

    def clip(grads: Any, params: Any) -> Any:
        return ops.clip_adaptively(
            grads, params, ratio, floor, axis=axis, layout=layout, nonfinite=nonfinite
        )

    _check("clip_adaptively", lambda grads: clip(grads, {}), where, ratio)

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

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import transforms
    >>> tx, w = optax.chain(optax.sgd(1.0), transforms.max_norm(2.5)), jnp.array([3.0, -4.0])
    >>> updates, _ = tx.update(jnp.zeros(2), tx.init(w), w)
    >>> print(optax.apply_updates(w, updates))
    [ 1.5 -2. ]

    For Equinox and PyTorch give ``layout="out_in"``. Vectors are left alone, unless ``where``
    selects them.
    """
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint("max_norm", lambda w: ops.max_norm(w, limit, axis, epsilon, **how))


def unit_norm(
    axis: ColumnAxis = "layout",
    *,
    layout: Layout | None = None,
    where: Where | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformationExtraArgs:
    """Keep every column of the kernels at length 1; layouts and vectors as in ``max_norm``.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import transforms
    >>> tx, w = optax.chain(optax.sgd(1.0), transforms.unit_norm()), jnp.array([0.0, -4.0])
    >>> updates, _ = tx.update(jnp.zeros(2), tx.init(w), w)
    >>> print(optax.apply_updates(w, updates))
    [ 0. -1.]
    """
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint("unit_norm", lambda w: ops.unit_norm(w, axis, **how))


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
    """Keep norms of columns near ``[low, high]``; layouts and vectors as in ``max_norm``.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import transforms
    >>> tx, w = optax.chain(optax.sgd(1.0), transforms.min_max_norm(0.5, 2.5)), jnp.array([3.0, -4.0])
    >>> updates, _ = tx.update(jnp.zeros(2), tx.init(w), w)
    >>> print(optax.apply_updates(w, updates))
    [ 1.5 -2. ]
    """
    how: Any = {"layout": layout, "where": where, "nonfinite": nonfinite}
    return _constraint("min_max_norm", lambda w: ops.min_max_norm(w, low, high, rate, axis, **how))


def non_negative(
    *, where: Where | None = None, nonfinite: Nonfinite = "propagate"
) -> optax.GradientTransformationExtraArgs:
    """Keep all weights at 0 or above, biases too unless ``where`` selects others.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import transforms
    >>> tx, w = optax.chain(optax.sgd(1.0), transforms.non_negative()), jnp.array([3.0, -4.0])
    >>> updates, _ = tx.update(jnp.zeros(2), tx.init(w), w)
    >>> print(optax.apply_updates(w, updates))
    [3. 0.]
    """
    return _constraint(
        "non_negative", lambda w: ops.non_negative(w, where=where, nonfinite=nonfinite)
    )


def _clip(
    name: str, clip: Callable[[Any], Any], where: Where | None, *limits: Any
) -> optax.GradientTransformation:
    """Make a transformation of a clip of gradients, if its limits and ``where`` can be right."""
    _check(name, clip, where, *limits, stacklevel=4)
    return optax.stateless(lambda grads, params: on_selected(clip, grads, where))


def _constraint(name: str, project: Callable[[Any], Any]) -> optax.GradientTransformationExtraArgs:
    jax.eval_shape(project, {})
    return constrained_as(name, optax.identity(), project)


def _check(
    name: str, clip: Callable[[Any], Any], where: Where | None, *limits: Any, stacklevel: int = 3
) -> None:
    """Refuse wrong arguments, and warn of limits known to be 0: elsewhere 0 switches a clip off."""
    jax.eval_shape(clip, {})
    check_where(where)
    # An array may be a schedule's, which may begin at 0.
    zero = [not isinstance(limit, jax.Array) and concrete(limit) == 0 for limit in limits]
    if zero and all(zero):
        warnings.warn(
            f"{name} was given the limit 0, which makes every gradient 0. In some other programs 0 "
            "means that nothing is clipped: for that give math.inf.",
            UserWarning,
            stacklevel=stacklevel,
        )
