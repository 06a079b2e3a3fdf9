"""Run a reader's code in Pyodide: its output up to a limit, its last expression, and its own frames of an error."""

from __future__ import annotations

import ast
import io
import linecache
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import __main__

CHARACTERS, LINES = 20_000, 500
"""How much a run may print."""
CUT = f"... stopped here: a page shows {LINES} lines, or {CHARACTERS:,} characters."
LARGEST = 1e6
"""What a figure can draw."""
HINTS: dict[type, str] = {
    EOFError: "input() gets nothing in a page: write the value into the code.",
    ModuleNotFoundError: "A page has Python's own modules and NumPy. JAX can't run in it: "
    "open the chapter as a notebook.",
}
"""What to do about an error that a page brings about."""
OURS = "block "
"""What the names of the reader's files begin with."""
NAMES = __main__.__dict__
BEGINNING = dict(NAMES)


class Flood(BaseException):
    """More has been printed than a page shows; no ``except Exception`` of the reader's catches it."""


class Limited(io.TextIOBase):
    """A stream that hands each text on, and stops the run when there's too much."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say
        self.characters, self.lines = CHARACTERS, LINES

    def write(self, text: str) -> int:
        """Hand a text on, as far as there's room."""
        kept = "".join(text[: self.characters].splitlines(keepends=True)[: self.lines])
        self.characters -= len(kept)
        self.lines -= kept.count("\n")
        if kept:
            self.say(kept)
        if len(kept) < len(text):
            raise Flood
        return len(text)


def begin(anew: bool, numpy: bool) -> None:
    """Give the reader what the chapters import first; if ``anew``, without the names that earlier runs have left."""
    if anew:
        NAMES.clear()
        NAMES.update(BEGINNING)
    exec("from sccbook.exercises import check, variant" + "\nimport numpy as np" * numpy, NAMES)


def run(
    code: str, name: str, say: Callable[[str], object], draws: Mapping[str, str]
) -> dict[str, Any]:
    """Run code among the page's names, and return what became of it.

    Args:
      code: of one block.
      name: of the block, as an error calls it; it begins with ``OURS``.
      say: takes what is printed, piece by piece, and the repr of the last line's value.
      draws: what a figure shows by name, each as an expression in the page's names.

    Returns:
      ``seconds``; ``error``, the traceback or what stopped the run, or ""; ``drawn``, floats or lists of
      them by name; ``undrawn``, why there are none, or "".
    """
    began, error, undrawn, drawn = time.perf_counter(), "", "", {}
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    limited = Limited(say)
    try:
        with redirect_stdout(limited), redirect_stderr(limited):
            evaluate(code, name)
    except Flood:
        error = CUT
    except BaseException as raised:  # SystemExit too: the page goes on
        error = own_frames(raised)
    seconds = time.perf_counter() - began
    if not error:
        try:
            drawn = {each: numbers(eval(text, NAMES)) for each, text in draws.items()}
        except Exception as raised:
            undrawn = f"{type(raised).__name__}: {raised}"
    return {"seconds": seconds, "error": error, "drawn": drawn, "undrawn": undrawn}


def evaluate(code: str, name: str) -> None:
    """Run code, and print the value of its last line and of each ``check(...)`` that stands alone."""
    body = ast.parse(code, name).body
    for line in body:
        shown = isinstance(line, ast.Expr) and (
            line is body[-1] or ast.unparse(line).startswith("check(")
        )
        tree = ast.Interactive([line]) if shown else ast.Module([line], [])
        exec(compile(tree, name, "single" if shown else "exec"), NAMES)


def own_frames(error: BaseException) -> str:
    """Return an error's traceback without the frames of what runs the code, and what can be done in a page."""
    if isinstance(error, SystemExit):
        return "Ended by sys.exit()."
    told = traceback.TracebackException.from_exception(error)
    each: traceback.TracebackException | None = told
    while each is not None:
        own = [frame for frame in each.stack if frame.filename.startswith(OURS)]
        each.stack = traceback.StackSummary.from_list(own)
        each = each.__cause__ or each.__context__
    return "".join([*told.format(), HINTS.get(type(error), "")]).strip()


def numbers(value: Any) -> Any:
    """Return a number as a float, and a flat list or array of them as floats, if they can be drawn."""
    if hasattr(value, "__len__"):
        return [float(numbers(each)) for each in value]
    if not abs(value) <= LARGEST:
        raise ValueError("a number isn't finite, or is beyond a million.")
    return float(value)
