"""The recurrent network against a loop in NumPy, written from its equation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.models import recurrent

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("x64")]

K, INPUTS, UNITS, OUTPUTS = 5, 2, 3, 4
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(K, INPUTS))
LABELS = np.array([0, 3, 1, 1, 2])


@pytest.fixture(scope="module")
def tanh(x64):
    return recurrent.init_tanh(jax.random.key(0), INPUTS, UNITS, OUTPUTS, radius=1.3)


def test_the_tanh_network_is_its_equation(tanh):
    h = RANDOM.normal(size=UNITS)
    found = recurrent.run(recurrent.tanh_step, tanh, h, X)
    for x, state in zip(X, found, strict=True):
        h = np.tanh(x @ np.asarray(tanh["w_in"]) + h @ np.asarray(tanh["w"]) + tanh["b"])
        np.testing.assert_allclose(state, h, rtol=1e-12)


def test_the_state_begins_at_zero_and_is_read_out(tanh):
    np.testing.assert_array_equal(recurrent.tanh_state(tanh), np.zeros(UNITS))
    h = RANDOM.normal(size=UNITS)
    expected = h @ np.asarray(tanh["w_out"]) + tanh["b_out"]
    np.testing.assert_allclose(recurrent.readout(tanh, h), expected, rtol=1e-12)


def test_cross_entropy_is_that_of_numpy_and_stays_finite():
    logits = RANDOM.normal(size=(K, OUTPUTS))
    expected = np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(K), LABELS]
    np.testing.assert_allclose(recurrent.cross_entropy(logits, LABELS), expected, rtol=1e-12)
    far = jnp.array([1e4, 0.0])
    assert [float(recurrent.cross_entropy(far, label)) for label in (1, 0)] == [1e4, 0]
    assert np.isnan(recurrent.cross_entropy(far, 2))  # as its docstring says


def test_first_parameters_have_the_sizes_promised(tanh):
    np.testing.assert_allclose(tanh["w"] @ tanh["w"].T, 1.3**2 * np.eye(UNITS), atol=1e-12)
    large = recurrent.init_tanh(jax.random.key(0), 400, 50, 1)
    assert float(np.std(large["w_in"])) == pytest.approx(1 / 20, rel=0.02)
