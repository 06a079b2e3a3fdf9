"""The sandbox's threat model, a sentence a test: what a notebook can't do, and what it costs."""

from __future__ import annotations

import struct
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from classroom.tests.hostile import RIGHT
from classroom.tests.paths import ROOT
from classroom.tests.sandboxed import SMALL, need_sandbox, seen_in
from sccbook.checking.probes import Observations
from sccbook_classroom.sandbox import wall
from sccbook_classroom.sandbox.running import Pass, Question, one_line
from sccbook_classroom.sandbox.watching import Ended, Sandbox

pytestmark = pytest.mark.slow
QUICK = replace(SMALL, step_seconds=1)
F, G = (Question(name, "returned", [{"tuple": []}]) for name in "fg")
ENDS, WATCHING = "import os; os._exit(1)", "sccbook_classroom.sandbox.watching"


def printed(cell, limits=SMALL):
    return seen_in([cell], questions=[], limits=limits)[1].printed[0].strip()


def test_a_notebook_sees_no_file_of_the_host_but_pythons(tmp_path):
    (tmp_path / "secret.txt").touch()
    places = ["/etc/passwd", "/home", "/var", "/sys", str(tmp_path), str(ROOT / "classroom/tests")]
    cell = (
        f"import os\nprint([p for p in {places} if os.path.exists(p)], sorted(os.listdir('/etc')))"
    )
    assert printed(cell) == "[] ['alternatives', 'ld.so.cache']"


