"""One command turns a class's submissions into scores, feedback and a summary."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from gradlab_classroom.__main__ import main
from gradlab_classroom.grading import grade_all

from classroom.tests.handed_in import FOUR, THIRTY, Handed, roster
from classroom.tests.hostile import HOSTILE
from classroom.tests.notebooks_for_tests import FIRST, FOURTH, POINTS
from classroom.tests.paths import COURSE_FILE
from classroom.tests.sandboxed import need_sandbox

TITLES = {FIRST: "The missing function", FOURTH: "Constraining weights"}
CLASSES = pytest.mark.parametrize(
    ("handed_in", "workers"),
    [
        pytest.param(FOUR, 1, id="four"),
        pytest.param(THIRTY, 2, id="thirty"),
    ],
)


def points(handed: Handed) -> dict[str, float]:
    """Those of each function, as they should be."""
    worth = POINTS[handed.assignment]
    return {name: round(worth[name] * part, 2) for name, (_, part) in handed.findings.items()}


def test_there_are_thirty_of_four_kinds() -> None:
    assert len(THIRTY) == len({handed.student for handed in THIRTY}) == 30
    for handed in THIRTY[:10]:
        assert {part for _, part in handed.findings.values()} == {1.0}
    for handed in THIRTY[10:18]:
        assert any(part < 1 for _, part in handed.findings.values())
    texts = {text for submission in HOSTILE.values() for text in submission.cells}
    for handed in THIRTY[25:]:
        own = handed.data.decode()
        assert any(json.dumps(text.splitlines()[0])[1:-1] in own for text in texts)
    assert [THIRTY.index(handed) // 10 for handed in FOUR] == [0, 1, 2, 2]


@pytest.mark.exhaustive
@CLASSES
def test_one_command_grades_a_class_in_sandboxes_and_judges_it_outside(
    handed_in: list[Handed], workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()
    for handed in handed_in:
        path = tmp_path / "in" / handed.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(handed.data)
    (tmp_path / "roster.csv").write_text(roster(), encoding="utf-8")
    out = tmp_path / "out"
    command = ["grade", str(tmp_path / "in"), "--out", str(out), "--course", str(COURSE_FILE)]
    command += ["--roster", str(tmp_path / "roster.csv")]
    assert main([*command, "--workers", str(workers)]) == 0

    found = json.loads((out / "scores.json").read_text(encoding="utf-8"))["submissions"]
    scores = {result["student"]: result for result in found}
    assert len(found) == len(handed_in)
    for handed in handed_in:
        the_status_the_points_and_the_findings_are_right(handed, scores[handed.student])
        the_page_of_feedback_has_the_points_and_the_messages(handed, scores[handed.student], out)
    the_tables_have_the_points_and_a_blank_for_what_is_unreadable(handed_in, out)
    the_summary_has_the_picture_and_what_needs_a_look(handed_in, out)
    the_answers_in_words_wait_to_be_marked(handed_in, out)
    monkeypatch.setattr(grade_all, "cluster_of", None)
    the_same_command_takes_the_marks_and_runs_nothing(handed_in[0], command, tmp_path)


def the_status_the_points_and_the_findings_are_right(handed: Handed, found: dict) -> None:
    assert (found["status"], found["assignment"]) == (handed.status, handed.assignment)
    assert {mark["name"]: mark["points"] for mark in found["marks"]} == points(handed)
    assert {mark["name"]: mark["finding"] for mark in found["marks"]} == {
        name: finding for name, (finding, _) in handed.findings.items()
    }
    if handed.status == "graded":
        assert found["points"] == pytest.approx(sum(points(handed).values()))
        assert found["prediction"] == handed.prediction
        assert set(points(handed)) == set(POINTS[handed.assignment])
    else:
        assert found["points"] is None
    assert handed.note in " ".join([found["reason"], *found["notes"]])


def the_page_of_feedback_has_the_points_and_the_messages(
    handed: Handed, found: dict, out: Path
) -> None:
    page = (out / "feedback" / f"{handed.student}__{handed.assignment}.html").read_text("utf-8")
    if handed.status != "graded":
        assert "not graded yet" in page
        return
    for name, worth in points(handed).items():
        row = rf"<code>{name}</code></th><td>.*?</td><td class=\"n\">{worth:g}</td>"
        assert re.search(row, page), (handed.student, name)
    for mark in found["marks"]:
        assert mark["message"][:20].split("'")[0] in page.replace("&#39;", "'")


def the_tables_have_the_points_and_a_blank_for_what_is_unreadable(
    handed_in: list[Handed], out: Path
) -> None:
    with (out / "canvas.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["ID"]: row for row in csv.DictReader(file)}
    assignments = {handed.assignment for handed in handed_in}
    for handed in handed_in:
        row = rows[str(1000 + int(handed.student[1:]))]
        total = f"{round(sum(points(handed).values()), 2):g}" if handed.findings else ""
        expected = {name: total if name == handed.assignment else "" for name in assignments}
        assert {name: row[TITLES[name]] for name in assignments} == expected, handed.student
    for name in assignments:
        assert (out / f"moodle_{name}.csv").is_file()
        assert (out / f"feedback_{name}.zip").is_file()


def the_summary_has_the_picture_and_what_needs_a_look(handed_in: list[Handed], out: Path) -> None:
    page = (out / "summary.html").read_text(encoding="utf-8")
    unreadable = sum(handed.status == "unreadable" for handed in handed_in)
    graded = len(handed_in) - unreadable
    assert f"{graded} graded, {unreadable} unreadable, 0 that could not be run here" in page
    for handed in handed_in:
        assert handed.note.replace("'", "&#39;") in page
    assert (out / "summary.svg").stat().st_size > 10_000


def the_answers_in_words_wait_to_be_marked(handed_in: list[Handed], out: Path) -> None:
    with (out / "written.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert set(rows) == {handed.student for handed in handed_in if handed.status == "graded"}
    assert {row["mark"] for row in rows.values()} == {""}
    first = handed_in[0].student
    assert rows[first]["answer"] == f"By {first}."


def the_same_command_takes_the_marks_and_runs_nothing(
    handed: Handed, command: list[str], folder: Path
) -> None:
    lines = ["student,assignment,question,mark,comment"]
    lines.append(f"{handed.student},{FIRST},tell_apart,2.5,Well put.")
    (folder / "marks.csv").write_text("\n".join(lines) + "\n")
    assert main([*command, "--marks", str(folder / "marks.csv")]) == 0
    assert main(command) == 0  # the marks are kept
    found = json.loads((folder / "out" / "scores.json").read_text(encoding="utf-8"))["submissions"]
    (own,) = (result for result in found if result["student"] == handed.student)
    assert (own["points"], own["waiting"]) == (sum(points(handed).values()) + 2.5, 0)
    page = (folder / "out" / "feedback" / f"{handed.student}__{FIRST}.html").read_text("utf-8")
    assert "Well put." in page
