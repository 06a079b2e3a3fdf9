"""Many submissions: none twice, none lost, and each one's failure its own."""

from __future__ import annotations

import http.client
import json
import os
from contextlib import contextmanager, suppress
from dataclasses import replace

import psutil
import pytest
from gradlab_classroom.course import load
from gradlab_classroom.grading import cluster, grade_all
from gradlab_classroom.grading.cluster import cluster_of
from gradlab_classroom.grading.grade_one import GradingOptions
from gradlab_classroom.grading.result import GRADED, Mark, ungraded
from gradlab_classroom.grading.roster import Roster
from gradlab_classroom.grading.submissions import find

from classroom.tests.answers import AXIS, CAP, PLACES
from classroom.tests.notebooks_for_tests import FIRST, FOURTH, as_bytes, cells, notebook
from classroom.tests.paths import COURSE_FILE

COURSE = load(COURSE_FILE)


@contextmanager
def here(workers, scheduler, folder):
    """In place of a cluster, where a test is not about it."""

    def run(tasks):
        for name, (function, *arguments) in tasks.items():
            yield name, function(*arguments)

    yield run


class Graders:
    """In place of what grades, where a test is about who is graded."""

    def __init__(self):
        self.seen = []

    def __call__(self, submission, assignment, options):
        self.seen.append(submission.student)
        if submission.student == "bad":
            raise RuntimeError("a fault of the grader's own")
        marks = tuple(
            Mark(name, of, of, "passed", "", 1.0) for name, of in assignment.functions.items()
        )
        return replace(ungraded(submission, GRADED, ""), marks=marks, notes=("seen",))


@pytest.fixture
def graders(monkeypatch):
    made = Graders()
    monkeypatch.setattr(grade_all, "grade_one", made)
    monkeypatch.setattr(grade_all, "cluster_of", here)
    return made


def submissions(folder, *names):
    for name in names:
        path = folder / name / "4_constraining.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        own = cells(FOURTH, [CAP["where"], AXIS["lists"], PLACES["by hand"]], words=f"By {name}.")
        path.write_bytes(as_bytes(notebook(own, FOURTH)))
    return find(folder, COURSE, Roster())


def grade(given, out, options=None, **more):
    return grade_all.grade_all(given, COURSE, options or GradingOptions(), out, workers=1, **more)


def test_what_was_graded_is_not_graded_again_unless_it_is_asked_for(tmp_path, graders):
    given = submissions(tmp_path / "in", "ann", "joe")
    first = grade(given, tmp_path / "out")
    assert graders.seen == ["ann", "joe"]
    assert grade(given, tmp_path / "out") == first
    assert graders.seen == ["ann", "joe"]
    assert grade(given, tmp_path / "out", again=True) == first
    assert graders.seen == ["ann", "joe"] * 2


def test_a_changed_notebook_course_or_grader_is_graded_again(tmp_path, graders, monkeypatch):
    given = submissions(tmp_path / "in", "ann", "joe")
    grade(given, tmp_path / "out")
    path = tmp_path / "in/ann/4_constraining.ipynb"
    path.write_bytes(path.read_bytes() + b"\n")
    grade(find(tmp_path / "in", COURSE, Roster()), tmp_path / "out")
    assert graders.seen == ["ann", "joe", "ann"]
    functions = {**COURSE.assignments[FOURTH].functions, "max_norm": 50}
    changed = replace(COURSE.assignments[FOURTH], functions=functions)
    course = replace(COURSE, assignments={**COURSE.assignments, FOURTH: changed})
    found = grade_all.grade_all(given, course, GradingOptions(), tmp_path / "out", workers=1)
    assert len(graders.seen) == 5
    assert found[0].points == 59
    private = tmp_path / "private"
    private.mkdir()
    (private / "set.json").write_text("1")
    for seed in ("1", "2"):
        (private / "set.json").write_text(seed)
        grade(given, tmp_path / "out", GradingOptions(private=private))
    assert len(graders.seen) == 9
    monkeypatch.setattr(grade_all, "version", lambda name: "another JAX")
    grade(given, tmp_path / "out")
    assert len(graders.seen) == 11


