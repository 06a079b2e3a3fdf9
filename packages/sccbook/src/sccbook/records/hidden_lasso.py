"""Recorded runs of Keras's MaxNorm and of a group lasso: ``experiments/hidden_lasso`` made them."""

from __future__ import annotations

from typing import Any, NamedTuple

from sccbook.records.record import Record


class Dead(NamedTuple):
    """A column that gets no gradient.

    Attributes:
      part: ``"dead"``.
      arm: ``"cap"``, ``"prox"`` or ``"keras"``.
      dtype: ``"float64"`` or ``"float32"``.
      weights: how many a column has.
      start: its norm at first.
      norms: after each of the provenance's ``times``.
      gone: after how many steps it is exactly 0; 0 if that wasn't seen.
    """

    part: str
    arm: str
    dtype: str
    weights: int
    start: float
    norms: tuple[float, ...]
    gone: int


class Pushed(NamedTuple):
    """A column that is pushed outwards before each constraint.

    Attributes:
      part: ``"pushed"``.
      arm: as in ``Dead``.
      push: in units of epsilon.
      norm: in the end, in units of epsilon.
    """

    part: str
    arm: str
    push: float
    norm: float


class Trained(NamedTuple):
    """A network trained with a constraint; but for ``pull`` a number a seed.

    Attributes:
      part: ``"trained"``.
      arm: as in ``Dead``, or ``"loss"``: the penalty is in the loss.
      optimizer, rate: ``"sgd"`` or ``"adam"``, and its rate.
      epsilon: 0 for ``"cap"``.
      zero, faded: how many columns are exactly 0, and how many are nearly.
      lost: the mean norm that columns of silent units have lost.
      loss: on all examples, without a penalty.
      pull: quartiles, over all seeds, of how far the gradient would move a column that is
        left outwards, in units of epsilon; empty where none is left.
    """

    part: str
    arm: str
    optimizer: str
    rate: float
    epsilon: float
    zero: tuple[int, ...]
    faded: tuple[int, ...]
    lost: tuple[float, ...]
    loss: tuple[float, ...]
    pull: tuple[float, ...]


Cell = Dead | Pushed | Trained
PARTS: dict[str, Any] = {"dead": Dead, "pushed": Pushed, "trained": Trained}


def _of_row(part: str, *values: Any) -> Any:
    return PARTS[part](part, *values)


RECORD = Record[Any]("hidden_lasso", _of_row)
PATH, provenance, written = RECORD.path, RECORD.provenance, RECORD.written


def dead(**wanted: Any) -> list[Dead]:
    """Return the cells of columns without a gradient whose fields are these."""
    return RECORD.cells(part="dead", **wanted)


def pushed(**wanted: Any) -> list[Pushed]:
    """Return the cells of columns that are pushed whose fields are these."""
    return RECORD.cells(part="pushed", **wanted)


def trained(**wanted: Any) -> list[Trained]:
    """Return the cells of trained networks whose fields are these."""
    return RECORD.cells(part="trained", **wanted)
