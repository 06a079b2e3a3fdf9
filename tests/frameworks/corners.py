"""What every library's clip makes of the corners: zero, overflow, inf, NaN, a limit of 0, None.

A clip by norm takes a list of gradients and a limit, and returns the list clipped. Its slopes are
those of the sum of the entries that come back. What is found is told in a few words: the entries,
or what the call did instead.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def single(*entries: float) -> np.ndarray:
    return np.array(entries, np.float32)


AT_CORNERS: dict[str, tuple[np.ndarray, float]] = {
    "zero": (single(0, 0), 1.0),
    "float32 [3e30, 4e30]: the squares overflow": (single(3e30, 4e30), 1.0),
    "float16 [300, 400]: the squares overflow": (np.array([300, 400], np.float16), 1.0),
    "[3e-30, 4e-30], limit 1e-30: the squares underflow": (single(3e-30, 4e-30), 1e-30),
    "[inf, 1]": (single(np.inf, 1), 1.0),
    "[nan, 1]": (single(np.nan, 1), 1.0),
    "[3, 4], limit 0": (single(3, 4), 0.0),
    "zero, limit 0": (single(0, 0), 0.0),
}
BEYOND = "slope beyond it, at [3, 4]"
SLOPES = {
    "slope at zero": single(0, 0),
    "slope within the limit, at [0.3, 0.4]": single(0.3, 0.4),
    BEYOND: single(3, 4),
}
NONE = "a None among the gradients"
VALUE_SLOPES = "slopes of a value clip at 0, 0.5 and 1"
CORNERS = [*AT_CORNERS, NONE, *SLOPES, VALUE_SLOPES]
CLIPS = {
    "NumPy by hand": "JAX",
    "scaleclip.ops.clip_by_global_norm": "scaleclip",
    "optax.clip_by_global_norm": "JAX",
    "keras clipnorm": "Keras on JAX",
    "keras global_clipnorm": "Keras on JAX",
    "tf.clip_by_norm": "TensorFlow",
    "tf.clip_by_global_norm": "TensorFlow",
    "torch.nn.utils.clip_grad_norm_": "PyTorch",
}
"""The clips by norm, and the process of ``tests.frameworks.run`` that runs each."""

VALUE_CLIPS = {
    "jnp.clip": "JAX",
    "jax.lax.clamp": "JAX",
    "optax.clip": "JAX",
    "scaleclip.ops.clip_by_value": "scaleclip",
    "keras clipvalue": "Keras on JAX",
    "tf.clip_by_value": "TensorFlow",
    "torch.clamp": "PyTorch",
}

Clip = Callable[[list[Any], float], list[Any]]
Slopes = Callable[[Callable[[Any], Any], np.ndarray], Any]
"""From a clip of one array, and an array, to the derivative of the sum of what the clip returns."""

Kit = tuple[dict[str, Clip], dict[str, Callable[[Any], Any]], Callable[[Any], Any], Slopes | None]
"""Clips by norm, clips by value to [-1, 1], what makes an array, and the derivative."""


def by_hand(grads: list[Any], limit: float) -> list[Any]:
    norm = np.sqrt(sum(np.sum(g * g) for g in grads))
    return [g * np.minimum(1, limit / norm) for g in grads]


def slopes_in_jax(clip: Callable[[Any], Any], at: np.ndarray) -> Any:
    import jax
    import jax.numpy as jnp

    return jax.grad(lambda g: jnp.sum(clip(g)))(jnp.asarray(at))


def of_jax() -> Kit:
    import jax
    import jax.numpy as jnp
    import optax

    def by_optax(grads: list[Any], limit: float) -> list[Any]:
        return optax.clip_by_global_norm(limit).update(grads, optax.EmptyState())[0]

    values = {
        "jnp.clip": lambda g: jnp.clip(g, -1, 1),
        "jax.lax.clamp": lambda g: jax.lax.clamp(jnp.float32(-1), g, jnp.float32(1)),
        "optax.clip": lambda g: optax.clip(1.0).update(g, optax.EmptyState())[0],
    }
    return {"optax.clip_by_global_norm": by_optax}, values, jnp.asarray, slopes_in_jax


def of_scaleclip() -> Kit:
    import jax.numpy as jnp

    from scaleclip import ops

    clips = {"scaleclip.ops.clip_by_global_norm": lambda g, c: ops.clip_by_global_norm(g, c)[0]}
    values = {"scaleclip.ops.clip_by_value": lambda g: ops.clip_by_value(g, -1.0, 1.0)}
    return clips, values, jnp.asarray, slopes_in_jax


def of_keras() -> Kit:
    """What SGD with the rate 1 would subtract: of a variable that ``None`` belongs to, 0."""
    import jax.numpy as jnp
    import keras

    def by_sgd(grads: list[Any], **options: float) -> list[Any]:
        like = [jnp.zeros(2) if g is None else g for g in grads]
        variables = [keras.Variable(np.zeros(g.shape), dtype=str(g.dtype)) for g in like]
        sgd = keras.optimizers.SGD(1.0, **options)
        sgd.build(variables)
        state, starts = ([v.value for v in vs] for vs in (sgd.variables, variables))
        return [0 - after for after in sgd.stateless_apply(state, grads, starts)[0]]

    clips = {
        "keras clipnorm": lambda g, c: by_sgd(g, clipnorm=c),
        "keras global_clipnorm": lambda g, c: by_sgd(g, global_clipnorm=c),
    }
    values = {"keras clipvalue": lambda g: by_sgd([g], clipvalue=1.0)[0]}
    return clips, values, jnp.asarray, slopes_in_jax


def of_tensorflow() -> Kit:
    import tensorflow as tf

    def slopes(clip: Callable[[Any], Any], at: np.ndarray) -> Any:
        g = tf.constant(at)
        with tf.GradientTape() as tape:
            tape.watch(g)
            total = tf.reduce_sum(clip(g))
        return tape.gradient(total, g)

    clips = {
        "tf.clip_by_norm": lambda grads, c: [tf.clip_by_norm(g, c) for g in grads],
        "tf.clip_by_global_norm": lambda grads, c: tf.clip_by_global_norm(grads, c)[0],
    }
    return clips, {"tf.clip_by_value": lambda g: tf.clip_by_value(g, -1, 1)}, tf.constant, slopes


def of_torch() -> Kit:
    import torch

    def clip_grad_norm_(grads: list[Any], limit: float) -> list[Any]:
        """The clip changes the gradients in place, so it is given copies."""
        params = [torch.zeros(2, dtype=getattr(g, "dtype", None)) for g in grads]
        for p, g in zip(params, grads, strict=True):
            p.grad = None if g is None else g.clone()
        torch.nn.utils.clip_grad_norm_(params, limit)
        return [p.grad for p in params]

    def slopes(clip: Callable[[Any], Any], at: np.ndarray) -> Any:
        g = torch.tensor(at, requires_grad=True)
        return torch.autograd.grad(clip(g).sum(), g)[0]

    values = {"torch.clamp": lambda g: torch.clamp(g, -1, 1)}
    return {"torch.nn.utils.clip_grad_norm_": clip_grad_norm_}, values, torch.tensor, slopes


KITS: dict[str, Callable[[], Kit]] = {
    "JAX": of_jax,
    "scaleclip": of_scaleclip,
    "Keras on JAX": of_keras,
    "TensorFlow": of_tensorflow,
    "PyTorch": of_torch,
}


def corners(process: str) -> dict[str, dict[str, str]]:
    """Return, by corner and clip, what the clips of a process make of it."""
    if process not in KITS:
        return {}
    clips, values, array, slopes = KITS[process]()
    found: dict[str, dict[str, str]] = {corner: {} for corner in CORNERS}
    for name, clip in clips.items():
        of_clip(name, clip, array, slopes, found)
    if process == "JAX":
        with np.errstate(all="ignore"):
            of_clip("NumPy by hand", by_hand, np.asarray, None, found)
    for name, clip in values.items():
        found[VALUE_SLOPES][name] = told(lambda clip=clip: slopes(clip, single(0, 0.5, 1)))
    return found


def of_clip(
    name: str, clip: Clip, array: Any, slopes: Slopes | None, found: dict[str, dict[str, str]]
) -> None:
    """Add what one clip makes of the corners."""
    for corner, (g, limit) in AT_CORNERS.items():
        found[corner][name] = told(lambda g=g, limit=limit: clip([array(g)], limit)[0])
    found[NONE][name] = beside_none(clip, array)
    for corner, at in SLOPES.items():
        if slopes is None:
            found[corner][name] = "no derivative"
        else:
            found[corner][name] = told(lambda at=at: slopes(lambda g: clip([g], 1.0)[0], at))
    if found[BEYOND][name] == "1, 1":  # PyTorch's, under no_grad: as if nothing were clipped
        for corner in SLOPES:
            found[corner][name] = "not differentiated"


def told(call: Callable[[], Any]) -> str:
    """Return the entries of what a call returns, or the error that it raises."""
    try:
        found = call()
    except Exception as error:  # each library has errors of its own
        return f"error: {type(error).__name__}"
    found = found.detach() if hasattr(found, "detach") else found
    return ", ".join(f"{entry + 0:.3g}" for entry in np.asarray(found, np.float64))


def beside_none(clip: Clip, array: Any) -> str:
    """Return what becomes of None beside (3, 4), which should come back as (0.6, 0.8)."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            clipped, none = clip([array(single(3, 4)), None], 1.0)
        except Exception as error:
            return f"error: {type(error).__name__}"
    if told(lambda: clipped) != "0.6, 0.8":
        return f"wrong: {told(lambda: clipped)}"
    if any("Gradients do not exist" in str(warning.message) for warning in said):
        return "warns"
    return "kept" if none is None else told(lambda: none)
