"""The filter of system calls is a program that the kernel takes, and says what it should."""

from __future__ import annotations

import errno
import struct

import pytest
from gradlab_classroom.grading.filtering import NUMBERS, program

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NEW_USER, THREAD = 0x10000000, 0x3D0F00


def answer(machine: str, number: int, first: int = 0, arch: int | None = None) -> int:
    """What the filter returns: it is run as the kernel runs it."""
    data = struct.pack("=iIQ6Q", number, arch or NUMBERS[machine][0], 0, first, 0, 0, 0, 0, 0)
    code = [
        struct.unpack_from("=HBBI", program(machine), 8 * i)
        for i in range(len(program(machine)) // 8)
    ]
    at = held = 0
    while True:
        kind, yes, no, k = code[at]
        if kind == 0x20:
            (held,) = struct.unpack_from("=I", data, k)
            at += 1
        elif kind == 0x06:
            return k
        else:
            holds = {0x15: held == k, 0x35: held >= k, 0x45: held & k != 0}[kind]
            at += 1 + (yes if holds else no)


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_makes_uncounted_memory_is_refused(machine: str) -> None:
    numbers = NUMBERS[machine][1]
    for name in ("memfd_create", "shmget", "mount", "unshare", "ptrace", "memfd_secret"):
        assert answer(machine, numbers[name]) == ERRNO | errno.EPERM, name


@pytest.mark.parametrize("machine", NUMBERS)
def test_threads_and_processes_are_made_and_namespaces_are_not(machine: str) -> None:
    clone = NUMBERS[machine][1]["clone"]
    assert answer(machine, clone, THREAD) == ALLOW
    assert answer(machine, clone, 17) == ALLOW  # a fork
    assert answer(machine, clone, 17 | NEW_USER) == ERRNO | errno.EPERM
    assert answer(machine, NUMBERS[machine][1]["clone3"]) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("machine", NUMBERS)
def test_sockets_are_of_the_families_that_a_namespace_holds_back(machine: str) -> None:
    socket = NUMBERS[machine][1]["socket"]
    assert [answer(machine, socket, family) for family in (1, 2, 10)] == [ALLOW] * 3
    assert {answer(machine, socket, family) for family in (0, 16, 17, 38, 40)} == {
        ERRNO | errno.EPERM
    }


@pytest.mark.slow
@pytest.mark.parametrize("machine", NUMBERS)
def test_every_other_call_is_allowed(machine: str) -> None:
    others = set(range(450)) - set(NUMBERS[machine][1].values())
    assert {answer(machine, number) for number in others} == {ALLOW}


def test_other_tables_of_numbers_are_no_way_round() -> None:
    assert answer("x86_64", 0x40000000 | 319) == ERRNO | errno.ENOSYS
    assert answer("x86_64", 319, arch=0x40000003) == KILL  # 32 bits


def test_a_machine_that_it_does_not_know_has_no_filter() -> None:
    assert program("riscv64") == b""
