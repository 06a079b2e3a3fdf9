"""What a check can find, and how an answer is run without trusting it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Finding:
    """One outcome of a check: its short name, and the message for the reader."""

    name: str
    message: str
    passed: bool = False


class Mistake(Exception):
    """Ends an examination: ``finding`` says what is wrong with the answer."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.finding = Finding(name, message)


def describe_error(error: Exception) -> str:
    """Returns an error's type and first line, without what changes from run to run."""
    lines = str(error).strip().splitlines()
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", lines[0]) if lines else ""
    text = re.sub(r"\S*<locals>\.", "", text)
    if len(text) > 120:
        text = text[:117] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def call(answer: Any, *arguments: Any, doing: str) -> Any:
    """Calls an answer; whatever it raises becomes a ``Mistake`` that says so."""
    try:
        return answer(*arguments)
    except Exception as error:
        raise Mistake("raises", f"{doing} it raised {describe_error(error)}") from error


def require_a_number(returned: Any, words: str, what: str) -> None:
    """Raises a ``Mistake`` unless an answer returned one number.

    Args:
      returned: what it returned.
      words: on which run, such as ``"for K = 3"``.
      what: the number that it should return, such as ``"the sum of the losses"``.
    """
    if returned is None:
        raise Mistake("returns_none", f"{words} it returned None. Is a return missing?")
    if isinstance(returned, tuple | list | dict) or np.shape(returned) != ():
        kind = f"a {type(returned).__name__}"
        if hasattr(returned, "shape"):
            kind = f"an array of shape {tuple(returned.shape)}"
        raise Mistake(
            "returns_other", f"{words} it returned {kind}. It should return one number, {what}."
        )
