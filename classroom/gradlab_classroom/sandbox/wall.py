"""The wall: the command that starts ``inside`` where it sees nothing and can change nothing.

bubblewrap gives it a file system of its own: Python and its packages, read only, without the
exercises; a small ``/tmp``; no network, no other process, no environment.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import gradlab
from gradlab_classroom.sandbox.filtering import NUMBERS, opened

GRADLAB = Path(gradlab.__file__).resolve().parent
CLASSROOM = Path(__file__).resolve().parents[1]
CHECKING = ("__init__", "check", "clips", "personal", "plain_data", "ports", "probes")
SHOWN = {
    GRADLAB / "exercises": ("__init__", *(f"checking/{name}" for name in CHECKING)),
    CLASSROOM: ("__init__", *(f"sandbox/{name}" for name in ("__init__", "definitions", "inside"))),
}
"""Folders with solutions in them, and their modules that are seen inside: none has a solution."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
PARTS = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")
"""Python's own parts of a folder that it was installed into, which may be somebody's home."""
FONTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
"""Left out: Matplotlib reads every font that it finds, and has its own."""

XLA_FLAGS = "--xla_cpu_multi_thread_eigen=false"
if tuple(map(int, version("jaxlib").split(".")[:2])) < (0, 11):
    XLA_FLAGS += " --xla_cpu_use_fusion_emitters=false"  # small programs compile in half the time
ENVIRONMENT = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR"), "/tmp")
ENVIRONMENT |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PIP_NO_INDEX"), "1")
ENVIRONMENT |= {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": XLA_FLAGS, "MPLBACKEND": "Agg"}
ENVIRONMENT |= {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}

START = (
    "import json, sys; setup = json.loads(sys.argv[1]); sys.path += setup['path']; "
    "from gradlab_classroom.sandbox.inside import main; main(setup)"
)


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
            "bubblewrap was not found. It keeps a student's notebook from your files and the "
            "network, on Linux. Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: "
            "dnf install bubblewrap), or grade in a Linux container or virtual machine."
        )
    if platform.machine() not in NUMBERS:
        raise SandboxMissing(
            f"This machine is of the kind {platform.machine()}, and the sandbox knows the system "
            f"calls of {' and '.join(NUMBERS)} only. Grade on one of these."
        )
    with opened() as bpf:
        argv = _walled([sys.executable, "-I", "-c", "import json"], 2**20, bpf.fileno())
        tried = subprocess.run(
            argv, env=ENVIRONMENT, pass_fds=[bpf.fileno()], capture_output=True, text=True, cwd="/"
        )
    if tried.returncode != 0:
        raise SandboxMissing(
            f"bubblewrap could not build a sandbox: {tried.stderr.strip() or tried.returncode}. It "
            "has to be 0.8 or newer, and needs user namespaces. Where the kernel or a container "
            "forbids them, allow them (sysctl kernel.unprivileged_userns_clone=1, or "
            "kernel.apparmor_restrict_unprivileged_userns=0; docker run --security-opt "
            "seccomp=unconfined), or run it as root."
        )


def command(nonce: str, rlimits: Mapping[str, int], files: int, bpf: int) -> list[str]:
    """Return the command that starts ``inside``.

    Args:
      nonce: the word that begins its first message.
      rlimits: by their names in ``resource``.
      files: bytes that it may write into ``/tmp``.
      bpf: a file descriptor of the filter of system calls.
    """
    require()
    path = [str(folder) for folder in (GRADLAB.parent, CLASSROOM.parent, *_site_packages())]
    # a user of its own for each sandbox that root starts: no limit on processes binds root
    uid = 60_000 + secrets.randbelow(5_000) if os.getuid() == 0 else None
    setup = json.dumps({"nonce": nonce, "rlimits": rlimits, "uid": uid, "path": path})
    return _walled([sys.executable, "-IBu", "-X", "utf8", "-c", START, setup], files, bpf)


def _walled(argv: Sequence[str], files: int, bpf: int) -> list[str]:
    spaces = [f"--unshare-{space}" for space in ("pid", "net", "ipc", "uts", "cgroup-try")]
    # root keeps what `inside` needs to take another user, and then has nothing left
    as_root = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    as_other = ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    user = as_root if os.getuid() == 0 else as_other
    options = ["--die-with-parent", "--new-session", *spaces, *user, "--seccomp", str(bpf)]
    bwrap = shutil.which("bwrap") or "bwrap"  # not looked for along the sandbox's own PATH
    return [bwrap, *options, *_file_system(files), "--chdir", "/tmp", "--", *argv]


def _file_system(files: int) -> Iterator[str]:
    yield from ("--proc", "/proc", "--dev", "/dev")
    for mount, size in (("/tmp", files), ("/dev/shm", min(files, 2**24))):
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", mount)
    for name in SYSTEM:
        if Path(name).is_symlink():
            yield from ("--symlink", str(Path(name).readlink()), name)
        else:
            yield from ("--ro-bind-try", name, name)
    for path in (Path("/etc/ld.so.cache"), Path("/etc/alternatives"), *_trees()):
        yield from _shown(path)
    for folder, names in SHOWN.items():
        yield from ("--dir", str(folder.parent), "--tmpfs", str(folder))
        for name in names:
            yield from _shown(folder / f"{name}.py")
        yield from ("--remount-ro", str(folder))
    for folder in filter(Path.is_dir, (*FONTS, *_other_copies())):
        yield from ("--tmpfs", str(folder.resolve()), "--remount-ro", str(folder.resolve()))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _shown(path: Path) -> tuple[str, ...]:
    # bubblewrap closes a folder that it makes for a file to all but its maker
    return ("--dir", str(path.parent), "--ro-bind-try", str(path), str(path))


@cache
def _trees() -> tuple[Path, ...]:
    """Python, its packages and gradlab: the folders that are read inside, none within another."""
    parts = (prefix / name for prefix in _prefixes() for name in PARTS)
    wanted = {Path(os.path.normpath(path)) for path in (*parts, *_site_packages(), GRADLAB)}
    outside = {path for path in wanted if not any(path.is_relative_to(seen) for seen in SYSTEM)}
    return tuple(sorted(path for path in outside if not outside & {*path.parents}))


def _prefixes() -> set[Path]:
    """Where Python is installed, and the environment that it is run from."""
    return {Path(sys.base_prefix), Path(sys.prefix), Path(sys.executable).resolve().parents[1]}


def _other_copies() -> set[Path]:
    """Other copies of these packages, solutions and all, in folders that are seen inside."""
    tops = {*_prefixes(), Path("/usr"), Path("/usr/local")}
    packages = {path for top in tops for path in top.glob("lib*/python*/*-packages")}
    own = {GRADLAB, CLASSROOM}
    copies = {path / one.name for path in (*packages, *_site_packages()) for one in own}
    return {copy.resolve() for copy in copies} - own


def _site_packages() -> list[Path]:
    """The folders of packages. An editable install's own folder isn't among them."""
    names = ("site-packages", "dist-packages")
    return [Path(entry) for entry in sys.path if Path(entry).name in names and Path(entry).is_dir()]
