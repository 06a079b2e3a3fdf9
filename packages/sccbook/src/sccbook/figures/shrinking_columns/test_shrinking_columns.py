"""What is taken from columns: the figure's numbers against Keras's formula, run step by step in NumPy."""

import numpy as np
import pytest

from sccbook.figures.shrinking_columns.figure import CAP, KERAS, TIMES


def keras(norms, dtype):
    """``keras.constraints.MaxNorm(CAP)`` on columns of one weight, as it is written there."""
    w, epsilon = np.asarray(norms, dtype), np.asarray(KERAS, dtype)
    for _ in range(TIMES):
        n = np.sqrt(np.square(w))
        w = w * (np.clip(n, 0, CAP) / (epsilon + n))
    return w.astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_maxnorm_leaves_what_100_000_applications_of_keras_formula_do(at, dtype):
    norms = np.array([0.003, 0.1, 0.55, 1.9, 3.0, 7.0])
    found = [at(norm=n, dtype=dtype)["left"] for n in norms]
    np.testing.assert_allclose(found, keras(norms, dtype), atol=3e-5)
    assert (found[-2] == 3.0) == (dtype == "float32")


def test_decay_takes_a_share_of_each_column_and_the_exact_cap_only_what_is_above_it(at):
    short, long = at(norm=0.5), at(norm=10.0)
    kept = (1 - 1e-6) ** TIMES
    np.testing.assert_allclose(
        [short["decayed"], long["decayed"]], [0.5 * (1 - kept), 10 * (1 - kept)]
    )
    assert (short["cut"], long["cut"]) == (0, 10 - CAP)
