"""Time what a person waits for on a fresh machine: reading the book, testing it, running a chapter.

For each Python at hand: a fresh ``git clone`` in an empty directory, empty caches of pip and npm, and
a PATH on which no Node is found; and, where it can be made (by root, with mmdebstrap installed), an
untouched Debian system with the newest Python and no Node. Measured are ``make serve`` until the page
answers, and the same again with nothing changed; in the last of them ``make test``; and what it takes to
install what runs the chapters alone. Printed is Markdown, which is also written to ``results.md``, with
the numbers in ``results.json``. What is not committed is not cloned, and so not measured. With
``--quick``, ``make test`` is left out.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.build import debian
from benchmarks.report import ROOT, Benchmark, Row, Tables, Target, say
from tools.pythons import pythons

DEBIAN = "Debian"
PYTHONS = pythons()
HIDDEN = ("node", "npm", "npx", "nodejs")
PATIENCE = 1800.0
"""Seconds after which a step has failed."""
BENCHMARK = Benchmark(
    name="build",
    title="The build, measured",
    packages=(),
    prose={
        "build": """\
From a fresh clone, with empty caches and no Node on the PATH: `make serve` until the page answers, and the
same again with nothing changed; then, in the last row alone, `make test`; and what is then in the clone.
Debian is a system of its own, made a minute before with mmdebstrap (`benchmarks/build/debian.py`): its
unstable release, with what README asks for and nothing besides. No Mac has been tried.""",
        "ways in": """\
What it takes to run chapters in an environment of one's own: `pip install -c constraints.txt` of each, with
empty caches, by Python {python}.""",
    },
    targets=[Target("tested in ten minutes", "build", ["make test, s"], at_most=600)],
)
WAYS_IN = {
    "requirements.txt": ["-r", "requirements.txt"],
    "requirements-read.txt": ["-r", "requirements-read.txt"],
    "explorax alone": ["."],
}


class StepError(RuntimeError):
    """A step failed: the message says which, and where its output is."""


@dataclass(frozen=True)
class Machine:
    """A place where the project is cloned and made.

    Attributes:
      name: of the system.
      python: what ``PYTHON=`` is.
      clone: the fresh clone, as this process sees it.
      inside: from a command to the one that runs it there, in the clone.
      environment: of that command.
      log: what its output is added to.
    """

    name: str
    python: str
    clone: Path
    inside: Callable[[list[str]], list[str]]
    environment: Mapping[str, str]
    log: Path

    def says(self, *command: str) -> str:
        """Return what a command there prints."""
        done = subprocess.run(
            self.inside(list(command)),
            cwd=self.clone, env=self.environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()


@contextmanager
def this_machine(python: str) -> Iterator[Machine]:
    """Clone the project for a Python of this machine; where a step fails, the clone stays."""
    folder = Path(tempfile.mkdtemp(prefix="explorax-build-"))
    clone_into(folder / "clone")
    environment = fresh_environment(folder)
    log = folder / "log.txt"
    yield Machine("this one", python, folder / "clone", lambda command: command, environment, log)
    remove(folder)


@contextmanager
def fresh_debian() -> Iterator[Machine]:
    """Make a Debian system, and clone the project in it; where a step fails, it stays."""
    folder = Path(tempfile.mkdtemp(prefix="explorax-build-"))
    say(f"making a Debian system in {folder}")
    debian.make_system(folder / "system")
    clone_into(folder / "system" / "root" / "clone")

    def inside(command: list[str]) -> list[str]:
        return debian.inside(folder / "system", "/root/clone", command)

    clone, log = folder / "system" / "root" / "clone", folder / "log.txt"
    yield Machine("Debian, fresh", debian.PYTHON, clone, inside, dict(os.environ), log)
    remove(folder)


def clone_into(folder: Path) -> None:
    """Clone what is committed."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)


def remove(folder: Path) -> None:
    """Remove a folder, and what a browser may still be writing there."""
    subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)


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


def free_port() -> int:
    """Return a port that is free, and that no kernel is given while chapters are executed."""
    for port in range(8100, 8200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise StepError("every port from 8100 to 8199 is in use. Stop what listens there.")


def answers(port: int) -> bool:
    """Tell whether a page is served on this machine."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return b"<html" in page.read()
    except OSError:
        return False


def time_make(machine: Machine, target: str) -> float:
    """Return how long ``make`` takes until the page answers, or until it ends.

    Raises:
      StepError: where it fails, or takes too long.
    """
    say(f"{machine.name}, {machine.python}: make {target} (the output goes to {machine.log})")
    port = free_port()
    start = time.perf_counter()
    with machine.log.open("ab") as output:
        process = subprocess.Popen(
            machine.inside(["make", target, f"PORT={port}", f"PYTHON={machine.python}"]),
            cwd=machine.clone, env=machine.environment, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        while process.poll() is None and not (target == "serve" and answers(port)):
            if time.perf_counter() - start > PATIENCE:
                raise StepError(f"make {target} took over {PATIENCE:.0f} s: see {machine.log}")
            time.sleep(0.1)
        if process.poll() is not None and (target == "serve" or process.returncode):
            status = process.returncode
            raise StepError(f"make {target} ended with status {status}: see {machine.log}")
        return time.perf_counter() - start
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def measure_machine(machine: Machine, test: bool) -> Row:
    """Measure the two commands of README."""
    version = machine.says(machine.python, "--version").split()[-1]
    row: Row = {"system": machine.name, "Python": version}
    row["make serve, s"] = time_make(machine, "serve")
    row["make serve again, s"] = time_make(machine, "serve")
    row["make test, s"] = time_make(machine, "test") if test else None
    row["on disk, GB"] = size(machine.clone)
    return row


def size(folder: Path) -> float:
    """Return what the files of a folder take, in GB."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e9


def measure_way_in(name: str, python: str) -> Row:
    """Measure an installation in an environment of its own."""
    say(f"{python}: pip install {name}")
    with this_machine(python) as machine:
        environment = machine.clone / "env"
        machine.says(python, "-m", "venv", str(environment))
        pip = [str(environment / "bin" / "python"), "-m", "pip"]
        machine.says(*pip, "install", "--quiet", "-c", "constraints.txt", "pip")
        start = time.perf_counter()
        machine.says(*pip, "install", "--quiet", "-c", "constraints.txt", *WAYS_IN[name])
        seconds = time.perf_counter() - start
        packages = len(machine.says(*pip, "list", "--format=freeze").splitlines())
        return {
            "pip install": name, "seconds": seconds, "packages": packages, "on disk, GB": size(environment)
        }  # fmt: skip


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    wanted = options.only or [*PYTHONS, DEBIAN, *WAYS_IN]
    machines = [this_machine(PYTHONS[version]) for version in PYTHONS if version in wanted]
    if DEBIAN in wanted and (reason := debian.why_not()):
        say(f"no Debian system was made: {reason}")
    elif DEBIAN in wanted:
        machines.append(fresh_debian())
    rows = []
    for place in machines:
        with place as machine:
            rows.append(measure_machine(machine, place is machines[-1] and not options.quick))
    newest = list(PYTHONS)[-1]
    ways = [measure_way_in(name, PYTHONS[newest]) for name in filter(wanted.__contains__, WAYS_IN)]
    return {"python": newest}, {"build": rows, "ways in": ways}


if __name__ == "__main__":
    sys.exit(BENCHMARK.run(measure, __doc__, [*PYTHONS, DEBIAN, *WAYS_IN]))
