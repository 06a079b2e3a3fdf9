"""One rule for each JAX primitive: how its results read its operands."""

from explorax.compiler.rules import (
    control,
    elementwise,
    gathering,
    indexing,
    integers,
    linear,
    ordering,
    parts,
    random,
    reductions,
    windows,
)
from explorax.compiler.rules.registry import RULES

__all__ = [
    "RULES",
    "control",
    "elementwise",
    "gathering",
    "indexing",
    "integers",
    "linear",
    "ordering",
    "parts",
    "random",
    "reductions",
    "windows",
]
