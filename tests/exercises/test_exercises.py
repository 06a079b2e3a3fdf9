"""What every exercise keeps: credit for near misses only, and a judge that needs no answer."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from gradlab.exercises import check
from gradlab.exercises.checking import findings, probes
from gradlab.exercises.checking import plain_data as plain
from gradlab.exercises.checking.catalogue import EXERCISES
from gradlab.exercises.checking.plain_data import Other
from gradlab.exercises.checking.probes import PROBES, VALUE, Answered, Seen, observe


def bank(name):
    """The module with an exercise's bank of answers."""
    return import_module(f"test_{name}")


def sent(value):
    """Plain data after a way through JSON."""
    return plain.decode(json.loads(json.dumps(plain.encode(value))))


def same(a, b):
    if isinstance(a, np.ndarray):
        return (
            type(b) is np.ndarray
            and a.dtype == b.dtype
            and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        )
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


@pytest.mark.parametrize("name", EXERCISES)
def test_a_near_miss_leaves_a_part_of_the_points_and_is_in_the_bank(name):
    for finding, part in EXERCISES[name].partial.items():
        assert finding in bank(name).WRONG
        assert 0 < part < 1


@pytest.mark.parametrize("name", EXERCISES)
def test_what_says_nothing_of_the_answer_itself_leaves_no_points(name):
    formal = {"passed", "wrong", "raises", "not_callable", "shape_changed", "structure_changed"}
    assert not (formal | {"returns_none", "returns_other"}) & set(EXERCISES[name].partial)


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_is_called_by_its_name_and_every_run_is_said_in_words_of_its_own(name):
    exercise = EXERCISES[name]
    assert exercise.name == name
    assert exercise.probe in PROBES
    assert len({case.words for case in exercise.cases}) == len(exercise.cases) >= 2


@pytest.mark.parametrize("name", EXERCISES)
def test_the_arguments_of_every_case_are_plain_data_and_arrive_as_they_were_sent(name):
    for case in EXERCISES[name].cases:
        assert same(plain.plain(case.arguments), case.arguments)
        assert same(sent(case.arguments), case.arguments)


@pytest.mark.parametrize("name", ["backward_by_hand", "clip_gradient_norm", "clipped_descent"])
def test_a_judge_far_from_the_answer_finds_what_check_finds(name):
    exercise, answers = EXERCISES[name], bank(name)
    right = answers.UNUSUAL if hasattr(answers, "UNUSUAL") else answers.RIGHT
    first = next(iter(right.values() if isinstance(right, dict) else right))
    wrong = [one for _, one in zip(range(6), answers.WRONG.values(), strict=False)]
    for answer in (first, answers.WRONG["raises"][0], None, *(one[0] for one in wrong)):
        seen = observe(exercise.probe, answer, [sent(case.arguments) for case in exercise.cases])
        arrived = Answered(
            tuple(Seen(sent(one.value), sent(one.error)) for one in seen.seen), sent(seen.kind)
        )
        found, here = exercise.judge(arrived), check(name, answer)
        assert (found.name, found.message) == (here.finding, here.message)
        assert exercise.credit(found) == here.credit


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", EXERCISES)
def test_a_judge_finds_fault_with_whatever_else_it_is_sent(name):
    exercise = EXERCISES[name]
    values = (
        *(None, True, 10**300, float("nan"), "x", Other("set"), 1j * np.ones(2)),
        *((), [], [None, [1, [2.0]]], {}, {VALUE: None}, {VALUE: np.zeros((0, 2))}, {"loss": 1.0}),
    )
    for value in values:
        answered = Answered((Seen(value),) * len(exercise.cases))
        assert not exercise.judge(answered).passed


SECRET = (
    "gradlab.exercises.checking.catalogue",
    "gradlab.exercises.checking.comparisons",
    "gradlab.ops",
)


def test_what_runs_beside_an_answer_imports_no_solution():
    """Not even one that another module brings along, and not within a function."""
    imported = "import sys, gradlab.exercises.checking.probes; print(*sys.modules, sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", imported], capture_output=True, text=True, check=True
    )
    modules = run.stdout.split()
    assert "gradlab.exercises.checking.plain_data" in modules
    assert not [one for one in modules if one.startswith(SECRET)]
    for module in (probes, plain, findings):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
        assert names
        assert not [name for name in names if name.startswith(SECRET)]
