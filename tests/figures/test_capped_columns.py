"""The columns in their ball: their numbers against the operator, Keras's formula and the proximal step."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from gradlab.figures import CappedColumns
from gradlab.figures.capped_columns import KERAS, NORMS, SHORT, WEIGHTS, WINDOW
from gradlab.ops import max_norm
from tests.figure_settings import assert_page_agrees


@pytest.mark.slow
@pytest.mark.parametrize("cap", [2.0, 0.9, 0.05])
@pytest.mark.parametrize(("name", "epsilon"), [("keras", KERAS), ("zero", 0.0)])
def test_the_columns_are_those_that_the_operator_leaves(cap, name, epsilon):
    figure = CappedColumns(times=2000, cap=cap, epsilon=name)
    with jax.enable_x64(True):
        expected = jax.lax.fori_loop(
            0, 2000, lambda _, w: max_norm(w, cap, epsilon=epsilon), WEIGHTS
        )
    np.testing.assert_allclose(figure.value["after"], expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("times", [1, 7, 1000])
def test_the_norms_are_those_of_the_formula_in_numpy(times):
    n = NORMS
    for _ in range(times):
        n = n * np.clip(n, 0, 2) / (1e-7 + n)
    value = CappedColumns(times=times).value
    np.testing.assert_allclose(value["kept"], n, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(value["after"], axis=0), n, rtol=1e-12)


def test_each_application_takes_epsilon_from_every_column_that_has_it():
    value = CappedColumns(times=1e5).value
    alive = value["size"] > 0.02
    start = np.minimum(value["size"], 2)
    np.testing.assert_allclose((start - value["kept"])[alive], 0.01, atol=1e-6)
    assert value["kept"][3] == 0
    assert value["gone"] == 1
    assert float(value["expected"]) == pytest.approx(float(value["left"]), abs=1e-6)


def test_without_epsilon_a_hundred_thousand_applications_do_what_one_does():
    once, often = (CappedColumns(times=t, epsilon="zero").value for t in (1, 1e5))
    np.testing.assert_allclose(often["after"], once["after"], rtol=1e-15)
    np.testing.assert_allclose(once["kept"], np.minimum(NORMS, 2), rtol=1e-15)
    assert often["capped"] == 1
    assert often["gone"] == 0


def test_the_magnified_columns_are_the_first_ones_and_fit_into_their_window():
    value = CappedColumns(times=30_000).value
    np.testing.assert_array_equal(value["short"], value["before"][:, :SHORT])
    np.testing.assert_array_equal(value["short_after"], value["after"][:, :SHORT])
    assert np.all(np.abs(value["short"]) < WINDOW)
    assert np.all(NORMS[SHORT:] > WINDOW)


@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ({}, 2),
        ({"epsilon": "zero"}, 1),
        ({"epsilon": "zero", "cap": 0.05}, 0),
        ({"cap": 0.01}, 2),
        ({"times": 1.0}, 2),
    ],
)
def test_the_right_choice_is_computed(settings, answer):
    assert CappedColumns(**settings).value["answer"] == answer


def test_the_question_is_asked_where_its_answer_is_that_it_shrinks():
    prediction = CappedColumns.spec.prediction
    value = CappedColumns(**prediction.settings).value
    assert "0.09" in prediction.options[int(value["answer"])]
    assert round(float(value["left"]), 2) == 0.09


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "After 100,000 applications with ε = 10⁻⁷, under a cap of 2 the column of norm 0.1 keeps 0.0900."),
        ({}, "as good as gone: 1 of 6 columns."),
        ({"times": 1}, "After one application with ε = 10⁻⁷"),
        ({"times": 1.4}, "After one application"),
        ({"times": 1.6}, "After 2 applications"),
        ({"epsilon": "zero"}, "keeps 0.1000. Cut to the cap: 1 of 6 columns; the others stay."),
        ({"epsilon": "zero", "times": 1, "cap": 0.05}, "After one application with ε = 0, under a cap of 0.05 the column of norm 0.1 keeps 0.0500."),
        ({"cap": 0.01}, "as good as gone: 1 of 6"),
    ],
)  # fmt: skip
def test_the_sentence_says_what_is(settings, words):
    assert words in CappedColumns(**settings).sentence


def test_the_page_runs_a_hundred_thousand_applications_as_jax_does(run_in_node):
    settings = [
        {"times": times, "cap": cap, "epsilon": epsilon}
        for times, cap, epsilon in (
            (1e5, 2.0, "keras"),
            (1e5, 0.05, "zero"),
            (31622.7, 2.6, "keras"),
        )
    ]
    assert_page_agrees(CappedColumns(), settings, run_in_node)
