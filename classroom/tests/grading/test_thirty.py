"""One command turns thirty submissions into scores, feedback and a summary."""

from __future__ import annotations

import csv
import json
import re

import pytest
from gradlab_classroom.__main__ import main

from classroom.tests.hostile import HOSTILE
from classroom.tests.notebooks_for_tests import FIRST, FOURTH, POINTS
from classroom.tests.paths import COURSE_FILE
from classroom.tests.sandboxed import need_sandbox
from classroom.tests.thirty import HANDED_IN, roster

IDS = [one.student for one in HANDED_IN]


def points(handed):
    """Of each function, as they should be."""
    worth = POINTS[handed.assignment]
    return {name: round(worth[name] * part, 2) for name, (_, part) in handed.findings.items()}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of results."""
    need_sandbox()
    folder = tmp_path_factory.mktemp("class")
    for one in HANDED_IN:
        path = folder / "in" / one.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.data)
    (folder / "roster.csv").write_text(roster(), encoding="utf-8")
    command = [
        "grade",
        str(folder / "in"),
        "--out",
        str(folder / "out"),
        "--course",
        str(COURSE_FILE),
    ]
    assert main([*command, "--roster", str(folder / "roster.csv"), "--workers", "2"]) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def scores(graded):
    found = json.loads((graded / "scores.json").read_text(encoding="utf-8"))
    return {one["student"]: one for one in found["submissions"]}


def test_there_are_thirty_of_four_kinds():
    assert len(HANDED_IN) == len(set(IDS)) == 30
    assert sum(bool(one.findings) and all(part == 1 for _, part in one.findings.values()) for one in HANDED_IN[:10]) == 10  # fmt: skip
    assert all(any(part < 1 for _, part in one.findings.values()) for one in HANDED_IN[10:18])
    texts = {text for one in HOSTILE.values() for text in one.cells}
    assert all(any(json.dumps(text.splitlines()[0])[1:-1] in one.data.decode() for text in texts) for one in HANDED_IN[25:])  # fmt: skip


@pytest.mark.slow
def test_everybody_is_there_once(scores):
    assert sorted(scores) == sorted(IDS)


@pytest.mark.slow
@pytest.mark.parametrize("handed", HANDED_IN, ids=IDS)
def test_every_submission_gets_its_status_points_and_findings(scores, handed):
    found = scores[handed.student]
    assert (found["status"], found["assignment"]) == (handed.status, handed.assignment)
    assert {one["name"]: one["points"] for one in found["marks"]} == points(handed)
    assert {one["name"]: one["finding"] for one in found["marks"]} == {
        name: finding for name, (finding, _) in handed.findings.items()
    }
    if handed.status == "graded":
        assert found["points"] == pytest.approx(sum(points(handed).values()))
        assert found["prediction"] == handed.prediction
        assert set(points(handed)) == set(POINTS[handed.assignment])
    else:
        assert found["points"] is None
    assert handed.note in " ".join([found["reason"], *found["notes"]])


@pytest.mark.slow
@pytest.mark.parametrize("handed", HANDED_IN, ids=IDS)
def test_every_submission_has_a_page_of_feedback_with_its_points(graded, scores, handed):
    page = (graded / "feedback" / f"{handed.student}__{handed.assignment}.html").read_text("utf-8")
    if handed.status != "graded":
        assert "not graded yet" in page
        return
    for name, worth in points(handed).items():
        row = rf"<code>{name}</code></th><td>.*?</td><td class=\"n\">{worth:g}</td>"
        assert re.search(row, page), name
    for mark in scores[handed.student]["marks"]:
        assert mark["message"][:20].split("'")[0] in page.replace("&#39;", "'")


@pytest.mark.slow
def test_the_tables_have_the_same_points_and_a_blank_for_what_is_unreadable(graded):
    titles = {FIRST: "The missing function", FOURTH: "Constraining weights"}
    with (graded / "canvas.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["ID"]: row for row in csv.DictReader(file)}
    for one in HANDED_IN:
        row = rows[str(1000 + int(one.student[1:]))]
        total = f"{round(sum(points(one).values()), 2):g}" if one.findings else ""
        assert row[titles[one.assignment]] == total, one.student
        (other,) = set(titles) - {one.assignment}
        assert row[titles[other]] == ""
    for name in titles:
        assert (graded / f"moodle_{name}.csv").is_file()
        assert (graded / f"feedback_{name}.zip").is_file()


@pytest.mark.slow
def test_the_summary_has_the_picture_and_what_needs_a_look(graded):
    page = (graded / "summary.html").read_text(encoding="utf-8")
    assert "29 graded, 1 unreadable, 0 that could not be run here" in page
    for one in HANDED_IN:
        if one.note:
            assert one.note.replace("'", "&#39;") in page
    assert (graded / "summary.svg").stat().st_size > 10_000


@pytest.mark.slow
def test_the_written_answers_are_waiting_to_be_marked(graded):
    with (graded / "written.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 29
    assert {row["mark"] for row in rows} == {""}
    assert next(row for row in rows if row["student"] == "s01")["answer"] == "By s01."


@pytest.mark.slow
def test_the_same_command_again_takes_the_marks_and_runs_nothing(graded, monkeypatch):
    from gradlab_classroom.grading import grade_all

    marks = graded.parent / "marks.csv"
    lines = ["student,assignment,question,mark,comment", f"s01,{FIRST},tell_apart,2.5,Well put."]
    marks.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(grade_all, "cluster_of", None)
    command = [
        "grade",
        str(graded.parent / "in"),
        "--out",
        str(graded),
        "--course",
        str(COURSE_FILE),
    ]
    command += ["--roster", str(graded.parent / "roster.csv")]
    assert main([*command, "--marks", str(marks)]) == 0
    assert main(command) == 0  # the marks are kept
    found = json.loads((graded / "scores.json").read_text(encoding="utf-8"))
    first = next(one for one in found["submissions"] if one["student"] == "s01")
    assert (first["points"], first["waiting"]) == (12.5, 0)
    page = (graded / "feedback" / f"s01__{FIRST}.html").read_text(encoding="utf-8")
    assert "Well put." in page