def test_an_environment_in_somebodys_folder_shows_nothing_else_of_it(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    shown = {one.name for one in wall._trees() if one.is_relative_to(tmp_path)}
    assert shown == {*wall.PARTS}


def test_it_writes_into_its_own_folder_and_nowhere_else():
    cell = """
import os
for path in ("/written", "/usr/written", "/etc/written", "/dev/written", os.__file__, "own"):
    try:
        open(path, "a").close()
        print(path)
    except OSError:
        pass"""
    assert printed(cell) == "own"


def test_it_reaches_no_network_and_makes_no_socket():
    cell = "import socket\nfor family in (1, 2, 10, 16, 40):\n    try: print(socket.socket(family))"
    assert printed(cell + "\n    except PermissionError: pass") == ""


def test_it_sees_no_solution_and_no_other_copy_of_one(monkeypatch, tmp_path):
    other = tmp_path / "lib" / "site-packages" / "sccbook"
    other.mkdir(parents=True)
    (other / "solutions.py").touch()
    monkeypatch.syspath_prepend(str(other.parent))
    cell = "import os, sccbook.exercises as own\nhere = own.__path__[0]\nprint(sorted(os.listdir(here)), "
    cell += f"len(os.listdir(here + '/../checking')), os.listdir({str(other)!r}))"
    assert printed(cell) == f"['__init__.py', 'answers.py'] {len(wall.CHECKING)} []"


def test_it_makes_no_namespace_traces_nobody_and_becomes_nobody_else():
    cell = """
import ctypes, os
libc = ctypes.CDLL(None)
tried = [libc.unshare(0x10000000), libc.ptrace(16, os.getppid(), 0, 0), libc.setuid(0)]
tried += [libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), libc.shmget(0, 2**30, 0o1600)]
print({*tried}, os.getuid() != 0, os.access(f"/proc/{os.getppid()}/mem", os.R_OK))"""
    assert printed(cell) == "{-1} True False"


@pytest.mark.parametrize("machine", wall.NUMBERS)
def test_the_kernel_refuses_what_no_limit_counts_and_allows_the_rest(machine):
    numbers = dict(zip(wall.CALLS, wall.NUMBERS[machine], strict=True))
    code = [*struct.iter_unpack("=HBBI", wall.filter_for(machine))]

    def answer(number, first=0, arch=wall.ARCHITECTURES[machine]):
        data, at, held = struct.pack("=iIQQ", number, arch, 0, first), 0, 0
        while True:  # as the kernel runs it
            kind, yes, no, k = code[at]
            at += 1
            if kind == 0x06:
                return k
            if kind == 0x20:
                (held,) = struct.unpack_from("=I", data, k)
            else:
                at += yes if {0x15: held == k, 0x35: held >= k, 0x45: held & k != 0}[kind] else no

    allow, refuse, unknown, kill = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
    assert {answer(numbers[name]) for name in {*wall.CALLS} - {"clone", "clone3"}} == {refuse}
    assert {answer(n) for n in {*range(450)} - {*numbers.values()}} == {allow}
    assert answer(numbers["clone"], 17) == answer(numbers["clone"], 0x3D0F00) == allow
    assert answer(numbers["clone"], 17 | 0x10000000) == refuse
    assert answer(numbers["clone3"]) == answer(0x40000000 | 319) == unknown
    assert answer(1, arch=0x40000003) == kill


def test_its_processes_together_use_no_more_memory_than_allowed():
    fork = (
        "import os, time\nfor _ in range(4):\n    if not os.fork(): x = b'x' * 2**28; time.sleep(9)"
    )
    _, notebook = seen_in([RIGHT, f"{fork}\ntime.sleep(9)"], limits=replace(SMALL, step_seconds=8))
    assert "it used more than 1,024 MiB of memory" in notebook.errors[1]


def test_it_is_charged_for_processor_time_and_for_sleeping_and_not_for_waiting(monkeypatch):
    sleeps = "import time; time.sleep(1000)"
    for cell in ("while True: pass", sleeps):
        _, notebook = seen_in([cell], limits=QUICK, questions=[])
        assert notebook.ended == ["in code cell 1 it took longer than 1 s"]
    monkeypatch.setattr(f"{WATCHING}._busy", lambda process: True)  # it waits for a processor
    assert printed("import time; time.sleep(3); print('done')", QUICK) == "done"
    monkeypatch.setattr(f"{WATCHING}.PATIENCE", 2)
    with pytest.raises(Ended, match="this machine had no time for it"):
        printed(sleeps, QUICK)


def test_a_process_may_end_while_it_is_looked_at(monkeypatch):
    monkeypatch.setattr(
        f"{WATCHING}._busy", lambda process: [*Path(f"/proc/{process}/gone").iterdir()]
    )
    assert printed("import time; time.sleep(0.5); print('done')", QUICK) == "done"


def test_its_threads_processes_files_and_output_are_limited():
    cells = [
        "import threading, time\nfor _ in range(999): threading.Timer(1, int).start()",
        "open('/tmp/x', 'wb').write(bytes(2**25))",
        "print('x' * 10**6)",
        "import os\ntime.sleep(1)\nfor _ in range(30): os.fork() or time.sleep(9)\ntime.sleep(9)",
    ]
    limits = replace(SMALL, memory=2**33, step_seconds=3)
    _, notebook = seen_in(cells, questions=[], limits=limits)
    assert notebook.errors[0] == "RuntimeError: can't start new thread"
    assert notebook.errors[1].startswith("OSError: [Errno")
    assert notebook.printed[2] == "x" * 20_000
    assert " processes" in notebook.errors[3]


def test_what_it_leaves_running_is_killed():
    left = "import os, time\nif not os.fork(): os.setsid(); time.sleep(1000)"
    look = "import os, time; time.sleep(1); print(sum(map(str.isdigit, os.listdir('/proc'))))"
    order = {"files": {}, "definitions": False, "asks": [], "without": []}
    need_sandbox()
    before = {*psutil.Process().children()}
    with Sandbox(SMALL) as sandbox:
        assert "done" in [*sandbox.serve({**order, "cells": [left]})][-1]
        messages = [*sandbox.serve({**order, "cells": [look]})]
    assert messages[1]["printed"] == "3\n"  # bubblewrap, the one that waits for orders, and itself
    assert {*psutil.Process().children()} <= before


def test_a_function_that_answers_for_another_is_found_out():
    forge = """import sys
def f():
    frame = sys._getframe()
    while "send" not in frame.f_locals:
        frame = frame.f_back
    frame.f_locals["send"](at="g", answer={"seen": [{"value": 1}]})
    return 1"""
    _, notebook = seen_in([forge, "def g(): return 2"], questions=[F, G])
    assert notebook.seen(F).seen[0].value == 1
    assert notebook.seen(G).seen[0].error == "it was answered twice"


def test_a_cell_or_a_function_that_ends_the_process_costs_only_itself():
    loops = "def g():\n    while True: pass"
    cells = ["def f(): return 1", loops, "class C: x = sum(range(10**12))", ENDS]
    definitions, notebook = seen_in([*cells, "print('later')"], questions=[G, F], limits=QUICK)
    assert definitions.seen(F).seen[0].value == 1
    assert definitions.seen(G).seen[0].error == "in g it took longer than 1 s"
    assert definitions.ended[0] == "in code cell 3 it took longer than 1 s"
    assert notebook.ended == ["in code cell 3 it took longer than 1 s"]


def test_right_answers_written_in_whatever_way_are_seen_with_definitions_alone():
    cells = [
        *("import asyncio\nawait asyncio.sleep(0)\ndef f(): return 3", "%matplotlib inline\n!ls"),
        *("%%time\ndef g(): return X", "%%writefile helper.py\nX = 3", "from helper import X"),
        "from given import h",
        "class C:\n    def __init__(self, x):\n        self.x = x\nk = lambda: C(3).x",
        *("m = lambda: 3", "m = m()\nassert m == 3"),
    ]
    asked = [replace(F, name=name) for name in "fghkm"]
    definitions, notebook = seen_in(cells, {"given.py": b"def h(): return 3"}, questions=asked)
    assert [definitions.seen(one).seen[0].value for one in asked] == [3] * 5
    assert (definitions.errors, notebook.errors) == ({}, {})


def test_what_comes_back_is_plain_data_and_texts_that_no_terminal_obeys():
    cells = ["prediction = 'b'\n1 / 0", "from sccbook.exercises import check\ncheck('f', 3)"]
    _, notebook = seen_in(cells, questions=[])
    assert notebook.errors == {0: "ZeroDivisionError: division by zero"}
    assert "judged below, where its points stand" in notebook.printed[1].replace("\n", " ")
    assert notebook.prediction == "b"
    assert one_line("a\n\x1b[31mb\x00\ud800" + "x" * 999) == "a  [31mb ?" + "x" * 287 + "..."
    for sent in ({}, {"seen": 3}, {"seen": [3]}, {"seen": [{"value": {"pickle": ""}}]}):
        assert Pass({"f": sent}).seen(F).seen[0].error
    assert Pass({"f": {"kind": "int"}}).seen(F) == Observations(kind="int")


def test_a_machine_without_bubblewrap_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(wall.SandboxMissing, match="apt-get install bubblewrap"):
        wall.require.__wrapped__()
    (tmp_path / "bwrap").symlink_to("/bin/false")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(wall.SandboxMissing, match="needs user namespaces: allow them"):
        wall.require.__wrapped__()
