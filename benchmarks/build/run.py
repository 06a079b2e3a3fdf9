"""Time what a person waits for on a fresh machine: reading the book, and testing it.

For each Python: a fresh ``git clone`` in an empty directory, empty caches of pip and npm, and a
PATH on which no Node is found. Measured are ``make serve`` until the page answers, the same
again with nothing changed, and ``make test``. Printed is a Markdown table, which is also written
to ``benchmarks/build.md``, with the numbers in ``benchmarks/build.json``.

Run it with ``make bench-build``; ``make bench-build ARGS='--python python3.12 --skip-test'`` does
less. What is not committed is not cloned, and so not measured.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
PYTHONS = ("python3.11", "python3.12", "python3.13")
HIDDEN = ("node", "npm", "npx", "nodejs")
PATIENCE = 1800.0
"""Seconds after which a step has failed."""


class BenchmarkError(RuntimeError):
    """A step failed: the message says which, and where its output is."""


@dataclass
class Times:
    """What was measured with one Python, in seconds; None is what was skipped."""

    python: str
    serve: float
    """`make serve` in a fresh clone, until the page answers."""
    serve_again: float
    """The same with nothing changed."""
    test: float | None
    """`make test` after that."""
    test_again: float | None
    """The same with nothing changed."""
    disk_megabytes: float
    """What is then in the clone."""


def path_without_node(folder: Path) -> str:
    """Return a PATH with all the programs of this one but Node's.

    A directory of the PATH that has a Node is replaced by one with links to the rest of it.
    """
    kept = []
    for number, entry in enumerate(os.environ["PATH"].split(os.pathsep)):
        directory = Path(entry)
        if not directory.is_dir():
            continue
        if any((directory / name).exists() for name in HIDDEN):
            links = folder / f"path{number}"
            links.mkdir(parents=True)
            for program in directory.iterdir():
                if program.name not in HIDDEN:
                    (links / program.name).symlink_to(program)
            directory = links
        kept.append(str(directory))
    return os.pathsep.join(kept)


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


def version_of(python: str) -> str | None:
    """Return a Python's version, or None where there is no such Python."""
    try:
        command = [python, "-c", "import platform; print(platform.python_version())"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(address: str) -> bool:
    """Say whether a page is served at an address."""
    try:
        with urllib.request.urlopen(address, timeout=5) as page:
            return b"<html" in page.read()
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


@contextmanager
def running(
    command: list[str], clone: Path, environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command in a process group of its own, and end that group."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=clone,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def time_serve(clone: Path, environment: dict[str, str], log: Path, python: str) -> float:
    """Return how long `make serve` takes until the page answers."""
    port = free_port()
    command = ["make", "serve", f"PORT={port}", f"PYTHON={python}"]
    start = time.perf_counter()
    with running(command, clone, environment, log) as process:
        while not answers(f"http://127.0.0.1:{port}/"):
            if process.poll() is not None:
                raise BenchmarkError(
                    f"make serve ended with status {process.returncode}: see {log}"
                )
            if time.perf_counter() - start > PATIENCE:
                raise BenchmarkError(f"make serve served nothing in {PATIENCE:.0f} s: see {log}")
            time.sleep(0.1)
        return time.perf_counter() - start


def time_test(clone: Path, environment: dict[str, str], log: Path) -> float:
    """Return how long `make test` takes."""
    start = time.perf_counter()
    with running(["make", "test"], clone, environment, log) as process:
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired as late:
            raise BenchmarkError(f"make test took over {PATIENCE:.0f} s: see {log}") from late
    if status:
        raise BenchmarkError(f"make test ended with status {status}: see {log}")
    return time.perf_counter() - start


def megabytes(folder: Path) -> float:
    """Return what a folder's files take, in units of 10^6 bytes."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def measure(python: str, test: bool, folder: Path, say: Callable[[str], None]) -> Times:
    """Measure everything with one Python, in a fresh clone."""
    clone, log = folder / "clone", folder / "log.txt"
    environment = fresh_environment(folder)
    if shutil.which("node", path=environment["PATH"]):
        raise BenchmarkError("a Node is still found on the PATH that should have none")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    say(f"make serve (the output goes to {log})")
    serve = time_serve(clone, environment, log, python)
    say(f"{serve:.0f} s. make serve, again")
    serve_again = time_serve(clone, environment, log, python)
    say(f"{serve_again:.1f} s.")
    first = again = None
    if test:
        say("make test")
        first = time_test(clone, environment, log)
        say(f"{first:.0f} s. make test, again")
        again = time_test(clone, environment, log)
        say(f"{again:.0f} s.")
    version = version_of(python) or python
    return Times(version, serve, serve_again, first, again, megabytes(clone))


def table(results: list[Times]) -> str:
    """Return the results as a table in Markdown."""

    def seconds(value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"

    lines = [
        "| Python | `make serve`, fresh | again | `make test`, then | again | on disk |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for r in results:
        times = (r.serve, r.serve_again, r.test, r.test_again)
        cells = " | ".join(seconds(value) for value in times)
        lines.append(f"| {r.python} | {cells} | {r.disk_megabytes / 1000:.1f} GB |")
    return "\n".join(lines)


def machine() -> dict[str, str | int | None]:
    """Return what the times depend on."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit.stdout.strip(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--python",
        action="append",
        metavar="PYTHON",
        help=f"measure with this one (repeat for more; default: those found of {', '.join(PYTHONS)})",
    )
    parser.add_argument("--skip-test", action="store_true", help="leave make test out")
    parser.add_argument("--no-write", action="store_true", help="print the table, write no files")
    options = parser.parse_args()

    pythons = options.python or [python for python in PYTHONS if version_of(python)]
    results = []
    for python in pythons:
        if version_of(python) is None:
            parser.error(f"{python} does not run")
        folder = Path(tempfile.mkdtemp(prefix="gradlab-build-"))

        def say(text: str, python: str = python) -> None:
            print(f"{python}: {text}", file=sys.stderr, flush=True)

        try:
            results.append(measure(python, not options.skip_test, folder, say))
        except BenchmarkError as error:  # its folder stays, with the log
            print(f"error: {python}: {error}", file=sys.stderr)
            return 1
        shutil.rmtree(folder)

    where = machine()
    context = "{system}, {cores} cores, {date}, commit {commit}; empty caches, no Node on the PATH."
    text = f"{table(results)}\n\n{context.format(**where)}\n"
    print(text)
    if not options.no_write:
        (HERE / "build.md").write_text(text, encoding="utf-8")
        data = {**where, "seconds": [asdict(result) for result in results]}
        (HERE / "build.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
