"""Results on disk: a file for each unit, written whole or not at all, with a digest of its content."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from experiments.record import write_whole


def write(folder: Path, name: str, content: dict[str, Any]) -> Path:
    """Write a result, in place of nothing: a run that is killed leaves all of it or none."""
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {**content, "sha256": _digest(content)}.items()
    lines = ",\n".join(f"{json.dumps(field)}: {json.dumps(value)}" for field, value in rows)
    write_whole(path, "{\n" + lines + "\n}\n")
    return path


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """Read a result, or None if there is none.

    Raises:
      ValueError: if the digest isn't that of the content.
    """
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    content = dict(json.loads(path.read_text(encoding="utf-8")))
    if content.pop("sha256") != _digest(content):
        raise ValueError(
            f"{path} isn't as it was written. Delete it and run again: it's computed anew."
        )
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
