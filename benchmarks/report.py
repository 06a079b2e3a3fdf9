"""What the benchmarks share: the machine they ran on, ratios over rounds, tables in Markdown."""

from __future__ import annotations

import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Target:
    """A claim, and what was found: the worst case, and whether it holds."""

    claim: str
    worst: str
    met: bool


def say(text: str) -> None:
    """Tell whoever waits."""
    print(text, file=sys.stderr, flush=True)


def asked(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """What times depend on, before anything is timed."""
    changed = asked("git", "status", "--porcelain", "--", "gradlab", "benchmarks")
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": asked("git", "rev-parse", "--short", "HEAD")
        + (" and changes" if changed else ""),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "a processor without a name"


def spread(ratios: Sequence[float]) -> dict[str, float] | None:
    """The median over rounds, and the ends; None where nothing was compared."""
    if not ratios:
        return None
    return {"median": statistics.median(ratios), "low": min(ratios), "high": max(ratios)}


def span(ratio: dict[str, float]) -> str:
    """A ratio's median over rounds, and its ends."""
    digits = 0 if ratio["median"] >= 10 else 2
    return f"{ratio['median']:.{digits}f} ({ratio['low']:.{digits}f} to {ratio['high']:.{digits}f})"


def microseconds(value: float) -> str:
    """A time with three digits, or two below ten microseconds."""
    if value >= 1000:
        digits = 2 if value < 10_000 else 1 if value < 100_000 else 0
        return f"{value / 1000:.{digits}f} ms"
    return (
        f"{value:.0f} µs"
        if value >= 100
        else f"{value:.1f} µs"
        if value >= 1
        else f"{value:.2f} µs"
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: int | None = None) -> str:
    """A table; columns from the number ``right`` on are aligned to the right."""
    edge = len(heads) if right is None else right
    rule = ("--:" if column >= edge else "---" for column in range(len(heads)))
    lines = [heads, tuple(rule), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def finish(
    name: str, results: Any, text: str, targets: Sequence[Target], folder: Path | None
) -> int:
    """Prints a report, writes it where there is a folder, and says which targets were missed.

    Returns:
      What the command exits with: 1 where a target was missed.
    """
    print(text)
    if folder is not None:
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
        data = json.dumps(results, indent=2, ensure_ascii=False)
        (folder / f"{name}.json").write_text(data + "\n", encoding="utf-8")
    missed = [target for target in targets if not target.met]
    for target in missed:
        say(f"missed: {target.claim}: {target.worst}")
    return 1 if missed else 0
