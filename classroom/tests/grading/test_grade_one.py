"""One submission: points, findings, prediction and words; and no points where it is not its fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gradlab_classroom.course import load
from gradlab_classroom.grading import likeness, sandbox
from gradlab_classroom.grading.grade_one import GradingOptions, exercises_of, grade_one
from gradlab_classroom.grading.reading import parsed
from gradlab_classroom.grading.submissions import Submission
from gradlab_classroom.variants import private

from classroom.tests.answers import AXIS, CAP, PLACES
from classroom.tests.notebooks_for_tests import FOURTH, as_bytes, cells, code, notebook
from classroom.tests.paths import COURSE_FILE
from classroom.tests.sandboxed import need_sandbox
from gradlab.exercises.checking.findings import Case, Exercise
from gradlab.exercises.checking.probes import Observation, Observations, observe
from gradlab.ops import max_norm

COURSE = load(COURSE_FILE)
ASSIGNMENT = COURSE.assignments[FOURTH]
WHOLE = cells(FOURTH, [CAP["where"], AXIS["limit ignored"], PLACES["no cap"]], prediction="a")


def submission(given=WHOLE):
    return Submission("jane", FOURTH, "jane.ipynb", parsed(as_bytes(notebook(given))))


def ran_as(**changes):
    """Stand in for the sandbox, where a test is not about it."""
    plain = sandbox.Ran("finished", "", {}, {}, {}, "", (), 1.0)
    return lambda *arguments, **rest: replace(plain, **changes)


@pytest.mark.slow
def test_a_submission_is_run_in_the_sandbox_and_judged_outside_of_it():
    need_sandbox()
    found = grade_one(submission(), ASSIGNMENT, GradingOptions())
    assert found.status == "graded"
    assert [(mark.name, mark.points, mark.of, mark.finding) for mark in found.marks] == [
        ("max_norm", 5, 5, "passed"),
        ("wrong_axis", 0.99, 3, "limit_ignored"),
        ("three_places", 3, 6, "no_cap"),
    ]
    assert found.points == 8.99
    assert found.prediction == "a"
    assert found.written == {"not_a_gradient": "In words."}
    assert found.errors == {}


def test_points_are_those_of_the_course_whatever_the_notebook_claims(monkeypatch):
    rich = [
        cell | {"metadata": {"nbgrader": {"points": 100}, "tags": ["passed"]}} for cell in WHOLE
    ]
    monkeypatch.setattr(sandbox, "run", ran_as())
    found = grade_one(submission(rich), ASSIGNMENT, GradingOptions())
    assert [(mark.of, mark.points, mark.finding) for mark in found.marks] == [
        (5, 0, "missing"),
        (3, 0, "missing"),
        (6, 0, "missing"),
    ]


def test_the_sandbox_gets_code_and_questions_and_nothing_else(monkeypatch):
    asked = {}

    def run(sources, questions, variables, **rest):
        asked.update(rest, sources=sources, questions=questions, variables=variables)
        return ran_as()()

    monkeypatch.setattr(sandbox, "run", run)
    grade_one(submission(), ASSIGNMENT, GradingOptions(hidden=(Path("/secret"),)))
    assert asked["sources"] == ["".join(cell["source"]) for cell in WHOLE if "outputs" in cell]
    assert [question.name for question in asked["questions"]] == list(ASSIGNMENT.functions)
    assert asked["variables"] == ("prediction",)
    assert (asked["unsafe"], asked["hidden"]) == (False, (Path("/secret"),))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("b", "b"),
        (" c ", "c"),
        (..., ""),
        (None, ""),
        (2, "2"),
        (np.ones(2), "array([1., 1.])"),
        ("x" * 999, "x" * 200),
    ],
)
def test_a_prediction_is_recorded_as_text(monkeypatch, value, text):
    monkeypatch.setattr(sandbox, "run", ran_as(variables={"prediction": value}))
    assert grade_one(submission(), ASSIGNMENT, GradingOptions()).prediction == text


def test_what_could_not_be_run_here_has_no_points_rather_than_none_of_them(monkeypatch):
    monkeypatch.setattr(sandbox, "run", ran_as(status="machine", detail="no memory was left"))
    found = grade_one(submission(), ASSIGNMENT, GradingOptions())
    assert (found.status, found.reason, found.marks, found.points) == (
        "machine",
        "no memory was left",
        (),
        None,
    )


def test_a_notebook_that_cannot_be_read_is_the_instructors_to_decide():
    found = grade_one(
        Submission("jane", FOURTH, "x.ipynb", problem="it is empty"), ASSIGNMENT, GradingOptions()
    )
    assert (found.status, found.reason, found.points) == ("unreadable", "it is empty", None)


def test_a_function_that_is_missing_says_which_cell_failed_first(monkeypatch):
    monkeypatch.setattr(sandbox, "run", ran_as(errors={4: "SyntaxError: no", 2: "NameError: jx"}))
    found = grade_one(submission(), ASSIGNMENT, GradingOptions())
    assert "number 3 of those with code: NameError: jx" in found.marks[0].message
    assert found.errors == {3: "NameError: jx", 5: "SyntaxError: no"}


def test_what_is_not_right_is_left_open_where_a_part_was_not_run(monkeypatch):
    exercise = exercises_of(ASSIGNMENT, None)["wrong_axis"]
    runs = [case.arguments for case in exercise.cases]
    right = observe("returned", lambda c: [[0.9 * c] * 4], runs)
    absent = ran_as(
        answers={"wrong_axis": right},
        errors={len(WHOLE): "ModuleNotFoundError: No module named 'helper'"},
    )
    monkeypatch.setattr(sandbox, "run", absent)
    given = submission([*WHOLE, code("%%writefile helper.py\n..."), code("import helper")])
    found = grade_one(given, ASSIGNMENT, GradingOptions())
    assert [mark.points for mark in found.marks] == [None, 3, None]
    assert (found.status, found.points) == ("graded", None)
    assert "begins with '%%writefile helper.py', was not run" in found.unrun[0]
    assert found.as_json()["unrun"] == found.unrun


def test_why_a_run_ended_early_is_told_and_noted_once(monkeypatch):
    detail = "in cell 3 it took more than 120 s"
    stopped = ran_as(status="time", detail=detail, notes=(f"{detail}; it was run without calls",))
    monkeypatch.setattr(sandbox, "run", stopped)
    found = grade_one(submission(), ASSIGNMENT, GradingOptions())
    assert found.status == "graded"
    assert found.marks[0].message == f"there is no function called max_norm. {detail}"
    assert found.notes == (f"{detail}; it was run without calls",)


def test_answers_that_were_seen_count_however_the_run_ended(monkeypatch):
    exercise = exercises_of(ASSIGNMENT, None)["wrong_axis"]
    seen = observe(
        "returned", lambda c: [[0.9 * c] * 4], [case.arguments for case in exercise.cases]
    )
    late = ran_as(status="time", answers={"wrong_axis": seen, "max_norm": Observations(kind="int")})
    monkeypatch.setattr(sandbox, "run", late)
    found = {
        mark.name: mark for mark in grade_one(submission(), ASSIGNMENT, GradingOptions()).marks
    }
    assert found["wrong_axis"].points == 3
    assert found["max_norm"].finding == "not_callable"


def broken(error):
    def judge(answered):
        raise error

    return judge


@pytest.mark.parametrize("error", [KeyError("back"), RecursionError("deep"), MemoryError()])
def test_what_a_judge_raises_costs_that_function_alone_and_is_noted(monkeypatch, error):
    public = exercises_of(ASSIGNMENT, None)
    exercises = {**public, "max_norm": replace(public["max_norm"], judge=broken(error))}
    seen = {
        name: observe(
            mark.probe, lambda c: [[0.9 * c] * 4], [case.arguments for case in mark.cases]
        )
        for name, mark in public.items()
    }
    monkeypatch.setattr(f"{grade_one.__module__}.exercises_of", lambda *_: exercises)
    monkeypatch.setattr(sandbox, "run", ran_as(answers=seen))
    found = grade_one(submission(), ASSIGNMENT, GradingOptions())
    assert found.status == "graded"
    assert [(mark.finding, mark.points) for mark in found.marks[:2]] == [
        ("not_judged", 0),
        ("passed", 3),
    ]
    assert "could not be judged" in found.marks[0].message
    (note,) = found.notes
    assert note.startswith(
        f"max_norm could not be judged, and has 0 points: {type(error).__name__}"
    )


def test_what_is_only_advice_changes_no_status_and_no_points(monkeypatch):
    monkeypatch.setattr(sandbox, "run", ran_as())
    for name in ("trees", "fingerprints", "borrowed"):
        with monkeypatch.context() as patch:
            patch.setattr(likeness, name, lambda *_: 1 / 0)
            found = grade_one(submission(), ASSIGNMENT, GradingOptions())
        assert (found.status, found.prints, len(found.marks)) == ("graded", {}, 3)
        (note,) = found.notes
        assert "text of its code could not be looked at: ZeroDivisionError" in note


def test_a_function_of_two_thousand_terms_is_graded_as_any_other(monkeypatch):
    monkeypatch.setattr(sandbox, "run", ran_as())
    deep = code("def max_norm(w, limit):\n    return " + "1 + " * 2000 + "1")
    found = grade_one(submission([*WHOLE, deep]), ASSIGNMENT, GradingOptions())
    assert (found.status, found.notes) == ("graded", ())
    assert "max_norm" not in found.prints


def test_a_private_exercise_comes_before_a_public_one(monkeypatch):
    own = Exercise("max_norm", "returned", [Case((1.0,), "for 1")], judge=lambda answered: None)

    def load(folder):
        assert folder == Path("private")
        return {"max_norm": own}

    monkeypatch.setattr(private, "load", load)
    found = exercises_of(ASSIGNMENT, Path("private"))
    assert found["max_norm"] is own
    assert found["wrong_axis"] is exercises_of(ASSIGNMENT, None)["wrong_axis"]


@pytest.mark.slow
def test_the_packages_own_function_is_noted_and_costs_nothing(monkeypatch):
    exercise = exercises_of(ASSIGNMENT, None)["max_norm"]
    seen = observe(exercise.probe, max_norm, [case.arguments for case in exercise.cases])
    monkeypatch.setattr(sandbox, "run", ran_as(answers={"max_norm": seen}))
    own = [cell for cell in WHOLE if "def max_norm" not in "".join(cell["source"])]
    given = [own[0], code(CAP["gradlab's"]), *own[1:]]
    found = grade_one(submission(given), ASSIGNMENT, GradingOptions())
    assert found.marks[0].points == 5
    assert found.notes == ("it imports max_norm from gradlab.ops, and is asked to write it",)


def test_a_judge_may_not_be_asked_what_nobody_saw():
    seen = Observations((Observation(error="it took longer than 20 s"),) * 6)
    found = exercises_of(ASSIGNMENT, None)["max_norm"].judge(seen)
    assert found.name == "raises"
    assert found.message == "it took longer than 20 s."
    assert not found.passed
