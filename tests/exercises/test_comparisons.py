"""An answer is judged by what it does beside the right one and beside known mistakes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.exercises.checking.comparisons import Comparison, Misconception, in_numpy
from gradlab.exercises.checking.descriptions import show
from gradlab.exercises.checking.findings import LONGEST, Case, Mistake
from gradlab.exercises.checking.forms import failed
from gradlab.exercises.checking.plain_data import Other
from gradlab.exercises.checking.probes import FAILED, VALUE, Observation, Observations

CASES = (
    Case((3.0, [1.0, -2.0]), "for a = 3 and x = [1, -2]"),
    Case((-1.0, [0.5, 4.0]), "for a = -1 and x = [0.5, 4]"),
)


def right(a, x):
    return a * jnp.asarray(x)


ADDS = Misconception(
    "adds", "{run} it adds: {given} for {expected}.", lambda a, x: a + jnp.asarray(x)
)
KEEPS = Misconception("keeps", "it keeps x.", lambda a, x: jnp.asarray(x))


def found(answer, **options):
    """Return what a comparison finds in what its probe sees of an answer."""
    options = {
        "cases": CASES,
        "right": right,
        "misconceptions": (ADDS, KEEPS),
        "passed": "it multiplies.",
    } | options
    return Comparison(**options).exercise("x").examine(answer)


@pytest.mark.parametrize(
    "answer",
    [
        right,
        lambda a, x: np.array([a * number for number in x]),
        lambda a, x: jnp.asarray(x, jnp.float32) * a * (1 + 1e-6),
    ],
)
def test_a_right_answer_passes_however_it_is_written(answer):
    finding = found(answer)
    assert (finding.name, finding.message, finding.passed) == ("passed", "it multiplies.", True)


def test_the_mistake_that_does_the_same_in_every_case_is_named_with_the_numbers():
    finding = found(lambda a, x: np.asarray(x) + a)
    assert finding.name == "adds"
    assert finding.message == ("for a = 3 and x = [1, -2] it adds: [4.0, 1.0] for [3.0, -6.0].")
    assert not finding.passed


def test_a_mistake_is_not_named_for_what_it_does_in_one_case_only():
    finding = found(lambda a, x: a + np.asarray(x) if a > 0 else np.asarray(x))
    assert finding.name == "wrong"
    assert "should be [3.0, -6.0], but it is [4.0, 1.0]" in finding.message


def test_what_is_returned_in_another_form_is_said():
    assert found(lambda a, x: None).name == "returns_none"
    assert found(lambda a, x: {"x": a}).name == "structure_changed"
    assert found(lambda a, x: (a, x)).name == "structure_changed"
    assert found(lambda a, x: a).name == "shape_changed"
    assert found(lambda a, x: "three").name == "returns_other"
    assert found(3.0).name == "not_callable"


def test_an_answer_that_raises_is_told_what_and_where():
    finding = found(lambda a, x: 1 / 0)
    assert finding.name == "raises"
    assert finding.message.startswith("for a = 3 and x = [1, -2] it raised ZeroDivisionError")


def test_what_is_observed_may_be_a_derivative():
    x, g = np.array([1.0, -2.0], np.float32), np.array([0.5, 3.0], np.float32)
    cases = [Case((x, g, 3.0), "for x = [1, -2] and a = 3")]

    def times(x, a):
        return a * x

    def found_of(answer):
        keeps = Misconception("keeps", "it keeps x.", lambda x, a: x)
        return found(answer, cases=cases, right=times, misconceptions=[keeps], probe="at_tensor")

    assert found_of(times).passed
    assert found_of(lambda x, a: x + jax.lax.stop_gradient(2 * x)).name == "wrong"
    assert found_of(lambda x, a: 1.0 * x).name == "keeps"
    raises = found_of(lambda x, a: a * np.asarray(x))
    assert raises.name == "raises"
    assert "while JAX differentiates it, it raised TracerArrayConversionError" in raises.message


def test_what_the_exercise_knows_may_be_observed_without_the_probe():
    options = {
        "right": np.multiply,
        "misconceptions": [Misconception("keeps", "it keeps x.", lambda a, x: x)],
        "reference_probe": lambda answer, a, x: in_numpy(answer, a, np.array(x)),
    }
    assert found(lambda a, x: a * np.asarray(x), **options).passed
    assert found(lambda a, x: np.array(x), **options).name == "keeps"
    assert found(lambda a, x: x, **options).name == "structure_changed"


def test_nothing_is_compared_where_the_first_result_is_refused():
    def refuse(value, case):
        raise Mistake("refused", f"{case.words} it is {value}.")

    finding = found(lambda a, x: a, read=refuse)
    assert (finding.name, finding.message) == ("refused", "for a = 3 and x = [1, -2] it is 3.0.")


def test_a_judge_finds_fault_with_whatever_else_is_sent():
    judge = Comparison(cases=CASES, right=right, misconceptions=(), passed="")
    values = (10**300, "3", 1j * np.ones(2), Other("set"), {VALUE: None}, [[]], np.zeros((0, 2)))
    for value in values:
        assert not judge(Observations((Observation(value), Observation(value)))).passed


def test_nan_is_no_right_answer_and_may_be_a_known_mistake():
    assert found(lambda a, x: np.full(2, np.nan)).name == "wrong"
    nan = Misconception("nan", "it is NaN.", lambda a, x: np.full(2, np.nan))
    assert found(lambda a, x: np.asarray(x) * np.nan, misconceptions=[nan]).name == "nan"


def test_small_numbers_beside_large_ones_are_compared_to_the_large_ones_rounding():
    assert found(lambda a, x: right(a, x) + np.array([3e-5, 0.0])).passed
    assert not found(lambda a, x: right(a, x) + np.array([3e-3, 0.0])).passed


def test_results_are_shown_in_a_few_figures():
    assert show({"a": np.array([1 / 3, 1e-9])}) == "{'a': [0.3333, 1e-09]}"
    assert show((1, None)) == "(1.0, None)"
    assert show(np.zeros((0, 2))) == "[]"


def test_a_large_result_is_shown_by_its_form():
    assert show(np.zeros((2, 10**6), bool)) == "an array of shape (2, 1000000)"
    assert show(tuple(range(25))) == "(" + "".join(f"{n}.0, " for n in range(20)) + "...)"
    assert show({f"{n:02}": n for n in range(25)}).endswith("'19': 19.0, ...}")
    assert len(show([["x" * 1000] * 50] * 50)) < LONGEST


FAILURES = ("no", ["x" * 100] * 9000, {"a": 1}, None, np.ones(2**20))


@pytest.mark.parametrize("failure", FAILURES, ids=range(len(FAILURES)))
def test_a_word_of_the_probe_is_the_answers_own_where_the_probe_does_not_say_it(failure):
    finding = found(lambda a, x: {FAILED: failure})
    assert finding.name == "structure_changed"
    assert "a dict with the keys 'failed', but" in finding.message
    assert failed({VALUE: 1.0, FAILED: failure}) == (failure if isinstance(failure, str) else None)


def test_a_dict_of_many_keys_is_described_by_a_few():
    finding = found(lambda a, x: {f"key {n:04}" * 10: n for n in range(9000)})
    assert finding.name == "structure_changed"
    assert len(finding.message) <= LONGEST


def test_every_result_is_looked_at_before_any_is_compared():
    def refuse(value, case):
        if value is None:
            raise Mistake("refused", f"{case.words} it is None.")

    answers = iter([np.array([9.0, 9.0]), None])
    finding = found(lambda a, x: next(answers), read=refuse)
    assert (finding.name, finding.message) == ("refused", "for a = -1 and x = [0.5, 4] it is None.")


def test_what_the_exercise_knows_is_observed_once_for_each_width():
    calls = []

    def counted(a, x):
        calls.append(jnp.zeros(()).dtype.name)
        return right(a, x)

    for wide in (False, True, False, True):
        with jax.enable_x64(wide):
            assert found(right, right=counted).passed
    assert calls == ["float32", "float32", "float64", "float64"]
