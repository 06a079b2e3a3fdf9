"""Folders that hold grades or solutions, and so are for one person's eyes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def make_private_dir(path: Path) -> None:
    """Make a folder that nobody else can read. One that is there is left, with a warning."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_mode & 0o077:
        sys.stderr.write(
            f"Others on this machine may read {path}, which should be yours alone: "
            f"chmod go= {shlex.quote(str(path))}\n"
        )
