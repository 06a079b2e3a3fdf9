"""One rule for each JAX primitive: how its results read its operands."""

from gradlab.program.rules import (
    control,
    conversions,
    cumulative,
    dynamic,
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
from gradlab.program.rules.registry import RULES

__all__ = [
    "RULES",
    "control",
    "conversions",
    "cumulative",
    "dynamic",
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
