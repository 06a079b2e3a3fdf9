"""Inside the sandbox: run a notebook's cells, call its functions, and send back what was seen.

This is the only program that shares a process with what a student wrote. It knows the inputs of the
questions and never the answers; it sends plain data and no verdict. Each order is served in a
process of its own, forked before any of the notebook has run. Time is limited from outside.
"""

import builtins
import ctypes
import io
import json
import os
import signal
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

import jax.numpy
import numpy
from IPython.core.interactiveshell import InteractiveShell

from sccbook.checking import plain_data, probes
from sccbook.exercises import answers
from sccbook_classroom.sandbox.definitions import BUILTINS, helper_reaches, only_definitions

MOST_PRINTED = 20_000  # characters that are kept of what one cell prints
LATER = "this is judged below, where its points stand."
PR_SET_DUMPABLE = 4


def main(setup: Mapping[str, Any]) -> None:
    """Serve orders, a line of JSON each on the standard input, until there are no more."""
    confine(setup["rlimits"], setup["uid"])
    out, nothing = os.fdopen(os.dup(1), "wb"), os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    later: Any = answers  # the module: in here is no solution to compare with
    later._find_exercise = later.variant = lambda name, *_: name
    later.result_of = lambda name, _: answers.Result(name, False, answers.PUT_OFF, LATER, 0.0)
    later.points_of = lambda *_, of: 0.0
    for line in sys.stdin.buffer:
        order = json.loads(line)
        if (child := os.fork()) == 0:
            os.dup2(nothing, 0)
            serve(order, partial(write, out, order["nonce"]))
            os._exit(0)  # nothing that the notebook left to be done at the end is done
        os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # what it left running: all but this process and the first
        write(out, order["nonce"], at="", end=True)


def confine(limits: Mapping[str, int], uid: int | None) -> None:
    """Give up for good what a notebook must not have: memory, processes, the user 0."""
    import resource  # not on Windows

    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        if not 0 <= resource.getrlimit(kind)[1] < most:  # a stricter one stays
            resource.setrlimit(kind, (most, most))
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


class Printed(io.StringIO):
    """What a cell prints, cut; the rest goes nowhere."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, MOST_PRINTED - self.tell())])
        return len(text)


def serve(order: Mapping[str, Any], send: Callable[..., None]) -> None:
    """Run an order's cells, or only what they define, and ask its questions."""
    asked: dict[str, Any] = {ask["name"]: None for ask in order["asks"]}
    harmless, before = set(BUILTINS), observers()
    os.chdir(tempfile.mkdtemp())
    sys.path.insert(0, str(Path.cwd()))
    for name, content in order["files"].items():
        if not (order["definitions"] and helper_reaches(name, b64decode(content))):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(b64decode(content))
    shell: Any = InteractiveShell.instance(colors="NoColor")
    shell.enable_gui = shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    for number in sorted({*range(len(order["cells"]))} - {*order["without"]}):
        source = order["cells"][number]
        send(at=number)
        printed = sys.stdout = sys.stderr = Printed()
        try:
            if order["definitions"]:
                source = only_definitions(shell.transform_cell(source), asked, harmless)
            done = shell.run_cell(source, store_history=True)
            error = done.error_before_exec or done.error_in_exec
        except BaseException as raised:  # of what the cell did to the shell
            error = raised
        for name, kept in asked.items():
            found = shell.user_ns.get(name)
            asked[name] = found if callable(found) or kept is None else kept
        said, guess = printed.getvalue(), shell.user_ns.get("prediction")
        guess = guess[:200] if type(guess) is str else ""
        why = plain_data.describe_error(error) if error else ""
        send(at=number, printed=said, error=why, prediction=guess)
    for ask in order["asks"]:
        if (function := asked[ask["name"]]) is not None and ask["name"] not in order["without"]:
            send(at=ask["name"])
            answer = observed(function, ask["probe"], ask["runs"])
            changed = [
                name for name, one in observers().items() if before.get(name, one) is not one
            ]
            if changed and order["definitions"]:
                answer["seen"] = [{"error": f"it replaced {changed[0]}"}] * len(ask["runs"])
            send(at=ask["name"], answer=answer)
    send(at="", done=True)


def observers() -> dict[str, Any]:
    """What an answer is observed with: functions and their code, by name."""
    modules = (jax, jax.numpy, numpy, probes, plain_data, json, builtins)
    found = {f"{one.__name__}.{key}": part for one in modules for key, part in vars(one).items()}
    return found | {f"{key}.__code__": getattr(it, "__code__", 0) for key, it in found.items()}


def observed(function: Any, probe: str, runs: list[Any]) -> dict[str, Any]:
    """Return what one function does, ready to be sent."""
    found: dict[str, Any] = {"origin": str(getattr(function, "__module__", ""))[:100]}
    try:
        made = probes.observe(probe, function, map(plain_data.decode, runs))
        values = [{"value": plain_data.encode(one.value)} for one in made.seen]
        errors = [one.error and {"error": one.error} for one in made.seen]
        seen = [error or value for error, value in zip(errors, values, strict=True)]
        return found | {"kind": made.kind, "seen": seen}
    except BaseException as error:
        return found | {"seen": [{"error": plain_data.describe_error(error)}] * len(runs)}
