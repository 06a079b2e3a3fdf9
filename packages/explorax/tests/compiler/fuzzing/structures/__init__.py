"""Statements with functions in them: loops, branches, derivatives, training runs, draws."""

from tests.compiler.fuzzing.structures import branches, calls, derivatives, draws, loops, training
from tests.compiler.fuzzing.structures.registry import STRUCTURES

__all__ = ["STRUCTURES", "branches", "calls", "derivatives", "draws", "loops", "training"]
