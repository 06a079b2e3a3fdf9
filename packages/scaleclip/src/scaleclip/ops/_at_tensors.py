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
    map_real_leaves,
    norm_limit,
    path_str,
)
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import clip_joint_norm, widened, working_dtype


def clip_gradient(
    x: Any, minimum: ArrayLike, maximum: ArrayLike, *, nonfinite: Nonfinite = "propagate"
) -> Any:
    """Return ``x``; a gradient that flows back through it is clipped element by element.

    Forward ``y = x``, cotangent ``x_bar = min(max(y_bar, minimum), maximum)``.

    Not a scaling: what lies within the limits is left alone, and what lies beyond loses
    its size, and with it the direction of the whole. The derivative with respect to a
    limit is 0.

    Clipping is not linear in the cotangent, so there is no forward mode: ``jax.jvp`` raises
    JAX's error, ``jax.grad`` and ``jax.hessian`` work. A second derivative is that of the
    clipped gradient as a function of ``x``: the clip is differentiated, as
    ``clip_by_value`` is (1 within the limits and at them, 0 beyond), and not applied again.

    Args:
      x: a float array or Python number of any shape, or a pytree of them. Leaves that
        have no gradient (integers, booleans, ``None``) pass through.
      minimum: a real number or a real array of shape ``[]``; -inf for no limit. It may
        be traced.
      maximum: the same, not less than ``minimum``; inf for no limit.
      nonfinite: what inf and NaN in the cotangent become: ``"propagate"``, the limit that
        they exceed, and NaN stays NaN; ``"zero"``, 0; ``"raise"``, a FloatingPointError
        while the gradient is taken, which is refused where the backward pass is traced.

    Returns:
      A pytree like ``x``: the same values, shapes and dtypes, bit for bit.

    Raises:
      TypeError: if a limit is not a real number, or a leaf of ``x`` complex or not
        numeric.
      ValueError: if a limit is not a scalar, or is known (not traced) to be NaN, or
        ``minimum`` is known to be greater than ``maximum``. Where they are traced the
        cotangent becomes NaN instead.

    Source: ``clip_gradient`` in RLax 0.1 and Sonnet 1, which clip with ``jnp.clip`` and
      ``tf.clip_by_value`` (derivatives of one half and 1 at a limit); where the interval
      is empty these return ``maximum`` and ``minimum``. Its use with [-1, 1] is the error clipping of Mnih et
      al. 2015.
    """
    lower, upper = interval(minimum, maximum)
    check_choice(nonfinite)

    def at(leaf: Array, path: Any) -> Array:
        what = f"The gradient at x{path_str(path)}"
        dtype = widened(leaf).dtype
        limits = lower.astype(dtype), upper.astype(dtype)
        return _at_tensor(leaf, limits, _Clip(nonfinite, what))

    return map_real_leaves(at, x, "x")


def clip_gradient_norm(
    x: Any,
    max_norm: ArrayLike,
    axis: int | Sequence[int] | None = None,
    *,
    nonfinite: Nonfinite = "propagate",
) -> Any:
    """Return ``x``; a gradient that flows back through it is shortened to ``max_norm``.

    Forward ``y = x``, cotangent ``x_bar = y_bar * min(1, max_norm / norm(y_bar))``, with the
    Euclidean norm of the cotangent over ``axis``. The direction over these axes is kept.

    With ``axis=None`` the norm is that of the whole leaf: for a batch of states ``[B, D]`` it
    depends on all of them. ``axis=-1`` shortens each example's gradient by itself. Each leaf
    of a pytree has a norm of its own.

    Like ``clip_gradient`` it has no forward mode, its derivative with respect to the limit
    is 0, and a second derivative is that of the shortened gradient.

    Args:
      x: as for ``clip_gradient``.
      max_norm: a real number or a real array of shape ``[]``, from 0 (which lets nothing
        through) to inf (no limit). It may be traced.
      axis: an axis, several, or ``None`` for all; each leaf must have them.
      nonfinite: what inf and NaN in the cotangent do: ``"propagate"``, all entries that share
        their norm become NaN; ``"zero"``, they become 0 before the norm is taken;
        ``"raise"``, a FloatingPointError while the gradient is taken, which is refused
        where the backward pass is traced.

    Returns:
      A pytree like ``x``: the same values, shapes and dtypes, bit for bit.

    Raises:
      TypeError: if ``max_norm`` is not a real number, or a leaf of ``x`` complex or not
        numeric.
      ValueError: if ``max_norm`` is not a scalar, or known (not traced) to be negative or
        NaN (traced, it makes the cotangent NaN); if a leaf has no such axis.

    Source: ``clip_by_norm``, in the place of RLax's ``clip_gradient``. TensorFlow's guide
      "Advanced automatic differentiation" writes it as an example of ``tf.custom_gradient``.
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
