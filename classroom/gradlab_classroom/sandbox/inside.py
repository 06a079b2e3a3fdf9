"""Inside the sandbox: run a notebook's cells, call its functions, and send back what was seen.

This is the only program that shares a process with what a student wrote. It knows the inputs of the
questions and never the answers; it sends plain data and no verdict. It serves one order after
another, each in a process of its own, forked before any of the notebook has run. Limits of time and
memory are kept from outside.
"""

from __future__ import annotations

import ast
import base64
import builtins
import ctypes
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import IO, Any

import jax.numpy
import numpy
from IPython.core.interactiveshell import InteractiveShell

from gradlab.exercises.checking import check, plain_data, probes
from gradlab_classroom.sandbox.definitions import BUILTINS, only_definitions, reaches

MOST_PRINTED = 20_000
"""Characters that are kept of what one cell prints."""
LATER = "This check runs when the notebook has been handed in."
PR_SET_DUMPABLE = 4
OBSERVERS = (jax, jax.numpy, numpy, probes, plain_data, base64, json, builtins)
"""Modules that an answer is observed with."""


def main(setup: Mapping[str, Any]) -> None:
    """Serve orders, a line of JSON each on the standard input, until there are no more."""
    confine(setup["rlimits"], setup["uid"])
    out, nothing = os.fdopen(os.dup(1), "wb"), os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    put_off_checks()
    write(out, setup["nonce"], at="ready")
    for line in sys.stdin.buffer:
        order = json.loads(line)
        if (child := os.fork()) == 0:
            os.dup2(nothing, 0)
            serve(order, partial(write, out, order["nonce"]))
            os._exit(0)  # nothing that the notebook left to be done at the end is done
        os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # what it left running: all but this process and the first
        write(out, order["nonce"], at="end")


def confine(limits: Mapping[str, int], uid: int | None) -> None:
    """Give up for good what a notebook must not have: memory, processes, the user 0."""
    import resource  # not on Windows

    for name, most in limits.items():
        _, hard = resource.getrlimit(getattr(resource, name))
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(getattr(resource, name), (most, most))
    os.nice(5)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # no process can look into this one, or into those that are forked from it
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)


def write(out: IO[bytes], nonce: str, **message: Any) -> None:
    """Write one message, after the word that tells it from what a notebook writes here."""
    out.write(f"{nonce} {json.dumps(message)}\n".encode())
    out.flush()


def put_off_checks() -> None:
    """Make ``check`` and ``points`` judge nothing: in here is no solution to compare with."""
    later: Any = check  # a module, whose functions are replaced
    later._find_exercise = lambda name: name
    later.result_of = lambda name, _: check.Result(name, False, check.PUT_OFF, LATER, 0.0)
    later.points_of = lambda *_, of: 0.0 * of


class Printed(io.TextIOBase):
    """What a cell prints, cut; the rest goes nowhere."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text[: MOST_PRINTED - len(self.text)]
        return len(text)


def serve(order: Mapping[str, Any], send: Callable[..., None]) -> None:
    """Run an order's cells, or only what they define, and ask its questions."""
    asked: dict[str, Any] = {ask["name"]: None for ask in order["asks"]}
    harmless, before = set(BUILTINS), parts()
    shell: Any = InteractiveShell.instance(colors="NoColor")
    shell.ask_exit = lambda: None
    shell.enable_gui = shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    os.chdir(tempfile.mkdtemp())
    put_files(order["files"], asked if order["definitions"] else None)
    for number, source in enumerate(order["cells"]):
        send(at="cell", cell=number)
        printed = sys.stdout = sys.stderr = Printed()
        error = None
        if order["definitions"]:
            source = only_definitions(shell.transform_cell(source), asked, harmless)
        try:
            done = shell.run_cell(source, store_history=True)
            error = done.error_before_exec or done.error_in_exec
        except BaseException as raised:  # of what the cell did to the shell
            error = raised
        for name in asked:
            found = shell.user_ns.get(name)
            asked[name] = found if callable(found) or asked[name] is None else asked[name]
        said = None if error is None else plain_data.describe_error(error)[:1000]
        send(at="ran", cell=number, error=said, printed=printed.text)
    prediction = shell.user_ns.get("prediction")
    send(at="cells", prediction=prediction[:200] if type(prediction) is str else "")
    for ask in order["asks"]:
        name, function = ask["name"], asked[ask["name"]]
        send(at="asking", name=name)
        seen = answer(function, ask)
        changed = [part for part, value in parts().items() if value is not before.get(part, value)]
        if changed and order["definitions"]:
            seen = {"kind": None, "seen": [{"error": f"it replaced {changed[0]}"}]}
        origin = str(getattr(function, "__module__", ""))[:100]
        send(at="answer", name=name, origin=origin, **seen)
    send(at="done")


def put_files(files: Mapping[str, str], asked: Mapping[str, Any] | None) -> None:
    """Write what lies beside the notebook. With definitions alone, helpers may not reach beyond."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    sys.argv[:] = [""]
    for name, content in files.items():
        if asked is None or not name.endswith((".pyc", ".so")):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(base64.b64decode(content))
    if asked is not None:
        compiled: Any = SourceFileLoader.source_to_code

        def of_helper(self: Any, data: Any, path: str, **rest: Any) -> Any:
            if path.startswith(here) and (word := reaches(ast.parse(data), asked)):
                raise ImportError(f"{Path(path).name} has more than definitions: {word}")
            return compiled(self, data, path, **rest)

        loader: Any = SourceFileLoader
        loader.source_to_code = of_helper


def parts() -> dict[str, Any]:
    """What an answer is observed with, by name: the functions, and their code."""
    found = {}
    for module in OBSERVERS:
        for name, value in vars(module).items():
            found[f"{module.__name__}.{name}"] = value
            found[f"the code of {module.__name__}.{name}"] = getattr(value, "__code__", None)
    return found


def answer(function: Any, ask: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one function does, ready to be sent. ``seen`` is None where there is none."""
    if function is None:
        return {"kind": None, "seen": None}
    try:
        runs = [plain_data.decode(run) for run in ask["runs"]]
        observed = probes.observe(ask["probe"], function, runs)
        seen = [
            {"value": plain_data.encode(run.value)} if run.error is None else {"error": run.error}
            for run in observed.seen
        ]
        return {"kind": observed.kind, "seen": seen}
    except BaseException as error:
        seen = [{"error": plain_data.describe_error(error)[:1000]} for _ in ask["runs"]]
        return {"kind": None, "seen": seen}
