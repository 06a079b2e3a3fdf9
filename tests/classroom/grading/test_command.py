"""The command says what is wrong before it runs anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from notebooks_for_tests import FOURTH, as_bytes, cells, notebook

from gradlab.classroom.__main__ import COMMANDS, main
from gradlab.classroom.grading import command, sandbox

COURSE = Path(__file__).parents[3] / "assignments" / "course.yml"


@pytest.fixture
def handed_in(tmp_path):
    folder = tmp_path / "in"
    (folder / "jane").mkdir(parents=True)
    own = notebook(cells(FOURTH, ["x = 1"] * 3), FOURTH)
    (folder / "jane/x.ipynb").write_bytes(as_bytes(own))
    return folder


def grade(folder, *more):
    return main(
        ["grade", str(folder), "--out", str(folder.parent / "out"), "--course", str(COURSE), *more]
    )


def test_what_is_missing_is_named_with_what_to_do(tmp_path, handed_in, capsys, monkeypatch):
    monkeypatch.setattr(sandbox, "require", lambda: None)
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.zip").write_bytes(b"PK")
    (tmp_path / "colours.csv").write_text("colour\nred\n")
    strange = tmp_path / "course.yml"
    strange.write_text(COURSE.read_text().replace("max_norm: 5", "max_norms: 5"))
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
        command, "grade_all", lambda found, course, setting, *a, **k: asked.append(setting) or []
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
        command, "grade_all", lambda found, course, setting, *a, **k: asked.append(setting) or []
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
    code = "import sys; from gradlab.classroom import __main__; sys.exit('jax' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_command_is_refused_with_those_that_are_known(capsys):
    with pytest.raises(SystemExit):
        main(["mark"])
    assert "grade" in capsys.readouterr().err
