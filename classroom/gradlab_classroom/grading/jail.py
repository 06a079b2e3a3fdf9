"""The wall: the command that starts ``inside`` where it sees nothing, and can change nothing.

bubblewrap gives it a file system of its own: Python and its packages, read only, without the
exercises; a small ``/tmp``; no network, no other process, no environment.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gradlab

GRADLAB = Path(gradlab.__file__).resolve().parent
CLASSROOM = Path(__file__).resolve().parents[1]
CHECKING = ("__init__", "check", "personal", "plain_data", "ports", "probes")
GRADING = ("__init__", "cells", "delays", "hygiene", "inside")
SHOWN = {
    GRADLAB / "exercises": ("__init__", *(f"checking/{name}" for name in CHECKING)),
    CLASSROOM: ("__init__", *(f"grading/{name}" for name in GRADING)),
}
"""The folders with solutions in them, and their modules that are to be seen inside. In none of these
is a solution."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
PARTS = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")
"""Python's own parts of a folder that it was installed into, which may be somebody's home."""

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives")
EMPTIED = ("/usr/share/fonts", "/usr/local/share/fonts")
"""Matplotlib reads every font that it finds, and has its own."""

XLA_FLAGS = "--xla_cpu_multi_thread_eigen=false"
"""One thread; and, to JAX 0.10, the emitters that compile the small programs of answers in half of the time."""
if tuple(map(int, version("jaxlib").split(".")[:2])) < (0, 11):
    XLA_FLAGS += " --xla_cpu_use_fusion_emitters=false"

ENVIRONMENT = {
    "HOME": "/tmp",
    "JAX_PLATFORMS": "cpu",
    "LANG": "C.UTF-8",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "TMPDIR": "/tmp",
    "XLA_FLAGS": XLA_FLAGS,
}

START = (
    "import json, sys; setup = json.loads(sys.argv[1]); "
    "sys.path[:0] = setup['first']; "
    "sys.path += [path for path in setup['path'] if path not in sys.path]; "
    "from gradlab_classroom.grading.inside import main; main(setup)"
)

_runs = itertools.count()


def python(setup: dict[str, Any]) -> list[str]:
    """The command that runs ``inside``, with what it needs to know before anything else."""
    path = [str(folder) for folder in _site_packages()]
    # these, and no others of their names
    own = [str(package.parent) for package in (GRADLAB, CLASSROOM)]
    setup = {**setup, "path": path, "first": [folder for folder in own if folder not in path]}
    return [sys.executable, "-I", "-B", "-u", "-X", "utf8", "-c", START, json.dumps(setup)]


def jailed(
    command: Sequence[str], *, files: int, hidden: Sequence[Path], bpf: int | None
) -> list[str]:
    """The same command behind the wall.

    Args:
      command: what to run, with absolute paths.
      files: how many bytes it may write into ``/tmp``.
      hidden: files and folders that are not to be seen, though they stand in a folder that is.
      bpf: a file descriptor of the filter of system calls, if there is one.
    """
    unshared = ("pid", "net", "ipc", "uts", "cgroup-try")
    options = [
        "--die-with-parent",
        "--new-session",
        *(f"--unshare-{namespace}" for namespace in unshared),
    ]
    if os.getuid() == 0:  # `inside` takes a uid of its own: its number of processes is then limited
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        options += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    options += ["--clearenv"]
    for name, value in ENVIRONMENT.items():
        options += ["--setenv", name, value]
    if bpf is not None:
        options += ["--seccomp", str(bpf)]
    options += _file_system(files, hidden)
    # the program itself is looked for here, and not along the PATH that is set inside
    return [shutil.which("bwrap") or "bwrap", *options, "--chdir", "/tmp", "--", *command]


def unused_uid() -> int | None:
    """A user of its own for a sandbox that root starts; None where it keeps the user it has."""
    return 60_000 + (os.getpid() * 8 + next(_runs) % 8) % 5_000 if os.getuid() == 0 else None


