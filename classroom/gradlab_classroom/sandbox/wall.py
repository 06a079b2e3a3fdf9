"""The wall: the command that starts ``inside`` where it sees nothing and can change nothing.

bubblewrap gives it a file system of its own: Python and its packages, read only, without the
exercises; a small ``/tmp``; no network, no other process, no environment.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import gradlab
from gradlab_classroom.sandbox.filtering import opened

GRADLAB = Path(gradlab.__file__).resolve().parent
CLASSROOM = Path(__file__).resolve().parents[1]
CHECKING = ("__init__", "check", "clips", "personal", "plain_data", "ports", "probes")
SHOWN = {
    GRADLAB / "exercises": ("__init__", *(f"checking/{name}" for name in CHECKING)),
    CLASSROOM: ("__init__", *(f"sandbox/{name}" for name in ("__init__", "definitions", "inside"))),
}
"""Folders with solutions in them, and their modules that are seen inside. In none of these is a solution."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives")
PARTS = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")
"""Python's own parts of a folder that it was installed into, which may be somebody's home."""
EMPTIED = ("/usr/share/fonts", "/usr/local/share/fonts")
"""Matplotlib reads every font that it finds, and has its own."""

XLA_FLAGS = "--xla_cpu_multi_thread_eigen=false"
if tuple(map(int, version("jaxlib").split(".")[:2])) < (0, 11):
    XLA_FLAGS += " --xla_cpu_use_fusion_emitters=false"  # small programs compile in half the time

ENVIRONMENT = {
    "HOME": "/tmp",
    "IPYTHONDIR": "/tmp/.ipython",
    "JAX_PLATFORMS": "cpu",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PIP_NO_INDEX": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "TMPDIR": "/tmp",
    "XLA_FLAGS": XLA_FLAGS,
}

START = (
    "import json, sys; setup = json.loads(sys.argv[1]); sys.path[:0] = setup['first']; "
    "sys.path += [path for path in setup['path'] if path not in sys.path]; "
    "from gradlab_classroom.sandbox.inside import main; main(setup)"
)
_runs = itertools.count()


class SandboxMissing(RuntimeError):
    """This machine has no sandbox: what is missing, and what to do."""


@cache
def require() -> None:
    """Check, once, that a sandbox can be built here.

    Raises:
      SandboxMissing: if it can't.
    """
    if shutil.which("bwrap") is None:
        raise SandboxMissing(
            "bubblewrap was not found. It keeps a student's notebook from your files and the network, "
            "on Linux. Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install "
            "bubblewrap), or grade in a Linux container or virtual machine."
        )
    bpf = opened()
    argv = _walled([sys.executable, "-I", "-c", "import json"], 2**20, bpf)
    tried = subprocess.run(
        argv, env=ENVIRONMENT, pass_fds=() if bpf is None else (bpf,), capture_output=True, text=True, cwd="/"
    )  # fmt: skip
    if bpf is not None:
        os.close(bpf)
    if tried.returncode != 0:
        raise SandboxMissing(
            f"bubblewrap could not build a sandbox: {tried.stderr.strip() or tried.returncode}. It "
            "needs user namespaces. Where the kernel or a container forbids them, allow them (sysctl "
            "kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0; "
            "docker run --security-opt seccomp=unconfined), or run it as root."
        )


def command(nonce: str, rlimits: Mapping[str, int], files: int, bpf: int | None) -> list[str]:
    """Return the command that starts ``inside``.

    Args:
      nonce: the word that begins its first message.
      rlimits: by their names in ``resource``.
      files: bytes that it may write into ``/tmp``.
      bpf: a file descriptor of the filter of system calls, if there is one.
    """
    require()
    path = [str(folder) for folder in _site_packages()]
    own = [
        str(package.parent) for package in (GRADLAB, CLASSROOM)
    ]  # these, and no others of their names
    # a user of its own for each sandbox that root starts: its number of processes is then limited
    uid = 60_000 + (os.getpid() * 8 + next(_runs) % 8) % 5_000 if os.getuid() == 0 else None
    first = [folder for folder in own if folder not in path]
    setup = {"nonce": nonce, "rlimits": rlimits, "uid": uid, "path": path, "first": first}
    python = [sys.executable, "-I", "-B", "-u", "-X", "utf8", "-c", START, json.dumps(setup)]
    return _walled(python, files, bpf)


