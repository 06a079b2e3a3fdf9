"""A class is graded by one command: scores, feedback, tables and a summary; and marks can be changed."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from classroom.tests.answers import CAP
from classroom.tests.handed_in import (
    CLASS,
    COURSE,
    FIRST,
    FOURTH,
    GOOD,
    cell,
    file_of,
    first,
    fourth,
    hostile,
    roster,
    stored,
    without,
)
from classroom.tests.paths import ASSIGNMENTS
from classroom.tests.sandboxed import need_sandbox
from sccbook_classroom.grade import main

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")]

SAME = "It scales each gradient by one factor, and a clip cuts only those that are longer than a limit."
HELPER = "def cap(w, limit):\n    import numpy as np\n    n = np.linalg.norm(w, axis=0)\n    return w * limit / np.maximum(n, limit)\n"
TYPED_AGAIN = [
    *without("Your answer", without("def max_norm", without("points(", fourth(GOOD)))),
    cell(CAP["where"] + "\n\nmax_norm(np.eye(2), 0.5)"),
    cell(
        "**Your answer (not_a_gradient):**\n\nThe columns of the weights.<script>x()</script>",
        kind="markdown",
    ),
]
"""Every graded cell is gone; the answers stand in cells of their own."""
RAW = [one | {"cell_type": "raw"} if "Your answer" in "".join(one["source"]) else one
       for one in without("def max_norm", fourth(GOOD, words="In raw text."))]  # fmt: skip
ELSEWHERE = "import a_framework\n\ndef max_norm(w, limit):\n    return a_framework.cap(w, limit)"

OTHERS = {
    "typed": stored(TYPED_AGAIN),
    "changed": stored([*RAW, cell(ELSEWHERE)]),
    "same1": stored(first("one line", "a difference", words=SAME)),
    "same2": stored(first("a rule", "a difference", words=SAME.upper())),
    "blank": stored([cell("import caps"),
                     *without("def max_norm", fourth(GOOD, words="_(write here)_")),
                     cell("def max_norm(w, limit):\n    return caps.cap(w, limit)")]),
}  # fmt: skip
FEW = ("s12", "s15", "s22")


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def handed_in(folder: Path, students: Any) -> None:
    files = {file_of(one): CLASS[one][0] for one in students}
    write(folder, {k: v if isinstance(v, bytes) else stored(v) for k, v in files.items()})
    (folder.parent / "roster.csv").write_text(roster())


def grade(folder: Path, out: Path, *more: str) -> dict[str, dict[str, Any]]:
    """Grade a folder, and return its submissions by student."""
    own = ["--out", str(out), "--course", str(ASSIGNMENTS), *more]
    assert main([str(folder), *own]) == 0
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))
    return {one["student"]: one for one in scores["submissions"]}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Some of the class, and some whose cells are not as they were handed out."""
    need_sandbox()
    root = tmp_path_factory.mktemp("class")
    handed_in(root / "in", FEW)
    for student, data in OTHERS.items():
        assignment = FIRST if student.startswith("same") else FOURTH
        write(root / "in", {f"{student}/{assignment}.ipynb": data})
    write(root / "in", {"blank/caps.py": HELPER.encode()})
    return root, grade(root / "in", root / "out", "--roster", str(root / "roster.csv"))


def found(one: dict[str, Any]) -> list[tuple[str, float | None]]:
    return [(m["finding"], m["points"] and round(m["points"] / m["of"], 2)) for m in one["marks"]]


@pytest.mark.parametrize("student", FEW)
def test_each_gets_what_it_honestly_earns(graded: Any, student: str) -> None:
    assert found(graded[1][student]) == [*CLASS[student][1]]


@pytest.mark.exhaustive
def test_so_does_a_class_of_thirty(tmp_path: Path) -> None:
    need_sandbox()
    handed_in(tmp_path / "in", CLASS)
    scores = grade(tmp_path / "in", tmp_path / "out", "--roster", str(tmp_path / "roster.csv"))
    assert {who: found(one) for who, one in scores.items()} == {s: [*CLASS[s][1]] for s in CLASS}
    assert {who for who, one in scores.items() if one["status"] != "graded"} == {"s22", "s23"}


def test_a_cell_that_was_typed_again_or_changed_its_type_is_judged_and_reported(
    graded: Any,
) -> None:
    typed, changed = graded[1]["typed"], graded[1]["changed"]
    assert [mark["finding"] for mark in typed["marks"]] == ["passed"] * 3
    assert typed["texts"] == {"not_a_gradient": "The columns of the weights.<script>x()</script>"}
    assert "its cell 'max_norm' was gone, and was put back" in typed["notes"]
    assert changed["texts"] == {"not_a_gradient": "In raw text."}
    assert "was turned into raw, and was turned back" in "".join(changed["notes"])


def test_an_empty_answer_in_words_is_0_and_a_total_is_blank_while_anything_is_unmarked(
    graded: Any,
) -> None:
    blank, typed = graded[1]["blank"], graded[1]["typed"]
    assert (blank["written"][0]["points"], blank["points"]) == (0, 14)
    assert (typed["written"][0]["points"], typed["points"], typed["waiting"]) == (None, None, 1)


def test_what_could_not_be_run_here_is_left_open_with_what_to_do(graded: Any) -> None:
    mark = graded[1]["changed"]["marks"][0]
    assert mark["points"] is None
    assert "a_framework" in mark["why"]
    assert "Run it where you can" in mark["why"]


