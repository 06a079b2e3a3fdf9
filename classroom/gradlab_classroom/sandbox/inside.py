"""Inside the sandbox: run a notebook's cells, call its functions, and send back what was seen.

This is the only program that shares a process with what a student wrote. It knows the inputs of the
questions and never the answers; it sends plain data and no verdict. It serves one order after another,
each in a process of its own, forked before any of the notebook has run. Limits of time and memory are
kept from outside.
"""

from __future__ import annotations

import base64
import ctypes
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.plain_data import decode, describe_error, encode
from gradlab.exercises.checking.probes import Observation, observe
from gradlab_classroom.sandbox.definitions import BUILTINS, only_definitions

MOST_SENT = 8 * 2**20
"""Bytes of one answer. A right answer to any question is a thousand times smaller."""
MOST_PRINTED = 20_000
"""Characters that are kept of what one cell prints."""
LATER = "This check runs when the notebook has been handed in."
PR_SET_DUMPABLE = 4


def main(setup: Mapping[str, Any]) -> None:
    """Serve orders, a line of JSON each on the standard input, until there are no more."""
    confine(setup["rlimits"], setup["uid"])
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(nothing, descriptor)
    undumpable = ctypes.CDLL(None).prctl if sys.platform == "linux" else lambda *_: 0
    undumpable(PR_SET_DUMPABLE, 0)  # no process of a notebook can look into this one
    put_off_checks()
    import IPython.core.interactiveshell  # noqa: F401 - loaded once, for every order
    import jax.numpy  # noqa: F401

    write(out, {"at": "ready"}, setup["nonce"])
    for line in lines(0):
        order = json.loads(line)
        if (child := os.fork()) == 0:
            os.dup2(nothing, 0)
            undumpable(PR_SET_DUMPABLE, 1)
            serve(order, lambda order=order, **message: write(out, message, order["nonce"]))
            os._exit(0)  # nothing that the notebook left to be done at the end is done
        os.waitpid(child, 0)
        end_others()
        write(out, {"at": "end"}, order["nonce"])


def confine(limits: Mapping[str, int], uid: int | None) -> None:
    """Give up for good what a notebook must not have: memory, processes, the user 0."""
    import resource  # not on Windows

    for name, most in limits.items():
        _, hard = resource.getrlimit(getattr(resource, name))
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(getattr(resource, name), (most, most))
    os.nice(5)
    if uid is not None:  # a limit on processes doesn't bind root
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def end_others() -> None:
    """Kill what the last order has left running."""
    try:
        os.kill(-1, signal.SIGKILL)  # all but this process and the first one
    except ProcessLookupError:
        pass
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def lines(descriptor: int) -> Iterator[bytes]:
    """Yield whole lines. An order comes only when the one before it is done."""
    read = b""
    while block := os.read(descriptor, 2**16):
        *whole, read = (read + block).split(b"\n")
        yield from whole


def write(out: int, message: Mapping[str, Any], nonce: str) -> None:
    """Write one message, after the word that tells it from what a notebook writes here."""
    rest = memoryview(f"{nonce} {json.dumps(message)}\n".encode("utf-8", "replace"))
    while rest:
        rest = rest[os.write(out, rest) :]


def put_off_checks() -> None:
    """Replace ``check`` and ``points``: in here there is no solution to compare with."""
    from gradlab import exercises
    from gradlab.exercises.checking import check as checks

    def check(name: str, answer: Any) -> checks.Result:
        return checks.Result(name, False, checks.PUT_OFF, LATER, 0.0)

    def points(name: str, namespace: Mapping[str, Any], *, of: float) -> float:
        print(LATER)
        return 0.0

    for module in (exercises, checks):
        module.check, module.points = check, points


class Printed(io.TextIOBase):
    """What a cell prints, cut; the rest goes nowhere."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text[: MOST_PRINTED - len(self.text)]
        return len(text)


def serve(order: Mapping[str, Any], send: Callable[..., None]) -> None:
    """Run an order's cells, or only what they define, and ask its questions."""
    from IPython.core.interactiveshell import InteractiveShell

    os.chdir(tempfile.mkdtemp())
    for name, content in order["files"].items():
        path = Path.cwd() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    sys.path.insert(0, str(Path.cwd()))
    sys.argv[:] = [""]
    shell = InteractiveShell.instance(colors="NoColor")
    shell.ask_exit = lambda: None
    shell.enable_gui = shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    asked = {ask["name"]: None for ask in order["asks"]}
    harmless = set(BUILTINS)
    for number, source in enumerate(order["cells"]):
        send(at="cell", cell=number)
        printed = sys.stdout = sys.stderr = Printed()
        error = None
        if order["definitions"]:
            source = only_definitions(shell.transform_cell(source), set(asked), harmless)
        try:
            done = shell.run_cell(source, store_history=True)
            error = done.error_before_exec or done.error_in_exec
        except BaseException as raised:  # of what the cell did to the shell
            error = raised
        for name in asked:
            found = shell.user_ns.get(name)
            asked[name] = found if callable(found) or asked[name] is None else asked[name]
        said = None if error is None else describe_error(error)[:1000]
        send(at="ran", cell=number, error=said, printed=printed.text)
    prediction = shell.user_ns.get("prediction")
    send(at="cells", prediction=prediction[:200] if type(prediction) is str else "")
    for ask in order["asks"]:
        send(at="asking", name=ask["name"])
        function = asked[ask["name"]]
        send(at="answer", name=ask["name"], origin=origin(function), **answer(function, ask))
    send(at="done")


def origin(function: Any) -> str:
    """Return the module that a function says it is from."""
    return str(getattr(function, "__module__", ""))[:100]


def answer(function: Any, ask: Mapping[str, Any]) -> dict[str, Any]:
    """Return what one function does, ready to be sent. ``seen`` is None where there is no function."""
    if function is None:
        return {"seen": None}
    try:
        observed = observe(ask["probe"], function, [decode(run) for run in ask["runs"]])
        ready = {"kind": observed.kind, "seen": [seen(run) for run in observed.seen]}
        if len(json.dumps(ready)) > MOST_SENT:
            raise ValueError("it returned more than can be read")
        return ready
    except BaseException as error:
        return {
            "kind": None,
            "seen": [{"error": describe_error(error)[:1000]} for _ in ask["runs"]],
        }


def seen(run: Observation) -> dict[str, Any]:
    """One run of an answer as JSON."""
    if run.error is not None:
        return {"error": str(run.error)[:1000]}
    try:
        return {"value": encode(run.value)}
    except Exception as error:  # a number of more digits than are written, for one
        return {"error": describe_error(error)[:1000]}
