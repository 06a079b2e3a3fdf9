"""Statements with functions in them: loops, branches, calls, derivatives."""

from tests.compiler.fuzzing.structures import branches, calls, derivatives, loops
from tests.compiler.fuzzing.structures.registry import STRUCTURES

__all__ = ["STRUCTURES", "branches", "calls", "derivatives", "loops"]