def test_files_beside_a_notebook_are_used(graded: Any) -> None:
    assert found(graded[1]["blank"])[0] == ("passed", 1.0)


def test_feedback_names_the_misconception_quotes_the_cell_and_calls_nothing_0_too_early(
    graded: Any,
) -> None:
    page = (graded[0] / f"out/feedback/s15/{FOURTH}/{FOURTH}.html").read_text(encoding="utf-8")
    assert "Not yet: the rows are capped" in page
    assert "def max_norm(w, limit):\n        n = jnp.linalg.norm(w, axis=1" in page
    assert page.count("Score: not marked yet / 3.0") == 2  # at the top, and at the answer
    assert "Score: not marked yet / 17.0" in page
    page = (graded[0] / f"out/feedback/typed/{FOURTH}/{FOURTH}.html").read_text(encoding="utf-8")
    assert "weights.&lt;script&gt;x()" in page
    assert "<script>x()" not in page


def test_the_summary_has_mistakes_the_same_words_and_names_behind_a_switch(graded: Any) -> None:
    page = (graded[0] / "out/summary.html").read_text(encoding="utf-8")
    assert "one_minus_scale" in page
    assert '<span class="who">same1, same2</span>' in page
    assert "To discuss" in page
    plain = re.sub(r'<span class="who">.*?</span>|href="[^"]*"', "", page)
    assert not re.search(r"\b(s12|s15|s22|same1|same2|blank)\b", plain)


def test_tables_for_canvas_and_moodle_have_the_total_where_all_is_marked(graded: Any) -> None:
    with (graded[0] / "out/canvas.csv").open(encoding="utf-8") as file:
        rows = {row["Student"]: row for row in csv.DictReader(file)}
    assert rows["    Points Possible"][COURSE.assignments[FOURTH].title] == "17"
    assert rows["blank"][COURSE.assignments[FOURTH].title] == "14"
    assert rows["Student 15"][COURSE.assignments[FOURTH].title] == ""
    assert rows["Student 15"]["ID"] == "1015"
    with (graded[0] / f"out/moodle_{FOURTH}.csv").open(encoding="utf-8") as file:
        moodle = {row["Full name"]: row for row in csv.DictReader(file)}
    assert moodle["Student 15"]["Identifier"] == "Participant 40015"
    assert moodle["Student 15"]["Feedback comments"].startswith("max_norm: 0 of 5; ")
    assert moodle["Student 1"]["Status"] == "No submission"


def test_a_changed_mark_stays_when_one_student_is_graded_again_and_nobody_else_is_touched(
    graded: Any, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(graded[0] / "out", out)
    with Gradebook(f"sqlite:///{out}/gradebook.db") as book:
        for entry in book.find_submission(FIRST, "s12").notebooks[0].grades:
            if entry.cell.name != "report_and_differentiate":
                entry.manual_score, entry.needs_manual_grade = 2.5, False
        book.find_assignment(FIRST).duedate = datetime.now(UTC).replace(tzinfo=None) - timedelta(
            hours=1
        )
        book.db.commit()
    people = ("--roster", str(graded[0] / "roster.csv"))
    handed_in(tmp_path / "in", ["s12"])
    scores = grade(tmp_path / "in", out, *people, "--again")
    own = scores.pop("s12")
    assert [(mark["points"], mark["by_hand"]) for mark in own["marks"]] == [(2.5, True), (1, False)]
    assert (own["penalty"], own["points"]) == (0.6, 5.4)  # a tenth of 6, for the day that has begun
    for who, one in scores.items():
        assert one["marks"] == graded[1][who]["marks"]
    write(tmp_path, {f"in/{file_of('s12')}": stored(first("one minus", "a rule"))})
    new = grade(tmp_path / "in", out, *people)[
        "s12"
    ]  # another notebook: the mark is looked at again
    assert [(mark["points"], mark["by_hand"]) for mark in new["marks"]] == [
        (None, True),
        (4, False),
    ]


@pytest.mark.exhaustive
def test_nbgraders_own_commands_grade_in_the_sandbox(tmp_path: Path) -> None:
    need_sandbox()
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy(ASSIGNMENTS / name, tmp_path)
    shutil.copytree(ASSIGNMENTS / "source", tmp_path / "source")
    leaves = hostile("an exit of the process")
    write(tmp_path, {f"submitted/doejo/{FOURTH}/{FOURTH}.ipynb": stored(leaves)})
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # as where an environment is activated
    for command in ("generate_assignment", "autograde"):
        own = [str(Path(sys.executable).with_name("nbgrader")), command, FOURTH]
        done = subprocess.run(
            own,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        (notebook,) = book.find_submission(FOURTH, "doejo").notebooks
        assert {each.cell.name: each.auto_score for each in notebook.grades} == {
            "max_norm": 5, "wrong_axis": 3, "three_places": 6, "written_not_a_gradient": None,
        }  # fmt: skip
    time = f"submitted/doejo/{FOURTH}/timestamp.txt"
    write(tmp_path, {time: b"2026-01-02 03:04:05 UTC"})
    own = [str(tmp_path / "submitted"), "--out", str(tmp_path), "--course", str(tmp_path)]
    assert main(own) == 0  # the same folder, as on a hub
    (one,) = json.loads((tmp_path / "scores.json").read_text())["submissions"]
    assert [mark["points"] for mark in one["marks"]] == [5, 3, 6]
    assert (tmp_path / time).read_bytes() == b"2026-01-02 03:04:05 UTC"
