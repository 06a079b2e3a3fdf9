"""Norms under a cap: the figure's numbers against Keras's formula, run step by step in NumPy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.figures import CappedColumns
from sccbook.figures.capped_columns.figure import COLUMNS, KERAS, OTHERS, TIMES
from scaleclip.ops import max_norm
from tests.figure_settings import assert_page_agrees


def keras(norms, cap, epsilon, dtype, times):
    """``keras.constraints.MaxNorm`` on columns of one weight, as it is written there."""
    w, cap, epsilon = (np.asarray(x, dtype) for x in (norms, cap, epsilon))
    for _ in range(times):
        n = np.sqrt(np.square(w))
        w = w * (np.clip(n, 0, cap) / (epsilon + n))
    return w


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("norm", "cap", "epsilon"), [(0.1, 2.0, KERAS), (2.5, 4.0, KERAS), (1.9, 3.9, 1e-6)]
)
def test_100_000_applications_are_keras_formula_run_bit_for_bit(norm, cap, epsilon, dtype):
    figure = CappedColumns(norm=norm, cap=cap, epsilon=epsilon, dtype=dtype)
    start = [(OTHERS | {"lost": norm})[name] for name in COLUMNS]
    found = keras(start, cap, epsilon, dtype, 100_000)
    np.testing.assert_array_equal(figure.value["after"], found.astype(np.float64))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_on_the_way_there_the_norms_are_keras_formula_run_bit_for_bit(dtype):
    value = CappedColumns(dtype=dtype, epsilon=1e-6).value
    start = np.asarray(OTHERS["short"], dtype).astype(float)
    for i in (0, 1, 2, 5, 9, 20):
        found = keras(OTHERS["short"], 2.0, 1e-6, dtype, int(TIMES[i]))
        assert value["short"][i] == start - found.astype(float), TIMES[i]


@pytest.mark.parametrize("norm", [2.1, 2.5, 3.0, 3.9])
def test_in_float32_nothing_is_lost_from_a_norm_of_2_on(norm):
    value = CappedColumns(norm=norm, cap=4.0).value
    assert not np.any(value["lost"])
    assert value["left"] == np.float32(norm)
    assert CappedColumns(norm=norm, cap=4.0, dtype="float64").value["gone"] == pytest.approx(0.01)


@pytest.mark.parametrize("norm", [0.02, 0.1, 0.5, 1.0, 1.5, 1.9])
def test_in_float32_each_application_takes_about_epsilon_below_a_norm_of_2(norm):
    each = CappedColumns(norm=norm).value["gone"] / 1e5
    assert 0.89e-7 < each < 1.2e-7
    assert CappedColumns(norm=norm, dtype="float64").value["gone"] == pytest.approx(0.01, rel=1e-4)


@pytest.mark.slow
def test_the_operator_with_kerass_epsilon_leaves_as_much():
    with jax.enable_x64(True):
        w = jnp.array([[(OTHERS | {"lost": 0.1})[name] for name in COLUMNS]])
        loop = lambda _, w: max_norm(w, 2.0, epsilon=KERAS)
        found = jax.lax.fori_loop(0, 100_000, loop, w)[0]
    after = CappedColumns(dtype="float64").value["after"]
    np.testing.assert_allclose(after, found, rtol=1e-9, atol=1e-12)


def test_the_question_is_asked_where_both_lose_a_hundredth_give_or_take_the_rounding():
    prediction = CappedColumns.spec.prediction
    value = CappedColumns(**prediction.settings).value
    assert f"it has lost {value['beside']:.4f}." in prediction.question
    assert value[prediction.answer] == pytest.approx(0.01, rel=0.05)
    assert value["beside"] == pytest.approx(0.01, rel=0.2)


def test_the_norms_begin_where_they_are_and_what_the_cap_cuts_off_is_no_loss():
    value = CappedColumns().value
    for i, name in enumerate(COLUMNS):
        norms = value[f"norm_{name}"]
        assert (norms[0], norms[-1]) == (value["before"][i], value["after"][i])
        np.testing.assert_array_equal(value[name], np.minimum(norms[0], 2.0) - np.minimum(norms, 2))
    assert np.all(value["norm_tall"][1:] == 2)


def test_in_float64_the_lines_are_one_and_straight_until_nothing_is_left():
    value = CappedColumns(norm=2.5, cap=1.5, dtype="float64").value
    line = 1e-4 * value["thousands"]
    for name in ("lost", "tall", "wide"):
        np.testing.assert_allclose(value[name], line, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(value["short"], np.minimum(line, 0.005), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "under the cap, and shrinks all the same: after 100,000 applications its norm is 0.0903."),
        ({"norm": 0.005}, "and shrinks to nothing: each application takes about 1 × 10⁻⁷"),
        ({"norm": 2.5, "cap": 4.0}, "loses nothing: 2.5 + 1 × 10⁻⁷ is rounded to 2.5"),
        ({"norm": 0.1, "cap": 0.05}, "cut to the cap at once, and then shrinks like those below it"),
        ({"norm": 2.5, "cap": 0.01}, "cut to the cap at once, and then shrinks to nothing"),
        ({"norm": 2.5}, "stays there: 2 + 1 × 10⁻⁷ is rounded to 2."),
    ],
)  # fmt: skip
def test_the_sentence_says_what_is(settings, words):
    assert words in CappedColumns(**settings).sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_where_the_sentence_says_that_the_sum_is_rounded_float32_rounds_it():
    for norm in np.geomspace(0.001, 4.0, 60):
        for epsilon in (1e-8, 1e-7, 1e-6):
            figure = CappedColumns(norm=float(norm), cap=4.0, epsilon=epsilon)
            absorbed = np.float32(norm) + np.float32(epsilon) == np.float32(norm)
            assert ("is rounded to" in figure.sentence) == absorbed, (norm, epsilon)


def test_the_page_runs_a_hundred_thousand_applications_as_jax_does(run_in_node):
    settings = [
        {"norm": 0.1, "cap": 2.0, "epsilon": KERAS, "dtype": "float32"},
        {"norm": 3.3, "cap": 0.05, "epsilon": 3e-7, "dtype": "float32"},
        {"norm": 2.5, "cap": 4.0, "epsilon": 1e-8, "dtype": "float64"},
    ]
    assert_page_agrees(CappedColumns(), settings, run_in_node)
