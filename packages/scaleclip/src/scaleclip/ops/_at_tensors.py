"""Clipping at a tensor: the value passes unchanged, its gradient is bounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import (
    axes_of,
    interval,
    map_float_leaves_by_path,
    norm_limit,
    path_str,
)
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import clip_joint_norm, widened, working_dtype


def clip_gradient(
    x: Any, minimum: ArrayLike, maximum: ArrayLike, *, nonfinite: Nonfinite = "propagate"
) -> Any:
    """Return ``x`` unchanged; clip each entry of the gradient that flows back through it.

    Forward ``y = x``, cotangent ``x_bar = min(max(y_bar, minimum), maximum)``.

    >>> import jax
    >>> from scaleclip.ops import clip_gradient
    >>> print(jax.grad(lambda x: clip_gradient(x, -1.0, 1.0) ** 2)(3.0))  # 6, clipped
    1.0

    A clip is not linear, so there is no forward mode: ``jax.jvp`` raises JAX's error, while ``jax.grad``
    and ``jax.hessian`` work. A second derivative is that of the clipped gradient as a function of ``x``,
    1 within the limits and at them, 0 beyond. The derivative with respect to a limit is 0.

    Args:
      x: a float array or Python number of any shape, or a pytree of them. Leaves without a gradient
        (integers, booleans, ``None``) pass through.
      minimum: a real number or a real array of shape ``[]``; -inf for no limit. May be traced.
      maximum: the same, not less than ``minimum``; inf for no limit.
      nonfinite: what inf and NaN in the cotangent become. ``"propagate"``: inf becomes the limit, NaN
        stays. ``"zero"``: both become 0. ``"raise"``: a FloatingPointError while the gradient is
        taken, refused where the backward pass is traced.

    Returns:
      A pytree like ``x``, bit for bit.

    Raises:
      TypeError: if a limit is not a real number, or a leaf complex or not numeric.
      ValueError: if a limit is not a scalar or is NaN, or ``minimum`` is greater than ``maximum``.
        Traced limits that are wrong make the cotangent NaN instead.

    Source: ``clip_gradient`` in RLax 0.1 and Sonnet 1, which clip with ``jnp.clip`` and
      ``tf.clip_by_value`` (derivatives of one half and 1 at a limit). Its use with [-1, 1] is the error
      clipping of Mnih et al. 2015.
    """
    lower, upper = interval(minimum, maximum)
    check_choice(nonfinite)

    def at(leaf: Array, path: Any) -> Array:
        what = f"The gradient at x{path_str(path)}"
        dtype = widened(leaf).dtype
        limits = lower.astype(dtype), upper.astype(dtype)
        return _at_tensor(leaf, limits, _Clip(nonfinite, what))

    return map_float_leaves_by_path(at, x, "x", real=True)


def clip_gradient_norm(
    x: Any,
    max_norm: ArrayLike,
    axis: int | Sequence[int] | None = None,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Return ``x`` unchanged; shorten the gradient that flows back through it to ``max_norm``.

    Forward ``y = x``, cotangent ``x_bar = y_bar * min(1, max_norm / norm(y_bar))``, with the Euclidean
    norm over ``axis``. The direction over these axes is kept. Derivatives are as in ``clip_gradient``.

    >>> import jax, jax.numpy as jnp
    >>> from scaleclip.ops import clip_gradient_norm
    >>> loss = lambda x: jnp.sum(jnp.array([3.0, 4.0]) * clip_gradient_norm(x, 2.5))
    >>> print(jax.grad(loss)(jnp.zeros(2)))  # [3, 4] has the norm 5
    [1.5 2. ]

    Args:
      x: as for ``clip_gradient``; may be complex. Each leaf has a norm of its own.
      max_norm: a real number or a real array of shape ``[]``, from 0 (nothing passes) to inf (no
        limit). May be traced.
      axis: an axis, several, or ``None`` for all. For a batch of states ``[B, D]``, -1 clips each
        example by itself; with ``None`` the norm is that of the whole batch.
      nonfinite: what inf and NaN in the cotangent do. ``"propagate"``: every entry that shares their
        norm becomes NaN. ``"zero"``, ``"raise"``: as for ``clip_gradient``.

    Returns:
      A pytree like ``x``, bit for bit.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf not numeric.
      ValueError: if ``max_norm`` is not a scalar, or is negative or NaN (traced, it makes the cotangent
        NaN); if a leaf has no such axis.

    Source: ``clip_by_norm``, in the place of RLax's ``clip_gradient``. TensorFlow's guide "Advanced
      automatic differentiation" writes it as an example of ``tf.custom_gradient``.
    """
    limit = norm_limit(max_norm, "max_norm")
    check_choice(nonfinite)

    def at(leaf: Array, path: Any) -> Array:
        what = f"The gradient at x{path_str(path)}"
        over = axes_of(leaf, axis, path, "x")
        bound = limit.astype(working_dtype((leaf,)))
        return _at_tensor(leaf, (bound,), _ClipNorm(over, nonfinite, what))

    return map_float_leaves_by_path(at, x, "x")


@dataclass(frozen=True)
class _Clip:
    """A backward rule. Data, so that JAX knows one that it has compiled."""

    nonfinite: Nonfinite
    what: str

    def __call__(self, y_bar: Array, lower: Array, upper: Array) -> Array:
        return clip_entries(handle_nonfinite(y_bar, self.nonfinite, self.what), lower, upper)


@dataclass(frozen=True)
class _ClipNorm:
    over: tuple[int, ...]
    nonfinite: Nonfinite
    what: str

    def __call__(self, y_bar: Array, limit: Array) -> Array:
        y_bar = handle_nonfinite(y_bar, self.nonfinite, self.what)
        (clipped,), _, _ = clip_joint_norm((y_bar,), (self.over,), limit)
        return clipped


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def _at_tensor(x: Array, limits: tuple[Array, ...], backward: Callable[..., Array]) -> Array:
    return x


def _at_tensor_forward(
    x: Array, limits: tuple[Array, ...], backward: Callable[..., Array]
) -> tuple[Array, tuple[Array, ...]]:
    # Bare x, unlike in scaling: a clip applied again would clip the second derivative, and
    # would close the way to jax.hessian, which needs forward mode here.
    return x, limits


def _at_tensor_backward(
    backward: Callable[..., Array], limits: tuple[Array, ...], y_bar: Array
) -> tuple[Array, tuple[Array, ...]]:
    return backward(y_bar, *limits), jax.tree.map(jnp.zeros_like, limits)


_at_tensor.defvjp(_at_tensor_forward, _at_tensor_backward)


def clip_entries(x: Array, lower: Array, upper: Array) -> Array:
    """Clip entries to [lower, upper], derivative 1 there and 0 beyond; NaN where an end is."""
    inside: Array = _clip_entries(x, lower, upper)
    return inside


@jax.jit
def _clip_entries(x: Array, lower: Array, upper: Array) -> Array:
    wide = widened(x)
    inside = jnp.where(wide < lower, lower, jnp.where(wide > upper, upper, wide))
    return jnp.where(jnp.isnan(lower) | jnp.isnan(upper), jnp.nan, inside).astype(x.dtype)