def test_a_fault_of_the_grader_is_one_submissions_own_and_is_logged_and_tried_again(
    tmp_path, graders
):
    given = submissions(tmp_path / "in", "ann", "bad", "joe")
    found = grade(given, tmp_path / "out")
    assert [result.status for result in found] == ["graded", "machine", "graded"]
    assert "a fault of the grader's own" in found[1].reason
    assert found[1].points is None
    log = (tmp_path / "out/log.txt").read_text()
    assert "bad/4_constraining.ipynb\nTraceback" in log
    grade(given, tmp_path / "out")
    assert graders.seen == ["ann", "bad", "joe", "bad"]


def test_files_of_the_same_content_are_graded_once_and_reported_each(tmp_path, graders):
    given = submissions(tmp_path / "in", "ann", "joe")
    data = (tmp_path / "in/ann/4_constraining.ipynb").read_bytes()
    (tmp_path / "in/joe/4_constraining.ipynb").write_bytes(data)
    given = find(tmp_path / "in", COURSE, Roster())
    found = grade(given, tmp_path / "out")
    assert graders.seen == ["ann"]
    assert [(result.student, result.file, result.points) for result in found] == [
        ("ann", "ann/4_constraining.ipynb", 14),
        ("joe", "joe/4_constraining.ipynb", 14),
    ]


def test_notes_on_a_file_are_those_of_this_run(tmp_path, graders):
    given = [
        replace(submission, notes=("late",)) for submission in submissions(tmp_path / "in", "ann")
    ]
    assert grade(given, tmp_path / "out")[0].notes == ("late", "seen")
    given = [replace(submission, notes=()) for submission in given]
    assert grade(given, tmp_path / "out")[0].notes == ("seen",)


def test_what_is_unreadable_is_in_its_place_and_starts_nothing(tmp_path, graders, monkeypatch):
    submissions(tmp_path / "in", "ann")
    (tmp_path / "in/ann/4_constraining.ipynb").write_bytes(b"")
    monkeypatch.setattr(grade_all, "cluster_of", None)
    (found,) = grade(find(tmp_path / "in", COURSE, Roster()), tmp_path / "out")
    assert (found.status, graders.seen) == ("unreadable", [])


def test_half_a_state_is_none(tmp_path, graders):
    given = submissions(tmp_path / "in", "ann")
    grade(given, tmp_path / "out")
    (state,) = (tmp_path / "out/state").iterdir()
    state.write_text(state.read_text()[:50])
    assert grade(given, tmp_path / "out")[0].points == 14
    assert graders.seen == ["ann", "ann"]


@pytest.mark.parametrize(
    "change",
    [
        *({name: []} for name in ("errors", "written", "prints", "student")),
        *({"marks": marks} for marks in ([], {}, [{}], None)),
        {"status": "machine"},
        {"assignment": "3_clipping"},
        {"notes": "text"},
        None,
    ],
)
def test_a_state_that_is_something_else_is_none(tmp_path, graders, change):
    given = submissions(tmp_path / "in", "ann")
    grade(given, tmp_path / "out")
    (state,) = (tmp_path / "out/state").iterdir()
    kept = json.loads(state.read_text())
    state.write_text(json.dumps([kept] if change is None else {**kept, **change}))
    assert grade(given, tmp_path / "out")[0].points == 14
    assert graders.seen == ["ann", "ann"]
    assert json.loads(state.read_text()) == kept


@pytest.mark.parametrize("text", ["", "[" * 100_000, "null", "3", '"x"', "\xff"])
def test_a_state_that_is_nothing_is_none(tmp_path, graders, text):
    given = submissions(tmp_path / "in", "ann")
    grade(given, tmp_path / "out")
    (state,) = (tmp_path / "out/state").iterdir()
    state.write_bytes(text.encode("latin-1"))
    assert grade(given, tmp_path / "out")[0].points == 14
    assert graders.seen == ["ann", "ann"]


def test_the_same_file_for_another_assignment_is_graded_again(tmp_path, graders):
    given = submissions(tmp_path / "in", "ann")
    grade(given, tmp_path / "out")
    (found,) = grade([replace(given[0], assignment=FIRST)], tmp_path / "out")
    assert found.assignment == FIRST
    assert graders.seen == ["ann", "ann"]


def test_of_thousands_of_errors_the_first_are_kept_wherever_they_go(tmp_path, graders, monkeypatch):
    errors = dict.fromkeys(range(1, 10_001), "x" * 140)
    monkeypatch.setattr(grade_all, "grade_one", lambda *a: replace(graders(*a), errors=errors))
    given = submissions(tmp_path / "in", "ann")
    for _ in range(2):  # as it was graded, and as it was kept
        (found,) = grade(given, tmp_path / "out")
        assert len(found.errors) == 21
        assert "9979 more" in found.errors[21]
    (state,) = (tmp_path / "out/state").iterdir()
    assert state.stat().st_size < 10_000


