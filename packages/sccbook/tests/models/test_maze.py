"""The maze: its walls and distances, its rewards, and that the goal is always within reach."""

import jax
import jax.numpy as jnp
import numpy as np
from scipy.sparse import lil_array
from scipy.sparse.csgraph import shortest_path

from sccbook.models import maze
from sccbook.models.maze import Game, Rules

RULES = Rules()
DRAWN = jax.vmap(lambda key: maze.start(RULES, key))(jax.random.split(jax.random.key(0), 500))


def by_scipy(walls, place):
    """Compute distances by a library's search of the graph of free cells."""
    side, links = len(walls), lil_array((walls.size, walls.size))
    for row, column in np.argwhere(~walls):
        for r, c in ((row + 1, column), (row, column + 1)):
            if max(r, c) < side and not walls[r, c]:
                links[row * side + column, r * side + c] = 1
    return shortest_path(links.tocsr(), directed=False, indices=place)


def test_the_goal_is_far_away_and_within_reach():
    walls, places, goals = map(np.asarray, (DRAWN.walls, DRAWN.place, DRAWN.goal))
    assert set(walls.sum(axis=(1, 2))) == {RULES.walls}
    for wall, place, goal in zip(walls, places, goals, strict=True):
        far = by_scipy(wall, place)
        np.testing.assert_array_equal(
            np.where(np.isfinite(far), far, 25), np.ravel(maze.distances(jnp.asarray(wall), place))
        )
        farthest = far[np.isfinite(far)].max()
        assert min(RULES.nearest, farthest) <= far[goal] <= RULES.moves


def test_walls_and_borders_stop_and_the_goal_ends_the_game():
    walls = jnp.zeros((5, 5), bool).at[0, 1].set(True)
    game = Game(walls, *map(jnp.int32, (0, 10, 0)), jnp.zeros((), bool))
    places, rewards = [], []
    for action in (0, 3, 1, 2, 2, 2, 1, 1, 1, 1):  # border, border, wall, down, down: the goal
        game, reward = maze.step(RULES, game, action)
        places.append(int(game.place))
        rewards.append(float(reward))
    assert places == [0, 0, 0, 5] + [10] * 6
    assert rewards == [0.0] * 4 + [1.0] + [0.0] * 5


def test_a_goal_that_is_not_reached_costs_one_with_the_last_move():
    game, rewards = jax.tree.map(lambda leaf: leaf[0], DRAWN), []
    away = 0 if int(game.goal) // 5 > int(game.place) // 5 else 2
    for _ in range(RULES.moves):
        game, reward = maze.step(RULES, game, away)
        rewards.append(float(reward))
    assert rewards == [0.0] * 9 + [-1.0]


def test_an_observation_tells_mazes_and_times_apart():
    seen = jax.vmap(lambda game: maze.observe(RULES, game))(DRAWN)
    assert seen.shape == (500, RULES.observation)
    np.testing.assert_array_equal(seen.sum(axis=1), RULES.walls + 2)
    late = maze.observe(
        RULES, jax.tree.map(lambda leaf: leaf[0], DRAWN)._replace(move=jnp.int32(5))
    )
    assert float(late[-1]) == 0.5
