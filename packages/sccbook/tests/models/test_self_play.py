"""Test a MuZero that plays: its targets, its replay, its updates, and that it learns."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip import probe
from sccbook.models import catch, self_play
from sccbook.models.self_play import Settings

RULES = catch.Rules(4, 3)
SMALL = Settings(
    rules=RULES, steps=3, games=4, updates=2, batch=8, kept=2, simulations=2, state=4, hidden=6,
    bootstrap=2, discount=0.9,
)  # fmt: skip


@functools.cache
def collect():
    return jax.jit(lambda training: self_play.collect(SMALL, training))


@functools.cache
def played():
    """Return a run with two iterations of games in its replay."""
    training = self_play.start(SMALL, jax.random.key(0))
    for _ in range(2):
        training, _ = collect()(training)
    return training


@functools.cache
def sample():
    """Return a draw of 400 examples, compiled once."""
    return jax.jit(lambda replay, key: self_play.sample(SMALL, replay, key, 2, 400))


def test_targets_are_n_rewards_and_then_the_searchs_value():
    reward = jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    value = jnp.array([[0.5, 0.25, 0.125], [2.0, 4.0, 8.0]])
    found = self_play.targets(SMALL, reward, value)
    wanted = [[0.81 * 0.125, 0.9, 1.0], [0.81 * 8, -0.9, -1.0]]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.slow
def test_played_games_are_games_and_policies_sum_to_one():
    replay = played().replay
    assert replay.action.shape == (2, 4, RULES.moves)
    np.testing.assert_allclose(replay.policy.sum(axis=-1), 1, rtol=1e-5)
    game = jax.tree.map(lambda leaf: leaf[..., :-1], replay.game)
    after, reward = catch.step(RULES, game, replay.action[..., :-1])
    for one, other in zip(after, replay.game, strict=True):
        np.testing.assert_array_equal(one, other[..., 1:])
    np.testing.assert_array_equal(reward, replay.reward[..., :-1])
    assert set(np.unique(replay.reward[..., -1])) <= {-1.0, 1.0}


@pytest.mark.slow
def test_examples_are_windows_of_the_replay_and_end_where_games_do():
    replay = played().replay
    batch = sample()(replay, jax.random.key(3))
    assert batch.observation.shape == (400, RULES.observation)
    assert batch.policy.shape == (400, SMALL.steps + 1, catch.ACTIONS)
    board = np.asarray(batch.observation)[:, : RULES.rows * RULES.columns]
    row = np.argmax(board, axis=1) // RULES.columns  # is the time, too
    ahead = row[:, None] + np.arange(SMALL.steps + 1)
    after_the_end = ahead >= RULES.moves
    assert set(row) == set(range(RULES.moves))
    np.testing.assert_array_equal(batch.policy.sum(axis=-1).round(4) == 0, after_the_end)
    assert np.all(np.where(after_the_end, batch.value, 0) == 0)
    np.testing.assert_array_equal(batch.reward != 0, ahead == RULES.moves)
    drawn = batch.actions[after_the_end[:, :-1]]
    assert set(np.unique(drawn)) == {0, 1, 2}


@pytest.mark.slow
def test_an_example_has_the_actions_and_values_of_its_own_game():
    replay = played().replay
    marks = jnp.arange(2 * 4 * RULES.moves, dtype=float).reshape(2, 4, RULES.moves)
    marked = replay._replace(value=marks, action=marks.astype(int) % 3)
    batch = sample()(marked, jax.random.key(4))
    first = np.asarray(batch.value[:, 0]).astype(int)
    row = first % RULES.moves
    for ahead in range(1, SMALL.steps + 1):
        inside = row + ahead < RULES.moves
        np.testing.assert_array_equal(batch.value[inside, ahead], first[inside] + ahead)
        np.testing.assert_array_equal(
            batch.actions[row + ahead - 1 < RULES.moves, ahead - 1],
            (first[row + ahead - 1 < RULES.moves] + ahead - 1) % 3,
        )


@pytest.mark.slow
def test_a_recorder_sees_every_update_and_a_rate_of_0_changes_nothing():
    seen = probe.clip_by_global_norm(jnp.inf, groups=probe.by_leaf, keep=SMALL.updates)
    settings = SMALL._replace(recorder=seen)
    begun = self_play.start(settings, jax.random.key(0))._replace(replay=played().replay)
    after, loss = jax.jit(lambda training: self_play.learn(settings, training, 0.0, 0.5))(
        begun._replace(iteration=jnp.asarray(2))
    )
    assert float(loss) > 0
    assert int(after.optimizer[0].seen) == SMALL.updates
    assert np.all(probe.read(after.optimizer).norms > 0)
    for one, other in zip(
        jax.tree.leaves(after.params), jax.tree.leaves(begun.params), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.exhaustive
def test_it_learns_catch():
    settings = Settings()
    collect, learn = (
        jax.jit(jax.vmap(lambda training: self_play.collect(settings, training))),
        jax.jit(jax.vmap(lambda training: self_play.learn(settings, training, 0.01, 0.5))),
    )
    training = jax.vmap(lambda key: self_play.start(settings, key))(
        jax.random.split(jax.random.key(0), 4)
    )
    for _ in range(250):
        training, _ = collect(training)
        training, _ = learn(training)
    final = jax.jit(jax.vmap(lambda params: self_play.evaluate(settings, params)))(training.params)
    random, best = catch.bounds(settings.rules)
    assert float(final.mean()) > (random + best) / 2


@pytest.mark.slow
def test_a_blind_agent_plays_from_the_first_position_alone():
    blind = SMALL._replace(blind=True)
    games, board = catch.every_start(RULES), RULES.rows * RULES.columns
    params = self_play.start(blind, jax.random.key(0)).params
    play = jax.jit(lambda params: self_play.play(blind, params, jax.random.key(1), games))
    first, *rest = params["representation"]
    of_later_rows = first["w"].at[RULES.columns : board].add(1.0)
    other = {**params, "representation": [{**first, "w": of_later_rows}, *rest]}
    replay = play(params)
    jax.tree.map(np.testing.assert_array_equal, replay, play(other))
    assert np.ptp(replay.policy, axis=1).max() > 0.01  # later moves are searched from other states
    kept = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), replay)
    batch = self_play.sample(blind._replace(games=3), kept, jax.random.key(2), 2, 50)
    np.testing.assert_array_equal(batch.observation[:, : RULES.columns].sum(axis=1), 1)
