"""Time for which a program was ready to run, and had no processor: it is not the program's."""

from __future__ import annotations

import os
from collections.abc import Mapping


def delays(process: int | str) -> dict[str, float]:
    """Return how many seconds each thread of a process has waited for a processor, by its number.

    None are returned where the system does not say it, or the process has ended.
    """
    folder = f"/proc/{process}/task"
    try:
        threads = os.listdir(folder)  # noqa: PTH208 - it runs beside code that patches what it can
    except OSError:
        return {}
    return {thread: _delay(f"{folder}/{thread}/schedstat") for thread in threads}


def waited(process: int | str, since: Mapping[str, float]) -> float:
    """Return the most seconds that one thread has waited since ``since``, which ``delays`` gave.

    It is the one that waits most that counts, and not the main one: JAX compiles in threads of its
    own, while the main one sleeps.
    """
    now = delays(process)
    return max((delay - since.get(thread, 0.0) for thread, delay in now.items()), default=0.0)


def _delay(path: str) -> float:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
    finally:
        os.close(file)
