"""Run a benchmark, hold its rows against its targets, write them as JSON and as Markdown."""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from tabulate import tabulate  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]

Row = dict[str, Any]
"""A row of a table: its names first, and then what was measured; the units are in the columns."""
Tables = dict[str, list[Row]]


def say(text: str) -> None:
    """Tell whoever waits how far it is."""
    print(text, file=sys.stderr, flush=True)


def git(*arguments: str) -> str:
    """Return what a git command prints."""
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


@dataclass(frozen=True)
class Target:
    """A claim about columns of a table, which each of the rows meets or misses.

    Attributes:
      claim: in words.
      table: the table's name.
      columns: what is held against the limits; of a ratio, its median.
      at_least, at_most: the limits.
      rows: chooses the rows that the claim is about.
    """

    claim: str
    table: str
    columns: Sequence[str]
    at_least: float = -math.inf
    at_most: float = math.inf
    rows: Callable[[Row], bool] = lambda row: True

    def judge(self, tables: Mapping[str, Sequence[Row]]) -> Row | None:
        """Return the verdict as a row of its own, or None where nothing of it was measured."""
        found = [
            (value[0] if isinstance(value, list) else value, column, row)
            for row in filter(self.rows, tables.get(self.table, ()))
            for column in self.columns
            if (value := row.get(column)) is not None
        ]
        if not found:
            return None
        excess = [max(self.at_least - value, value - self.at_most) for value, _, _ in found]
        missed = sum(not amount <= 0 for amount in excess)
        value, column, row = found[excess.index(max(excess))]
        keys = takewhile(lambda item: isinstance(item[1], str | int), row.items())
        which = [name if isinstance(name, str) else f"{key} {cell(name)}" for key, name in keys]
        return {
            "met": not missed,
            "target": self.claim,
            "worst": f"{cell(value)} ({', '.join([*which[:3], column])})",
            "missed by": f"{missed} of {len(found)}",
        }


def cell(value: Any) -> str:
    """A value as it stands in a table: three digits, and a ratio's median with its ends."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "**no**"
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
    """Rows as a table in Markdown, columns of numbers to the right."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    right = [not any(isinstance(row.get(column), str | bool) for row in rows) for column in columns]
    text: str = tabulate(
        [[cell(row.get(column)) for column in columns] for row in rows],
        columns,
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["right" if number else "left" for number in right],
    )
    return text


def circumstances(paths: Iterable[str], packages: Iterable[str]) -> dict[str, Any]:
    """The commit that is measured, and what else times depend on.

    Args:
      paths: of what is measured.
      packages: those whose versions count.
    """
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.is_file() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    machine = (platform.system(), platform.machine(), *models[:1], f"{os.cpu_count()} cores")
    return {
        "commit": git("rev-parse", "--short", "HEAD"),
        "changes": bool(git("status", "--porcelain", "--", *paths)),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": ", ".join(machine),
        "load": round(os.getloadavg()[0], 1),
        "versions": {"Python": platform.python_version()}
        | {name: importlib.metadata.version(name) for name in packages},
    }


def told(where: Mapping[str, Any]) -> tuple[str, str]:
    """Tell at which commit something was measured, and on what."""
    changed = " and changes that were not committed" if where["changes"] else ""
    versions = ", ".join(f"{name} {version}" for name, version in where["versions"].items())
    return (
        f"Measured at commit {where['commit']}{changed} on {where['date']}",
        f"{where['machine']}; load before: {where['load']}; {versions}.",
    )


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: what its results are called, explained by and held against.

    Attributes:
      name: its folder under ``benchmarks``, whose ``MEASURES`` are the paths that it measures.
      title: of its results.
      packages: those whose versions count.
      prose: what stands above each table; ``{}`` are filled from how it was measured.
      targets: what is claimed of the tables.
    """

    name: str
    title: str
    packages: Sequence[str]
    prose: Mapping[str, str]
    targets: Sequence[Target] = ()

    @property
    def file(self) -> Path:
        """The file that holds the results."""
        return ROOT / "benchmarks" / self.name / "results.json"

    def judge(self, tables: Mapping[str, Sequence[Row]]) -> list[Row]:
        """Return the verdicts on the targets of which something was measured."""
        return [verdict for target in self.targets if (verdict := target.judge(tables))]

    def markdown(self, results: Mapping[str, Any]) -> str:
        """Return the results in words and tables."""
        when, on = told(results["measured"])
        parts = [
            f"# {self.title}",
            f"{when}; `make bench-{self.name}` measures again, and `make bench-stale` tells whether the "
            f"code has changed since. The same numbers are in `results.json`. {on}",
            results.get("note"),
            "## Targets",
            table(results["targets"]),
        ]
        for name, text in self.prose.items():
            if rows := results["tables"].get(name):
                later = results.get("later", {}).get(name, {})
                parts += [text.format(**(later or results)["how"])]
                parts += [". ".join(told(later["measured"]))] if later else []
                parts += [table(rows)]
        return "\n\n".join(filter(None, parts)) + "\n"

    def joined(self, results: Mapping[str, Any]) -> dict[str, Any]:
        """Put parts that were measured alone beside the others, which keep the commit that they name."""
        all_results: dict[str, Any] = json.loads(self.file.read_text("utf-8"))
        measured = {key: results[key] for key in ("measured", "how")}
        all_results.setdefault("later", {}).update(dict.fromkeys(results["tables"], measured))
        all_results["tables"].update(results["tables"])
        return all_results

    def run(
        self,
        measure: Callable[[argparse.Namespace], tuple[dict[str, Any], Tables]],
        doc: str | None,
        parts: Sequence[str] = (),
        rounds: int = 3,
        folders: Mapping[str, str] | None = None,
    ) -> int:
        """Run the command: measure, print, write, and name the targets that are missed.

        Args:
          measure: from the options to how it was measured, and to the tables.
          doc: what the command says of itself.
          parts: what ``--only`` takes, and what is measured without it.
          rounds: how many, unless the command says otherwise.
          folders: options that name a folder, each with what it is for.

        Returns:
          What the command exits with: 1 where a target is missed.
        """
        parser = argparse.ArgumentParser(
            description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        add = parser.add_argument
        add("--rounds", type=int, default=rounds, help=f"of timing ({rounds})")
        add("--quick", action="store_true", help="do less, and write nothing")
        add("--render", action="store_true", help="measure nothing; write results.md again")
        if parts:
            words = f"these alone, such as {' '.join(parts)}; the others stay as they were measured"
            add("--only", nargs="+", metavar="PART", help=words)
        for name, words in (folders or {}).items():
            add(f"--{name}", type=Path, metavar="FOLDER", help=words)
        options = parser.parse_args()
        if options.render:
            results = json.loads(self.file.read_text("utf-8"))
        else:
            measures = import_module(f"benchmarks.{self.name}").MEASURES
            results = {"measured": circumstances(measures, self.packages)}
            results["how"], results["tables"] = measure(options)
            if vars(options).get("only"):
                results = self.joined(results)
        results["targets"] = self.judge(results["tables"])
        text = self.markdown(results)
        print(text)
        if not options.quick:
            data = json.dumps(results, indent=1, ensure_ascii=False)
            self.file.write_text(data + "\n", encoding="utf-8")
            self.file.with_suffix(".md").write_text(text, encoding="utf-8")
        missed = [verdict for verdict in results["targets"] if not verdict["met"]]
        for verdict in missed:
            say(f"missed: {verdict['target']}: {verdict['worst']}")
        return 1 if missed else 0
