"""Run one notebook in the sandbox, and return what its functions do, as plain data.

Its functions are called twice, in processes of their own: with its definitions alone and, where
they weren't found right, after all of its cells. Nothing is judged in there.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sccbook.checking.plain_data import NotPlain, clean, decode, encode
from sccbook.checking.probes import Observation, Observations
from sccbook_classroom.sandbox.watching import Ended, Limits, Sandbox

TWICE = "it was answered twice"


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
      answers: as they were sent, by function; origins: the modules that they say they are from.
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
        match self.answers.get(question.name):
            case None:
                return None
            case {"kind": str(kind)}:
                return Observations(kind=one_line(kind, 100))
            case {"seen": [*sent]}:
                sent += [None] * len(question.runs)
                return Observations(tuple(map(_read, sent[: len(question.runs)])))
        return Observations(tuple(_read(None) for _ in question.runs))

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Pass:
        """The inverse of ``asdict``, after JSON has made texts of the cells' numbers."""
        own = {
            key: {int(n): text for n, text in data[key].items()} for key in ("errors", "printed")
        }
        return Pass(**{**data, **own})


def run(
    cells: Sequence[str],
    files: Mapping[str, bytes],
    questions: Sequence[Question],
    passed: Callable[[Question, Observations | None], bool],
    limits: Limits = Limits(),  # noqa: B008 - it can't be changed
) -> tuple[Pass, Pass]:
    """Run a notebook, and return what was seen with its definitions alone, and after all cells.

    Args:
      cells: the code cells' texts; files: what lies beside the notebook, by its path.
      questions: the functions to call, and with what; passed: judges one, in this process.
      limits: what each of its processes may use.

    Raises:
      Ended: if this machine couldn't run it.
      SandboxMissing: if there is no sandbox here.
    """
    sent = {name: b64encode(data).decode() for name, data in files.items()}
    order = {"files": sent, "cells": cells, "definitions": False, "without": ()}
    definitions, notebook, without = Pass(), Pass(), list[int | str]()
    while True:
        with Sandbox(limits) as sandbox:
            first = {**order, "definitions": True, "without": without}
            at = _attempt(sandbox, first, questions, definitions)
            if at is None:
                again = [one for one in questions if one.name not in without]
                again = [one for one in again if not passed(one, definitions.seen(one))]
                _attempt(sandbox, order, again, notebook)
            if at is None or at in without:  # what ended it isn't what it said
                return definitions, notebook
        without.append(at)


def _attempt(
    sandbox: Sandbox, order: Mapping[str, Any], questions: Sequence[Question], into: Pass
) -> int | str | None:
    """Give one order. Return the cell, or the function, in which it was ended, or None."""
    runs, numbers = {one.name: len(one.runs) for one in questions}, range(len(order["cells"]))
    answered = set[str]()
    try:
        for message in sandbox.serve({**order, "asks": [vars(one) for one in questions]}):
            match message:
                case {"at": int(cell), "printed": str(text), "error": str(error)} if (
                    cell in numbers
                ):
                    into.printed[cell] = clean(text)[:20_000]
                    into.errors |= {cell: one_line(error)} if error else {}
                    into.prediction = one_line(str(message.get("prediction")))
                case {"at": str(name), "answer": dict(answer)} if name in runs:
                    if name in answered:  # one of them isn't what was observed
                        answer = {"seen": [{"error": TWICE}] * runs[name]}
                    answered.add(name)
                    into.answers[name] = answer
                    into.origins[name] = one_line(str(answer.get("origin")))
        return None
    except Ended as ended:
        if ended.at is None:
            raise
        into.ended.append(one_line(str(ended)))
        if ended.at in runs:
            into.answers[ended.at] = {"seen": [{"error": into.ended[-1]}] * runs[ended.at]}
            return ended.at
        at = ended.at if isinstance(ended.at, int) and ended.at in numbers else 0
        into.errors[at] = into.ended[-1]
        return at
    finally:
        into.foreign |= sandbox.foreign


def _read(sent: Any) -> Observation:
    match sent:
        case {"error": str(error)}:
            return Observation(error=one_line(error))
        case {"value": value}:
            try:
                return Observation(decode(value))
            except NotPlain as error:
                return Observation(error=f"NotPlain: {error}")
    return Observation(error="the answer came in no form that can be read")


def one_line(sent: str, longest: int = 300) -> str:
    """Return one line of what was sent, without what a terminal or a page would obey."""
    line = "".join(c if c.isprintable() else " " for c in clean(sent[: 2 * longest])).strip()
    return line if len(line) <= longest else line[: longest - 3] + "..."
