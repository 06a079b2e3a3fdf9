"""Words and choices that the operators for JAX and those for PyTorch share. This needs neither."""

from __future__ import annotations

from typing import Any, Literal, get_args

Nonfinite = Literal["propagate", "zero", "raise"]
"""What to do with inf and NaN."""


def describe(value: Any) -> str:
    """Describe a value in a few words that fit into an error message."""
    if value is None:
        return "None"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        kind = "a tensor" if type(value).__module__.startswith("torch") else "an array"
        return f"{kind} of shape {tuple(value.shape)} and dtype {value.dtype}"
    text = repr(value)
    if len(text) > 40:
        text = text[:37] + "..."
    return f"{text} ({type(value).__name__})"


def check_choice(nonfinite: Any, *more: str) -> None:
    """Refuse what is no choice; there may be more of them.

    Raises:
      ValueError: it names what was given and what there is.
    """
    if nonfinite not in (*get_args(Nonfinite), *more):
        choices = ", ".join(map(repr, (*get_args(Nonfinite), *more)))
        raise ValueError(f"nonfinite must be one of {choices}, but {nonfinite!r} was given.")
