"""Remember spikes and the whole run, in arrays of one size: what a step adds, without branches."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from scaleclip.probe._sizes import BEFORE, KEEP, LEAST, SPIKES, WINDOW

STATIC = 'Under optax.inject_hyperparams add static_args=("groups", "keep", "spike", "history", "parts").'
LOST = -1
"""The limit, or the step, of a row that ``adopt`` didn't find: a longer ring begins with such rows."""


class SpikeLog(NamedTuple):
    """The last spikes.

    Attributes:
      total: int32 ``[]``; all spikes.
      above: bool ``[]``; whether the last finite norm was far above the median.
      at, medians, tags: ``[SPIKES]``; the step, counted from 0, the median before it, and the tag,
        -1 for none. Spike n is in row ``n % SPIKES``.
      rows: float32 ``[SPIKES, WINDOW, 2 + G]``; norm, limit and groups of the steps up to each.
    """

    total: Array
    above: Array
    at: Array
    medians: Array
    tags: Array
    rows: Array


class HistoryLog(NamedTuple):
    """The whole run, thinned.

    Attributes:
      stride: int32 ``[]``; steps are kept that are multiples of it, counted from 0.
      at: int32 ``[n]``; the steps of the rows, -1 for none, in no order.
      rows: float32 ``[n, 2 + G]``; norm, limit and groups.
    """

    stride: Array
    at: Array
    rows: Array


def no_spikes(groups: int) -> SpikeLog:
    """Begin without a spike; every array has a buffer of its own, so that all may be donated."""
    return SpikeLog(
        jnp.zeros((), jnp.int32),
        jnp.zeros((), bool),
        jnp.zeros(SPIKES, jnp.int32),
        jnp.zeros(SPIKES, jnp.float32),
        jnp.zeros(SPIKES, int),
        jnp.zeros((SPIKES, WINDOW, 2 + groups), jnp.float32),
    )


def with_step(
    log: SpikeLog, factor: Array, step: Array, tag: ArrayLike, rings: tuple[Array, Array, Array]
) -> SpikeLog:
    """Add a step, if it is a spike, with the steps before it.

    Args:
      log: of the steps before.
      factor: float ``[]``; how many times the median a spike's norm is.
      step: int32 ``[]``; its number, from 0.
      tag: an integer ``[]``; -1 for none.
      rings: norms, limits and groups, in which step n, this one too, is in row ``n % keep``.
    """
    norms, limits, groups = rings
    norm = norms[step % len(norms)]
    before = step - 1 - jnp.arange(BEFORE)
    earlier = norms[before % len(norms)]
    known = (before >= 0) & jnp.isfinite(earlier) & (limits[before % len(norms)] != LOST)
    count = jnp.sum(known)
    ordered = jnp.sort(jnp.where(known, earlier, jnp.inf))
    median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    finite = jnp.isfinite(norm)
    above = finite & (count >= LEAST) & (norm > factor * median)
    spike = above & ~log.above
    row = jnp.where(spike, log.total % SPIKES, SPIKES)  # there is no such row: nothing is written
    window = (step - WINDOW + 1 + jnp.arange(WINDOW)) % len(norms)
    rows = jnp.concatenate([norms[window, None], limits[window, None], groups[window]], axis=1)
    return SpikeLog(
        log.total + spike,
        jnp.where(finite, above, log.above),
        log.at.at[row].set(step, mode="drop"),
        log.medians.at[row].set(median, mode="drop"),
        log.tags.at[row].set(tag, mode="drop"),
        log.rows.at[row].set(rows, mode="drop"),
    )


def no_history(rows: int, groups: int) -> HistoryLog:
    """Begin a history of so many rows, a power of two."""
    empty = jnp.full(rows, LOST, jnp.int32)
    return HistoryLog(jnp.ones((), jnp.int32), empty, jnp.zeros((rows, 2 + groups), jnp.float32))


def with_row(log: HistoryLog, step: Array, row: Array) -> HistoryLog:
    """Add a step, if it is a multiple of the stride; where the rows are full, double the stride.

    A row that is kept never moves: the new one goes where there is none, or one of a step that is
    no multiple of the stride.
    """
    length = len(log.at)
    stride = jnp.where(step >= length * log.stride, 2 * log.stride, log.stride)
    free = (log.at < 0) | (log.at % stride != 0)
    place = jnp.where(step % stride == 0, jnp.argmax(free), length)
    return HistoryLog(
        stride,
        log.at.at[place].set(step, mode="drop"),
        log.rows.at[place].set(row, mode="drop"),
    )


def ring(keep: int, names: tuple[str, ...]) -> Array:
    """A buffer of its own for each ring: a state may be donated to the step that makes the next."""
    return jnp.zeros((keep, len(names)), jnp.float32)


def ring_length(keep: Any) -> int:
    """Check a number of steps to keep; by default ``KEEP``."""
    if keep is None:
        return KEEP
    if isinstance(keep, bool) or not isinstance(keep, int) or keep < 1:
        raise ValueError(
            f"keep must be a whole number of steps, 1 or more, but {keep!r} was given. {STATIC}"
        )
    return keep
