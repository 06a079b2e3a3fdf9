"""Each hostile submission gets what it has earned, finds and changes nothing, and disturbs nobody.

One gets more, since it knows what is right: the last test says so, as the page on grading does.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from gradlab_classroom.grading.sandbox import run

from classroom.tests.hostile import BELIEVED, HOSTILE, RIGHT
from classroom.tests.paths import ROOT
from classroom.tests.sandboxed import ASKED, SMALL, found, need_sandbox, told

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Host:
    """A host to be attacked: other students' work, a secret in the environment, a server."""

    folder: Path
    server: socket.socket

    @property
    def port(self) -> int:
        return int(self.server.getsockname()[1])

    def files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def visitors(self) -> int:
        count = 0
        while True:
            try:
                self.server.accept()[0].close()
            except BlockingIOError:
                return count
            count += 1


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    need_sandbox()
    (tmp_path / "jane").mkdir()
    (tmp_path / "jane" / "4_constraining.ipynb").write_text("secret", encoding="ascii")
    (tmp_path / "gradebook.db").write_text("secret", encoding="ascii")
    monkeypatch.setenv("GRADLAB_SECRET", "SECRET")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield Host(tmp_path, server)


OFTEN = ("an exit of the process", "a search for the solution")
"""These are held in every run; one that lies is among the class of four."""
EACH = [
    pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.exhaustive]) for name in HOSTILE
]


@pytest.mark.parametrize("name", EACH)
def test_a_hostile_submission_gets_what_it_has_earned(name: str, host: Host) -> None:
    one, before = HOSTILE[name], host.files()
    ran = run(one.at(host.folder, host.port), [ASKED], ["seen"], limits=SMALL)
    assert (found(ran) == "passed") == one.earns, told(ran)
    assert ran.status in one.status, told(ran)
    assert re.search(one.says, told(ran)), told(ran)
    if one.sees is not None:
        assert ran.variables["seen"] == one.sees
    assert len(ran.output) <= 20_000
    assert host.files() == before
    assert host.visitors() == 0
    left = [process.cmdline() for process in psutil.Process().children(recursive=True)]
    assert not any("gradlab_classroom.grading.inside" in " ".join(command) for command in left)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    [
        "a fork bomb",
        "a memory bomb of many processes",
        "a gigabyte of output",
        "a full disk",
        "a kill of every process",
    ],
)
def test_a_neighbour_finishes_with_its_answers(name: str, host: Host) -> None:
    with ThreadPoolExecutor(2) as pool:
        attack = pool.submit(run, HOSTILE[name].at(host.folder, host.port), [ASKED], limits=SMALL)
        beside = pool.submit(run, [RIGHT, "print('here')"], [ASKED], limits=SMALL)
    ran = beside.result()
    assert attack.result().status in HOSTILE[name].status
    assert (ran.status, found(ran), ran.output, ran.notes) == ("finished", "passed", "here\n", ())


@pytest.mark.exhaustive
def test_a_notebook_that_computes_what_is_right_can_hand_it_in_as_if_it_were_seen() -> None:
    need_sandbox()
    assert "def max_norm" not in "".join(BELIEVED.cells)
    ran = run(BELIEVED.cells, [ASKED], limits=SMALL)
    assert (found(ran), ran.notes, ran.errors) == ("passed", (), {})


def test_the_page_on_grading_says_how_often_it_was_attacked_and_what_does_not_hold() -> None:
    page = " ".join((ROOT / "book/teaching/grading.md").read_text(encoding="utf-8").split())
    assert f"Tests attack this with {len(HOSTILE)} hostile notebooks." in page
    assert "computes by itself what is right can hand that in as if it had been observed" in page
