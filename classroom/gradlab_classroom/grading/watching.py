"""One program that is not trusted: started, talked to, and ended when it goes too far."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from gradlab_classroom.grading.delays import delays, waited
from gradlab_classroom.grading.inside import MOST_SENT

POLL = 0.1
"""Seconds between two looks at what the program uses."""

GRACE = 3.0
"""Seconds after which a time limit, that ``inside`` keeps by itself, is kept from outside."""

KEPT = 20_000
"""Characters of what is printed that are kept."""

PATIENCE, LITTLE_PATIENCE = 8, 2
"""Times that a limit may pass while a program waits for a processor: alone; and with processes
of its own, which may be what takes the processor."""

MANY = 24
"""Processes that no notebook needs. Threads are not processes."""


class Stopped(Exception):
    """Ends a run. ``reason`` is one of the words of ``Ran.status``, ``detail`` a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class Watched:
    """A running program. It is a context manager; what is left at its end is killed.

    Args:
      command: what to run, from the descriptor on which it is to write its messages.
      nonce: the word that begins each message: what has it not, was written by somebody else.
      output: bytes that may be printed; memory: bytes that may be resident, of all processes.
      seconds: for everything. Time without a processor does not count, see ``PATIENCE``.
      inner: at which depth of the tree of processes the program is that is talked to.
    """

    def __init__(
        self,
        command: Callable[[int], Sequence[str]],
        *,
        nonce: str,
        environment: Mapping[str, str],
        folder: Path,
        descriptors: Sequence[int],
        output: int,
        memory: int,
        seconds: float,
        inner: int,
    ) -> None:
        self._nonce, self._most_output, self._most_memory = nonce.encode(), output, memory
        self._inner = inner
        self._talker: int | None = None
        self._whole, self._looked = _Phase(seconds, "", time.monotonic(), {}, 0.0), 0.0
        self._known: dict[int, psutil.Process] = {}
        self._resident, self._cpu = 0, 0.0  # at the last look
        self._unsent: deque[memoryview] = deque()
        self._unread: list[bytes] = []
        self._printed, self._bytes = b"", 0
        self._lines: deque[bytes] = deque()
        self.intruded = False
        self.cleaned: Callable[[], object] = lambda: None  # called at the end
        self._killed_for_memory = _killed_for_memory()
        messages, theirs = os.pipe()
        try:
            self._process = subprocess.Popen(
                command(theirs),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs, *descriptors),
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            os.close(messages)
            raise Stopped("machine", f"no process could be started: {error}") from error
        finally:
            os.close(theirs)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into, self._out, self._messages = self._process.stdin, self._process.stdout, messages
        self._selector = selectors.DefaultSelector()
        for file, event in (
            (self._out.fileno(), selectors.EVENT_READ),
            (messages, selectors.EVENT_READ),
        ):
            os.set_blocking(file, False)
            self._selector.register(file, event)
        os.set_blocking(self._into.fileno(), False)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._selector.close()
        os.close(self._messages)
        self._out.close()
        with contextlib.suppress(OSError):  # what was not yet sent has nobody to read it
            self._into.close()
        self.cleaned()

    @property
    def printed(self) -> str:
        """Its output so far, cut, and without what a terminal would obey."""
        with contextlib.suppress(Stopped):  # that it was too much matters no more
            while self._read_printed("at the end"):
                pass
        whole = self._printed.decode("utf-8", "replace")[:KEPT]
        return "".join(
            letter if letter.isprintable() or letter in "\n\t" else " " for letter in whole
        )

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message, while ``receive`` waits for the answer."""
        text = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        self._unsent.append(memoryview(text))

    def receive(self, seconds: float, doing: str) -> dict[str, Any]:
        """Return the next message.

        Args:
          seconds: that it may take.
          doing: what it should be doing, for the sentence of a ``Stopped``.

        Raises:
          Stopped: if it has gone too far, or has ended.
        """
        phase = _Phase(seconds, doing, time.monotonic(), self._delays(), self._cpu)
        while True:
            while self._lines:
                message = self._understood(self._lines.popleft())
                if message is not None:
                    return message
            if sum(map(len, self._unread)) > 2 * MOST_SENT:
                raise Stopped("output", f"{doing} it sent more than can be read")
            self._exchange(doing)
            if time.monotonic() - self._looked > POLL:
                self._look(phase)
                self._looked = time.monotonic()

    def _understood(self, line: bytes) -> dict[str, Any] | None:
        word, _, text = line.partition(b" ")
        if word == self._nonce:
            try:
                message = json.loads(text.decode("utf-8"))
            except (ValueError, RecursionError):
                message = None
            if isinstance(message, dict) and isinstance(message.get("at"), str):
                return message
        self.intruded = True
        self._bytes += len(line)  # it counts as printed
        return None

    def _exchange(self, doing: str) -> None:
        """Wait a moment, and move what can be moved."""
        self._write()
        for key, _ in self._selector.select(POLL / 2):
            if key.fd == self._messages:
                block = os.read(self._messages, 2**18)
                if not block:
                    self._ended(doing)
                first, *others = block.split(b"\n")
                self._unread.append(first)
                for other in others:
                    self._lines.append(b"".join(self._unread))
                    self._unread = [other]
            elif not self._read_printed(doing):  # it was told that there is something: the end
                self._selector.unregister(key.fd)

    def _write(self) -> None:
        try:
            while self._unsent:
                rest = self._unsent[0][os.write(self._into.fileno(), self._unsent[0]) :]
                if rest:
                    self._unsent[0] = rest
                else:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it has ended, which is seen where its messages are read
            self._unsent.clear()

    def _read_printed(self, doing: str) -> bool:
        """Read what was printed. False where nothing more is to be had."""
        try:
            block = os.read(self._out.fileno(), 2**18)
        except BlockingIOError:
            return False
        self._bytes += len(block)
        self._printed = (self._printed + block)[: 4 * KEPT]
        if self._bytes > self._most_output:
            raise Stopped("output", f"{doing} it printed more than {self._most_output:,} bytes")
        return bool(block)

    def _ended(self, doing: str) -> None:
        try:
            code = self._process.wait(timeout=2)
            self._read_printed(doing)
        except subprocess.TimeoutExpired:
            raise Stopped("died", f"{doing} it closed its way to the grader") from None
        if _killed_for_memory() > self._killed_for_memory:
            if self._resident > self._most_memory / 2:
                raise Stopped("memory", f"{doing} this machine had no memory left for what it used")
            raise Stopped("machine", "this machine ran out of memory, and killed a process")
        raise Stopped("died", f"{doing} the process ended by itself, with status {code}")

    # ------------------------------------------------------------------- what it uses

    def _tree(self) -> list[psutil.Process]:
        try:
            top = psutil.Process(self._process.pid)
            tree = [top, *top.children(recursive=True)]
        except psutil.Error:
            return []
        self._known.update((process.pid, process) for process in tree)
        return tree

    def _delays(self) -> dict[str, float]:
        """Those of the program that is talked to."""
        return {} if (talker := self._found()) is None else delays(talker)

    def _waited(self, since: Mapping[str, float]) -> float:
        return 0.0 if (talker := self._found()) is None else waited(talker, since)

    def _found(self) -> int | None:
        """The number of the program that is talked to."""
        if self._talker is None:
            process = psutil.Process(self._process.pid)
            try:
                for _ in range(self._inner):
                    (process,) = process.children()
            except (psutil.Error, ValueError):  # it has not come so far yet, or has ended
                return None
            self._talker = process.pid
        return self._talker

    def _look(self, phase: _Phase) -> None:
        """Raise ``Stopped`` where a limit has been passed."""
        tree = self._tree()
        if len(tree) > MANY:
            raise Stopped("processes", f"{phase.doing} there were {len(tree)} processes")
        self._resident = sum(map(_resident, tree))
        if self._resident > self._most_memory:
            size = f"{self._resident / 2**20:,.0f} MiB of {self._most_memory / 2**20:,.0f}"
            raise Stopped("memory", f"{phase.doing} {len(tree)} processes used {size} of memory")
        self._cpu = sum(map(_cpu, tree))
        now, alone = time.monotonic(), len(tree) <= self._inner + 1
        for limit, name in ((phase, ""), (self._whole, "together with what was before, ")):
            wall = now - limit.began
            if wall <= limit.seconds:
                continue
            if max(self._cpu - limit.cpu, wall - self._waited(limit.delays)) > limit.seconds:
                detail = f"{phase.doing} {name}it took more than {limit.seconds:g} s"
                raise Stopped("time", detail)
            if wall > (PATIENCE if alone else LITTLE_PATIENCE) * limit.seconds:
                detail = f"{phase.doing} it had no processor for most of {wall:.0f} s"
                raise Stopped("machine" if alone else "time", detail)

    def _kill(self) -> None:
        """End every process, and return when there is none."""
        self._tree()
        # the first process of a namespace takes the others with it, and is the top one's child: so
        # each is reaped by its parent, and none is left behind for another to reap
        for process in sorted(
            self._known.values(), key=lambda process: process.pid == self._process.pid
        ):
            if process.pid == self._process.pid and self._inner:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=5)
            with contextlib.suppress(psutil.Error):
                process.kill()
        self._process.kill()
        self._process.wait()
        until = time.monotonic() + 5
        while any(map(_alive, self._known.values())) and time.monotonic() < until:
            time.sleep(0.01)


@dataclass(frozen=True)
class _Phase:
    """A limit of seconds, and what the clocks said when it began."""

    seconds: float
    doing: str
    began: float
    delays: Mapping[str, float]
    cpu: float


def _alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _cpu(process: psutil.Process) -> float:
    """Seconds of processors that a process has used, with those of its children that have ended."""
    try:
        return float(sum(process.cpu_times()[:4]))
    except psutil.Error:
        return 0.0


def _killed_for_memory() -> int:
    """Count the processes that the kernel has killed for want of memory; 0 if it does not say."""
    try:
        lines = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