def _walled(argv: Sequence[str], files: int, bpf: int | None) -> list[str]:
    options = ["--die-with-parent", "--new-session"]
    options += [
        f"--unshare-{namespace}" for namespace in ("pid", "net", "ipc", "uts", "cgroup-try")
    ]
    if os.getuid() == 0:  # `inside` takes a user of its own, and has nothing left
        options += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        options += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    options += ["--clearenv"]
    for name, value in ENVIRONMENT.items():
        options += ["--setenv", name, value]
    if bpf is not None:
        options += ["--seccomp", str(bpf)]
    # the program itself is looked for here, and not along the PATH that is set inside
    return [
        shutil.which("bwrap") or "bwrap",
        *options,
        *_file_system(files),
        "--chdir",
        "/tmp",
        "--",
        *argv,
    ]


def _file_system(files: int) -> Iterator[str]:
    trees = _trees()
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
    for name in (*EMPTIED, *map(str, _other_copies())):
        if Path(name).is_dir() and not Path(name).is_symlink():
            yield from ("--perms", "0755", "--tmpfs", name, "--remount-ro", name)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _only(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Show some modules of a folder, and nothing else of it."""
    sources = [folder / f"{name}.py" for name in names]
    tag = sys.implementation.cache_tag
    files = [
        *sources,
        *(each.parent / "__pycache__" / f"{each.stem}.{tag}.pyc" for each in sources),
    ]
    yield from ("--perms", "0755", "--tmpfs", str(folder))
    yield from _folders({file.parent for file in files}, below=folder)
    for file in filter(Path.is_file, files):
        yield from ("--ro-bind", str(file), str(file))
    yield from ("--remount-ro", str(folder))


@cache
def _trees() -> tuple[Path, ...]:
    """Python, its packages and gradlab: the folders that are read inside, none within another."""
    wanted = {part for prefix in _prefixes() for name in PARTS if (part := prefix / name).exists()}
    wanted |= {Path(os.path.normpath(folder)) for folder in (*_site_packages(), GRADLAB)}
    outside = {path for path in wanted if not any(path.is_relative_to(seen) for seen in SYSTEM)}
    return tuple(sorted(path for path in outside if not any(up in outside for up in path.parents)))


def _prefixes() -> set[Path]:
    """Where Python is installed, and the environment that it is run from."""
    executable = Path(sys.executable).resolve()
    found = (Path(sys.base_prefix), Path(sys.prefix), executable.parents[1])
    return {Path(os.path.normpath(path)) for path in found}


def _other_copies() -> set[Path]:
    """Other copies of these packages, solutions and all, in folders that are seen inside."""
    folders = set(_site_packages())
    for top in {*_prefixes(), Path("/usr"), Path("/usr/local"), Path("/usr/lib")}:
        folders |= {*top.glob("lib*/python*/*-packages"), *top.glob("python*/*-packages")}
    own = {GRADLAB, CLASSROOM}
    return {(folder / package.name).resolve() for folder in folders for package in own} - own


def _site_packages() -> list[Path]:
    """The folders of packages. An editable install's own folder isn't among them."""
    names = ("site-packages", "dist-packages")
    return [Path(entry) for entry in sys.path if Path(entry).name in names and Path(entry).is_dir()]


def _folders(paths: Iterable[Path], below: Path = Path("/")) -> Iterator[str]:
    """Make the folders above some paths. bubblewrap's own are closed to all but their maker."""
    above = {parent for path in paths for parent in (path, *path.parents)}
    for folder in sorted(above):
        if folder != below and folder.is_relative_to(below):
            yield from ("--perms", "0755", "--dir", str(folder))
