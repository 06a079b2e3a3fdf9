"""Scaling: the value passes unchanged, its gradient is multiplied."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import describe, is_float, map_float_leaves, real_scalar


def scale_gradient(x: Any, scale: ArrayLike) -> Any:
    """Return ``x`` unchanged; multiply the gradient that flows back through it by ``scale``.

    Forward ``y = x``, tangent ``dy = scale * dx``, cotangent ``x_bar = scale * y_bar``.

    >>> import jax
    >>> from scaleclip.ops import scale_gradient
    >>> print(jax.grad(lambda x: scale_gradient(x, 0.5) ** 2)(3.0))  # 2 x, halved
    3.0

    The value is kept bit for bit. ``scale = 1`` changes nothing, 0 is ``stop_gradient``, a negative
    scale reverses. A second derivative meets the operator twice and is multiplied by ``scale ** 2``.
    The value's derivative with respect to ``scale`` is 0; that of the gradient isn't.

    Args:
      x: a float or complex array or Python number of any shape, or a pytree of them. Leaves without a
        gradient (integers, booleans, ``None``) pass through.
      scale: a real number or a real array of shape ``[]``; may be traced. It is rounded to the dtype
        of each leaf.

    Returns:
      A pytree like ``x``.

    Raises:
      TypeError: if ``scale`` is not a real number, or a leaf not numeric.
      ValueError: if ``scale`` is an array of another shape than ``[]``.

    Source: ``scale_gradient`` in Sonnet and in Optax 0.2; used in the pseudocode of MuZero
      (Schrittwieser et al. 2020, supplementary data), which does not define it.
    """
    return _scale_tree(x, real_scalar(scale, "scale"))


def reverse_gradient(x: Any, strength: ArrayLike = 1.0) -> Any:
    """Return ``x`` unchanged; reverse the gradient that flows back through it.

    Forward ``y = x``, cotangent ``x_bar = -strength * y_bar``, as ``scale_gradient(x, -strength)``. What
    is below climbs the loss that what is above descends.

    >>> import jax
    >>> from scaleclip.ops import reverse_gradient
    >>> print(jax.grad(lambda x: reverse_gradient(x) ** 2)(3.0))
    -6.0

    Args:
      x: as for ``scale_gradient``.
      strength: a real number or a real array of shape ``[]``; may be traced.

    Returns:
      A pytree like ``x``.

    Raises:
      TypeError, ValueError: as ``scale_gradient``.

    Source: the gradient reversal layer of Ganin and Lempitsky 2015 (arXiv 1409.7495), whose lambda
      is ``strength``.
    """
    return _scale_tree(x, -real_scalar(strength, "strength"))


def straight_through(value: Any, surrogate: Any) -> Any:
    """Return ``value``; send the gradient that flows back to ``surrogate`` instead.

    Forward ``y = value``, tangent ``dy = d surrogate``. With ``value = f(x)`` and ``surrogate = x``, f is
    differentiated as if it were the identity: the gradient that is reported is not that of ``value``.

    >>> import jax, jax.numpy as jnp
    >>> from scaleclip.ops import straight_through
    >>> rounded = lambda x: straight_through(jnp.round(x), x)
    >>> print(rounded(2.7), jax.grad(rounded)(2.7))
    3.0 1.0

    Args:
      value: a float array or Python number of any shape, or a pytree of them.
      surrogate: a pytree like ``value``, with the same shapes; dtypes may differ. Where both leaves
        have no gradient (integers, booleans), ``value`` passes.

    Returns:
      A pytree like ``value``, bit for bit. (A Python number takes the dtype of its surrogate.)

    Raises:
      TypeError: if a leaf isn't numeric, or a leaf of ``value`` has no gradient where ``surrogate`` has
        one: the gradient would be lost.
      ValueError: if the two pytrees, or the shapes of two leaves, differ.

    Source: Bengio, Leonard and Courville 2013 (arXiv 1308.3432), the straight-through estimator.
    """
    given: Any = jax.tree.structure(value)
    expected: Any = jax.tree.structure(surrogate)
    if given != expected:
        raise ValueError(
            "value and surrogate must be pytrees of the same structure, "
            f"but {given} and {expected} were given."
        )
    return jax.tree.map(_straight_through_leaves, value, surrogate)


def _scale_tree(x: Any, scale: Array) -> Any:
    return map_float_leaves(lambda leaf: _scale(leaf, scale.astype(leaf.dtype)), x)


# A custom_jvp, because only a rule for tangents gives forward mode too; JAX transposes
# it for the backward pass.
@jax.custom_jvp
def _scale(x: Array, scale: Array) -> Array:
    return x


@_scale.defjvp
def _scale_jvp(primals: tuple[Array, Array], tangents: tuple[Array, Array]) -> tuple[Array, Array]:
    x, scale = primals
    dx, _ = tangents
    # The primal goes through the operator again: bare x would lose one factor of the
    # scale from second derivatives.
    return _scale(x, scale), scale * dx


def _straight_through_leaves(value: Any, surrogate: Any) -> Any:
    if not is_float(surrogate) and not is_float(value):
        return value
    surrogate = jnp.asarray(surrogate)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = jnp.asarray(value, surrogate.dtype)
    if not is_float(value) or not is_float(surrogate):
        raise TypeError(
            f"straight_through needs floats, but value is {describe(value)} and "
            f"surrogate is {describe(surrogate)}. Convert with .astype first."
        )
    value = jnp.asarray(value)
    if value.shape != surrogate.shape:
        raise ValueError(
            "value and surrogate must have the same shape, "
            f"but {value.shape} and {surrogate.shape} were given."
        )
    return _replace(value, surrogate)


@jax.custom_jvp
def _replace(value: Array, surrogate: Array) -> Array:
    return value


@_replace.defjvp
def _replace_jvp(
    primals: tuple[Array, Array], tangents: tuple[Array, Array]
) -> tuple[Array, Array]:
    value, surrogate = primals
    _, dsurrogate = tangents
    return _replace(value, surrogate), dsurrogate.astype(value.dtype)
