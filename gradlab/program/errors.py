"""Errors of functions that cannot become a program."""

from __future__ import annotations

from collections.abc import Iterable

import jax


class ProgramError(ValueError):
    """A function or its arguments cannot be traced into a program."""


class UnsupportedPrimitive(ProgramError, NotImplementedError):
    """The traced function uses a JAX primitive that has no translation.

    Attributes:
      primitive: the primitive's name.
      line: ``file:line`` of the user's code that brought it in, where JAX knows it.
    """

    def __init__(self, primitive: str, line: str, detail: str, supported: Iterable[str]) -> None:
        self.primitive = primitive
        self.line = line
        why = f" ({detail})" if detail else ""
        super().__init__(
            f"The JAX primitive '{primitive}'{why} has no translation to JavaScript. "
            f"It comes from {line}; JAX {jax.__version__}. "
            f"Rewrite that line with what is supported: {', '.join(sorted(supported))}."
        )
