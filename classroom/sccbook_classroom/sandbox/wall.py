"""The wall: the command that starts ``inside`` where it sees nothing and can change nothing.

bubblewrap gives it a file system of its own: Python and its packages, read only, without the
exercises; a small ``/tmp``; no network, no other process, no environment. And the kernel refuses
system calls that make namespaces, sockets, and memory that belongs to no process.
"""

import errno
import json
import os
import platform
import secrets
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

SCCBOOK, *OTHERS = (
    Path(next(iter(spec.submodule_search_locations or ()))).resolve()
    for spec in map(find_spec, ("sccbook", "scaleclip", "explorax"))
    if spec is not None
)
CLASSROOM = Path(__file__).resolve().parents[1]
CHECKING = ("__init__", "clips", "muzero_ports", "personal", "plain_data", "probes")
SHOWN = {
    SCCBOOK / "exercises": ("__init__", "answers"),
    SCCBOOK / "checking": CHECKING,
    CLASSROOM: ("__init__", *(f"sandbox/{name}" for name in ("__init__", "definitions", "inside"))),
}
"""Folders with solutions in them, and their modules that are seen inside: none has a solution."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
PARTS = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")
"""Python's own parts of a folder that it was installed into, which may be somebody's home."""

ENVIRONMENT = {
    **dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR"), "/tmp"),
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PIP_NO_INDEX"), "1"),
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "MPLBACKEND": "Agg",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
if tuple(map(int, version("jaxlib").split(".")[:2])) < (0, 11):  # small programs compile faster
    ENVIRONMENT["XLA_FLAGS"] += " --xla_cpu_use_fusion_emitters=false"
START = (
    "import json, sys; setup = json.loads(sys.argv[1]); sys.path += setup['path']; "
    "from sccbook_classroom.sandbox.inside import main; main(setup)"
)

CALLS = (
    "clone", "shmget", "socket", "msgget", "ptrace", "mount", "add_key", "keyctl", "unshare",
    "setns", "perf_event_open", "process_vm_readv", "process_vm_writev", "memfd_create", "bpf",
    "io_uring_setup", "open_tree", "move_mount", "fsopen", "memfd_secret", "clone3",
)  # fmt: skip
NEWER = (425, 428, 429, 430, 447, 435)  # the last six have the same number everywhere
NUMBERS = {
    "x86_64": (56, 29, 41, 68, 101, 165, 248, 250, 272, 308, 298, 310, 311, 319, 321, *NEWER),
    "aarch64": (220, 194, 198, 186, 117, 40, 217, 219, 97, 268, 241, 270, 271, 279, 280, *NEWER),
}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH of the kernel's headers
X32 = 0x40000000  # the second table of numbers of x86_64, by which every call can be made as well
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET


class SandboxMissing(RuntimeError):
    """This machine has no sandbox: what is missing, and what to do."""


@cache
def require() -> None:
    """Check, once, that a sandbox can be built here; raise ``SandboxMissing`` if it can't."""
    if platform.machine() not in NUMBERS or shutil.which("bwrap") is None:
        raise SandboxMissing(
            "bubblewrap was not found. It keeps a student's notebook from your files and the "
            f"network, on Linux ({' or '.join(NUMBERS)}). Install it (apt-get install bubblewrap, "
            "or dnf install bubblewrap), or grade in a Linux container."
        )
    with filter_file() as bpf:
        argv = _walled([sys.executable, "-I", "-c", ""], 2**20, bpf.fileno())
        tried = subprocess.run(argv, pass_fds=[bpf.fileno()], capture_output=True, text=True)
    if tried.returncode != 0:
        raise SandboxMissing(
            f"bubblewrap could not build a sandbox: {tried.stderr.strip() or tried.returncode}. It "
            "has to be 0.8 or newer, and needs user namespaces: allow them (sysctl "
            "kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0; "
            "docker run --security-opt seccomp=unconfined), or run it as root."
        )


