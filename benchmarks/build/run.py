"""Time what a person waits for on a fresh machine: reading the book, and testing it.

For each Python: a fresh ``git clone`` in an empty directory, empty caches of pip and npm, and a
PATH on which no Node is found. Measured are ``make serve`` until the page answers, the same
again with nothing changed, and ``make test`` twice. Printed is Markdown, which is also written to
``results.md``, with the numbers in ``results.json``. What is not committed is not cloned, and so not
measured. With ``--quick``, ``make test`` is left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, Benchmark, Row, Tables, Target, say

PYTHONS = tuple(filter(shutil.which, ("python3.11", "python3.12", "python3.13")))
HIDDEN = ("node", "npm", "npx", "nodejs")
PATIENCE = 1800.0
"""Seconds after which a step has failed."""
BENCHMARK = Benchmark(
    name="build",
    title="The build, measured",
    packages=(),
    prose={
        "build": """\
From a fresh clone, with empty caches and no Node on the PATH: `make serve` until the page answers, the
same again with nothing changed; then `make test`, and that again; and what is then in the clone."""
    },
    targets=[
        Target(
            "tested in ten minutes", "build", ["make test, s", "make test again, s"], at_most=600
        )
    ],
)


class StepError(RuntimeError):
    """A step failed: the message says which, and where its output is."""


def path_without_node(links: Path) -> str:
    """Return a PATH with all the programs of this one but Node's: a folder of links to them."""
    links.mkdir()
    for folder in filter(os.path.isdir, os.environ["PATH"].split(os.pathsep)):
        for program in Path(folder).iterdir():
            link = links / program.name
            if program.name not in HIDDEN and not link.is_symlink():
                link.symlink_to(program)
    return str(links)


def fresh_environment(folder: Path) -> dict[str, str]:
    """Return an environment with empty caches and without Node, Python's or make's settings."""
    dropped = ("PYTHON", "VIRTUAL_ENV", "MAKE", "MFLAGS", "NODE_OPTIONS", "NODE_PATH", "JAX_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return {
        **kept,
        "PATH": path_without_node(folder / "path"),
        "PIP_CACHE_DIR": str(folder / "pip"),
        "npm_config_cache": str(folder / "npm"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def answers(port: int) -> bool:
    """Tell whether a page is served on this machine."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return b"<html" in page.read()
    except OSError:
        return False


def time_make(target: str, python: str, folder: Path, environment: Mapping[str, str]) -> float:
    """Return how long ``make`` takes until the page answers, or until it ends.

    Raises:
      StepError: where it fails, or takes too long.
    """
    log = folder / "log.txt"
    say(f"{python}: make {target} (the output goes to {log})")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start = time.perf_counter()
    with log.open("ab") as output:
        process = subprocess.Popen(
            ["make", target, f"PORT={port}", f"PYTHON={python}"],
            cwd=folder / "clone", env=environment, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        while process.poll() is None and not (target == "serve" and answers(port)):
            if time.perf_counter() - start > PATIENCE:
                raise StepError(f"make {target} took over {PATIENCE:.0f} s: see {log}")
            time.sleep(0.1)
        if process.poll() is not None and (target == "serve" or process.returncode):
            raise StepError(f"make {target} ended with status {process.returncode}: see {log}")
        return time.perf_counter() - start
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def measure_python(python: str, test: bool) -> Row:
    """Measure everything with one Python, in a fresh clone; where it fails, the clone stays."""
    folder = Path(tempfile.mkdtemp(prefix="gradlab-build-"))
    clone = folder / "clone"
    environment = fresh_environment(folder)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True)
    row: Row = {"Python": version.stdout.split()[-1]}
    for target in ("serve", "test") if test else ("serve",):
        for step in (f"make {target}, s", f"make {target} again, s"):
            row[step] = time_make(target, python, folder, environment)
    files = (path for path in clone.rglob("*") if path.is_file() and not path.is_symlink())
    row["on disk, GB"] = sum(path.stat().st_size for path in files) / 1e9
    shutil.rmtree(folder)
    return row


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    pythons = options.only or PYTHONS
    return {}, {"build": [measure_python(python, not options.quick) for python in pythons]}


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, PYTHONS))
