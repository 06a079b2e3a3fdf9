"""Exercises are found by their files, and a new one is tested with its bank of answers at once."""

import importlib
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import gradlab.exercises
from gradlab.exercises import check
from gradlab.exercises.checking.catalogue import EXERCISES, require_exercise
from tests.exercises import test_exercises, test_trivial_answers

TEMPLATES = Path(__file__).parents[2] / "tools" / "templates"
FOLDER = Path(gradlab.exercises.__file__).parent


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a module to where exercises are found too: ``write(name, text)``."""
    monkeypatch.setattr(gradlab.exercises, "__path__", [*gradlab.exercises.__path__, str(tmp_path)])

    def write_module(name, text):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        importlib.invalidate_caches()

    yield write_module
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"gradlab.exercises.{path.stem}", None)


def test_every_file_is_an_exercise():
    assert set(EXERCISES) == {path.stem for path in FOLDER.glob("[!_]*.py")}
    assert len(EXERCISES) == len(list(EXERCISES)) >= 19


def test_an_exercise_is_imported_when_it_is_asked_for_and_not_before(write):
    write("thrown_away", "raise RuntimeError('imported')")
    write("_shared", "")
    assert "thrown_away" in EXERCISES
    assert "_shared" not in EXERCISES
    require_exercise("thrown_away")
    with pytest.raises(RuntimeError, match="imported"):
        check("thrown_away", None)


def test_a_file_without_an_exercise_is_told_what_to_do(write):
    write("thrown_away", "")
    with pytest.raises(TypeError, match=r"thrown_away\.py has no EXERCISE\. Write one"):
        check("thrown_away", None)


def test_an_unknown_exercise_raises_an_error_that_lists_those_that_exist():
    with pytest.raises(ValueError, match=r"no exercise 'scale_gradeint'.*'scale_gradient'"):
        check("scale_gradeint", None)


def from_template(template):
    return (TEMPLATES / template).read_text(encoding="utf-8").replace("{name}", "thrown_away")


def test_what_is_made_from_the_templates_passes_every_test_at_once(write, tmp_path, monkeypatch):
    write("thrown_away", from_template("exercise.py.txt"))
    (tmp_path / "bank.py").write_text(from_template("test_exercise.py.txt"), encoding="utf-8")
    spec = spec_from_file_location("tests.exercises.test_thrown_away", tmp_path / "bank.py")
    bank = module_from_spec(spec)
    spec.loader.exec_module(bank)
    monkeypatch.setitem(sys.modules, spec.name, bank)
    for module in (test_exercises, test_trivial_answers):
        for name, test in vars(module).items():
            if name.startswith("test_"):
                options = {"usual": True, "places": range(3)}
                taken = test.__code__.co_varnames[: test.__code__.co_argcount]
                test("thrown_away", **{key: options[key] for key in taken if key in options})
