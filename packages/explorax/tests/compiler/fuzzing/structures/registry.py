"""The registry of statements that have functions in them, and what they share."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.writer import Scope, Var

Structure = Callable[[Scope, Callable[[Scope], None]], None]
STRUCTURES: dict[str, Structure] = {}


def structure(function: Structure) -> Structure:
    """Register ``function(scope, write)``; ``write`` writes a statement or more into a scope."""
    STRUCTURES[function.__name__] = function
    return function


def names(variables: list[Var]) -> str:
    """A tuple of names."""
    return "(" + "".join(f"{v.name}, " for v in variables) + ")"


def renamed(scope: Scope, prefix: str, variables: list[Var], cut: int = 0) -> list[Var]:
    """Parameters like some variables, without their first axes where ``cut``."""
    return [Var(scope.text.fresh(prefix), v.shape[cut:], v.dtype) for v in variables]
