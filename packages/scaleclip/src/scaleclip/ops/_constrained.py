"""An optimizer whose updates land inside a set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from scaleclip._extras import needed
from scaleclip.ops._arguments import float_leaf, is_node_end

if TYPE_CHECKING:
    import optax


def constrained(
    optimizer: optax.GradientTransformation, projection: Callable[[Any], Any]
) -> optax.GradientTransformationExtraArgs:
    """Return an optimizer whose updates land inside a set.

    ``u -> projection(w + u) - w``, so that ``optax.apply_updates`` makes ``projection(w + u)`` of the
    weights, but for two roundings: one may land a unit in the last place outside.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip.ops import constrained, max_norm
    >>> optimizer = constrained(optax.sgd(1.0), lambda w: max_norm(w, 2.5))
    >>> w, g = jnp.array([2.0, 3.0]), jnp.array([-1.0, -1.0])
    >>> updates, state = optimizer.update(g, optimizer.init(w), w)
    >>> print(optax.apply_updates(w, updates))  # [3, 4], capped
    [1.5 2. ]

    Put it around the whole chain: what is chained after it would move the weights out again. The
    optimizer's state is not projected, so its momentum goes on pointing out of the set. The projection
    is given the whole pytree: ``max_norm`` caps the kernels in it, taken to be ``[in, out]``, and leaves
    biases alone; for Equinox and PyTorch give it ``layout="out_in"``.

    Args:
      optimizer: an Optax transformation; its state is the state of the result.
      projection: from a pytree of weights to one like it.

    Returns:
      An Optax transformation. Its ``update`` needs the parameters, and raises a ValueError without
      them, or if ``projection`` returns another structure, shape or dtype.

    Raises:
      TypeError: if ``optimizer`` is no Optax transformation, or ``projection`` no function.

    Source: projected gradient descent, as Keras applies its layers' constraints after each update;
      ``optax.keep_params_nonnegative`` does it for one set.
    """
    return constrained_as("constrained", optimizer, projection)


def constrained_as(
    name: str, optimizer: optax.GradientTransformation, projection: Callable[[Any], Any]
) -> optax.GradientTransformationExtraArgs:
    """Return ``constrained(optimizer, projection)``, with another name in its errors."""
    with needed(f"{__package__}.{name}", "jax"):
        import optax  # not at the top: it takes a quarter of a second, and the rest does without

    if not isinstance(optimizer, optax.GradientTransformation):
        raise TypeError(
            "optimizer must be an optax.GradientTransformation, such as optax.sgd(0.1), but "
            f"{optimizer!r} was given."
        )
    if not callable(projection):
        raise TypeError(
            "projection must be a function of the weights, such as "
            f"lambda w: max_norm(w, 2.0), but {projection!r} was given."
        )
    inner = optax.with_extra_args_support(optimizer)

    def update(grads: Any, state: Any, params: Any = None, **extra: Any) -> tuple[Any, Any]:
        if params is None:
            raise ValueError(
                f"{name} keeps the weights inside a set, and was given none: call "
                "update(grads, state, params)."
            )
        updates, state = inner.update(grads, state, params, **extra)
        moved = jax.tree_util.tree_map_with_path(_moved, updates, params, is_leaf=is_node_end)
        inside = projection(moved)
        _require_like(moved, inside)
        return jax.tree.map(_landing, updates, params, inside, is_leaf=is_node_end), state

    return optax.GradientTransformationExtraArgs(inner.init, update)


def _moved(path: Any, update: Any, weights: Any) -> Any:
    if float_leaf(update, path, "updates") is None and _is_none(update):
        return weights
    return jnp.asarray(weights + update).astype(jnp.asarray(weights).dtype)


def _landing(update: Any, weights: Any, inside: Any) -> Any:
    if _is_none(update):
        return update
    return (inside - weights).astype(jnp.asarray(update).dtype)


def _is_none(update: Any) -> bool:
    """Tell whether it is the update of what isn't trained: None, or float0 for an integer."""
    return update is None or getattr(update, "dtype", None) == jax.dtypes.float0


def _require_like(expected: Any, given: Any) -> None:
    def form(leaf: Any) -> Any:
        return jnp.shape(leaf), getattr(leaf, "dtype", None) or jnp.result_type(leaf)

    shape: Any = jax.tree.map(form, expected)
    other: Any = jax.tree.map(form, given)
    if shape != other:
        raise ValueError(
            "projection must return a pytree like the weights, the same shapes and dtypes: "
            f"it was given {shape} and returned {other}."
        )
