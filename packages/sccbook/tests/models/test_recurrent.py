"""The recurrent networks against loops in NumPy, written from their equations."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.models import recurrent
from sccbook.models.linear import singular_values, spectral_radius

pytestmark = pytest.mark.usefixtures("x64")

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


def tanh_loop(params, h, xs):
    p = jax.tree.map(np.asarray, params)
    states = []
    for x in xs:
        h = np.tanh([
            sum(x[a] * p["w_in"][a, u] for a in range(INPUTS))
            + sum(h[v] * p["w"][v, u] for v in range(UNITS)) + p["b"][u]
            for u in range(UNITS)
        ])  # fmt: skip
        states.append(h)
    return np.array(states)


def lstm_loop(params, h, c, xs):
    p = jax.tree.map(np.asarray, params)
    quarter = [slice(n * UNITS, (n + 1) * UNITS) for n in range(4)]
    states = []
    for x in xs:
        i, f, g, o = (
            x @ p["w_in"][:, q] + h @ p["w"][:, q] + p["b"][q] for q in quarter
        )  # fmt: skip
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append((h, c))
    return [np.array(part) for part in zip(*states, strict=True)]


def log_softmax(logits):
    return logits - np.log(np.sum(np.exp(logits), axis=-1, keepdims=True))


@pytest.mark.slow
def test_the_tanh_network_is_its_equation(tanh):
    h = RANDOM.normal(size=UNITS)
    found = recurrent.run(recurrent.tanh_step, tanh, h, X)
    np.testing.assert_allclose(found, tanh_loop(tanh, h, X), rtol=1e-12)


@pytest.mark.slow
def test_the_lstm_is_its_equations(lstm):
    h, c = RANDOM.normal(size=(2, UNITS))
    found = recurrent.run(recurrent.lstm_step, lstm, (h, c), X)
    for mine, expected in zip(found, lstm_loop(lstm, h, c, X), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-12)


@pytest.mark.slow
def test_states_begin_at_zero(tanh, lstm):
    np.testing.assert_array_equal(recurrent.tanh_state(tanh), np.zeros(UNITS))
    np.testing.assert_array_equal(recurrent.lstm_state(lstm), np.zeros((2, UNITS)))


@pytest.mark.slow
def test_losses_are_cross_entropies_of_what_is_read_out(tanh, lstm):
    zero = np.zeros(UNITS)
    cases = [
        (recurrent.tanh_step, tanh, recurrent.tanh_state(tanh), tanh_loop(tanh, zero, X)),
        (recurrent.lstm_step, lstm, recurrent.lstm_state(lstm), lstm_loop(lstm, zero, zero, X)[0]),
    ]
    for step, params, state, h in cases:
        w, b = np.asarray(params["w_out"]), np.asarray(params["b_out"])
        terms = -log_softmax(h @ w + b)

        @jax.jit
        def losses(step=step, params=params, state=state):
            first = step, params, state, X
            each, same = (recurrent.mean_loss(*first, labels) for labels in (LABELS, 2))
            return recurrent.last_loss(*first, 3), each, same

        expected = terms[-1, 3], terms[np.arange(K), LABELS].mean(), terms[:, 2].mean()
        np.testing.assert_allclose(losses(), expected, rtol=1e-12)


@pytest.mark.slow
def test_cross_entropy_is_that_of_numpy_and_stays_finite():
    logits = RANDOM.normal(size=(K, OUTPUTS))
    expected = -log_softmax(logits)[np.arange(K), LABELS]
    np.testing.assert_allclose(recurrent.cross_entropy(logits, LABELS), expected, rtol=1e-12)
    far = jnp.array([1e4, 0.0])
    assert recurrent.cross_entropy(far, 1) == 1e4
    assert recurrent.cross_entropy(far, 0) == 0
    assert np.isnan(recurrent.cross_entropy(far, 2))  # as its docstring says


@pytest.mark.slow
@pytest.mark.parametrize("kind", recurrent.KINDS)
@pytest.mark.parametrize("radius", [0.5, 1.7])
def test_every_kind_of_matrix_has_the_radius_asked_for(kind, radius):
    found = recurrent.recurrent_matrix(jax.random.key(0), 6, radius, kind)
    assert float(spectral_radius(found)) == pytest.approx(radius, rel=1e-10)


def test_an_orthogonal_matrix_stretches_every_direction_by_the_radius():
    found = recurrent.recurrent_matrix(jax.random.key(0), 6, 1.5)
    np.testing.assert_allclose(found @ found.T, 1.5**2 * np.eye(6), atol=1e-12)
    np.testing.assert_allclose(singular_values(found), np.full(6, 1.5), rtol=1e-12)
    np.testing.assert_allclose(np.abs(np.linalg.eigvals(found)), np.full(6, 1.5), rtol=1e-12)


@pytest.mark.slow
def test_normal_entries_stretch_by_about_twice_their_radius():
    found = recurrent.recurrent_matrix(jax.random.key(0), 100, 0.9, "normal")
    assert 1.7 < float(np.linalg.norm(found, 2)) / 0.9 < 2.2


def test_the_identity_is_scaled():
    found = recurrent.recurrent_matrix(jax.random.key(0), 3, 0.9, "identity")
    np.testing.assert_array_equal(found, 0.9 * np.eye(3))


def test_another_kind_is_refused():
    with pytest.raises(
        ValueError, match="one of 'orthogonal', 'normal', 'identity', but 'uniform'"
    ):
        recurrent.recurrent_matrix(jax.random.key(0), 3, 1.0, "uniform")
    with pytest.raises(ValueError, match="kind must be one of"):
        recurrent.init_tanh(jax.random.key(0), 2, 3, 4, kind="uniform")


@pytest.mark.slow
def test_first_parameters_have_the_shapes_and_sizes_promised(tanh, lstm):
    shapes = {"w_in": (INPUTS, UNITS), "w": (UNITS, UNITS), "b": (UNITS,)}
    out = {"w_out": (UNITS, OUTPUTS), "b_out": (OUTPUTS,)}
    assert {name: leaf.shape for name, leaf in tanh.items()} == shapes | out
    wide = {name: (*shape[:-1], 4 * UNITS) for name, shape in shapes.items()}
    assert {name: leaf.shape for name, leaf in lstm.items()} == wide | out
    np.testing.assert_array_equal(lstm["b"], np.repeat([0.0, 1.0, 0.0, 0.0], UNITS))
    assert float(spectral_radius(tanh["w"])) == pytest.approx(1.3, rel=1e-12)
    large = recurrent.init_tanh(jax.random.key(0), 400, 50, 1, kind="identity")
    assert float(np.std(large["w_in"])) == pytest.approx(1 / 20, rel=0.02)
    open_gate = recurrent.init_lstm(jax.random.key(1), INPUTS, UNITS, OUTPUTS, forget_bias=3.0)
    assert set(np.asarray(open_gate["b"][UNITS : 2 * UNITS])) == {3.0}
