"""Each hostile notebook gets what it has earned, finds and changes nothing, and disturbs nobody."""

from __future__ import annotations

import re
import socket
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from classroom.tests.hostile import HOSTILE, RIGHT
from classroom.tests.paths import ROOT
from classroom.tests.sandboxed import MAX_NORM, SMALL, errors_in, seen_in
from sccbook_classroom.judging import judge, notes_on

pytestmark = pytest.mark.slow
OFTEN = ("an exit of the process", "right observations, sent by an object that gc finds")
"""These two are held in every run."""
EACH = [
    pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.exhaustive]) for name in HOSTILE
]


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A folder with other students' work, and a server; after the attack, both are as they were."""
    (tmp_path / "jane").mkdir()
    (tmp_path / "jane" / "4_constraining.ipynb").write_text("secret", encoding="ascii")
    (tmp_path / "gradebook.db").write_text("secret", encoding="ascii")
    monkeypatch.setenv("SCCBOOK_SECRET", "SECRET")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield tmp_path, server.getsockname()[1]
        with pytest.raises(BlockingIOError):  # nobody has come
            server.accept()
    files = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.*")}
    assert files == {"jane/4_constraining.ipynb": "secret", "gradebook.db": "secret"}
    left = [process.cmdline() for process in psutil.Process().children(recursive=True)]
    assert not any("sccbook_classroom.sandbox.inside" in " ".join(command) for command in left)


@pytest.mark.parametrize("name", EACH)
def test_a_hostile_notebook_gets_what_it_has_earned(name, host):
    one = HOSTILE[name]
    cells = one.at(*host)
    passes = seen_in(cells, limits=SMALL)
    mark = judge(MAX_NORM, 5, cells, [], *passes)
    told = "\n".join([*notes_on(["max_norm"], cells, *passes), *errors_in(passes)])
    assert mark.points == one.earns, told
    assert bool(mark.why) == (one.earns is None)
    assert re.search(one.says, told), told
    if one.sees is not None:
        assert passes[1].printed[len(cells) - 1] == f"seen: {one.sees}\n"
    assert all(len(text) <= 20_000 for text in passes[1].printed.values())


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    ["a fork bomb", "a memory bomb of many processes", "a full disk", "a gigabyte of output"],
)
def test_a_neighbour_finishes_with_its_answers(name, host):
    with ThreadPoolExecutor(2) as pool:
        attack = pool.submit(seen_in, HOSTILE[name].at(*host), limits=SMALL)
        beside = pool.submit(seen_in, [RIGHT, "print('here')"], limits=SMALL).result()
    attack.result()
    assert judge(MAX_NORM, 5, [RIGHT], [], *beside).points == 5
    assert (beside[1].printed[1], beside[1].ended, beside[1].errors) == ("here\n", [], {})


def test_each_sentence_of_the_threat_model_names_a_test_that_exists():
    page = (ROOT / "classroom/threats.md").read_text(encoding="utf-8")
    holds = re.findall(r"^- (.*)$", page.partition("## What it doesn't hold")[0], re.MULTILINE)
    tests = "".join(
        path.read_text("utf-8") for path in (ROOT / "classroom/tests").glob("test_*.py")
    )
    for sentence in holds:
        proofs = re.findall(r"`(test_\w+)`|\"([^\"]+)\"", sentence.rpartition("[")[2])
        assert proofs, sentence
        for test, notebook in proofs:
            assert f"def {test}(" in tests if test else notebook in HOSTILE, sentence
    assert len(holds) > 20
