"""The game `long` move by move: three moves count, ten more pass, and the reward comes last."""

from dataclasses import dataclass
from typing import ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST
from sccbook.models.catch import LONG, Game, step

OBEYS = LONG.moves - LONG.frozen
"""How many moves the paddle obeys."""
MIDDLE = LONG.columns // 2
DRIFTS = (("left", "to the left"), ("none", "none"), ("right", "to the right"))


def long_catch(move: Array, start: Array, drift: Array, paddle: Array) -> dict[str, Array]:
    """Play a game, the paddle going straight to a column.

    Args:
      move: int ``[]``; how many moves are shown, 0 to 13.
      start: int ``[]``; the column in which the ball starts, 1 to 5.
      drift: int ``[]``; 0 left, 1 none, 2 right.
      paddle: int ``[]``; the column to which the paddle goes, 1 to 5.

    Returns:
      ``balls``, ``paddles [14]``: their columns, 1 to 5, after 0 to 13 moves; ``bounces [14]``: whether
      the ball bounces off a wall there; ``steps [3]``: what the moves that count do to the paddle, -1,
      0 or 1; ``ball`` and ``column []``: where both are after ``move``; ``landed []``: the column in
      which the ball lands, less one; ``reward []``; ``case``.
    """
    row, ball, way, middle = (jnp.asarray(x, "int32") for x in (0, start - 1, drift - 1, MIDDLE))

    def play(game: Game, _: None) -> tuple[Game, tuple[Game, Array]]:
        after, reward = step(LONG, game, 1 + jnp.sign(paddle - 1 - game.paddle))
        return after, (after, reward)

    first = Game(row, ball, way, middle)
    last, (course, rewards) = jax.lax.scan(play, first, length=LONG.moves)
    balls, drifts, paddles = (
        jnp.concatenate([begin[None], rest])
        for begin, rest in zip(first[1:], course[1:], strict=True)
    )
    over = (move == LONG.moves) * jnp.where(rewards[-1] > 0, 1, 2)
    return {
        "balls": balls + 1,
        "paddles": paddles + 1,
        "bounces": jnp.append(drifts[1:] != drifts[:-1], False),
        "steps": jnp.diff(paddles)[:OBEYS],
        "ball": balls[move] + 1,
        "column": paddles[move] + 1,
        "landed": last.ball,
        "reward": rewards[-1],
        "case": (move > 0).astype(int) + (move >= OBEYS) + (move > OBEYS) + over,
    }


@dataclass(frozen=True)
class Falling(View):
    """A ball that falls down a board onto a paddle that obeys the first moves alone.

    Attributes:
      columns, moves: of the board.
      obeys: how many moves the paddle obeys.
    """

    columns: int = LONG.columns
    moves: int = LONG.moves
    obeys: int = OBEYS
    kind: ClassVar[str] = "falling"
    script = DIST / "falling.js"
    reads = (
        *("balls", "paddles", "bounces", "steps", "reward"),
        *("move", "start", "paddle"),
    )


class LongCatch(Figure):
    """Long Catch, played move by move.

    Args:
      move: how many moves are shown, 0 to 13 (the default).
      start: the column in which the ball starts, 1 to 5, default 2.
      drift: ``"left"`` (the default), ``"none"`` or ``"right"``.
      paddle: the column to which the paddle goes, 1 (the default) to 5.
    """

    spec = FigureSpec(
        function=long_catch,
        controls=(
            Integer("move", "move", "", 0, LONG.moves, LONG.moves, plays=True),
            Integer("start", "ball starts in column", "", 1, LONG.columns, 2),
            Choice("drift", "drift", options=DRIFTS),
            Integer("paddle", "paddle goes to column", "", 1, LONG.columns, 1),
        ),
        view=Falling(),
        title="Three moves count, and the reward comes ten moves later",
        look="Set the move to 3 and drag the paddle to where you think the ball will land. Then press play.",
        labels={
            "start": "start",
            "obeys": "the paddle obeys:",
            "left": "← left",
            "stay": "stay",
            "right": "right →",
            "frozen": "From here on the paddle is frozen: ten more moves until the ball lands.",
            "credit": "The reward has to reach back ten moves, to the last that mattered.",
            "caught": "caught: +1",
            "missed": "missed: −1",
        },
        sentences=(
            "The ball starts in column {ball}, the paddle in column {column}. The paddle obeys three moves, and then "
            "ten more pass before the ball lands.",
            "Move {move} of the three that count: the ball is in column {ball}, the paddle in column {column}.",
            "Move 3 was the last that counts: the paddle is frozen in column {column}. Ten more moves pass before the "
            "ball lands.",
            "After move {move} the ball is in column {ball}, and the paddle is frozen in column {column}. The last move "
            "that mattered was move 3.",
            "The ball lands in column {ball}, where the paddle is: caught, reward +1. The last move that mattered was "
            "ten moves ago.",
            "The ball lands in column {ball}, but the paddle is in column {column}: missed, reward −1. The last move "
            "that mattered was ten moves ago.",
        ),
        table=Table(
            (("ball in column", "balls"), ("paddle in column", "paddles")),
            rows=("start", *(f"move {n}" for n in range(1, LONG.moves + 1))),
            count=LONG.moves + 1,
            general=True,
        ),
        parts={
            "balls": Part("balls", "After {m} moves the ball is in column {value:.0f}."),
            "steps": Part("steps", "Move {n} changes the paddle’s column by {value:.0f}."),
            "reward": Part("reward", "The reward is {reward:.0f}, and it comes with move 13."),
        },
        stills=({"move": OBEYS}, {}),
        prediction=Prediction(
            "The ball starts in column 1 and drifts to the right. In which column will it land?",
            answer="landed",
            how="choice",
            options=tuple(str(n) for n in range(1, LONG.columns + 1)),
            settings={"move": LONG.moves, "start": 1, "drift": "right"},
            conceals=("balls", "ball", "case"),
            reveal="In column {ball}: four moves take it to the right wall, four back to the left one and four to the "
            "right again. The thirteenth takes it one column back.",
        ),
        note=(
            "The game “long Catch” of experiments/muzero_half. The ball falls one row with each move, drifts, and bounces off "
            "the walls; where it starts and how it drifts is drawn anew for each game. The paddle starts in the middle, so "
            "three moves reach every column, and whoever knows where the ball will land can catch it each time. Random "
            "moves catch 21 balls of 100."
        ),
        source=step,
    )
