"""The system calls that a sandboxed program is refused: they make what no limit counts.

Memory that belongs to no process (``memfd_create``, ``shmget``, a mount); namespaces, in which a
program becomes its own root; and sockets that no network namespace holds back (to the host of a
virtual machine, for one). Everything else stays as it is.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import tempfile

NUMBERS: dict[str, tuple[int, dict[str, int]]] = {
    # the architecture's AUDIT_ARCH, and its numbers of system calls
    "x86_64": (
        0xC000003E,
        {
            "shmget": 29, "socket": 41, "clone": 56, "msgget": 68, "ptrace": 101, "mount": 165, "add_key": 248,
            "keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308,
            "memfd_create": 319, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425,
            "open_tree": 428, "move_mount": 429, "fsopen": 430, "clone3": 435, "memfd_secret": 447,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "mount": 40, "unshare": 97, "ptrace": 117, "msgget": 186, "shmget": 194,
            "socket": 198, "add_key": 217, "keyctl": 219, "clone": 220, "perf_event_open": 241, "setns": 268,
            "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "io_uring_setup": 425,
            "open_tree": 428, "move_mount": 429, "fsopen": 430, "clone3": 435, "memfd_secret": 447,
        },
    ),
}  # fmt: skip
X32 = 0x40000000
"""The second table of numbers of x86_64, by which every call can be made as well."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_SOCKETS = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6."""


def program(machine: str | None = None) -> bytes:
    """Return the filter, as the kernel's classic BPF; nothing for a machine it does not know.

    Source: Linux, ``Documentation/userspace-api/seccomp_filter.rst``; the offsets are those of
    ``struct seccomp_data``.
    """
    arch, numbers = NUMBERS.get(machine or platform.machine(), (0, {}))
    if not numbers:
        return b""
    refused, unknown = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    code = [
        (_LOAD, 0, 0, 4), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0), (_AT_LEAST, 0, 1, X32), (_RETURN, 0, 0, unknown),
    ]  # fmt: skip
    for name, number in numbers.items():
        if name == "clone":  # threads and processes are made with it too: its flags decide
            code += [(_EQUAL, 0, 4, number), (_LOAD, 0, 0, 16)]
            code += [(_ANY_BIT, 0, 1, _NAMESPACES), (_RETURN, 0, 0, refused), (_LOAD, 0, 0, 0)]
        elif name == "socket":
            code += [(_EQUAL, 0, 6, number), (_LOAD, 0, 0, 16)]
            code += [(_EQUAL, 3 - place, 0, family) for place, family in enumerate(_SOCKETS)]
            code += [(_RETURN, 0, 0, refused), (_LOAD, 0, 0, 0)]
        else:  # the C library does without clone3, whose flags cannot be seen, if there is none
            answer = unknown if name == "clone3" else refused
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, answer)]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def opened() -> int | None:
    """Return a file descriptor from which bubblewrap can read the filter, once.

    None on a machine for which there is no filter: the watchdog remains.
    """
    written = program()
    if not written:
        return None
    with tempfile.TemporaryFile() as file:
        file.write(written)
        file.seek(0)
        return os.dup(file.fileno())
