"""Catch: a ball falls down a board, and the paddle at its foot is to be under it when it lands.

Functions are for one game; batches are left to ``vmap``.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

ACTIONS = 3
"""Left, stay, right."""


class Rules(NamedTuple):
    """The board, and how long the paddle obeys.

    Attributes:
      rows, columns: the ball starts in the first row and moves down by one row with each move, so
        a game has ``rows - 1`` moves.
      drifts: the ball falls straight down, or each game draws one of three drifts: left, none, right;
        it bounces off the walls.
      frozen: the paddle doesn't move in so many last moves, whatever the action.
    """

    rows: int = 9
    columns: int = 5
    drifts: bool = False
    frozen: int = 0

    @property
    def moves(self) -> int:
        """How many moves a game has."""
        return self.rows - 1

    @property
    def observation(self) -> int:
        """The length of an observation."""
        return self.rows * self.columns + self.columns + 3


CATCH = Rules()
LONG = Rules(rows=14, drifts=True, frozen=10)
"""Ten moves or more lie between the last one that matters and its reward."""
DRIFTING = Rules(drifts=True)
"""Catch with a ball that drifts and bounces."""


class Game(NamedTuple):
    """A game: int32 ``[]`` each, the drift -1, 0 or 1."""

    row: Array
    ball: Array
    drift: Array
    paddle: Array


def start(rules: Rules, key: Array) -> Game:
    """Draw a game: the ball in any column of the first row, the paddle in the middle."""
    ball, drift = jax.random.split(key)
    drawn = jax.random.randint(drift, (), -1, 2) if rules.drifts else jnp.zeros((), jnp.int32)
    middle = jnp.asarray(rules.columns // 2, jnp.int32)
    return Game(
        jnp.zeros((), jnp.int32), jax.random.randint(ball, (), 0, rules.columns), drawn, middle
    )


def every_start(rules: Rules) -> Game:
    """List all games that ``start`` can draw, each as likely as the others: leaves ``[N]``."""
    drifts = (-1, 0, 1) if rules.drifts else (0,)
    ball, drift = (
        np.ravel(axis).astype(np.int32)
        for axis in np.meshgrid(np.arange(rules.columns), drifts, indexing="ij")
    )
    same = np.ones_like(ball)
    return Game(*map(jnp.asarray, (0 * same, ball, drift, rules.columns // 2 * same)))


def step(rules: Rules, game: Game, action: ArrayLike) -> tuple[Game, Array]:
    """Make a move: 0 left, 1 stay, 2 right.

    Returns:
      The game after it; and the reward, float ``[]``: 0, or with the last move 1 if the ball lands on
      the paddle and -1 if it doesn't.
    """
    right = rules.columns - 1
    obeys = game.row < rules.moves - rules.frozen
    paddle = jnp.clip(
        game.paddle + jnp.where(obeys, jnp.asarray(action, jnp.int32) - 1, 0), 0, right
    )
    moved = game.ball + game.drift
    off = (moved < 0) | (moved > right)
    drift = jnp.where(off, -game.drift, game.drift)
    after = Game(game.row + 1, game.ball + drift, drift, paddle)
    caught = jnp.where(after.ball == paddle, 1.0, -1.0)
    return after, jnp.where(after.row == rules.moves, caught, 0.0)


def observe(rules: Rules, game: Game) -> Array:
    """Observe where the ball, the paddle and the drift are: float ``[observation]``, three ones in zeros."""
    board = jax.nn.one_hot(game.row * rules.columns + game.ball, rules.rows * rules.columns)
    return jnp.concatenate(
        [board, jax.nn.one_hot(game.paddle, rules.columns), jax.nn.one_hot(game.drift + 1, 3)]
    )


def bounds(rules: Rules) -> tuple[float, float]:
    """Compute the mean return of random play, and of the best play, over all starts.

    By dynamic programming: backward over the moves, for every start and every place of the paddle.
    """
    games = jax.tree.map(lambda leaf: leaf[:, None], every_start(rules))
    paddles = jnp.arange(rules.columns, dtype=jnp.int32)[None, :]
    course = [games]
    for _ in range(rules.moves - 1):
        course.append(step(rules, course[-1], 1)[0])
    random = best = np.zeros((len(games.ball), rules.columns))
    for game in reversed(course):
        each = [step(rules, game._replace(paddle=paddles), action) for action in range(ACTIONS)]
        rewards = np.stack([np.broadcast_to(reward, best.shape) for _, reward in each])
        where = np.stack([np.broadcast_to(after.paddle, best.shape) for after, _ in each])
        random = np.mean(
            [r + np.take_along_axis(random, w, 1) for r, w in zip(rewards, where, strict=True)], 0
        )
        best = np.max(
            [r + np.take_along_axis(best, w, 1) for r, w in zip(rewards, where, strict=True)], 0
        )
    middle = rules.columns // 2
    return float(random[:, middle].mean()), float(best[:, middle].mean())
