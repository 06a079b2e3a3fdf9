"""One rule for each JAX primitive: how its results read its operands."""

from gradlab.program.rules import control, elementwise, indexing, reductions
from gradlab.program.rules.registry import RULES

__all__ = ["RULES", "control", "elementwise", "indexing", "reductions"]
