"""The token board: its numbers beside formulas written out in NumPy, and its words."""

import itertools

import numpy as np
import pytest
from tests.book_figures import shown

from sccbook.figures._training_step import (
    INPUTS,
    PLACES,
    TARGETS,
    TOKENS,
    WEIGHTS,
)
from sccbook.figures.three_places.figure import SENTENCES

pytestmark = pytest.mark.slow

X, Y, W = map(np.array, (INPUTS, TARGETS, WEIGHTS))
EVERYWHERE = list(itertools.product([name for name, _ in TOKENS], PLACES))


def at(token, station, **settings):
    return shown("ThreePlaces", token=token, station=station, **settings).value


def shortened(v, limit, axis):
    return v * np.minimum(1, limit / np.sqrt(np.sum(v**2, axis=axis, keepdims=True)))


def by_hand(token, station, s, c):
    """The six places and the loss, with every derivative written out."""

    def put(name, v):
        if station != name:
            return v
        examples = name in ("x", "h", "cotangent")
        if token == "scale":
            return s * v
        if token == "clip":
            return shortened(v, c, 1 if examples else None)
        if token == "cap":
            return shortened(v, c, 0)
        if token == "stop":
            return 0 * v if name in ("cotangent", "gradient", "update") else v
        return (v - v.mean(0)) / np.sqrt(v.var(0) + 1e-5) if examples else v

    def back_past_token(g, raw):
        if station != "h":
            return g
        if token == "stop":
            return 0 * g
        numeric = np.zeros_like(g)  # central differences of the token itself
        for i in np.ndindex(*raw.shape):
            e = np.zeros_like(raw)
            e[i] = 1e-6
            numeric[i] = np.sum(g * (put("h", raw + e) - put("h", raw - e))) / 2e-6
        return numeric

    x = put("x", X)
    raw = x @ W
    h = put("h", raw)
    error = h @ W - Y
    cotangent = put("cotangent", back_past_token(error @ W.T, raw))
    gradient = put("gradient", x.T @ cotangent + h.T @ error)
    update = put("update", -0.5 * gradient)
    weights = put("w", W + update)
    rows = [x, h, cotangent, gradient.T, update.T, weights.T]
    return rows, 0.5 * float(np.sum(error**2))


@pytest.mark.parametrize(("token", "station"), EVERYWHERE)
def test_every_token_at_every_place_is_what_is_written_out_by_hand(token, station):
    for s, c in ((0.5, 1.0), (0.2, 0.4)):
        found = at(token, station, scale=s, limit=c)
        rows, loss = by_hand(token, station, s, c)
        np.testing.assert_allclose(found["after"], rows, atol=2e-6)
        np.testing.assert_allclose(found["loss_after"], loss, rtol=1e-9)
        plain, before = by_hand("none", "none", s, c)
        np.testing.assert_allclose(found["before"], plain, atol=1e-12)
        assert bool(found["loss_changes"]) == (abs(loss - before) > 1e-9)


def test_adams_first_update_does_not_see_a_scale_on_the_whole_gradient():
    found = at("scale", "gradient", optimizer="adam")
    assert found["gradient_moves"] == 1
    assert found["w_length"] == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(np.abs(found["after"][4]), 0.3, rtol=1e-6)
    assert at("stop", "gradient", optimizer="adam")["w_moves"] == 3


def test_all_30_combinations_have_their_own_sentence():
    assert len(set(SENTENCES)) == len(EVERYWHERE) == 30
    starts = {
        "scale": ("Multiplying", "MuZero’s place"), "clip": ("Clipping", "The optimizer"),
        "stop": "Stopping", "batch_norm": ("Normalising", "Batch"), "cap": "MaxNorm",
    }  # fmt: skip
    said = {of: shown("ThreePlaces", token=of[0], station=of[1]).sentence for of in EVERYWHERE}
    assert all(sentence.startswith(starts[token]) for (token, _), sentence in said.items())


@pytest.mark.parametrize(("token", "station"), EVERYWHERE)
def test_results_are_finite_and_agree_with_the_sentence(token, station):
    says = shown("ThreePlaces", token=token, station=station).sentence.lower()
    for s, c in ((0.05, 0.25), (0.5, 0.6), (0.95, 1.0)):
        for optimizer in ("adam", "sgd"):
            found = at(token, station, scale=s, limit=c, optimizer=optimizer)
            assert all(np.all(np.isfinite(value)) for value in found.values())
        if any(told in says for told in ("the loss changes", "altered data", "the loss and")):
            assert found["loss_changes"], (s, c)
        if "nothing changes" in says:
            np.testing.assert_array_equal(found["before"], found["after"])
        if "frozen" in says:
            assert found["w_moves"] == 3
