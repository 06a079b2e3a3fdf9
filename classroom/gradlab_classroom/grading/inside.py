"""Inside the sandbox: runs a notebook's cells, then calls its functions and says what it saw.

It is the only program that shares a process with what a student wrote. It knows the inputs of a
question when it is asked, and never what should come out; it writes plain data, and no verdict.
It cannot be trusted against what it shares its process with: code that looks for this program finds
it, and can have it say whatever that code computes, what is right included.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from gradlab.exercises.checking.plain_data import decode, describe_error, encode, to_plain_data
from gradlab.exercises.checking.probes import Observation, observe
from gradlab_classroom.grading.cells import Cells
from gradlab_classroom.grading.delays import delays, waited
from gradlab_classroom.grading.hygiene import Kept

MOST_SENT = 8 * 2**20
"""Bytes of one message. A right answer to any question is a thousand times smaller."""

LATER = "This check runs when the notebook has been handed in."


class TooLong(BaseException):
    """The time for a cell or an answer is over. Not an ``Exception``: many catch those."""


def confine(limits: Mapping[str, int], uid: int | None) -> None:
    """Give up for good what the submission must not have: memory, processes, the uid 0."""
    import resource  # not on Windows, where the parent imports this file too

    for name, most in limits.items():
        _, hard = resource.getrlimit(getattr(resource, name))
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (OSError, ValueError):
            if (
                sys.platform == "linux"
            ):  # macOS has no limit on what is mapped; it has no wall either
                raise
    os.nice(5)
    if uid is not None:  # a limit on processes does not bind root
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


class Wire:
    """The way to the grader and back, on file descriptors that no cell is given, though one may search."""

    def __init__(self, into: int, out: int) -> None:
        self.into, self.out, self.blocks = os.dup(into), os.dup(out), [b""]
        os.close(out)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, into)  # a cell that asks for input finds an end of file
        os.close(nothing)
        self.read, self.write, self.loads, self.dumps = os.read, os.write, json.loads, json.dumps
        self.nonce = b""

    def receive(self) -> dict[str, Any] | None:
        """The next message, or None at the end."""
        while b"\n" not in self.blocks[-1]:
            block = self.read(self.into, 2**16)
            if not block:
                return None
            self.blocks.append(block)
        end, _, rest = self.blocks.pop().partition(b"\n")
        line, self.blocks = b"".join([*self.blocks, end]), [rest]
        message: dict[str, Any] = self.loads(line)
        return message

    def send(self, **message: Any) -> None:
        """Write one message, after the word that tells it from what a cell writes here."""
        line = self.nonce + b" " + self.dumps(message).encode() + b"\n"
        rest = memoryview(line)
        while rest:
            rest = rest[self.write(self.out, rest) :]


class Clock:
    """Ends a cell or an answer by ``TooLong``. Time spent waiting for a processor is not counted."""

    def __init__(self) -> None:
        self.set_timer, self.set_handler, self.mask = (
            signal.setitimer,
            signal.signal,
            signal.pthread_sigmask,
        )
        self.now, self.cpu = time.monotonic, time.process_time
        self.seconds, self.began, self.used, self.delays = 0.0, 0.0, 0.0, dict[str, float]()

    def start(self, seconds: float) -> None:
        """Start to count. What the submission did to the signal is undone."""
        self.seconds, self.began, self.used = seconds, self.now(), self.cpu()
        self.delays = delays("self")
        self.set_handler(signal.SIGALRM, self._over)
        self.mask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        self.set_timer(signal.ITIMER_REAL, seconds)

    def stop(self) -> None:
        """Stop counting."""
        self.set_timer(signal.ITIMER_REAL, 0)

    def _over(self, *_: Any) -> None:
        left = self.seconds - (self.now() - self.began) + waited("self", self.delays)
        if left > 0.05 and self.cpu() - self.used < self.seconds:
            self.set_timer(signal.ITIMER_REAL, left)
            return
        self.set_timer(signal.ITIMER_REAL, 1)  # once more, where this one is caught
        raise TooLong


def main(setup: Mapping[str, Any]) -> None:
    """Serve one submission: its cells, then one question after another, until there is none."""
    confine(setup["rlimits"], setup["uid"])
    wire = Wire(0, setup["out"])
    first = wire.receive()
    if first is None:
        return
    wire.nonce = first["nonce"].encode()
    put_off_checks()
    wake_jax()
    wire.send(at="ready")
    order = wire.receive()
    if order is None:
        return
    clock, cells, kept = Clock(), Cells(order["cells"], order["bare"], order["names"]), Kept()
    sys.argv[:] = [""]
    notes = run_cells(cells, wire, clock, order["cell_seconds"])
    notes += kept.put_back()
    notes += loose_ends()
    found = {name: look(cells.namespace, name, clock) for name in order["variables"]}
    found = {name: encoded for name, encoded in found.items() if encoded is not None}
    wire.send(at="ran", variables=found, notes=notes)
    while (question := wire.receive()) is not None:
        answered = answer(cells, question, clock)
        notes, cells.notes = kept.put_back() + cells.notes, []
        wire.send(at="answer", name=question["ask"], answered=answered, notes=notes)
    os._exit(0)  # nothing that the submission left to be done at the end is done


def wake_jax() -> None:
    """Have JAX make its threads: few, and before a cell can use up what there may be."""
    import jax.numpy as jnp

    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if processors:
        os.sched_setaffinity(0, {min(processors)})
    jnp.zeros(()).block_until_ready()
    if processors:
        os.sched_setaffinity(0, processors)


def put_off_checks() -> None:
    """A notebook's own checks have no solution to compare with here."""
    from gradlab import exercises
    from gradlab.exercises.checking import check as checks

    def check(name: str, answer: Any) -> checks.Result:
        return checks.Result(name, False, checks.PUT_OFF, LATER, 0.0)

    def points(name: str, namespace: Mapping[str, Any], *, of: float) -> float:
        print(LATER)
        return 0.0

    for module in (exercises, checks):
        for stub in (check, points):
            setattr(module, stub.__name__, stub)


