"""The optimizer that records, in trainings by ``fit``, on the backend of ``KERAS_BACKEND``."""

from __future__ import annotations

import math
import os

os.environ.setdefault("KERAS_BACKEND", "jax")

import keras
import numpy as np
import pytest
from keras.optimizers import SGD, Adam, LossScaleOptimizer, schedules

from scaleclip.keras import LogRecording, Recorded, by_leaf, read
from scaleclip.probe import Stream

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
DTYPES = ["float16", "float32", *(["float64"] if keras.backend.backend() != "jax" else [])]
X = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
Y = 3 * X.sum(1, keepdims=True)


def fitted(optimizer, model=None, callbacks=()):
    """Train for 16 steps, and from the same weights unless a model is given."""
    if model is None:
        keras.utils.set_random_seed(0)
        layers = [keras.layers.Dense(8, "tanh", name="a"), keras.layers.Dense(1, name="b")]
        model = keras.Sequential([keras.Input((4,)), *layers])
        model.compile(optimizer, "mse")
    model.fit(X, Y, batch_size=8, epochs=2, verbose=0, shuffle=False, callbacks=[*callbacks])
    return model


@pytest.mark.parametrize(
    "options",
    [{}, {"gradient_accumulation_steps": 4}, {"loss_scale_factor": 64.0}, {"use_ema": True}],
)
def test_weights_are_those_of_keras_own_clip(options):
    model = fitted(Recorded(Adam(0.05, **options), 2.0))
    own = fitted(Adam(0.05, global_clipnorm=2.0, **options))
    for mine, its in zip(model.get_weights(), own.get_weights(), strict=True):
        np.testing.assert_allclose(mine, its, atol=2e-6)
    recording = read(model)
    assert recording.seen == 16 // options.get("gradient_accumulation_steps", 1)
    assert 0 < recording.clipped == (recording.norms > 2).sum()
    assert set(recording.groups) == {*"ab"}
    squares = sum(norms**2 for norms in recording.groups.values())
    np.testing.assert_allclose(recording.norms, squares**0.5, rtol=1e-6)


def test_what_is_within_the_limit_stays_bit_for_bit():
    for mine in (Recorded("adam", 1e6), Recorded("adam")):
        for pair in zip(fitted(mine).get_weights(), fitted(Adam()).get_weights(), strict=True):
            np.testing.assert_array_equal(*pair)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1e-3, 1.0, 3e2, 1e-30, 1e30, 0.0, math.inf, math.nan])
def test_no_gradient_is_too_large_or_too_small(size, dtype):
    with np.errstate(over="ignore"):  # 1e30 in float16 is inf
        given = [np.array(each).astype(dtype) for each in ([3 * size, 0, 0], [-4 * size, 0])]
    variables = [keras.Variable(g, dtype=dtype) for g in ([0.0] * 3, [0.0] * 2)]
    optimizer = Recorded(SGD(1.0), 0.5, by_leaf)
    optimizer.apply([keras.ops.convert_to_tensor(g) for g in given], variables)
    recording, exact = read(optimizer), np.concatenate(given).astype(float)
    norm = np.linalg.norm(exact)
    tolerance = {"rtol": 1e-3 if dtype == "float16" else 1e-6}
    np.testing.assert_allclose(recording.norms, norm, **tolerance)
    assert (recording.nonfinite, recording.clipped) == (not np.isfinite(norm), norm > 0.5)
    expected = -exact * (1 if norm <= 0.5 else 0.5 / norm if np.isfinite(norm) else math.nan)
    found = np.concatenate([keras.ops.convert_to_numpy(v.value) for v in variables])
    np.testing.assert_allclose(found.astype(float), expected, **tolerance)


def test_a_saved_training_goes_on_with_its_record(tmp_path):
    limit = schedules.PolynomialDecay(4.0, 24, 1.0)
    model = fitted(Recorded(Adam(), limit, keep=20))
    model.save(tmp_path / "m.keras")
    again = keras.models.load_model(tmp_path / "m.keras")
    mine, its = (read(fitted(None, each)) for each in (again, model))
    assert (mine.seen, mine.steps[0], mine.clipped) == (32, 13, its.clipped)
    np.testing.assert_allclose(mine.limits, np.maximum(1, 4 - np.arange(12, 32) / 8), rtol=1e-5)
    np.testing.assert_array_equal(mine.norms, its.norms)


def test_another_limit_counts_after_compile_and_keeps_the_record():
    model = fitted(Recorded("adam", 2.0))
    with pytest.warns(UserWarning, match="call model.compile"):
        model.optimizer.global_clipnorm = 0.5
    model.compile(model.optimizer, "mse")
    np.testing.assert_array_equal(read(fitted(None, model)).limits, [2.0] * 16 + [0.5] * 16)


def test_mixed_precision_records_unscaled_gradients(request):
    wide = read(fitted(Recorded(SGD(1e-3), 0.5)))
    request.addfinalizer(lambda: keras.mixed_precision.set_global_policy("float32"))
    keras.mixed_precision.set_global_policy("mixed_float16")
    narrow = read(fitted(Recorded(SGD(1e-3), 0.5)))
    assert narrow.unseen is None
    assert 8 < narrow.seen < 16
    assert wide.norms.min() / 2 < np.median(narrow.norms) < wide.norms.max() * 2


def test_repeated_rows_of_an_embedding_are_added_up():
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Embedding(7, 3), keras.layers.Flatten(), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((6,)), *layers])
    model.compile(Recorded(SGD(1.0), 0.05), "mse")
    before = model.get_weights()
    model.fit(np.arange(48).reshape(8, 6) % 5, Y[:8], batch_size=8, verbose=0)
    moved = [np.ravel(a - b) for a, b in zip(model.get_weights(), before, strict=True)]
    np.testing.assert_allclose(np.linalg.norm(np.concatenate(moved)), 0.05, rtol=1e-5)


def test_the_callback_passes_on_what_is_new():
    passed, sent = [], []
    stream = Stream(lambda row, step: sent.append(step))
    fitted(Recorded("adam", 1.0), callbacks=[LogRecording(to, 6) for to in (passed.append, stream)])
    assert [recording.seen for recording in passed] == [6, 12, 16]
    assert sent == [*range(1, 17)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Recorded(Adam(clipvalue=1.0)), "clips by itself: clipvalue=1.0"),
        (lambda: Recorded(LossScaleOptimizer(Adam())), "is a LossScaleOptimizer"),
        (lambda: Recorded(Recorded("adam")), "is a Recorded"),
        (lambda: Recorded("adam", -1.0), "global_clipnorm must be 0 or more"),
        (lambda: Recorded("adam", 0), "makes every gradient 0"),  # a warning
        (lambda: Recorded("adam", "1"), "global_clipnorm must be one real number"),
        (lambda: Recorded("adam", keep=0), "keep must be a whole number"),
        (lambda: fitted("adam", callbacks=[LogRecording()]), "no Recorded optimizer in"),
        (lambda: read(Recorded("adam")), "has no variables yet"),
        (lambda: LogRecording("print"), "to must be a function"),
        (lambda: LogRecording(every=0), "every must be a whole number"),
    ],
)
def test_what_cannot_be_recorded_is_refused(make, words):
    with pytest.raises((TypeError, ValueError, UserWarning), match=words):
        make()
