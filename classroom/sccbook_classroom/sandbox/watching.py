"""One sandbox, seen from outside: orders in, messages out, and an end to what goes too far."""

import json
import os
import secrets
import select
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from sccbook_classroom.sandbox.wall import ENVIRONMENT, command, filter_file

POLL = 0.1  # seconds between two looks at what the sandbox uses
START_SECONDS = 60.0
PATIENCE = 30  # how many times its limit a step may wait for a processor
MOST_SENT = 2**24  # bytes of all messages that answer one order
MAPPED = 2**30  # bytes that a program with JAX maps, and doesn't use


@dataclass(frozen=True)
class Limits:
    """What a notebook may use.

    Attributes:
      step_seconds: of processor time, or of doing nothing, for each cell and for each function.
      seconds: the same for everything that one order asks for.
      memory: bytes, of all processes together; files: bytes in ``/tmp``.
      processes: at once; threads: of all of them together.
    """

    step_seconds: float = 20
    seconds: float = 120
    memory: int = 3 * 2**30
    files: int = 64 * 2**20
    processes: int = 24
    threads: int = 256


class Ended(Exception):
    """A run was ended, or ended by itself.

    Attributes:
      at: the cell's number or the function's name; None if this machine is to blame, and not the
        notebook.
    """

    def __init__(self, why: str, at: int | str | None = None) -> None:
        where = f"code cell {at + 1}" if isinstance(at, int) else at
        super().__init__(f"in {where} {why}" if where else why)
        self.at = at


class Sandbox(AbstractContextManager["Sandbox"]):
    """A sandbox that waits for orders, within ``with``: at its end every process is killed.

    Attributes:
      foreign: whether somebody else wrote on its way out.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.foreign = limits, False
        self._at: int | str | None = None
        self._read, self._sent, self._used, self._cpu = b"", 0, 0.0, 0.0
        self._looked = time.monotonic()
        rlimits = {"AS": limits.memory + MAPPED, "CPU": int(4 * limits.seconds) + 30, "CORE": 0,
                   "NPROC": limits.threads, "FSIZE": limits.files, "NOFILE": 256}  # fmt: skip
        pipes: Any = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        with filter_file() as bpf:
            argv = command(rlimits, limits.files, bpf.fileno())
            try:
                self._process = psutil.Popen(
                    argv, pass_fds=[bpf.fileno()], env=ENVIRONMENT, start_new_session=True, **pipes
                )
            except OSError as error:
                raise Ended(f"no process could be started: {error}") from error

    def __exit__(self, *_: object) -> None:
        try:  # the first process in there takes the others with it, and bubblewrap reaps it
            for child in self._process.children():
                child.kill()
            self._process.wait(timeout=5)
        except psutil.Error:
            with suppress(psutil.Error):
                self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()

    def serve(self, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send an order, and yield the messages that come back.

        Raises:
          Ended: when it was ended before it was done.
        """
        nonce, self._at, self._sent, self._used = secrets.token_hex(8), None, 0, 0.0
        with suppress(BrokenPipeError):  # then it has ended: the loop below says how
            self._process.stdin.write(json.dumps({**order, "nonce": nonce}).encode() + b"\n")
            self._process.stdin.flush()
        since, began, done = 0.0, time.monotonic(), False
        while True:
            for message in self._received(nonce):
                if "end" in message and done:
                    return
                if "end" in message:
                    raise Ended("the process ended by itself", self._at)
                self._at, done = message["at"], "done" in message
                since, began = self._used, time.monotonic()
                yield message
            self._look(since, began)

    def _received(self, nonce: str) -> list[dict[str, Any]]:
        """Wait a moment, and return the messages that have come."""
        if not select.select([self._process.stdout], [], [], POLL)[0]:
            return []
        block = os.read(self._process.stdout.fileno(), 2**18)
        self._sent += len(block)
        if self._sent > MOST_SENT:
            raise Ended("it sent more than can be read", self._at)
        *lines, self._read = (self._read + block).split(b"\n")
        found = [_message(line, nonce) for line in lines]
        self.foreign |= None in found
        return list(filter(None, found)) if block else [{"end": True}]

    def _look(self, since: float, began: float) -> None:
        """Add up what all processes of the sandbox use, and raise ``Ended`` where it's too much."""
        now, cpu, busy, resident = time.monotonic(), 0.0, False, 0
        if now - self._looked < POLL:
            return
        processes = [self._process, *self._process.children(recursive=True)]
        for process in processes:
            with suppress(psutil.Error, OSError):  # it may end while it's looked at
                resident += process.memory_info().rss
                cpu += sum(process.cpu_times()[:4])
                busy = busy or _busy(process.pid)
        # what waits for a processor, or for a disk, isn't charged; what sleeps is
        self._used += max(0.0, cpu - self._cpu) if busy else now - self._looked
        self._cpu, self._looked = max(cpu, self._cpu), now
        limits = self.limits
        step = START_SECONDS if self._at is None else limits.step_seconds
        whole = max(limits.seconds, step)
        for why, used, most in (
            (f"there were {len(processes)} processes", len(processes), limits.processes),
            (
                f"it used more than {limits.memory / 2**20:,.0f} MiB of memory",
                resident,
                limits.memory,
            ),
            (f"it took longer than {step:g} s", self._used - since, step),
            (f"all together took longer than {whole:g} s", self._used, whole),
        ):
            if used > most:
                raise Ended(why, self._at)
        if now - began > PATIENCE * step:
            raise Ended("this machine had no time for it")


def _message(line: bytes, nonce: str) -> dict[str, Any] | None:
    word, _, text = line.partition(b" ")
    with suppress(ValueError, RecursionError):
        message = json.loads(text) if word == nonce.encode() else None
        if isinstance(message, dict) and isinstance(message.get("at"), int | str):
            return message
    return None


def _busy(process: int) -> bool:
    """Tell whether a thread of a process runs, waits for a processor, or for a disk."""
    for stat in Path(f"/proc/{process}/task").glob("*/stat"):
        with suppress(OSError):
            if stat.read_text(errors="replace").rpartition(")")[2].split()[0] in "RD":
                return True
    return False