def command(rlimits: Mapping[str, int], files: int, bpf: int) -> list[str]:
    """Return the command that starts ``inside``, with a ``/tmp`` of so many bytes."""
    require()
    own = [folder.parent for folder in (SCCBOOK, *OTHERS, CLASSROOM)]
    path = [str(folder) for folder in (*own, *_site_packages())]
    # a user of its own for each sandbox that root starts: no limit on processes binds root
    uid = 60_000 + secrets.randbelow(5_000) if os.getuid() == 0 else None
    setup = json.dumps({"rlimits": rlimits, "uid": uid, "path": path})
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
        linked = Path(name).is_symlink()
        link = ("--symlink", str(Path(name).readlink())) if linked else ("--ro-bind-try", name)
        yield from (*link, name)
    for path in (Path("/etc/ld.so.cache"), Path("/etc/alternatives"), *_trees()):
        yield from _shown(path)
    for folder, names in SHOWN.items():
        yield from ("--dir", str(folder.parent), "--tmpfs", str(folder))
        for name in names:
            yield from _shown(folder / f"{name}.py")
        yield from ("--remount-ro", str(folder))
    for folder in _emptied():
        yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _shown(path: Path) -> tuple[str, ...]:
    # bubblewrap closes a folder that it makes for a file to all but its maker
    return ("--dir", str(path.parent), "--ro-bind-try", str(path), str(path))


def _trees() -> list[Path]:
    """Python, its packages and the book's: what is read inside, none within another."""
    parts = [prefix / name for prefix in _prefixes() for name in PARTS]
    system = {Path(name) for name in SYSTEM}
    wanted = {
        Path(os.path.normpath(path)) for path in (*parts, *_site_packages(), SCCBOOK, *OTHERS)
    }
    return sorted(path for path in wanted - system if not (wanted | system) & {*path.parents})


def _emptied() -> set[Path]:
    """Other copies of these packages, solutions and all; and fonts, which Matplotlib would read."""
    places = {*_site_packages(), *(top / "share" for top in _prefixes())}
    for top in _prefixes():
        places.update(top.glob("lib*/python*/*-packages"))
    named = (path / name for path in places for name in ("fonts", SCCBOOK.name, CLASSROOM.name))
    return {path.resolve() for path in named if path.is_dir()} - {SCCBOOK, CLASSROOM}


def _prefixes() -> set[Path]:
    """Where Python is installed, and the environment that it is run from; and the system's own."""
    python = (sys.base_prefix, sys.prefix, Path(sys.executable).resolve().parents[1])
    return {Path(prefix) for prefix in (*python, "/usr", "/usr/local")}


def _site_packages() -> list[Path]:
    """The folders of packages. An editable install's own folder isn't among them."""
    names = ("site-packages", "dist-packages")
    return [Path(entry) for entry in sys.path if Path(entry).name in names and Path(entry).is_dir()]


def filter_for(machine: str) -> bytes:
    """Return the filter for a machine in ``NUMBERS``, as the kernel's classic BPF.

    Source: Linux, ``Documentation/userspace-api/seccomp_filter.rst``, ``struct seccomp_data``.
    """
    refused, unknown = (_RETURN, 0, 0, _ERRNO | errno.EPERM), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)
    code = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, ARCHITECTURES[machine]), (_RETURN, 0, 0, _KILL)]
    code += [(_LOAD, 0, 0, 0), (_AT_LEAST, 0, 1, X32), unknown]
    clone, *others, clone3 = NUMBERS[machine]
    for number in others:
        code += [(_EQUAL, 0, 1, number), refused]
    code += [(_EQUAL, 0, 1, clone3), unknown]  # the C library does without: its flags can't be seen
    code += [(_EQUAL, 0, 3, clone), (_LOAD, 0, 0, 16), (_ANY_BIT, 0, 1, _NAMESPACES), refused]
    code += [(_RETURN, 0, 0, _ALLOW)]  # threads and processes are made with clone too
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def filter_file() -> IO[bytes]:
    """Return a file from which bubblewrap can read the filter for this machine, once."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(filter_for(platform.machine()))
    file.seek(0)
    return file
