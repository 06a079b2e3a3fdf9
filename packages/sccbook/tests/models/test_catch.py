"""Catch: its moves, its rewards, and what random and best play get."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.models import catch
from sccbook.models.catch import CATCH, LONG, Rules


def played(rules, game, actions):
    """Play a game, and return its positions and rewards."""
    games, rewards = [game], []
    for action in actions:
        game, reward = catch.step(rules, game, action)
        games.append(game)
        rewards.append(float(reward))
    return games, rewards


def first(rules, ball, drift=0):
    games = catch.every_start(rules)
    at = int(np.flatnonzero((games.ball == ball) & (games.drift == drift))[0])
    return jax.tree.map(lambda leaf: leaf[at], games)


def test_a_ball_is_caught_where_the_paddle_goes_under_it_and_missed_elsewhere():
    for actions, last in (([0, 0, 1, 1, 1, 1, 1, 1], 1.0), ([1] * 8, -1.0), ([0] * 7 + [2], -1.0)):
        games, rewards = played(CATCH, first(CATCH, ball=0), actions)
        assert rewards == [0.0] * 7 + [last]
        assert int(games[-1].row) == CATCH.rows - 1


def test_a_drifting_ball_bounces_off_the_walls():
    games, _ = played(LONG, first(LONG, ball=3, drift=1), [1] * LONG.moves)
    assert [int(game.ball) for game in games] == [3, 4, 3, 2, 1, 0, 1, 2, 3, 4, 3, 2, 1, 0]


def test_a_frozen_paddle_ignores_the_last_moves():
    moves = [
        [int(game.paddle) for game in played(LONG, first(LONG, ball=2), [2, 2, 0] + [last] * 10)[0]]
        for last in (0, 1)
    ]
    assert moves == [[2, 3, 4, 3] + [3] * 10] * 2
    assert LONG.moves - 3 >= 10  # the moves from the last that matters to the reward


def test_an_observation_tells_ball_paddle_and_drift_apart():
    seen = jax.vmap(lambda game: catch.observe(LONG, game))(catch.every_start(LONG))
    assert seen.shape == (15, LONG.observation)
    assert len(np.unique(seen, axis=0)) == 15
    np.testing.assert_array_equal(seen.sum(axis=1), 3)


@pytest.mark.parametrize("rules", [CATCH, LONG, Rules(5, 3, True, 1)])
def test_random_and_best_play_are_what_playing_gives(rules):
    random, best = catch.bounds(rules)
    key = jax.random.key(0)

    def game(key):
        of_start, of_moves = jax.random.split(key)
        actions = jax.random.randint(of_moves, (rules.moves,), 0, catch.ACTIONS)
        step = lambda game, action: catch.step(rules, game, action)
        return jnp.sum(jax.lax.scan(step, catch.start(rules, of_start), actions)[1])

    returns = jax.jit(jax.vmap(game))(jax.random.split(key, 20_000))
    assert random == pytest.approx(float(returns.mean()), abs=0.03)
    assert best == 1.0


def test_a_start_is_one_of_every_start_and_each_is_drawn():
    drawn = jax.vmap(lambda key: catch.start(LONG, key))(jax.random.split(jax.random.key(1), 500))
    places = lambda games: {tuple(map(int, row)) for row in np.stack(games, axis=1)}
    assert places(drawn) == places(catch.every_start(LONG))
