"""An unroll with a loss at each step, and the four places that the scale has in public code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ledger._places import check_placement, factors
from scaleclip.ops._arguments import describe, real_scalar
from scaleclip.ops.scaling import scale_gradient

Step = Callable[[Any, Any, Any], Any]
Head = Callable[[Any, Any, Any], Any]


def weights_of(weights: Any, steps: int) -> Array:
    """Return the weights of K losses as floats ``[K]``; 1/K each for None.

    Raises:
      TypeError: if they are not real numbers.
      ValueError: if they have another shape.
    """
    if weights is None:
        return jnp.full(steps, 1.0 / steps, float)  # not weakly typed, like weights that are given
    weight = jnp.asarray(weights)
    if weight.shape != (steps,):
        raise ValueError(
            f"weights must have one number for each of the K = {steps} losses, shape ({steps},), but "
            f"{describe(weights)} was given."
        )
    if jnp.issubdtype(weight.dtype, jnp.complexfloating):
        raise TypeError(f"weights must be real, but {describe(weights)} was given.")
    weight = weight.astype(jnp.result_type(weight.dtype, float))
    return weight.astype(jnp.result_type(weight.dtype, jnp.float32))


def unroll_losses(
    step: Step,
    head: Head,
    params: Any,
    state: Any,
    inputs: Any,
    *,
    scale: ArrayLike = 1.0,
    placement: str = "after_heads",
) -> tuple[Any, Array]:
    """Unroll K steps, each with a loss, the state's gradient scaled.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ledger import unroll_losses
    >>> step = lambda w, h, x: w * h  # h_j = w h_(j-1)
    >>> head = lambda w, h, x: h  # loss_j = h_j
    >>> states, losses = unroll_losses(step, head, 2.0, 1.0, jnp.zeros(3), scale=0.5)
    >>> print(losses)
    [2. 4. 8.]

    ``h_j = step(params, h_{j-1}, input_j)`` and ``loss_j = head(params, h_j, input_j)`` for
    j = 1..K, with ``scale_gradient(h, scale)`` at the placement. Values do not depend on it.

    Args:
      step: ``(params, state, input) -> state``, of the same structure, shapes and dtypes.
      head: ``(params, state, input) -> loss``, a float ``[]``, or a pytree of what a loss is of.
      params: any pytree.
      state: h_0, any pytree.
      inputs: a pytree whose leaves have a leading axis K.
      scale: s, a real number; it may be traced.
      placement: one of ``PLACEMENTS``.

    Returns:
      The states h_0 to h_K, a pytree like ``state`` with a leading axis K + 1, and the losses,
      float ``[K]``, unweighted (or what the heads gave, with a leading axis K).

    Raises:
      ValueError: for another placement.
    """
    at = check_placement(placement)
    # JAX's arrays for NumPy's, which take no traced index; other leaves of params stay
    params = jax.tree.map(lambda p: jnp.asarray(p) if isinstance(p, np.ndarray) else p, params)
    state = jax.tree.map(jnp.asarray, state)

    def one_step(h: Any, x: Any) -> tuple[Any, tuple[Any, Array]]:
        if at == "every_input":
            h = scale_gradient(h, scale)
        h = step(params, h, x)
        if at == "before_heads":
            h = scale_gradient(h, scale)
        loss = head(params, h, x)
        read = h
        if at == "after_heads":
            h = scale_gradient(h, scale)
        return h, (read, loss)

    _, (states, losses) = jax.lax.scan(one_step, state, inputs)
    every = jax.tree.map(lambda first, rest: jnp.concatenate([first[None], rest]), state, states)
    return every, losses


def coefficients(
    steps: int, scale: ArrayLike = 1.0, placement: str = "after_heads", weights: Any = None
) -> tuple[Array, Array]:
    """Compute the factors that scale and weights put on the way from loss k to step j.

    >>> from scaleclip.ledger import coefficients
    >>> through, root = coefficients(3, 0.5, weights=[1, 1, 1])
    >>> print(through)
    [[1.   0.   0.  ]
     [0.5  1.   0.  ]
     [0.25 0.5  1.  ]]

    With i = k - j, loss k passes i scales ``"after_heads"`` and at ``"every_input"``, i + 1
    ``"before_heads"``, and none where the scale is ``"off"``:
    ``w_k s^i``, ``w_k s^i``, ``w_k s^(i+1)`` and ``w_k`` for j <= k, else 0. To the root it is
    ``w_k s^(k-1)``, ``w_k s^k``, ``w_k s^k`` and ``w_k``.

    Args:
      steps: K >= 1.
      scale: s, a real number; it may be traced.
      placement: one of ``PLACEMENTS``.
      weights: w, float ``[K]``; 1/K each by default.

    Returns:
      float ``[K, K]``, rows loss k, columns step j; and float ``[K]``, to the root.

    Raises:
      TypeError: if scale or weights are not real numbers.
      ValueError: for another placement, ``steps`` below 1, or a scale or weights of another shape.
    """
    at = check_placement(placement)
    if steps < 1:
        raise ValueError(f"steps must be 1 or more, but {steps} was given.")
    weight = weights_of(weights, steps)
    factor = jnp.asarray(1.0 if at == "off" else real_scalar(scale, "scale"), weight.dtype)
    return factors(steps, factor, at, weight, jnp)
