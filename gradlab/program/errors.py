"""Errors of functions that cannot become a program."""

from __future__ import annotations

from collections.abc import Iterable

import jax

TESTED = ("0.8", "0.12")  # the oldest and the newest JAX whose primitives are known


def beyond() -> str:
    """Say what to do where JAX is newer than what was tested; elsewhere nothing."""
    newest = tuple(int(part) for part in TESTED[1].split("."))
    if jax.__version_info__[: len(newest)] <= newest:
        return ""
    return (
        " This JAX is newer, and primitives get new names: look for a newer gradlab, or install "
        f"'jax<{newest[0]}.{newest[1] + 1}'."
    )


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
            f"It comes from {line}, with JAX {jax.__version__}; gradlab.program was tested with "
            f"JAX {TESTED[0]} to {TESTED[1]}.{beyond()} "
            f"Rewrite that line with what is supported: {', '.join(sorted(supported))}."
        )
