"""Norms under a cap: the figure's numbers against Keras's formula, run step by step in NumPy."""

import numpy as np
import pytest

from sccbook.figures.capped_columns.figure import COLUMNS, KERAS, OTHERS
from tests.tiers import some_now

CASES = [(0.1, 2.0, KERAS), (2.5, 4.0, KERAS), (1.9, 3.9, 1e-6)]
"""Norms, caps and epsilons."""


def keras(norms, cap, epsilon, dtype, times):
    """``keras.constraints.MaxNorm`` on columns of one weight, as it is written there."""
    w, cap, epsilon = (np.asarray(x, dtype) for x in (norms, cap, epsilon))
    for _ in range(times):
        n = np.sqrt(np.square(w))
        w = w * (np.clip(n, 0, cap) / (epsilon + n))
    return w


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", some_now(CASES, CASES[0]))
def test_100_000_applications_are_keras_formula_run_bit_for_bit(at, case, dtype):
    norm, cap, epsilon = case
    start = [(OTHERS | {"lost": norm})[name] for name in COLUMNS]
    found = keras(start, cap, epsilon, dtype, 100_000)
    after = at(norm=norm, cap=cap, epsilon=epsilon, dtype=dtype)["after"]
    np.testing.assert_array_equal(after, found.astype(np.float64))


@pytest.mark.parametrize("norm", [0.02, 0.1, 0.5, 1.0, 1.5, 1.9, 2.1, 2.5, 3.0, 3.9])
def test_float32_rounds_what_is_taken_below_a_norm_of_2_and_takes_nothing_above(at, norm):
    value = at(norm=norm, cap=4.0)
    assert at(norm=norm, cap=4.0, dtype="float64")["gone"] == pytest.approx(0.01, rel=1e-4)
    if norm > 2:
        assert not np.any(value["lost"])
        assert value["left"] == np.float32(norm)
    else:
        assert 0.89e-7 < value["gone"] / 1e5 < 1.2e-7


def test_both_columns_of_the_question_lose_about_a_hundredth(figure, at):
    prediction = figure.spec.prediction
    value = at(**prediction.settings)
    assert f"it has lost {value['beside']:.4f}." in prediction.question
    assert value[prediction.answer] == pytest.approx(0.01, rel=0.05)
    assert value["beside"] == pytest.approx(0.01, rel=0.2)


def test_what_the_cap_cuts_off_is_not_counted_as_loss(at):
    value = at()
    for i, name in enumerate(COLUMNS):
        norms = value[f"norm_{name}"]
        assert (norms[0], norms[-1]) == (value["before"][i], value["after"][i])
        np.testing.assert_array_equal(value[name], np.minimum(norms[0], 2.0) - np.minimum(norms, 2))
    assert np.all(value["norm_tall"][1:] == 2)
