"""Layers that scale or clip the gradient that flows back through them, and a weight constraint."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import keras
from keras import ops

Axis = int | Sequence[int] | None


class _AtTensor(keras.layers.Layer):  # type: ignore[misc]
    """The identity, and ``backward(gradient)`` for its gradient."""

    def __init__(self, **options: Any) -> None:
        super().__init__(autocast=False, **options)  # what comes in goes out, in its own dtype
        self.supports_masking = True

    def call(self, x: Any) -> Any:
        if "float" not in keras.backend.standardize_dtype(x.dtype):
            return x
        return ops.custom_gradient(lambda x: (x, self._gradient))(x)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def _gradient(self, *given: Any, upstream: Any = None) -> Any:
        g = given[0] if upstream is None else upstream  # upstream: on the PyTorch backend
        return _in_float32(self.backward, ops.add(g, 0))  # + 0 adds up rows that repeat


@keras.saving.register_keras_serializable("scaleclip")
class ScaleGradient(_AtTensor):
    """Return the input; multiply the gradient that flows back through it by ``scale``.

    >>> import keras
    >>> from scaleclip.keras import ScaleGradient
    >>> print(keras.ops.convert_to_numpy(ScaleGradient(0.5)(keras.ops.array([3.0, 4.0]))))
    [3. 4.]

    Args:
      scale: a real number; 1 changes nothing, 0 stops the gradient, a negative one reverses it.
      **options: as for every layer, such as ``name``.

    Raises:
      TypeError: if ``scale`` isn't a real number.
    """

    def __init__(self, scale: float, **options: Any) -> None:
        super().__init__(**options)
        self.scale = _real(scale, "scale")

    def backward(self, g: Any) -> Any:
        return self.scale * g

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "scale": self.scale}


@keras.saving.register_keras_serializable("scaleclip")
class ClipGradient(_AtTensor):
    """Return the input; clip each entry of the gradient that flows back to ``[-limit, limit]``.

    >>> import keras
    >>> from scaleclip.keras import ClipGradient
    >>> print(keras.ops.convert_to_numpy(ClipGradient(1.0)(keras.ops.array([3.0, 4.0]))))
    [3. 4.]

    Args:
      limit: a real number, from 0 to inf.
      **options: as for every layer.

    Raises:
      TypeError, ValueError: if ``limit`` isn't a real number, or is negative or NaN.
    """

    def __init__(self, limit: float, **options: Any) -> None:
        super().__init__(**options)
        self.limit = norm_limit(limit, "limit")

    def backward(self, g: Any) -> Any:
        limit = ops.convert_to_tensor(self.limit, keras.backend.standardize_dtype(g.dtype))
        return ops.clip(g, -limit, limit)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "limit": self.limit}


@keras.saving.register_keras_serializable("scaleclip")
class ClipGradientNorm(_AtTensor):
    """Return the input; shorten the gradient that flows back through it to ``max_norm``.

    >>> import keras
    >>> from scaleclip.keras import ClipGradientNorm
    >>> print(keras.ops.convert_to_numpy(ClipGradientNorm(1.0)(keras.ops.array([3.0, 4.0]))))
    [3. 4.]

    ``g -> g * min(1, max_norm / norm(g))``, with the Euclidean norm over ``axis``. Norms are
    computed in float32 at least, and no square overflows. inf or NaN makes every entry that shares
    its norm NaN.

    Args:
      max_norm: a real number, from 0 to inf.
      axis: an axis or several: by default the last, so that each example's gradient is clipped by
        itself. None: all axes, the batch's too.
      **options: as for every layer.

    Raises:
      TypeError, ValueError: if ``max_norm`` isn't a real number, or is negative or NaN.
    """

    def __init__(self, max_norm: float, axis: Axis = -1, **options: Any) -> None:
        super().__init__(**options)
        self.max_norm, self.axis = norm_limit(max_norm, "max_norm"), _plain(axis)

    def backward(self, g: Any) -> Any:
        return _shortened(g, self.max_norm, self.axis)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "max_norm": self.max_norm, "axis": self.axis}


@keras.saving.register_keras_serializable("scaleclip")
class MaxNorm(keras.constraints.Constraint):  # type: ignore[misc]
    """Cap the norm of the weights that lead to each unit.

    ``w -> w * min(1, limit / norm(w))`` for each unit. What is within the limit stays, bit for bit:
    Keras' own ``MaxNorm`` adds 1e-7 to the norm, and so shortens it every time. Norms are computed in
    float32 at least, where Keras' own makes zeros of float16 weights whose squares overflow.

    >>> import keras, numpy as np
    >>> from scaleclip.keras import MaxNorm
    >>> kernel = np.array([[3.0, 0.5], [4.0, 0.5]], "float16")  # norms 5 and 0.71
    >>> print(keras.ops.convert_to_numpy(MaxNorm(1.0)(kernel)))
    [[0.6 0.5]
     [0.8 0.5]]

    Args:
      limit: a real number, from 0 to inf.
      axis: the axes that the weights of one unit extend over: by default all but the last, which is
        right for Dense and Conv kernels, and the whole of a vector. Give ``-1`` for an Embedding,
        ``(0, 1)`` for a DepthwiseConv2D and ``(0, 1, 3)`` for a Conv2DTranspose.

    Raises:
      TypeError, ValueError: if ``limit`` isn't a real number, or is negative or NaN.
    """

    def __init__(self, limit: float, axis: Axis = None) -> None:
        self.limit, self.axis = norm_limit(limit, "limit"), _plain(axis)

    def __call__(self, w: Any) -> Any:
        w = ops.convert_to_tensor(w)
        axes = tuple(range(max(1, len(w.shape) - 1))) if self.axis is None else self.axis
        return _in_float32(lambda wide: _shortened(wide, self.limit, axes), w)

    def get_config(self) -> dict[str, Any]:
        return {"limit": self.limit, "axis": self.axis}


def _shortened(x: Any, limit: float, axis: Any) -> Any:
    """Return ``x * min(1, limit / norm)``; within the limit ``x``, bit for bit."""
    if limit == math.inf or 0 in x.shape:
        return x
    largest = ops.max(ops.abs(x), axis=axis, keepdims=True)
    largest = ops.where(largest == 0, ops.ones_like(largest), largest)
    shares = x / largest  # whose squares neither overflow nor vanish together
    size = ops.sqrt(ops.sum(shares * shares, axis=axis, keepdims=True))
    return ops.where(size * largest <= limit, x, shares * (limit / size))


def _in_float32(f: Callable[[Any], Any], x: Any) -> Any:
    """Apply a function in float32 to what is narrower, and return it in the dtype of ``x``."""
    dtype = keras.backend.standardize_dtype(x.dtype)
    wide = x if dtype == "float64" else ops.cast(x, "float32")
    return ops.cast(f(wide), dtype)


def _real(value: Any, name: str) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__") or isinstance(value, str):
        raise TypeError(f"{name} must be one real number, but {value!r} was given.")
    return float(value)


def norm_limit(value: Any, name: str) -> float:
    """Return a limit as a float, if it is a real number from 0 to inf."""
    limit = _real(value, name)
    if not limit >= 0:
        raise ValueError(f"{name} must be 0 or more, but {limit} was given.")
    return limit


def _plain(axis: Axis) -> Any:
    """Return axes as a list or a number, which a saved model's JSON can hold."""
    return axis if axis is None or isinstance(axis, int) else [*axis]
