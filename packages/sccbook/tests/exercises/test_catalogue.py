"""Exercises are found by their files, and a new one is tested with its bank at once."""

import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from tests.exercises import test_exercises, test_trivial_answers

import sccbook.exercises
from sccbook.exercises import check
from sccbook.exercises.catalogue import EXERCISES
from tools import new

FOLDER = Path(sccbook.exercises.__file__).parent


@pytest.fixture
def thrown_away(tmp_path, monkeypatch):
    """The folder of one more exercise, below ``tmp_path`` as the others are below the root."""
    folder = tmp_path / FOLDER.relative_to(new.ROOT)
    (folder / "thrown_away").mkdir(parents=True)
    (folder / "thrown_away" / "__init__.py").touch()
    monkeypatch.setattr(sccbook.exercises, "__path__", [*sccbook.exercises.__path__, str(folder)])
    yield folder / "thrown_away"
    for name in [name for name in sys.modules if "thrown_away" in name]:
        del sys.modules[name]


def test_every_folder_is_an_exercise():
    assert set(EXERCISES) == {path.parent.name for path in FOLDER.glob("*/exercise.py")}
    assert len(EXERCISES) == len(list(EXERCISES)) >= 35


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("raise RuntimeError('imported')", RuntimeError, "imported"),
        ("", TypeError, r"exercise\.py has no EXERCISE\. Write one"),
    ],
)
def test_a_file_is_known_before_it_is_imported_and_needs_an_exercise(
    thrown_away, text, error, words
):
    (thrown_away / "exercise.py").write_text(text)
    assert "thrown_away" in EXERCISES
    with pytest.raises(error, match=words):
        check("thrown_away", None)


def test_an_unknown_exercise_raises_an_error_that_lists_the_exercises():
    with pytest.raises(ValueError, match=r"no exercise 'scale_gradeint'.*'scale_gradient'"):
        check("scale_gradeint", None)


@pytest.mark.slow
def test_an_exercise_from_the_templates_passes_every_test(thrown_away, tmp_path):
    new.write("exercise", "thrown_away", tmp_path)
    options = {"usual": True, "step": 1, "places": range(3)}
    for name, test in {**vars(test_exercises), **vars(test_trivial_answers)}.items():
        if name.startswith("test_"):
            taken = options.keys() & signature(test).parameters
            test("thrown_away", **{option: options[option] for option in taken})


OF_JAX = {
    "find_the_line",
    "report_and_differentiate",
    "scaled_unroll",
    "three_places",
    "update_weights",
}
"""The exercises whose own answers are functions of JAX."""
WITHOUT_JAX = f"""
import sys
sys.modules |= dict.fromkeys(("jax", "jaxlib", "ml_dtypes"))
from sccbook.exercises import check, personal_numbers, points
from sccbook.exercises.catalogue import EXERCISES
assert all(EXERCISES[name] for name in EXERCISES if name not in {OF_JAX})
personal_numbers("ab123", "3_clipping")
print(points("half_step_factor", {{"half_step_factor": lambda g, e: e / abs(g)}}, of=2))
print(check("name_the_clip", lambda clip: "value").finding)
print(check("wrong_axis", lambda limit: [[0.9 * limit] * 4]).finding)
try:
    check("max_norm", lambda w, limit: w)
except ModuleNotFoundError as error:
    print(error)
assert not [name for name in sys.modules if name.startswith(("scaleclip", "explorax"))]
"""


def test_exercises_import_without_jax_operators_and_figures():
    run = subprocess.run([sys.executable, "-c", WITHOUT_JAX], capture_output=True, text=True)
    assert run.stderr == ""
    assert run.stdout.splitlines()[-4:] == [
        "2.0", "always_the_same", "passed",
        "This exercise runs your function in JAX: pip install jax.",
    ]  # fmt: skip
