"""Run a reader's code in Pyodide: its output up to a limit, its last expression, and its own frames of an error.

Nothing of the book is imported, so the tests run it in CPython as well.
"""

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
BEGINNING = dict(__main__.__dict__)
OURS = "block "
"""What the names of the reader's files begin with."""


class Flood(BaseException):
    """More has been printed than a page shows; no ``except Exception`` of the reader's catches it."""


class Limited(io.TextIOBase):
    """A stream that hands each text on, and stops the run when there's too much."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say
        self.characters, self.lines = CHARACTERS, LINES

    def write(self, text: str) -> int:
        kept = "".join(text[: self.characters].splitlines(keepends=True)[: self.lines])
        self.characters -= len(kept)
        self.lines -= kept.count("\n")
        if kept:
            self.say(kept)
        if len(kept) < len(text):
            raise Flood
        return len(text)


def forget() -> None:
    """Begin again without the names that earlier runs have left."""
    __main__.__dict__.clear()
    __main__.__dict__.update(BEGINNING)


def run(
    code: str, name: str, say: Callable[[str], object], draws: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run code in the page's names, and return what became of it.

    Args:
      code: of one block.
      name: of the block, as an error calls it; it begins with ``OURS``.
      say: takes what is printed, piece by piece.
      draws: what a figure shows by name, each as an expression in the page's names.

    Returns:
      ``seconds``; ``value``, the last expression's repr, or None; ``error``, the traceback or None;
      ``flood``, whether too much was printed; ``drawn``, lists of floats by name, or None;
      ``undrawn``, why there are none.
    """
    found: dict[str, Any] = dict.fromkeys(("value", "error", "drawn", "undrawn"))
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    limited, names, began = Limited(say), __main__.__dict__, time.perf_counter()
    found["flood"] = False
    try:
        with redirect_stdout(limited), redirect_stderr(limited):
            value = evaluate(code, name, names)
            found["value"] = None if value is None else repr(value)
    except Flood:
        found["flood"] = True
    except BaseException as error:  # SystemExit too: the page goes on
        found["error"] = own_frames(error)
    found["seconds"] = time.perf_counter() - began
    if draws and not found["flood"] and not found["error"]:
        try:
            found["drawn"] = {each: numbers(eval(text, names)) for each, text in draws.items()}
        except Exception as error:
            found["undrawn"] = f"{type(error).__name__}: {error}"
    return found


def evaluate(code: str, name: str, names: dict[str, Any]) -> Any:
    """Run code, and return the value of its last line where that is an expression."""
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if last else None


def own_frames(error: BaseException) -> str:
    """Return an error's traceback without the frames of what runs the code."""
    told = traceback.TracebackException.from_exception(error, compact=True)
    each: traceback.TracebackException | None = told
    while each is not None:
        own = [frame for frame in each.stack if frame.filename.startswith(OURS)]
        each.stack = traceback.StackSummary.from_list(own)
        each = each.__cause__ or each.__context__
    return "".join(told.format()).strip()


def numbers(value: Any) -> list[float]:
    """Return a number, or a flat list or array of them, as floats."""
    return [float(each) for each in value] if hasattr(value, "__len__") else [float(value)]
