"""Comparisons judge an answer by what it does."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.checking.comparisons import Comparison, Misconception
from sccbook.checking.descriptions import show
from sccbook.checking.findings import LONGEST, Case, Finding, Mistake
from sccbook.checking.forms import failed
from sccbook.checking.probes import FAILED, VALUE

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


def test_any_callable_can_be_an_answer():
    assert found(np.multiply).passed


def test_a_mistake_that_matches_every_case_is_named_with_the_numbers():
    finding = found(lambda a, x: np.asarray(x) + a)
    assert finding == Finding(
        "adds", "for a = 3 and x = [1, -2] it adds: [4.0, 1.0] for [3.0, -6.0]."
    )


def test_a_mistake_must_match_every_case_to_be_named():
    finding = found(lambda a, x: a + np.asarray(x) if a > 0 else np.asarray(x))
    assert finding.name == "wrong"
    assert (
        finding.message
        == "for a = 3 and x = [1, -2] the result should be [3.0, -6.0], not [4.0, 1.0]."
    )
    explained = found(lambda a, x: 2 * a * np.asarray(x), why=lambda a, x: f"a is {a:g}")
    assert explained.message.endswith("should be [3.0, -6.0], not [6.0, -12.0]: a is 3.")


def test_only_wrong_parts_are_shown():
    pair = {"right": lambda a, x: (a, a * x[0]), "misconceptions": (), "parts": ("a", "product")}
    finding = found(lambda a, x: (a, 0.0), **pair)
    assert finding.message == "for a = 3 and x = [1, -2] product should be 3.0, not 0.0."
    named = {"right": lambda a, x: {"a": a, "x": x[0]}, "misconceptions": ()}
    finding = found(lambda a, x: {"a": 0.0, "x": x[0]}, **named)
    assert finding.message.endswith("the result should be {'a': 3.0}, not {'a': 0.0}.")


def test_an_epsilon_hides_no_larger_mistake_and_is_found_alone():
    tiny = Case((1.0, [1e-7, 1e-7]), "for tiny numbers", tiny=True)
    cases, epsilon = (
        (*CASES, tiny),
        Misconception("epsilon", "it adds.", lambda a, x: right(a, x) + 1e-7),
    )
    options = {"cases": cases, "misconceptions": (KEEPS, epsilon)}
    assert found(lambda a, x: np.asarray(x) + 1e-7, **options).name == "keeps"
    assert found(lambda a, x: right(a, x) + 1e-7, **options).name == "epsilon"


def test_tolerance_scales_with_the_largest_number():
    assert found(lambda a, x: right(a, x) + np.array([3e-5, 0.0])).passed
    assert not found(lambda a, x: right(a, x) + np.array([3e-3, 0.0])).passed


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"a": np.array([1 / 3, 1e-9])}, "{'a': [0.3333, 1e-09]}"),
        ((1, None), "(1.0, None)"),
        (np.zeros((0, 2)), "[]"),
        (np.zeros((2, 10**6), bool), "an array of shape (2, 1000000)"),
        (tuple(range(25)), "(" + "".join(f"{n}.0, " for n in range(20)) + "...)"),
        (
            {f"{n:02}": n for n in range(25)},
            "{" + "".join(f"'{n:02}': {n}.0, " for n in range(20)) + "...}",
        ),
    ],
    ids=["a dict", "a tuple", "nothing", "a large array", "a long tuple", "a large dict"],
)
def test_large_results_are_shown_by_their_shape(result, shown):
    assert show(result) == shown
    assert len(show([["x" * 1000] * 50] * 50)) < LONGEST


FAILURES = ("no", ["x" * 100] * 9000, {"a": 1}, None, np.ones(2**20))


@pytest.mark.parametrize("failure", FAILURES, ids=range(len(FAILURES)))
def test_an_answer_cannot_forge_a_probes_error(failure):
    finding = found(lambda a, x: {FAILED: failure})
    assert finding.name == "structure_changed"
    assert "a dict with the keys 'failed', but" in finding.message
    assert failed({VALUE: 1.0, FAILED: failure}) == (failure if isinstance(failure, str) else None)


def test_a_large_dict_is_described_by_a_few_keys():
    finding = found(lambda a, x: {f"key {n:04}" * 10: n for n in range(9000)})
    assert finding.name == "structure_changed"
    assert len(finding.message) <= LONGEST


def test_every_result_is_read_before_any_is_compared():
    def refuse(value, case):
        if value is None:
            raise Mistake("refused", f"{case.words} it is None.")

    answers = iter([np.array([9.0, 9.0]), None])
    finding = found(lambda a, x: next(answers), read=refuse)
    assert finding == Finding("refused", "for a = -1 and x = [0.5, 4] it is None.")


def test_own_answers_are_observed_once_for_each_width():
    calls = []

    def counted(a, x):
        calls.append(jnp.zeros(()).dtype.name)
        return right(a, x)

    for wide in (False, True, False, True):
        with jax.enable_x64(wide):
            assert found(right, right=counted).passed
    assert calls == ["float32", "float32", "float64", "float64"]
