"""What an experiment's record says of its making, and how it is stored: whole, or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np


def made_with(*libraries: str, **settings: Any) -> dict[str, Any]:
    """Return what the numbers depend on: versions of Python and of libraries, the commit, settings."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        **{name: version(name) for name in libraries},
        "commit": commit.stdout.strip(),
        **settings,
    }


def short(numbers: Any, digits: int = 4) -> Any:
    """Round to so many digits: a float, or tuples of floats as deep as the array."""
    if np.ndim(numbers) == 0:
        return float(f"{float(numbers):.{digits}g}")
    return tuple(short(number, digits) for number in np.asarray(numbers))


def write_whole(file: Path, text: str) -> None:
    """Write a file in place of the one before: all of it, or nothing."""
    partial = file.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(file)


def store(path: Traversable, text: str) -> None:
    """Write a record in place of the one before, and say how large it is."""
    file = Path(str(path))
    write_whole(file, text)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def provenance_of(made: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all units were made with; where they differ, every way; and their time in all."""
    every = {
        name: sorted({str(one[name]) for one in made}) for name in made[0] if name != "seconds"
    }
    same = {name: values[0] if len(values) == 1 else values for name, values in every.items()}
    hours = sum(one["seconds"] for one in made) / 3600
    return {**same, "units": len(made), "hours": round(hours, 2)}
