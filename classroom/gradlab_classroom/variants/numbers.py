"""Numbers for the inputs of private exercises."""

from __future__ import annotations

from typing import Any

import numpy as np


def quarters(random: np.random.Generator, *shape: int, most: int = 12) -> np.ndarray:
    """Draw multiples of a quarter, of either sign, none of them 0: ``most`` quarters at most.

    Only ``integers`` is asked of the generator: its numbers are the same in many versions of NumPy.
    """
    sizes = random.integers(1, most, size=shape, endpoint=True)
    signs = 2 * random.integers(2, size=shape) - 1
    return np.asarray(sizes * signs / 4, np.float32)


def norm(values: Any, kind: str) -> float:
    """The norm of all entries: kind ``"1"``, ``"2"`` or ``"inf"``."""
    sizes = np.abs(np.asarray(values, np.float64))
    if kind == "1":
        return float(np.sum(sizes))
    return float(np.max(sizes) if kind == "inf" else np.sqrt(np.sum(sizes**2)))


NORM_WORDS = {
    "1": "the sum of the absolute values",
    "2": "the Euclidean norm",
    "inf": "the largest absolute value",
}
NORM_SIGNS = {
    "1": r"\lVert {} \rVert_1",
    "2": r"\lVert {} \rVert_2",
    "inf": r"\lVert {} \rVert_\infty",
}


def example(call: str, expected: Any) -> str:
    """Return Python that runs one public example, and prints it beside what it should be."""
    return f"example(\n    lambda: {call},\n    {literal(expected)},\n)"


def literal(value: Any) -> str:
    """Return numbers, or dicts of them, as Python's source text, to six figures."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(entry)}" for key, entry in value.items()) + "}"
    array = np.asarray(value, np.float64)
    return repr(np.vectorize(lambda entry: float(f"{entry:.6g}") + 0.0)(array).tolist())
