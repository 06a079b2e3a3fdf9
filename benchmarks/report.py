"""Time alternatives in turn, and write what was measured as Markdown.

A benchmark is a folder: `run.py` measures and writes `results.md`, which names the commit and the
machine. `python -m benchmarks.NAME.run --quick` measures less and writes nothing.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
QUICK = "--quick" in sys.argv
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}

Row = dict[str, Any]
"""A row of a table: column names with their units, and what was measured."""
Rounds = dict[str, list[float]]
"""For each alternative, the median of its times in seconds in each round."""


def clocked(call: Callable[[], Any], steps: int = 1) -> Callable[[], float]:
    """Return a function that makes the call and returns the seconds that one of `steps` steps took."""

    def timed() -> float:
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) / steps

    return timed


def by_turns(ways: Mapping[str, Callable[[], float]], rounds: int, seconds: float = 0.0) -> Rounds:
    """Time alternatives in turn, so that other load on the machine affects all of them alike.

    Args:
      ways: each does its work once and returns the seconds that it took.
      rounds: how many.
      seconds: how long a round lasts for each alternative, which is called at least once.
    """
    order = list(ways)
    found: Rounds = {name: [] for name in order}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}: {', '.join(ways)}", file=sys.stderr, flush=True)
        times: Rounds = {name: [] for name in order}
        end = time.perf_counter() + seconds * len(order)
        while not times[order[0]] or time.perf_counter() < end:
            for name in order:
                times[name].append(ways[name]())
            order.reverse()
        for name, taken in times.items():
            found[name].append(statistics.median(taken))
    return found


def summary(rounds: Rounds, unit: str, *ratios: str) -> Row:
    """Summarise times as medians, and ratios within a round as median, lowest and highest.

    Args:
      rounds: as `by_turns` returns them.
      unit: of the times.
      ratios: such as "a / b"; a ratio of what wasn't timed is left out.
    """
    row: Row = {f"{name}, {unit}": UNITS[unit] * statistics.median(rounds[name]) for name in rounds}
    for ratio in ratios:
        above, _, below = ratio.partition(" / ")
        if above in rounds and below in rounds:
            each = [a / b for a, b in zip(rounds[above], rounds[below], strict=True)]
            row[ratio] = [statistics.median(each), min(each), max(each)]
    return row


def compilations(programs: Mapping[str, Callable[[], Any]], rounds: int, *ratios: str) -> Row:
    """Time the compiler in turn, JAX's caches emptied, and count the lines of what it gets.

    Args:
      programs: each traces and lowers a function.
      rounds: how many.
      ratios: as in `summary`.
    """
    import jax  # PyTorch's benchmark has none

    lines = {}

    def compilation(name: str) -> float:
        jax.clear_caches()  # type: ignore[no-untyped-call]
        start = time.process_time()
        lowered = programs[name]()
        lowered.compile()
        taken = time.process_time() - start
        lines[f"{name}, lines"] = lowered.as_text().count("\n")
        return taken

    ways = {name: partial(compilation, name) for name in programs}
    return {**summary(by_turns(ways, rounds), "s", *ratios), **lines}


def cell(value: Any) -> str:
    """Format a value with three digits, a ratio as its median and its range."""
    match value:
        case None:
            return "–"
        case [median, low, high]:
            return f"{cell(median)} ({cell(low)} to {cell(high)})"
        case float() if value == 0 or not 1e-3 <= abs(value) < 1e9:
            return f"{value:.1e}" if value else "0"
        case float():
            exponent = int(f"{value:.2e}".partition("e")[2])
            return f"{value:,.{max(0, 2 - exponent)}f}"
        case int():
            return f"{value:,}"
    return str(value)


def table(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table, with numbers to the right."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    right = [not isinstance(rows[0].get(column), str) for column in columns]
    lines = [columns, ["---:" if number else "---" for number in right]]
    lines += [[cell(row.get(column)) for column in columns] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def git(*arguments: str) -> str:
    """Return what a git command prints."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def circumstances(paths: Iterable[str], packages: Iterable[str]) -> str:
    """Name the commit that is measured and what else the numbers depend on, in two sentences."""
    commit = git("rev-parse", "--short", "HEAD").strip()
    changed = " with uncommitted changes" if git("status", "--porcelain", "--", *paths) else ""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.is_file() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    versions = [f"{name} {importlib.metadata.version(name)}" for name in packages]
    return (
        f"Measured at commit {commit}{changed} on {datetime.datetime.now(datetime.UTC):%Y-%m-%d}; "
        f"`git log {commit}.. -- {' '.join(paths)}` lists what has changed since. "
        f"{platform.system()}, {platform.machine()}, {', '.join(models[:1])}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f} before; Python {platform.python_version()}, {', '.join(versions)}."
    )


def write(file: Path, title: str, where: str, sections: Mapping[str, Sequence[Row]]) -> None:
    """Print the results and, unless `--quick` is given, write them to a file.

    Args:
      file: usually `results.md` beside `run.py`.
      title: the heading of the results.
      where: what `circumstances` returned before the measurement.
      sections: the words above each table, and its rows.
    """
    parts = [f"# {title}", where]
    for words, rows in sections.items():
        parts += [words, table(rows)]
    text = "\n\n".join(parts) + "\n"
    print(text)
    if not QUICK:
        file.write_text(text, encoding="utf-8")
