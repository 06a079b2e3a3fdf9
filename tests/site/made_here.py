"""Two figures of readers' own, with every kind of control and of guess that the book's have not."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from explorax import Integer, LogRange, Point, Prediction, Range, SymlogRange, Toggle, explore


def clipped(g: Any, cap: Any, on: Any) -> dict[str, Any]:
    norm = jnp.sqrt(jnp.sum(g * g))
    return {"clipped": jnp.where(on, jnp.minimum(1.0, cap / norm), 1.0) * g, "norm": norm}


def decayed(rate: Any, shift: Any, steps: Any) -> dict[str, Any]:
    n = jnp.arange(12.0)
    return {"decay": jnp.where(n < steps, jnp.exp(-rate * n) + shift, 0.0)}


def plane() -> Any:
    return explore(
        clipped,
        [
            Point("g", "gradient", "g", (-2, -2), (2, 2), (1.0, 1.5)),
            Range("cap", "cap", "c", 0.1, 2.0, 1.0),
            Toggle("on", "clip", default=True),
        ],
        prediction=Prediction(
            "Where does the gradient (1.5, 1.5) end, clipped at 1?",
            "clipped",
            how="place",
            settings={"g": [1.5, 1.5], "cap": 1.0},
            conceals=("clipped",),
            guess=Point("guess", "guess", "", (-2, -2), (2, 2), (0.0, 0.0)),
        ),
    )


def profile() -> Any:
    return explore(
        decayed,
        [
            LogRange("rate", "rate", "η", 1e-4, 1.0, 0.1, 0.1),
            SymlogRange("shift", "shift", "τ", -1.0, 1.0, 0.0, threshold=0.01),
            Integer("steps", "steps", "K", 1, 12, 12),
        ],
        prediction=Prediction(
            "Sketch the decay at the rate 1.",
            "decay",
            how="sketch",
            settings={"rate": 1.0},
            guess=Range("y", "y", "", 0.0, 1.0, 0.5),
        ),
    )