def run_cells(cells: Cells, wire: Wire, clock: Clock, seconds: float) -> list[str]:
    """Run every cell for its time. What a cell raises ends that cell only."""
    notes = []
    for index in range(len(cells.sources)):
        wire.send(at="cell", index=index)
        error = None
        try:
            clock.start(seconds)
            try:
                cells.run(index)
            finally:
                clock.stop()
        except TooLong:
            error = f"it ran longer than {seconds:g} s, and was stopped"
            notes.append(f"cell {index + 1} ran longer than {seconds:g} s, and was stopped")
        except BaseException as raised:
            error = described(raised, clock)
        if error is not None:
            wire.send(at="raised", index=index, error=error[:1000])
    return notes


def answer(cells: Cells, question: Mapping[str, Any], clock: Clock) -> Any:
    """Return what is seen of one function, ready to be sent, or None where there is no such function."""
    function = cells.function(question["ask"])
    if function is None:
        return None
    seconds = question["seconds"]
    try:
        clock.start(seconds)
        try:
            answered = observe(
                question["probe"], function, [decode(run) for run in question["runs"]]
            )
            ready = {"kind": answered.kind, "seen": [seen(run) for run in answered.seen]}
            if len(json.dumps(ready)) > MOST_SENT:
                raise ValueError("it returned more than can be read")
            return ready
        finally:
            clock.stop()
    except TooLong:
        error = f"it took longer than {seconds:g} s"
    except BaseException as raised:
        error = described(raised, clock)
    return {"kind": None, "seen": [{"error": error[:1000]} for _ in question["runs"]]}


def seen(run: Observation) -> Any:
    """One run of an answer as JSON."""
    if run.error is not None:
        return {"error": str(run.error)[:1000]}
    try:
        return {"value": encode(run.value)}
    except Exception as error:  # a number of more digits than are written, for one
        return {"error": describe_error(error)[:1000]}


def look(namespace: Mapping[str, Any], name: str, clock: Clock) -> Any:
    """One variable as JSON, or None where it is missing, or is no plain data of a modest size."""
    if name not in namespace:
        return None
    try:
        clock.start(5)
        try:
            encoded = encode(to_plain_data(namespace[name]))
            return encoded if len(json.dumps(encoded)) < 2**16 else None
        finally:
            clock.stop()
    except BaseException:  # it is the submission's own code that may run here
        return None


def described(error: BaseException, clock: Clock) -> str:
    """Put an error into words. Its own words come from the submission, and may fail."""
    try:
        clock.start(2)
        try:
            return str(describe_error(error))
        finally:
            clock.stop()
    except BaseException:
        return "an error that cannot be described"


def loose_ends() -> list[str]:
    """End what would watch or disturb the answers, and say what it was."""
    notes = []
    for name, get, end in _WATCHERS:
        if get() is not None:
            end(None)
            notes.append(f"{name} was set, and was removed before the answers were run")
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if others:
        notes.append(f"{len(others)} threads went on after the cells had ended")
    return notes


_WATCHERS: tuple[tuple[str, Callable[[], Any], Callable[[Any], Any]], ...] = (
    ("sys.settrace", sys.gettrace, sys.settrace),
    ("sys.setprofile", sys.getprofile, sys.setprofile),
)
