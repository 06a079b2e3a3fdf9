"""The layers and the constraint of ``scaleclip.keras`` on a backend, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

X = np.linspace(-1, 1, 12).reshape(3, 4)
G = X * [[0.1], [1.0], [300.0]]
"""Gradients of three examples: in float16 the squares of the last overflow."""


def expected() -> dict[str, np.ndarray]:
    """Compute what comes back through each layer, and the weights that are left."""
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    columns = np.linalg.norm(G, axis=0, keepdims=True)
    whole = np.linalg.norm(G)
    return {
        "scale": -0.5 * G,
        "clip": np.clip(G, -0.3, 0.3),
        "norm": G * np.minimum(1, 0.5 / norms),
        "whole norm": G * 0.5 / whole,
        "max_norm": G * np.minimum(1, 150 / columns),
    }


def layers(**ways: Any) -> dict[str, dict[str, float]]:
    """Return by way and dtype the largest relative error of each layer; inf where the value changed.

    Args:
      **ways: by name ``vjp(f, x, g)``, which returns the value and the gradient.
    """
    import keras

    from scaleclip.keras import ClipGradient, ClipGradientNorm, MaxNorm, ScaleGradient

    made = {
        "scale": ScaleGradient(-0.5),
        "clip": ClipGradient(0.3),
        "norm": ClipGradientNorm(0.5),
        "whole norm": ClipGradientNorm(0.5, axis=None),
    }
    found: dict[str, dict[str, float]] = {}
    for dtype in ("float16", "float32", "float64"):
        x, g = X.astype(dtype), G.astype(dtype)
        for way, vjp in ways.items():
            errors = found[f"{way}, {dtype}"] = {}
            for name, layer in made.items():
                value, gradient = (np.asarray(each) for each in vjp(layer, x, g))
                same = value.tobytes() == x.tobytes() and gradient.dtype == dtype
                errors[name] = error(gradient, name) if same else float("inf")
        capped = keras.ops.convert_to_numpy(MaxNorm(150.0)(keras.ops.convert_to_tensor(g)))
        same = capped.dtype == dtype and (capped[:, 0] == g[:, 0]).all()
        found[f"constraint, {dtype}"] = {
            "max_norm": error(capped, "max_norm") if same else float("inf")
        }
    return found


def error(found: np.ndarray, name: str) -> float:
    """Return the largest relative error."""
    wanted = expected()[name]
    return float(np.max(np.abs(found.astype(float) - wanted) / np.abs(wanted)))
