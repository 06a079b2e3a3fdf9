"""Clip and record inside ``fit``, scale gradients inside a model, cap weights: on Keras 3's backends.

>>> import keras
>>> from scaleclip.keras import ClipGradientNorm, MaxNorm, Recorded, ScaleGradient
>>> model = keras.Sequential([
...     keras.layers.Dense(8, kernel_constraint=MaxNorm(2.0)),
...     ScaleGradient(0.5),  # what is below it gets half of the gradient
...     ClipGradientNorm(1.0),  # per example
...     keras.layers.Dense(1),
... ])
>>> model.compile(Recorded(keras.optimizers.Adam(), global_clipnorm=1.0), "mse")

A layer returns its input unchanged, bit for bit; only the gradient that flows back through it
changes. There is no forward mode. Integers pass through. ``Recorded`` clips the gradients of all
weights, as an optimizer's ``global_clipnorm`` does, and keeps what the clip saw for ``read``.
"""

from scaleclip._extras import needed

with needed(__name__, "keras"):
    import keras as _keras  # noqa: F401

from scaleclip.keras.callbacks import LogRecording
from scaleclip.keras.layers import ClipGradient, ClipGradientNorm, MaxNorm, ScaleGradient
from scaleclip.keras.recorder import Recorded, read
from scaleclip.probe.groups import by_layer, by_leaf, by_module

__all__ = [
    "ClipGradient",
    "ClipGradientNorm",
    "LogRecording",
    "MaxNorm",
    "Recorded",
    "ScaleGradient",
    "by_layer",
    "by_leaf",
    "by_module",
    "read",
]
