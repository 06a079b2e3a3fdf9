"""The command says what is wrong before it runs anything."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

import pytest
from gradlab_classroom.__main__ import COMMANDS, main
from gradlab_classroom.grading import command, feedback, grade_all, sandbox, student_text, summary
from gradlab_classroom.grading.result import GRADED, Mark, ungraded

from classroom.tests.notebooks_for_tests import FOURTH, as_bytes, cells, notebook
from classroom.tests.paths import COURSE_FILE


@pytest.fixture
def handed_in(tmp_path):
    folder = tmp_path / "in"
    (folder / "jane").mkdir(parents=True)
    own = notebook(cells(FOURTH, ["x = 1"] * 3), FOURTH)
    (folder / "jane/x.ipynb").write_bytes(as_bytes(own))
    return folder


def grade(folder, *more):
    return main(
        [
            "grade",
            str(folder),
            "--out",
            str(folder.parent / "out"),
            "--course",
            str(COURSE_FILE),
            *more,
        ]
    )


@pytest.fixture
def quick(monkeypatch):
    """Everybody who is graded gets all points, and nothing is run, nor drawn."""

    def mark(submission, assignment, options):
        given = assignment.functions.items()
        marks = tuple(Mark(name, of, of, "passed", "\ud800", 1.0) for name, of in given)
        written = student_text.written_answers(submission.document.cells, list(assignment.written))
        return replace(ungraded(submission, GRADED, ""), marks=marks, written=written)

    @contextmanager
    def here(workers, scheduler, folder):
        yield lambda tasks: ((name, task[0](*task[1:])) for name, task in tasks.items())

    monkeypatch.setattr(sandbox, "require", lambda: None)
    monkeypatch.setattr(grade_all, "grade_one", mark)
    monkeypatch.setattr(grade_all, "cluster_of", here)
    monkeypatch.setattr(summary, "draw", lambda parts: b"<svg/>")


def points_of(out):
    with (out / "canvas.csv").open(encoding="utf-8", newline="") as file:
        return {row["Student"]: row["Constraining weights"] for row in csv.DictReader(file)}


def mark_by_hand(out, *marks):
    """Write a ``written.csv`` in place, with these marks for jane."""
    lines = [f"jane,{FOURTH},not_a_gradient,{mark}" for mark in marks]
    text = "\n".join(["student,assignment,question,mark", *lines])
    (out / "written.csv").write_text(text + "\n")


def test_one_notebook_does_not_stop_the_reports_of_the_others(handed_in, quick, capsys):
    own = notebook(cells(FOURTH, ["x = 1"] * 3, words="What a day! ZZZ"), FOURTH)
    for name in ("joe", "好" * 80):
        (handed_in / name).mkdir()
        data = as_bytes(own).replace(b"ZZZ", b"\\ud800\\u0000\\u001b")
        (handed_in / name / "x.ipynb").write_bytes(data)
    (handed_in / "joe/x.ipynb").rename(handed_in / ("joe/" + "好" * 80 + ".ipynb"))
    assert grade(handed_in) == 0
    out = handed_in.parent / "out"
    assert points_of(out) == {
        "    Points Possible": "17",
        "jane": "14",
        "joe": "14",
        "好" * 80: "14",
    }
    with (out / "written.csv").open(encoding="utf-8-sig", newline="") as file:
        answers = {row["student"]: row["answer"] for row in csv.DictReader(file)}
    assert answers["joe"] == "What a day! ?"
    assert len(list((out / "feedback").iterdir())) == 3
    assert "3 graded" in (out / "summary.html").read_text(encoding="utf-8")
    assert len(json.loads((out / "scores.json").read_text(encoding="utf-8"))["submissions"]) == 3
    assert grade(handed_in) == 0  # with what is kept


def test_a_page_that_cannot_be_written_is_a_fault_of_the_machine(
    handed_in, quick, capsys, monkeypatch
):
    def fails(*arguments):
        raise OSError("no such luck")

    monkeypatch.setattr(feedback, "_contents", fails)
    assert grade(handed_in) == 1
    assert "Not written: the page of jane/x.ipynb: OSError: no such luck" in capsys.readouterr().err
    assert (handed_in.parent / "out/scores.json").is_file()


def test_a_disk_that_takes_nothing_is_named(handed_in, quick, capsys):
    (handed_in.parent / "out/summary.html").mkdir(parents=True)
    assert grade(handed_in) == 1
    assert "summary.html" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["30", "nan", "-5", "inf", "1e300", "1_0"])
def test_marks_filled_in_in_place_are_checked_before_anything_is_run(
    handed_in, quick, capsys, monkeypatch, mark
):
    assert grade(handed_in) == 0
    out = handed_in.parent / "out"
    mark_by_hand(out, "2.5")
    assert grade(handed_in) == 0
    assert points_of(out)["jane"] == "16.5"
    mark_by_hand(out, mark)
    monkeypatch.setattr(command, "grade_all", lambda *a, **k: pytest.fail("it was run"))
    assert grade(handed_in) == 2
    said = capsys.readouterr().err
    assert f"{out / 'written.csv'}" in said
    assert "row 2" in said
    assert points_of(out)["jane"] == "16.5"
    mark_by_hand(out, "1", "2")
    assert grade(handed_in) == 2
    assert "rows 2 and 3" in capsys.readouterr().err
    path = out / "written.csv"
    path.write_text(path.read_text().replace("jane", "ja\x1b[2Jne"))
    assert grade(handed_in) == 2
    assert "ja[2Jne" in capsys.readouterr().err  # a name commands no terminal


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701, 0o700])
def test_a_folder_that_others_can_read_is_warned_of_and_left(handed_in, quick, capsys, mode):
    out = handed_in.parent / "out"
    out.mkdir()
    out.chmod(mode)
    assert grade(handed_in) == 0
    warned = [line for line in capsys.readouterr().err.splitlines() if "chmod go=" in line]
    assert len(warned) == (mode != 0o700)
    assert out.stat().st_mode & 0o777 == mode


@pytest.mark.slow
def test_a_folder_for_a_set_that_others_can_read_is_warned_of(tmp_path, capsys):
    (tmp_path / "seed.txt").write_bytes(bytes(range(65, 97)).hex().encode())
    for name, warned in (("open", True), ("new", False)):
        out = tmp_path / name
        if warned:
            out.mkdir()
            out.chmod(0o755)
        assert main(["variants", "--seed-file", str(tmp_path / "seed.txt"), "--out", str(out)]) == 0
        assert ("chmod go=" in capsys.readouterr().err) == warned
        assert out.stat().st_mode & 0o777 == (0o755 if warned else 0o700)


def test_what_is_missing_is_named_with_what_to_do(tmp_path, handed_in, capsys, monkeypatch):
    monkeypatch.setattr(sandbox, "require", lambda: None)
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.zip").write_bytes(b"PK")
    (tmp_path / "colours.csv").write_text("colour\nred\n")
    strange = tmp_path / "course.yml"
    strange.write_text(COURSE_FILE.read_text().replace("max_norm: 5", "max_norms: 5"))
    for arguments, says in (
        ([tmp_path / "none"], "There is no folder"),
        ([tmp_path / "x.zip"], "unpack it"),
        ([tmp_path / "empty"], "There is no notebook in"),
        (
            [handed_in, "--assignment", "9_none"],
            "There is no assignment '9_none'. There are: 1_the",
        ),
        ([handed_in, "--roster", str(tmp_path / "none.csv")], "cannot be read"),
        ([handed_in, "--roster", str(tmp_path / "colours.csv")], "'student id' or 'name'"),
        ([handed_in, "--course", str(tmp_path / "none.yml")], "cannot be read"),
        ([handed_in, "--course", str(strange)], "There is no exercise 'max_norms'"),
        ([handed_in, "--out", str(handed_in)], "another folder"),
    ):
        assert grade(*arguments) == 2, says
        assert says in capsys.readouterr().err


def test_without_a_sandbox_nothing_is_run_unless_it_is_asked_for(handed_in, capsys, monkeypatch):
    def missing():
        raise sandbox.SandboxMissing("bubblewrap was not found. --unsafe does without.")

    monkeypatch.setattr(sandbox, "require", missing)
    monkeypatch.setattr(command, "grade_all", lambda *a, **k: pytest.fail("it was run"))
    assert grade(handed_in) == 2
    assert "bubblewrap was not found" in capsys.readouterr().err
    asked = []
    monkeypatch.setattr(
        command, "grade_all", lambda found, course, options, *a, **k: asked.append(options) or []
    )
    assert grade(handed_in, "--unsafe") == 0
    assert asked[0].unsafe
    assert "can read and change what you can" in capsys.readouterr().err


def test_folders_of_submissions_results_and_private_sets_are_hidden_from_submissions(
    handed_in, monkeypatch
):
    monkeypatch.setattr(sandbox, "require", lambda: None)
    asked = []
    monkeypatch.setattr(
        command, "grade_all", lambda found, course, options, *a, **k: asked.append(options) or []
    )
    assert grade(handed_in) == 0
    assert asked[0].hidden == (handed_in.resolve(), (handed_in.parent / "out").resolve())
    assert (handed_in.parent / "out").stat().st_mode & 0o077 == 0


def test_an_interrupt_is_answered_with_how_to_go_on(handed_in, capsys, monkeypatch):
    def interrupted(*arguments, **rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(sandbox, "require", lambda: None)
    monkeypatch.setattr(command, "grade_all", interrupted)
    assert grade(handed_in) == 130
    assert "the same command goes on" in capsys.readouterr().err


def test_each_command_has_its_own_help_and_imports_no_other(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["grade", "--help"])
    assert ended.value.code == 0
    assert "--scheduler" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    text = capsys.readouterr().out
    assert all(words in text for name in COMMANDS for words in (name, COMMANDS[name][1]))
    code = "import sys; from gradlab_classroom import __main__; sys.exit('jax' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_command_is_refused_with_those_that_are_known(capsys):
    with pytest.raises(SystemExit):
        main(["mark"])
    assert "grade" in capsys.readouterr().err
