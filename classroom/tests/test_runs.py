"""A run is a function of the notebook, its files and the course: it's kept, and any machine can do it."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from classroom.tests.answers import CAP, IMPORTS
from classroom.tests.sandboxed import need_sandbox
from sccbook_classroom import runs
from sccbook_classroom.judging import judge, notes_on
from sccbook_classroom.plugins import safe
from sccbook_classroom.runs import Job, Runs
from sccbook_classroom.sandbox.running import Pass

JOB = Job((IMPORTS, CAP["rows"]), {"caps.py": b"1"}, ("max_norm",))
PROVED = {"kind": None, "seen": [{"error": "ModuleNotFoundError: No module named 'torch'"}] * 20}


def test_the_key_is_of_all_that_a_run_depends_on() -> None:
    others = [
        replace(JOB, cells=(*JOB.cells, "1")),
        replace(JOB, files={"caps.py": b"2"}),
        replace(JOB, files={"cups.py": b"1"}),
        replace(JOB, functions=("max_norm", "wrong_axis")),
        replace(JOB, limits=replace(JOB.limits, seconds=1)),
    ]
    assert len({JOB.key, *(other.key for other in others)}) == 1 + len(others)
    assert replace(JOB).key == JOB.key


@pytest.mark.exhaustive
def test_a_pool_of_processes_computes_what_is_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()
    right = replace(JOB, cells=(IMPORTS, CAP["where"]))
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert list(Runs(tmp_path / "runs").compute_all([JOB, right, replace(JOB)], pool)) == [
            "",
            "",
        ]
    monkeypatch.setattr(runs, "compute", lambda job: pytest.fail("it was run again"))
    assert list(Runs(tmp_path / "runs").compute_all([JOB, right], ThreadPoolExecutor(1))) == []
    exercise = JOB.exercise("max_norm")
    marks = [
        judge(exercise, 5, job.cells, [], *Runs(tmp_path / "runs").result(job))
        for job in (JOB, right)
    ]
    assert [(mark.finding, mark.points) for mark in marks] == [("rows", 0), ("passed", 5)]
    assert "def max_norm" in marks[0].quote
    assert (tmp_path / "runs").stat().st_mode & 0o077 == 0


def test_a_run_that_fails_is_told_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(job: Job) -> None:
        raise OSError("no processes left")

    monkeypatch.setattr(runs, "compute", fails)
    told = list(Runs(tmp_path / "runs").compute_all([JOB], ThreadPoolExecutor(1)))
    assert told == ["OSError: no processes left"]
    assert not list((tmp_path / "runs").iterdir())


@pytest.mark.parametrize(
    ("cells", "texts", "definitions", "says"),
    [
        (
            ["def max_norm(w): ..."],
            [],
            Pass({"max_norm": PROVED}),
            "It didn't run here: ModuleNotFound",
        ),
        (
            ["import tools"],
            [],
            Pass(errors={0: "ModuleNotFoundError: tools"}),
            "begins 'import tools' didn't",
        ),
        ([], ["def max_norm(w, limit):"], Pass(), "text isn't run. Make it code"),
    ],
)
def test_what_may_be_right_elsewhere_is_left_open(
    cells: list[str], texts: list[str], definitions: Pass, says: str
) -> None:
    mark = judge(JOB.exercise("max_norm"), 5, cells, texts, definitions, Pass())
    assert mark.points is None
    assert says in mark.why


def test_a_function_that_isnt_there_or_was_not_touched_earns_0_and_is_called_that() -> None:
    untouched = {"kind": None, "seen": [{"error": "NotImplementedError"}] * 20}
    asked = JOB.exercise("report_and_differentiate")
    found = [Pass({}), Pass({"report_and_differentiate": untouched})]
    marks = [judge(asked, 4, [], [], one, Pass()) for one in found]
    assert [(mark.finding, mark.points) for mark in marks] == [("missing", 0), ("not_attempted", 0)]


def test_a_function_of_the_packages_own_is_noted_however_it_was_borrowed() -> None:
    borrowed = Pass(origins={"max_norm": "scaleclip.ops.constraints"}, foreign=True)
    notes = notes_on(["max_norm"], ["from scaleclip.ops import *"], borrowed, Pass())
    assert notes[1:] == [
        "max_norm is the package's own, from scaleclip.ops.constraints",
        "it takes from the package, beyond what was handed out: *",
    ]
    assert "the grader's own channel" in notes[0]
    for cell in (
        "from scaleclip.ops import check, cut as c",
        "import scaleclip.ops\nscaleclip.ops.cut(x)",
    ):
        own = "from sccbook.exercises import check\nfrom scaleclip.ops import ops"
        (note,) = notes_on(["max_norm"], [cell], Pass(), Pass(), own)
        assert note.endswith("handed out: cut")


def test_a_students_words_are_shown_without_what_a_browser_would_run() -> None:
    shown = safe('<h1 id="t">T</h1><script>x()</script><img src="a.png" onerror="x()"> a &lt; b')
    assert shown == '<h1 id="t">T</h1>&lt;script&gt;x()&lt;/script&gt;<img src="a.png"> a &lt; b'
