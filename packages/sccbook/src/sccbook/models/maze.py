"""A small maze, drawn anew for each game: the way to the goal has to be found, as none can be remembered.

Functions are for one game; batches are left to ``vmap``.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

ACTIONS = 4
"""Up, right, down, left."""


class Rules(NamedTuple):
    """The size of the maze, and how far the goal is.

    Attributes:
      side: the maze has ``side`` by ``side`` cells.
      walls: of them, drawn anew.
      moves: of a game.
      nearest: the goal is at least so many moves away.
    """

    side: int = 5
    walls: int = 6
    moves: int = 10
    nearest: int = 3

    @property
    def observation(self) -> int:
        """The length of an observation."""
        return 3 * self.side**2 + 2


class Game(NamedTuple):
    """A game: the walls bool ``[side, side]``, places int32 ``[]`` counted by rows, and whether it's over."""

    walls: Array
    place: Array
    goal: Array
    move: Array
    over: Array


def start(rules: Rules, key: Array) -> Game:
    """Draw a maze, a place in it, and a goal that can be reached from there in time.

    Where no cell is as far as ``nearest``, the goal is as far away as possible. A place between walls is
    its own goal, and any move wins.
    """
    of_cells, of_goal = jax.random.split(key)
    cells = jax.random.permutation(of_cells, rules.side**2)
    walls = jnp.zeros(rules.side**2, bool).at[cells[: rules.walls]].set(True)
    place = cells[rules.walls].astype(jnp.int32)
    far = distances(walls.reshape(rules.side, -1), place).ravel()
    reached = jnp.where(far <= rules.moves, far, -1)
    wanted = reached >= jnp.minimum(rules.nearest, jnp.max(reached))
    goal = jnp.argmax(jnp.where(wanted, jax.random.uniform(of_goal, far.shape), -1.0))
    zero = jnp.zeros((), jnp.int32)
    return Game(
        walls.reshape(rules.side, -1), place, goal.astype(jnp.int32), zero, jnp.zeros((), bool)
    )


def distances(walls: Array, place: Array) -> Array:
    """Count the moves from a place to each cell, int ``[side, side]``; ``side ** 2`` where none lead to it."""
    side = len(walls)
    far = jnp.full(side**2, side**2, jnp.int32).at[place].set(0).reshape(side, side)

    def spread(far: Array, _: None) -> tuple[Array, None]:
        around = jnp.pad(far, 1, constant_values=side**2)
        sides = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
        nearer = jnp.minimum(far, 1 + jnp.min(jnp.stack(sides), axis=0))
        return jnp.where(walls, side**2, jnp.minimum(nearer, side**2)), None

    return jax.lax.scan(spread, far, length=side**2)[0]


def step(rules: Rules, game: Game, action: ArrayLike) -> tuple[Game, Array]:
    """Make a move: 0 up, 1 right, 2 down, 3 left; against a wall or the border, the place stays.

    Returns:
      The game after it; and the reward, float ``[]``: 1 on reaching the goal, and -1 with the last move
      if it wasn't reached. After the goal nothing changes any more.
    """
    row, column = game.place // rules.side, game.place % rules.side
    to_row = row + jnp.asarray((-1, 0, 1, 0))[action]
    to_column = column + jnp.asarray((0, 1, 0, -1))[action]
    last = rules.side - 1
    to_row, to_column = jnp.clip(to_row, 0, last), jnp.clip(to_column, 0, last)
    free = ~game.walls[to_row, to_column] & ~game.over
    place = jnp.where(free, to_row * rules.side + to_column, game.place)
    reached = (place == game.goal) & ~game.over
    late = (game.move + 1 == rules.moves) & ~game.over & ~reached
    after = game._replace(place=place, move=game.move + 1, over=game.over | reached)
    return after, reached.astype(float) - late.astype(float)


def observe(rules: Rules, game: Game) -> Array:
    """Observe walls, place, goal, whether it's over and which part of the moves is: float ``[observation]``."""
    places = jax.nn.one_hot(jnp.stack([game.place, game.goal]), rules.side**2)
    time = jnp.stack([game.over, game.move / rules.moves])
    return jnp.concatenate([game.walls.ravel(), places.ravel(), time]).astype(places.dtype)
