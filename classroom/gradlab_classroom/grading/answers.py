"""Reading of what a sandbox has sent, as plain data and short texts at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradlab.exercises.checking.plain_data import NotPlain, clean, decode
from gradlab.exercises.checking.probes import Observation, Observations

LONGEST = 300
"""Characters of an error's description."""


@dataclass(frozen=True)
class Question:
    """One function to be called.

    Attributes:
      name: of the function.
      probe: a name in ``gradlab.exercises.checking.probes.PROBES``.
      runs: the arguments of each run, plain data.
    """

    name: str
    probe: str
    runs: Sequence[tuple[Any, ...]]


def not_run(question: Question, why: str) -> Observations:
    """An answer of which nothing was seen but why."""
    return Observations(tuple(Observation(error=why) for _ in question.runs))


def read_answer(sent: Any, question: Question) -> Observations | None:
    """Return what was seen; None where there was no such function.

    Of several answers for one run the first counts, and what has not the right form is an error.
    """
    if sent is None:
        return None
    if isinstance(sent, dict):
        if isinstance(sent.get("kind"), str):
            return Observations(kind=text(sent["kind"], 100))
        seen = sent.get("seen")
        if isinstance(seen, list) and len(seen) >= len(question.runs):
            return Observations(tuple(_read_seen(run) for run in seen[: len(question.runs)]))
    return not_run(question, "the answer came in no form that can be read")


def _read_seen(sent: Any) -> Observation:
    match sent:
        case {"error": str(error)}:
            return Observation(error=text(error))
        case {"value": value}:
            try:
                return Observation(decode(value))
            except NotPlain as error:
                return Observation(error=f"NotPlain: {error}")
    return Observation(error="the answer came in no form that can be read")


def read_variables(sent: Any, wanted: Sequence[str]) -> dict[str, Any]:
    """Return those of the variables that were found, and are plain data."""
    found: dict[str, Any] = {}
    for name in wanted:
        if isinstance(sent, Mapping) and name in sent:
            try:
                found[name] = decode(sent[name])
            except NotPlain:
                continue
    return found


def read_notes(sent: Any) -> list[str]:
    """Return what the program inside has remarked."""
    return (
        [text(note) for note in sent[:20] if isinstance(note, str)]
        if isinstance(sent, list)
        else []
    )


def text(sent: str, longest: int = LONGEST) -> str:
    """Return one line of what was sent, without what a terminal would obey."""
    line = "".join(
        letter if letter.isprintable() else " " for letter in clean(sent[: 2 * longest])
    ).strip()
    return line if len(line) <= longest else line[: longest - 3] + "..."
