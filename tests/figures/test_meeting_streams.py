"""The meeting of streams: its numbers against formulas by hand, its words at the corners."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.figures import MeetingStreams
from gradlab.figures.meeting_streams import DYNAMICS, PLACES, REWARD, STATE, VALUE

pytestmark = pytest.mark.slow

SETTINGS = [
    {"where": where, "c": c, "later": later}
    for where, _ in PLACES
    for c, later in ((1.0, 1.0), (0.1, 1.5), (2.5, 0.4), (0.5, 0.0))
]


@pytest.fixture(scope="module")
def figure():
    return MeetingStreams()


def by_hand(later):
    """The three streams, by the chain rule in NumPy."""
    value = (VALUE @ STATE + 0.6) * VALUE
    reward = (REWARD @ STATE + 0.9) * REWARD
    following = np.tanh(DYNAMICS @ STATE)
    error = later * (VALUE @ following + 0.95)
    return value, reward, DYNAMICS.T @ ((1 - following**2) * VALUE * error)


def clip(g, c):
    return g * min(1.0, c / max(np.linalg.norm(g), 1e-300))


def expected(where, c, later):
    streams = by_hand(later)
    if where == "sum":
        return clip(sum(streams), c)
    chosen = ("value", "reward", "next")
    return sum(
        clip(g, c) if where in (name, "each") else g
        for name, g in zip(chosen, streams, strict=True)
    )


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_h_hands_on_what_the_formula_by_hand_does(figure, settings):
    figure.set(**settings)
    found = figure.value
    for name, stream in zip(("value", "reward", "next"), by_hand(settings["later"]), strict=True):
        np.testing.assert_allclose(found[name], stream, atol=1e-12)
    np.testing.assert_allclose(found["handed"], expected(**settings), atol=1e-12)
    np.testing.assert_allclose(
        found["hook"], expected("sum", settings["c"], settings["later"]), atol=1e-12
    )
    left = found["value_left"] + found["reward_left"] + found["next_left"]
    if settings["where"] == "sum":
        np.testing.assert_allclose(left, found["whole"], atol=1e-12)
    else:
        np.testing.assert_allclose(left, found["handed"], atol=1e-12)


def test_without_a_clip_h_hands_on_the_gradient_of_the_loss(figure):
    def loss(h):
        following = VALUE @ jnp.tanh(DYNAMICS @ h)
        errors = (VALUE @ h + 0.6) ** 2 + (REWARD @ h + 0.9) ** 2 + (following + 0.95) ** 2
        return errors / 2

    with jax.enable_x64(True):
        slope = jax.grad(loss)(jnp.asarray(STATE))
    figure.set(where="value", c=2.5, later=1.0)
    np.testing.assert_allclose(figure.value["handed"], slope, atol=1e-12)
    assert figure.value["case"] == 0
    assert figure.sentence.startswith("Nothing is longer than c = 2.5")


def test_a_hook_keeps_the_direction_and_a_branch_clip_does_not(figure):
    figure.set(where="sum", c=1.0, later=1.0)
    found = figure.value
    assert found["answer"] == 0
    assert found["apart"] < 1e-5
    np.testing.assert_allclose(found["handed"] * np.linalg.norm(found["whole"]), found["whole"])
    figure.set(where="next")
    assert figure.value["answer"] == 2
    assert round(float(figure.value["apart"])) == 26


def test_where_nothing_else_arrives_the_hook_and_the_clips_may_differ_in_length_alone():
    # on each branch at a limit that none exceeds, the direction is the whole's
    figure = MeetingStreams(where="each", c=2.25, later=1.0)
    assert figure.value["answer"] == 1
    assert figure.value["length"] > 2.25


@pytest.mark.parametrize(("where", "words"), [
    ("next", "With c = 1 on the next step’s stream, h hands on"),
    ("sum", "With c = 1 on the sum, as a hook does, h hands on"),
    ("each", "With c = 1 on each stream, h hands on"),
])  # fmt: skip
def test_the_sentence_names_the_place(figure, where, words):
    figure.set(where=where, c=1.0, later=1.0)
    assert figure.sentence.startswith(words)


def test_the_table_has_the_lengths_without_and_with_the_clip(figure):
    figure.set(where="next", c=1.0, later=1.0)
    assert [row[1:] for row in figure.table()] == [
        ["value", "reward", "next step", "h̄"],
        ["0.91", "0.89", "2.21", "2.30"],
        ["0.91", "0.89", "1.00", "1.40"],
    ]


def test_a_ring_stands_at_the_tail_of_each_stream_that_is_clipped(figure):
    figure.set(where="each", c=0.7, later=1.0)
    assert figure.value["other_rings"] == 0.7
    assert np.array_equal(figure.value["ring"], [0, 0])
    figure.set(where="reward")
    assert figure.value["other_rings"] == 0
    assert np.array_equal(figure.value["ring"], figure.value["value_left"])
