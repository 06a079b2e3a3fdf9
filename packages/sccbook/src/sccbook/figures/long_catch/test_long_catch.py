"""LongCatch: every game is the one that ``catch.step`` plays, and the words say how it ends."""

import itertools

import numpy as np
import pytest
from tests.figure_settings import assert_page_agrees

from sccbook.figures.long_catch.figure import DRIFTS, MIDDLE, OBEYS
from sccbook.models.catch import LONG, Game, bounds, step

WAYS = [name for name, _ in DRIFTS]
EVERY = list(itertools.product(range(1, 6), WAYS, range(1, 6)))
pytestmark = pytest.mark.slow


def played(start, drift, paddle):
    """Play a game out: the columns of ball and paddle after each move, and the reward."""
    game = Game(*map(np.int32, (0, start - 1, WAYS.index(drift) - 1, MIDDLE)))
    way, reward = np.sign(paddle - 1 - MIDDLE), 0.0
    seen = [(game.ball + 1, game.paddle + 1)]
    for n in range(LONG.moves):
        action = 1 + way if n < abs(paddle - 1 - MIDDLE) else n % 3 if n >= OBEYS else 1
        game, reward = step(LONG, game, action)
        seen.append((int(game.ball) + 1, int(game.paddle) + 1))
    return *np.array(seen).T, float(reward)


def test_every_game_is_the_one_that_step_plays_whatever_the_last_ten_actions(at):
    for start, drift, paddle in EVERY:
        balls, paddles, reward = played(start, drift, paddle)
        found = at(start=start, drift=drift, paddle=paddle)
        np.testing.assert_array_equal(found["balls"], balls)
        np.testing.assert_array_equal(found["paddles"], paddles)
        assert found["reward"] == reward == (1 if balls[-1] == paddle else -1)
        assert found["landed"] + 1 == balls[-1]
        stays_in_line = np.diff(balls)[1:] == np.diff(balls)[:-1]
        np.testing.assert_array_equal(found["bounces"][1:-1], ~stays_in_line)


def test_the_page_plays_every_game(figure, run_in_node):
    games = [
        {"move": n % (LONG.moves + 1), "start": start, "drift": drift, "paddle": paddle}
        for n, (start, drift, paddle) in enumerate(EVERY)
    ]
    assert_page_agrees(figure, games, run_in_node)


@pytest.mark.parametrize(("settings", "said"), [
    ({}, "lands in column 5, but the paddle is in column 1: missed, reward −1."),
    ({"paddle": 5}, "lands in column 5, where the paddle is: caught, reward +1."),
    ({"move": 0}, "starts in column 2, the paddle in column 3."),
    ({"move": 2}, "Move 2 of the three that count: the ball is in column 2, the paddle in column 1."),
    ({"move": 3}, "the paddle is frozen in column 1. Ten more moves pass"),
    ({"move": 12}, "After move 12 the ball is in column 4, and the paddle is frozen in column 1."),
])  # fmt: skip
def test_the_sentence_says_where_ball_and_paddle_are(figure, settings, said):
    figure.set(**{control.name: control.initial for control in figure.spec.controls} | settings)
    assert said in figure.sentence


def test_the_question_is_answered_by_three_walls_and_a_step_back(at, figure):
    found = at(**figure.spec.prediction.settings)
    assert found["landed"] + 1 == 4
    assert np.flatnonzero(found["bounces"]).tolist() == [4, 8, 12]


def test_the_note_has_the_rate_of_random_moves(figure):
    random, best = bounds(LONG)
    assert best == 1
    assert f"catch {50 * (1 + random):.0f} balls of 100" in figure.spec.note
