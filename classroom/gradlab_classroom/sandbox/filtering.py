"""The system calls that a notebook is refused: they lead past the wall, or past what is counted.

They make namespaces, in which a program becomes its own root; sockets; and memory that belongs to
no process (``memfd_create``, ``shmget``, a mount). Everything else stays as it is.
"""

from __future__ import annotations

import errno
import platform
import struct
import tempfile
from typing import IO

NUMBERS: dict[str, tuple[int, dict[str, int]]] = {
    # the architecture's AUDIT_ARCH, and its numbers of system calls
    "x86_64": (0xC000003E, {
        "shmget": 29, "socket": 41, "clone": 56, "msgget": 68, "ptrace": 101, "mount": 165,
        "add_key": 248, "keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308,
        "process_vm_readv": 310, "process_vm_writev": 311, "memfd_create": 319, "bpf": 321,
    }),
    "aarch64": (0xC00000B7, {
        "mount": 40, "unshare": 97, "ptrace": 117, "msgget": 186, "shmget": 194, "socket": 198,
        "add_key": 217, "keyctl": 219, "clone": 220, "perf_event_open": 241, "setns": 268,
        "process_vm_readv": 270, "process_vm_writev": 271, "memfd_create": 279, "bpf": 280,
    }),
}  # fmt: skip
NEWER = {"io_uring_setup": 425, "open_tree": 428, "move_mount": 429, "fsopen": 430}
NEWER |= {"clone3": 435, "memfd_secret": 447}
"""These have the same numbers everywhere."""
X32 = 0x40000000
"""The second table of numbers of x86_64, by which every call can be made as well."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""


def program(machine: str) -> bytes:
    """Return the filter for a machine in ``NUMBERS``, as the kernel's classic BPF.

    Source: Linux, ``Documentation/userspace-api/seccomp_filter.rst``; the offsets are those of
    ``struct seccomp_data``.
    """
    arch, own = NUMBERS[machine]
    refused, unknown = (_RETURN, 0, 0, _ERRNO | errno.EPERM), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)
    code = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL)]
    code += [(_LOAD, 0, 0, 0), (_AT_LEAST, 0, 1, X32), unknown]
    for name, number in {**own, **NEWER}.items():
        if name != "clone":  # the C library does without clone3, whose flags can't be seen
            code += [(_EQUAL, 0, 1, number), unknown if name == "clone3" else refused]
    # threads and processes are made with clone too: its flags decide
    code += [
        (_EQUAL, 0, 3, own["clone"]),
        (_LOAD, 0, 0, 16),
        (_ANY_BIT, 0, 1, _NAMESPACES),
        refused,
    ]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def opened() -> IO[bytes]:
    """Return a file from which bubblewrap can read the filter for this machine, once."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(program(platform.machine()))
    file.seek(0)
    return file
