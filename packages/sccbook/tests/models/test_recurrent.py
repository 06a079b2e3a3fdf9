"""The recurrent networks against loops in NumPy, written from their equations."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def lstm(x64):
    return recurrent.init_lstm(jax.random.key(1), INPUTS, UNITS, OUTPUTS)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_the_tanh_network_is_its_equation(tanh):
    h = RANDOM.normal(size=UNITS)
    found = recurrent.run(recurrent.tanh_step, tanh, h, X)
    for x, state in zip(X, found, strict=True):
        h = np.tanh(x @ np.asarray(tanh["w_in"]) + h @ np.asarray(tanh["w"]) + tanh["b"])
        np.testing.assert_allclose(state, h, rtol=1e-12)


def test_the_lstm_is_its_equations(lstm):
    p = jax.tree.map(np.asarray, lstm)
    h, c = RANDOM.normal(size=(2, UNITS))
    found = recurrent.run(recurrent.lstm_step, lstm, (h, c), X)
    for x, hidden, cell in zip(X, *found, strict=True):
        i, f, g, o = np.split(x @ p["w_in"] + h @ p["w"] + p["b"], 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        np.testing.assert_allclose([hidden, cell], [h, c], rtol=1e-12)


def test_states_begin_at_zero_and_h_is_read_out(tanh, lstm):
    np.testing.assert_array_equal(recurrent.tanh_state(tanh), np.zeros(UNITS))
    np.testing.assert_array_equal(recurrent.lstm_state(lstm), np.zeros((2, UNITS)))
    h, c = RANDOM.normal(size=(2, UNITS))
    expected = h @ np.asarray(lstm["w_out"]) + lstm["b_out"]
    np.testing.assert_allclose(recurrent.readout(lstm, (h, c)), expected, rtol=1e-12)


def test_cross_entropy_is_that_of_numpy_and_stays_finite():
    logits = RANDOM.normal(size=(K, OUTPUTS))
    expected = np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(K), LABELS]
    np.testing.assert_allclose(recurrent.cross_entropy(logits, LABELS), expected, rtol=1e-12)
    far = jnp.array([1e4, 0.0])
    assert [float(recurrent.cross_entropy(far, label)) for label in (1, 0)] == [1e4, 0]
    assert np.isnan(recurrent.cross_entropy(far, 2))  # as its docstring says


def test_first_parameters_have_the_sizes_promised(tanh, lstm):
    np.testing.assert_array_equal(lstm["b"], np.repeat([0.0, 1.0, 0.0, 0.0], UNITS))
    np.testing.assert_allclose(tanh["w"] @ tanh["w"].T, 1.3**2 * np.eye(UNITS), atol=1e-12)
    large = recurrent.init_tanh(jax.random.key(0), 400, 50, 1)
    assert float(np.std(large["w_in"])) == pytest.approx(1 / 20, rel=0.02)
