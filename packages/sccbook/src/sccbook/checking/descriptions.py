"""Write results for messages: their numbers in a few figures, or their kind."""

from collections.abc import Sequence
from typing import Any

from sccbook.checking.plain_data import Other, cut

MOST_NUMBERS = 1000
"""Of an array that is shown, and of an example that an answer gives."""
LONGEST_SHOWN, MOST_PARTS = 400, 20
"""Characters of a result in a message, and parts of a dict or a tuple in it."""


def show(value: Any) -> str:
    """Write a result in a few figures, and cut it if it is long."""
    return cut(_show(value), LONGEST_SHOWN)


def _show(value: Any) -> str:
    if isinstance(value, dict):
        parts = [f"{key!r}: {show(value[key])}" for key in sorted(value)[:MOST_PARTS]]
        return "{" + _join(parts, len(value)) + "}"
    if isinstance(value, tuple | list):
        return "(" + _join([show(part) for part in value[:MOST_PARTS]], len(value)) + ")"
    if value is None or isinstance(value, str):
        return repr(value)
    if getattr(value, "size", 1) > MOST_NUMBERS:
        return f"an array of shape {tuple(value.shape)}"
    return str(_rounded(value.astype(float).tolist() if hasattr(value, "astype") else value))


def _rounded(numbers: Any) -> Any:
    if isinstance(numbers, list):
        return [_rounded(part) for part in numbers]
    return float(f"{float(numbers):.4g}")


def _join(parts: Sequence[str], size: int) -> str:
    """Join parts, with dots if there are more than these."""
    return ", ".join([*parts, "..."] if len(parts) < size else parts)


def describe(value: Any) -> str:
    """Describe the kind of some plain data, without its numbers."""
    if isinstance(value, dict):
        keys = [repr(key) for key in list(value)[:MOST_PARTS]]
        return f"a dict with the keys {_join(keys, len(value)) or 'of nothing'}"
    if isinstance(value, tuple | list):
        kind = f"a {type(value).__name__} of {len(value)}"
        names = len(value) > 1 and all(isinstance(part, str) for part in value)
        return f"{kind} names" if names else kind
    if getattr(value, "shape", None) == ():
        return "one number"
    if hasattr(value, "shape"):
        return f"an array of shape {tuple(value.shape)}"
    kind = value.kind if isinstance(value, Other) else type(value).__name__
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"