def _file_system(files: int, hidden: Sequence[Path]) -> Iterator[str]:
    trees = _trees()
    seen_inside = [*map(Path, SYSTEM), *trees]
    yield from ("--proc", "/proc", "--dev", "/dev")
    for mount, size in (("/tmp", files), ("/dev/shm", min(files, 2**24))):
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", mount)
    within = [tree if tree.is_dir() else tree.parent for tree in trees]
    yield from _folders([*within, *SHOWN, Path("/etc")])
    for name in SYSTEM:
        if Path(name).is_symlink():
            yield from ("--symlink", str(Path(name).readlink()), name)
        elif Path(name).is_dir():
            yield from ("--ro-bind", name, name)
    for name in (*SYSTEM_FILES, *map(str, trees)):
        yield from ("--ro-bind-try", name, name)
    for folder, names in SHOWN.items():
        yield from _only(folder, names)
    for name in EMPTIED:
        if Path(name).is_dir() and not Path(name).is_symlink():
            yield from ("--tmpfs", name, "--remount-ro", name)
    for path in (given.resolve() for given in (*hidden, *_others())):
        if path.exists() and any(path.is_relative_to(seen) for seen in seen_inside):
            if path.is_dir():
                yield from ("--perms", "0755", "--tmpfs", str(path), "--remount-ro", str(path))
            else:
                yield from ("--ro-bind", "/dev/null", str(path))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _only(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Show some modules of a folder, and nothing else of it."""
    sources = [folder / f"{name}.py" for name in names]
    files = [*sources, *map(_compiled, sources)]
    yield from ("--perms", "0755", "--tmpfs", str(folder))
    yield from _folders({file.parent for file in files}, below=folder)
    for file in filter(Path.is_file, files):
        yield from ("--ro-bind", str(file), str(file))
    yield from ("--remount-ro", str(folder))


@cache
def _trees() -> tuple[Path, ...]:
    """Python, its packages and gradlab: the folders to be read inside, none within another."""
    wanted = {part for prefix in _prefixes() for name in PARTS if (part := prefix / name).exists()}
    wanted |= {Path(os.path.normpath(folder)) for folder in (*_site_packages(), GRADLAB)}
    outside = {path for path in wanted if not any(path.is_relative_to(seen) for seen in SYSTEM)}
    return tuple(
        sorted(path for path in outside if not any(other in outside for other in path.parents))
    )


def _prefixes() -> set[Path]:
    """Find where Python is installed, and the environment that it is run from."""
    executable = Path(sys.executable).resolve()
    found = (Path(sys.base_prefix), Path(sys.prefix), executable.parents[1])
    return {Path(os.path.normpath(path)) for path in found}


def _others() -> set[Path]:
    """Other copies of these packages, solutions and all, in folders that are seen inside."""
    tops = {*_prefixes(), Path("/usr"), Path("/usr/local"), Path("/usr/lib")}
    folders = {*_site_packages()}
    for top in tops:
        folders |= {*top.glob("lib*/python*/*-packages"), *top.glob("python*/*-packages")}
    own = {GRADLAB, CLASSROOM}
    copies = {(folder / package.name).resolve() for folder in folders for package in own}
    return {copy for copy in copies - own if copy.is_dir()}


def _site_packages() -> list[Path]:
    """Find the folders of packages. An editable install's own folder is not among them."""
    found = [
        Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")
    ]
    return [folder for folder in found if folder.is_dir()]


def _compiled(source: Path) -> Path:
    return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"


def _folders(paths: Any, below: Path = Path("/")) -> Iterator[str]:
    """Make the folders above some paths. bubblewrap's own are closed to all but their maker."""
    above = {parent for path in paths for parent in (path, *path.parents)}
    for folder in sorted(above):
        if folder != below and folder.is_relative_to(below):
            yield from ("--perms", "0755", "--dir", str(folder))
