"""Processes that work beside each other: on this machine, or wherever a scheduler of Dask has them."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from gradlab_classroom.grading.jail import XLA_FLAGS

Task = tuple[Any, ...]
"""A function and its arguments; all of them can be pickled."""
Run = Callable[[Mapping[str, Task]], Iterator[tuple[str, Any]]]

QUIET = {
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,  # the sandbox has a limit of its own
    "distributed.comm.timeouts.connect": "60s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.scheduler.allowed-failures": 1,
    "distributed.scheduler.http.routes": [],  # no pages to look at, and no addresses to ask
    "distributed.worker.http.routes": [],
}

EVERY = 0.1
"""Seconds between two looks at what is done."""
FORGOTTEN = 60.0
"""Seconds after which a task that no worker has is taken for lost."""


class Lost(RuntimeError):
    """A task without a result: it brought down its workers, or none took it."""


@contextmanager
def cluster_of(workers: int, scheduler: str, folder: Path) -> Iterator[Run]:
    """Start processes, or find them, and yield a function that runs tasks on them.

    The function takes tasks by name, and yields each name with its result as soon as it is there;
    in place of a result, the exception of one whose workers were lost again and again.

    Args:
      workers: how many processes to start here, one thread each.
      scheduler: the address of a scheduler, such as ``tcp://10.0.0.5:8786``; then none are started.
      folder: for what the processes write.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", XLA_FLAGS)
    security = None if scheduler else _security()
    if not scheduler and security is None:
        sys.stderr.write(
            "openssl is missing, or failed: without it, anybody on this machine could talk to "
            "Dask's processes. Processes without ports are used instead.\n"
        )
        yield partial(_run, partial(_once_without_ports, workers))
        return
    import dask

    distributed: Any = import_module("distributed")
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(QUIET))
        if scheduler:
            client = stack.enter_context(distributed.Client(scheduler))
        else:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(dir=folder, prefix=".dask-"))
            cluster = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # 8787, the default, may be taken
                    scheduler_kwargs={"dashboard": False},  # its port answers nothing but "404"
                    silence_logs=logging.CRITICAL,
                    memory_limit=0,
                    local_directory=scratch,
                    security=security,
                )
            )
            client = stack.enter_context(distributed.Client(cluster))
        yield partial(_run, partial(_once, client))


def _run(once: Run, tasks: Mapping[str, Task]) -> Iterator[tuple[str, Any]]:
    again = {}
    for name, result in once(tasks):
        if isinstance(result, Lost):
            again[name] = tasks[name]
        else:
            yield name, result
    # a task that waited where another brought the worker down is suspected too: now each is alone
    for name, task in again.items():
        yield from once({name: task})


def _once_without_ports(workers: int, tasks: Mapping[str, Task]) -> Iterator[tuple[str, Any]]:
    """Yield results from processes that are reached through pipes, and so by nobody else."""
    lost = Lost("the process that had it ended")
    names = {}
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        for name, (function, *arguments) in tasks.items():
            try:
                names[pool.submit(function, *arguments)] = name
            except BrokenExecutor:
                yield name, lost
        for future in as_completed(names):
            error = future.exception()
            result = lost if isinstance(error, BrokenExecutor) else error
            yield names[future], future.result() if error is None else result
    finally:
        pool.shutdown(cancel_futures=True)


def _once(client: Any, tasks: Mapping[str, Task]) -> Iterator[tuple[str, Any]]:
    """Yield results as they come.

    It asks again and again: ``as_completed`` may wait for ever for a result that went with its
    worker before it was fetched. A task that no worker has, and that is not done either, is
    forgotten; it ends as one that was lost (seen with distributed 2026.8).
    """
    waiting = {
        name: client.submit(function, *arguments, key=f"{uuid.uuid4()}", pure=False)
        for name, (function, *arguments) in tasks.items()
    }
    killed = import_module("distributed.scheduler").KilledWorker
    moved = time.monotonic()
    while waiting:
        done = [name for name, future in waiting.items() if future.done()]
        for name in done:
            future = waiting.pop(name)
            try:
                result = future.result(timeout=FORGOTTEN)
            except killed:
                result = Lost("the processes that had it ended, again and again")
            except Exception as error:
                result = error
            yield name, result
            future.release()
        if done:
            moved = time.monotonic()
        elif time.monotonic() - moved > FORGOTTEN:
            if any(client.processing().values()):
                moved = time.monotonic()
                continue
            for name in list(waiting):
                waiting.pop(name).cancel()
                yield name, Lost("no process took it")
        if not done:
            time.sleep(EVERY)


def _security() -> Any:
    """A key and a certificate of this run alone.

    The processes talk through ports of 127.0.0.1. Who else is logged in here could talk to them,
    and have them run anything: without the key they do not listen. None where openssl makes none.
    """
    if shutil.which("openssl") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = Path(folder, "key.pem"), Path(folder, "certificate.pem")
        command = ["openssl", "req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=grading"]
        command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        done = subprocess.run(
            [*command, "-keyout", key, "-out", certificate], capture_output=True, check=False
        )
        if done.returncode != 0:
            return None
        secret, public = key.read_text("ascii"), certificate.read_text("ascii")
    security: Any = import_module("distributed").Security(
        require_encryption=True,
        tls_ca_file=public,
        **{f"tls_{role}_key": secret for role in ("client", "scheduler", "worker")},
        **{f"tls_{role}_cert": public for role in ("client", "scheduler", "worker")},
    )
    return security