def test_half_a_pair_in_what_was_found_reaches_no_report_and_no_log(tmp_path, graders, monkeypatch):
    strange = {"prediction": "a\ud800", "errors": {1: "b\udfff"}, "written": {"x": "\ud800"}}
    monkeypatch.setattr(grade_all, "grade_one", lambda *a: replace(graders(*a), **strange))
    given = submissions(tmp_path / "in", "ann", "bad")
    given = [
        replace(submission, file=f"{submission.file}\udcff", notes=("\ud800",), digest=f"{n}")
        for n, submission in enumerate(given)
    ]
    given.append(replace(given[0], document=None, problem="no \udcff", student="c\udcff"))
    for _ in range(2):
        found = grade(given, tmp_path / "out")
        repr(found).encode()
        json.dumps([result.as_json() for result in found], ensure_ascii=False).encode()
        assert found[0].prediction == "a?"
    assert "Traceback" in (tmp_path / "out/log.txt").read_text(encoding="utf-8")


def test_an_interrupt_keeps_what_was_graded(tmp_path, graders, monkeypatch):
    given = submissions(tmp_path / "in", "ann", "joe")

    def interrupted(submission, assignment, options):
        if submission.student == "joe":
            raise KeyboardInterrupt
        return graders(submission, assignment, options)

    monkeypatch.setattr(grade_all, "grade_one", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grade(given, tmp_path / "out")
    monkeypatch.setattr(grade_all, "grade_one", graders)
    assert [result.points for result in grade(given, tmp_path / "out")] == [14, 14]
    assert graders.seen == ["ann", "joe"]


# --------------------------------------------------------------------- a cluster of Dask


def squared(x):
    return x * x


def fails(x):
    raise ValueError(f"no {x}")


def dies_once(path):
    if not path.exists():
        path.touch()
        os._exit(3)
    return "alive"


def always_dies():
    os._exit(3)


def answer(port, page):
    """The status that a port gives who asks it for a page, or None where it speaks no HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", page)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def listening():
    """The addresses at which this process and those below it can be talked to."""
    found = []
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # a task may have ended it since it was listed
            found += process.net_connections("inet")
    return [connection.laddr for connection in found if connection.status == psutil.CONN_LISTEN]


@pytest.mark.exhaustive
def test_without_openssl_processes_have_no_ports_and_a_lost_one_is_replaced(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(cluster.shutil, "which", lambda name: None)
    with cluster_of(1, "", tmp_path) as run:
        assert "openssl is missing" in capsys.readouterr().err
        results = run(
            {
                "square": (squared, 3),
                "fails": (fails, 3),
                "dies": (dies_once, tmp_path / "died"),
                "again and again": (always_dies,),
                "other": (squared, 4),
            }
        )
        found = dict([next(results)])
        assert listening() == []
        found |= dict(results)
    assert (found["square"], found["other"], found["dies"]) == (9, 16, "alive")
    assert repr(found["fails"]) == "ValueError('no 3')"
    assert isinstance(found["again and again"], cluster.Lost)
    assert list(tmp_path.iterdir()) == [tmp_path / "died"]


@pytest.mark.slow
@pytest.mark.exhaustive
def test_tasks_are_run_in_processes_that_only_this_machine_reaches_and_a_lost_one_is_replaced(
    tmp_path,
):
    with cluster_of(1, "", tmp_path) as run:
        tasks = {
            "square": (squared, 3),
            "fails": (fails, 3),
            "dies": (dies_once, tmp_path / "died"),
        }
        found = dict(run(tasks))
        assert found["square"] == 9
        assert repr(found["fails"]) == "ValueError('no 3')"
        assert found["dies"] == "alive"
        addresses = listening()
        assert {address.ip for address in addresses} == {"127.0.0.1"}
        for address in addresses:
            for page in ("/", "/status", "/info/main/workers.html", "/json/index.html", "/health"):
                assert answer(address.port, page) in (None, 404), page
        found = dict(run({"again and again": (always_dies,), "other": (squared, 4)}))
        assert found["other"] == 16
        assert isinstance(found["again and again"], cluster.Lost)
    assert list(tmp_path.iterdir()) == [tmp_path / "died"]
