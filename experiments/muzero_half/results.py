"""Results on disk: a file for each unit, written whole or not at all, with a digest of its content."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from experiments.record import write_whole

FOLDER = Path(__file__).parent / "results"


class CorruptedResult(Exception):
    """A file that isn't what was written."""


def write(folder: Path, name: str, content: dict[str, Any]) -> Path:
    """Write a result, in place of nothing: a run that is killed leaves all of it or none."""
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _text({**content, "sha256": _digest(content)}))
    return path


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """Read a result, or None if there is none.

    Raises:
      CorruptedResult: if the file can't be read, or its digest isn't that of its content.
    """
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        digest = content.pop("sha256")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise CorruptedResult(_corrupted(path, f"it can't be read ({error})")) from error
    if digest != _digest(content):
        raise CorruptedResult(_corrupted(path, "its digest isn't that of its content"))
    return dict(content)


def _corrupted(path: Path, why: str) -> str:
    return f"{path} isn't a result as it was written: {why}. Delete the file, and run again: it's computed anew."


def _text(content: dict[str, Any]) -> str:
    rows = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in content.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
