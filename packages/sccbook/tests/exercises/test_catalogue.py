"""Exercises are found by their files, and a new one is tested with its bank of answers at once."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

import pytest

import sccbook.exercises
from sccbook.exercises import check
from sccbook.checking.catalogue import EXERCISES, require_exercise
from tests.exercises import test_exercises, test_trivial_answers
from tools import new

FOLDER = Path(sccbook.exercises.__file__).parent


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder in which exercises are found too, below ``tmp_path`` as theirs is below the root."""
    folder = tmp_path / "sccbook" / "exercises"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sccbook.exercises, "__path__", [*sccbook.exercises.__path__, str(folder)])
    yield folder
    sys.modules.pop("sccbook.exercises.thrown_away", None)


def test_every_file_is_an_exercise():
    assert set(EXERCISES) == {path.stem for path in FOLDER.glob("[!_]*.py")}
    assert len(EXERCISES) == len(list(EXERCISES)) >= 19


def test_an_exercise_is_imported_when_it_is_asked_for_and_not_before(folder):
    (folder / "thrown_away.py").write_text("raise RuntimeError('imported')")
    (folder / "_shared.py").touch()
    assert "thrown_away" in EXERCISES
    assert "_shared" not in EXERCISES
    require_exercise("thrown_away")
    with pytest.raises(RuntimeError, match="imported"):
        check("thrown_away", None)


def test_a_file_without_an_exercise_is_told_what_to_do(folder):
    (folder / "thrown_away.py").touch()
    with pytest.raises(TypeError, match=r"thrown_away\.py has no EXERCISE\. Write one"):
        check("thrown_away", None)


def test_an_unknown_exercise_raises_an_error_that_lists_those_that_exist():
    with pytest.raises(ValueError, match=r"no exercise 'scale_gradeint'.*'scale_gradient'"):
        check("scale_gradeint", None)


@pytest.mark.slow
def test_what_is_made_from_the_templates_passes_every_test_at_once(folder, tmp_path, monkeypatch):
    (tmp_path / "tests" / "exercises").mkdir(parents=True)
    _, bank = new.write("exercise", "thrown_away", tmp_path)
    spec = spec_from_file_location("tests.exercises.test_thrown_away", bank)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, spec.name, module)
    options = {"usual": True, "step": 1, "places": range(3)}
    for name, test in {**vars(test_exercises), **vars(test_trivial_answers)}.items():
        if name.startswith("test_"):
            taken = options.keys() & signature(test).parameters
            test("thrown_away", **{option: options[option] for option in taken})
