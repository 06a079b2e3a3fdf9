"""Run one notebook in the sandbox, and return what its functions do, as plain data.

Its functions are called twice, in processes of their own: with its definitions alone and, those that
were not found right, after all of its cells. Nothing is judged in there.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradlab.exercises.checking.plain_data import NotPlain, clean, decode, encode
from gradlab.exercises.checking.probes import Observation, Observations
from gradlab_classroom.sandbox.watching import Ended, Limits, Sandbox

UNREAD = "the answer came in no form that can be read"


@dataclass(frozen=True)
class Question:
    """A function to call: its name, a probe's name, and the arguments of each run, encoded."""

    name: str
    probe: str
    runs: Sequence[Any]

    @staticmethod
    def of(exercise: Any) -> Question:
        """Return the question that an exercise asks."""
        runs = [encode(tuple(case.arguments)) for case in exercise.cases]
        return Question(exercise.name, exercise.probe, runs)


@dataclass
class Pass:
    """What was seen in one pass: with the definitions alone, or after all cells.

    Attributes:
      answers: as they were sent, by function.
      origins: the modules that the functions say they are from.
      errors: what cells raised; printed: what they printed; each by the cell's number from 0.
      prediction: the text of the variable of that name.
      ended: why it was ended before it was done, each time.
      foreign: whether something else wrote to the way out.
    """

    answers: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    printed: dict[int, str] = field(default_factory=dict)
    prediction: str = ""
    ended: list[str] = field(default_factory=list)
    foreign: bool = False

    def seen(self, question: Question) -> Observations | None:
        """Return what was seen of a function; None where there was none of its name."""
        sent = self.answers.get(question.name, {"kind": None, "seen": None})
        if isinstance(sent["kind"], str):
            return Observations(kind=one_line(sent["kind"], 100))
        if sent["seen"] is None:
            return None
        seen = sent["seen"] if isinstance(sent["seen"], list) else []
        runs = len(question.runs)
        return Observations(tuple(map(_read_run, [*seen, *[None] * runs][:runs])))

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Pass:
        """The inverse of ``asdict``, after JSON has made texts of the cells' numbers."""
        own = {
            name: {int(n): text for n, text in data[name].items()} for name in ("errors", "printed")
        }
        return Pass(**{**data, **own})


def run(
    cells: Sequence[str],
    files: Mapping[str, bytes],
    questions: Sequence[Question],
    passed: Callable[[Question, Observations | None], bool],
    limits: Limits = Limits(),  # noqa: B008 - it can't be changed
) -> tuple[Pass, Pass]:
    """Run a notebook.

    Args:
      cells: the code cells' texts.
      files: what lies beside the notebook, by its path.
      questions: the functions to call, and with what.
      passed: judges an answer, in this process.
      limits: what each of its processes may use.

    Returns:
      What was seen with the definitions alone, and after all cells.

    Raises:
      Ended: if this machine couldn't run it.
      SandboxMissing: if there is no sandbox here.
    """
    order = {"files": {name: base64.b64encode(data).decode() for name, data in files.items()}}
    definitions, notebook = Pass(), Pass()
    left, sources, hung = list(questions), list(cells), set[str]()
    for _ in range(len(cells) + len(questions) + 1):
        with Sandbox(limits) as sandbox:
            first = {**order, "cells": sources, "definitions": True}
            at = _attempt(sandbox, first, left, definitions)
            if at is None:
                again = [one for one in questions if one.name not in hung]
                again = [one for one in again if not passed(one, definitions.seen(one))]
                last = {**order, "cells": list(cells), "definitions": False}
                _attempt(sandbox, last, again, notebook)
                break
        if isinstance(at, int):  # once more without that cell; if it was without it, without any
            sources = sources if sources[at] else [""] * len(sources)
            sources[at] = ""
        else:
            hung.add(at)
            seen = [{"error": definitions.ended[-1]}] * max(len(one.runs) for one in questions)
            definitions.answers[at] = {"kind": None, "seen": seen}
        left = [one for one in left if one.name not in definitions.answers]
    return definitions, notebook


def _attempt(
    sandbox: Sandbox, order: Mapping[str, Any], questions: Sequence[Question], into: Pass
) -> int | str | None:
    """Give one order. Return the cell, or the function, in which it was ended, or None."""
    names, numbers = {one.name for one in questions}, range(len(order["cells"]))
    at: int | str = 0
    before = sandbox.foreign
    try:
        for message in sandbox.serve({**order, "asks": [vars(one) for one in questions]}):
            match message:
                case {"at": "cell", "cell": int(number)} if number in numbers:
                    at = number
                case {
                    "at": "ran",
                    "cell": int(number),
                    "error": error,
                    "printed": str(printed),
                } if number in numbers:
                    into.printed[number] = clean(printed)[:20_000]
                    if isinstance(error, str):
                        into.errors[number] = one_line(error)
                case {"at": "cells", "prediction": str(prediction)}:
                    into.prediction = one_line(prediction)
                case {"at": "asking", "name": str(name)} if name in names:
                    at = name
                case {"at": "answer", "name": str(name), "kind": kind, "seen": seen} if (
                    name in names
                ):
                    into.answers.setdefault(name, {"kind": kind, "seen": seen})
                    into.origins[name] = one_line(str(message.get("origin")))
    except Ended as ended:
        if ended.machine:
            raise
        into.ended.append(str(ended))
        if isinstance(at, int):
            into.errors[at] = str(ended)
        return at
    finally:
        into.foreign |= sandbox.foreign > before
    return None


def _read_run(sent: Any) -> Observation:
    match sent:
        case {"error": str(error)}:
            return Observation(error=one_line(error))
        case {"value": value}:
            try:
                return Observation(decode(value))
            except NotPlain as error:
                return Observation(error=f"NotPlain: {error}")
    return Observation(error=UNREAD)


def one_line(sent: str, longest: int = 300) -> str:
    """Return one line of what was sent, without what a terminal or a page would obey."""
    line = "".join(c if c.isprintable() else " " for c in clean(sent[: 2 * longest])).strip()
    return line if len(line) <= longest else line[: longest - 3] + "..."
