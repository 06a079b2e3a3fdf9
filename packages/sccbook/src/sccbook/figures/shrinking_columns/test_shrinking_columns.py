"""Columns below the cap: the figure's numbers against Keras's formula, run step by step in NumPy."""

import numpy as np
import pytest

from sccbook.figures.shrinking_columns.figure import KERAS, NORMS, TIMES, curves


def keras(norms, dtype):
    """``keras.constraints.MaxNorm(9)`` on columns of one weight, as it is written there."""
    w, epsilon = np.asarray(norms, dtype), np.asarray(KERAS, dtype)
    for _ in range(TIMES):
        n = np.sqrt(np.square(w))
        w = w * (np.clip(n, 0, 9) / (epsilon + n))
    return w.astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_100_000_applications_are_keras_formula_run_bit_for_bit(at, dtype):
    norms = np.array([0.1, 0.5, 1.9, 3.0])
    found = [at(norm=n, dtype=dtype)["left"] for n in norms]
    np.testing.assert_array_equal(found, keras(norms, dtype))
    assert (found[-1] == 3.0) == (dtype == "float32")
    lost = NORMS[::17] - keras(NORMS[::17], dtype)
    drawn = curves()[["float64", "float32"].index(dtype)][::17]
    np.testing.assert_allclose(drawn, lost, atol=6e-6)
