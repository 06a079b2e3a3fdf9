"""Run a script of the front end's own modules in Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from explorax.node import find_node

FRONTEND = Path(__file__).parents[2] / "src" / "explorax" / "frontend"


def in_node(script: str, data: Any) -> str:
    """Return what a script prints; the front end's folder is its first argument, ``data`` its input."""
    done = subprocess.run(
        [find_node(), "--input-type=module", "--eval", script, str(FRONTEND)],
        input=json.dumps(data), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
