"""One sandbox, seen from outside: orders in, messages out, and an end to what goes too far."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from gradlab_classroom.sandbox.filtering import opened
from gradlab_classroom.sandbox.wall import ENVIRONMENT, command

POLL = 0.1
"""Seconds between two looks at what the sandbox uses."""
PATIENCE = 30
"""How many times its limit a step may take on a busy machine that gives it no processor."""
START_SECONDS = 60.0
MOST_SENT, MAPPED = 2**24, 2**30
"""Bytes of all messages; bytes that a program with JAX maps, and doesn't use."""


@dataclass(frozen=True)
class Limits:
    """What a notebook may use.

    Attributes:
      step_seconds: of processor time, or of doing nothing, for each cell and for each function.
      seconds: the same for everything that one order asks for.
      memory: bytes, of all processes together.
      processes: at once; threads: of all of them together.
      files: bytes in ``/tmp``.
    """

    step_seconds: float = 20
    seconds: float = 120
    memory: int = 3 * 2**30
    processes: int = 24
    threads: int = 256
    files: int = 64 * 2**20


class Ended(Exception):
    """A run was ended, or ended by itself. ``machine``: that wasn't the notebook's fault."""

    def __init__(self, why: str, *, machine: bool = False) -> None:
        super().__init__(why)
        self.machine = machine


class Sandbox:
    """A sandbox that waits for orders, within ``with``: at its end every process is killed.

    Attributes:
      foreign: bytes on the way out that somebody else wrote.

    Raises:
      Ended: by ``with``, where this machine can't start it.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.foreign, self._nonce = limits, 0, secrets.token_hex(8)
        self._read, self._used, self._cpu, self._looked = b"", 0.0, 0.0, time.monotonic()
        rlimits = {
            "RLIMIT_AS": limits.memory + MAPPED,
            "RLIMIT_CPU": int(4 * limits.seconds) + 30,
            "RLIMIT_NPROC": limits.threads + _tasks_of_this_user(),
            "RLIMIT_FSIZE": limits.files,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
        }
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end
        with opened() as bpf:
            argv = command(self._nonce, rlimits, limits.files, bpf.fileno())
            try:
                self._process: Any = subprocess.Popen(
                    argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                    pass_fds=[bpf.fileno()], env=ENVIRONMENT, cwd="/", start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise Ended(f"no process could be started: {error}", machine=True) from error

    def __enter__(self) -> Sandbox:
        try:
            next(self._messages(self._nonce, START_SECONDS))
        except Ended as ended:
            self._errors.seek(0)
            words = " ".join(self._errors.read(2000).decode("utf-8", "replace").split())
            self.__exit__()
            raise Ended(f"{ended}{words and ': '}{words}", machine=True) from ended
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(psutil.Error, subprocess.TimeoutExpired):
            # the first process in there takes the others with it, and bubblewrap reaps it
            for child in psutil.Process(self._process.pid).children():
                child.kill()
            self._process.wait(timeout=5)
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(OSError):
                file.close()

    def serve(self, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send an order, and yield the messages that come back.

        Raises:
          Ended: when it was ended before it was done.
        """
        nonce, self._used = secrets.token_hex(8), 0.0
        with contextlib.suppress(BrokenPipeError):  # then it has ended, and is found so
            self._process.stdin.write(json.dumps({**order, "nonce": nonce}).encode() + b"\n")
            self._process.stdin.flush()
        yield from self._messages(nonce, self.limits.step_seconds)

    def _messages(self, nonce: str, seconds: float) -> Iterator[dict[str, Any]]:
        """Yield messages, each within the time that a step may take, until there is an end."""
        doing, done, sent = "at the start", False, 0
        since, began = self._used, time.monotonic()
        while True:
            if select.select([self._process.stdout], [], [], POLL)[0]:
                block = os.read(self._process.stdout.fileno(), 2**18)
                sent += len(block)
                if sent > MOST_SENT:
                    raise Ended(f"{doing} it sent more than can be read")
                *whole, self._read = (self._read + block).split(b"\n")
                messages = [one for line in whole if (one := self._understood(line, nonce))]
                for message in messages if block else [{"at": "end"}]:
                    if message["at"] == "end":
                        if done:
                            return
                        raise Ended(f"{doing} the process ended by itself")
                    doing, done = _doing(message), message["at"] == "done"
                    since, began = self._used, time.monotonic()
                    yield message
            if time.monotonic() - self._looked > POLL:
                self._look(doing)
                if self._used - since > seconds:
                    raise Ended(f"{doing} it took longer than {seconds:g} s")
                if self._used > max(self.limits.seconds, seconds):
                    raise Ended(f"{doing} all together took longer than {self.limits.seconds:g} s")
                if time.monotonic() - began > PATIENCE * seconds:
                    raise Ended(f"{doing} this machine had no time for it", machine=True)

    def _understood(self, line: bytes, nonce: str) -> dict[str, Any] | None:
        word, _, text = line.partition(b" ")
        if word == nonce.encode():
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(text.decode("utf-8"))
                if isinstance(message, dict) and isinstance(message.get("at"), str):
                    return message
        self.foreign += len(line) + 1
        return None

    def _look(self, doing: str) -> None:
        """Add up what all processes of the sandbox use, and raise ``Ended`` where it's too much."""
        now, cpu, busy, resident, processes = time.monotonic(), 0.0, False, 0, []
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self._process.pid)
            processes = [top, *top.children(recursive=True)]
        for process in processes:
            with contextlib.suppress(psutil.Error):
                resident += process.memory_info().rss
                cpu += sum(process.cpu_times()[:4])
                busy = busy or _busy(process.pid)
        # what waits for a processor, or for a disk, isn't charged; what sleeps is
        self._used += max(0.0, cpu - self._cpu) if busy else now - self._looked
        self._cpu, self._looked = max(cpu, self._cpu), now
        if len(processes) > self.limits.processes:
            raise Ended(f"{doing} there were {len(processes)} processes")
        if resident > self.limits.memory:
            used, most = (f"{size / 2**20:,.0f}" for size in (resident, self.limits.memory))
            raise Ended(f"{doing} it used {used} MiB of memory, of {most}")


def _doing(message: Mapping[str, Any]) -> str:
    match message:
        case {"at": "cell", "cell": int(number)}:
            return f"in code cell {number + 1}"
        case {"at": "asking", "name": str(name)}:
            return f"in {name}"
    return "between its cells"


def _busy(process: int) -> bool:
    """Tell whether a thread of a process runs, waits for a processor, or for a disk."""
    for stat in Path(f"/proc/{process}/task").glob("*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text(errors="replace").rpartition(")")[2].split()[0] in "RD":
                return True
    return False


def _tasks_of_this_user() -> int:
    """Older kernels count what a user runs outside of the sandbox, too."""
    found = [one.info for one in psutil.process_iter(["uids", "num_threads"])]
    own = [one for one in found if one["uids"] and one["uids"].real == os.getuid() != 0]
    return sum(one["num_threads"] or 0 for one in own)
