"""Reading: the records in an optimizer's state, wherever they are in it."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from gradlab.probe.recorder import ClipLog, UpdateLog
from gradlab.probe.recording import Recording


def read(opt_state: Any) -> Recording:
    """Return what the recorders in an optimizer's state have kept.

    They may stand anywhere: in a chain, inside ``optax.masked`` or ``optax.MultiSteps``, in the
    ``opt_state`` of a Flax NNX ``Optimizer``. The arrays are fetched from the device now.

    Args:
      opt_state: an optimizer's state, with one ``clip_by_global_norm`` in it and at most one
        ``updates``.

    Returns:
      The steps that both have kept.

    Raises:
      ValueError: if there is no recorder in it or more than one of a kind; or if it is traced
        or batched, as by ``jax.vmap``: take one of the batch.
    """
    clips, others = _found(opt_state, ClipLog), _found(opt_state, UpdateLog)
    if len(clips) != 1 or len(others) > 1:
        raise ValueError(
            f"The state has {len(clips)} records of probe.clip_by_global_norm and {len(others)} of "
            "probe.updates; expected one, and at most one. Chain probe.clip_by_global_norm(1.0) before "
            "the optimizer (inf records without clipping), and where there are several give the part of "
            "the state that one of them is in."
        )
    log: Any = jax.tree.map(_array, clips[0])
    _require_one(log.norms, 1)
    seen = int(log.seen)
    order = _order(seen, len(log.norms))
    steps, found = order + 1, {}
    if others:
        other: Any = jax.tree.map(_array, others[0])
        _require_one(other.updates, 2)
        at = _order(int(other.seen), len(other.updates))
        count = min(len(order), len(at))
        order, at, steps = (
            order[len(order) - count :],
            at[len(at) - count :],
            steps[len(steps) - count :],
        )
        for name in ("updates", "weights", "beyond"):
            ring = getattr(other, name)
            if ring is not None:
                found[name] = _columns(ring[at % len(ring)], other.names)
    kept = order % len(log.norms)
    return Recording(
        steps=steps,
        norms=log.norms[kept].astype(np.float64),
        limits=log.limits[kept].astype(np.float64),
        groups=_columns(log.groups[kept], log.names),
        seen=seen,
        clipped=int(log.clipped),
        nonfinite=int(log.nonfinite),
        **found,
    )


def _found(tree: Any, kind: type) -> list[Any]:
    leaves = jax.tree.leaves(tree, is_leaf=lambda node: isinstance(node, kind))
    return [leaf for leaf in leaves if isinstance(leaf, kind)]


def _array(leaf: Any) -> np.ndarray:
    """Fetch an array; Flax NNX puts a variable around each."""
    leaf = leaf[...] if hasattr(leaf, "get_value") else leaf
    if isinstance(leaf, jax.core.Tracer):
        raise ValueError(
            "The state is traced: read it outside of the jitted function, or after it."
        )
    return np.asarray(leaf)


def _require_one(ring: np.ndarray, axes: int) -> None:
    if ring.ndim != axes:
        raise ValueError(
            f"The records have the shape {ring.shape}: they are those of a batch of trainings. Take one "
            "of them: jax.tree.map(lambda x: x[0], opt_state)."
        )


def _order(seen: int, keep: int) -> np.ndarray:
    """The numbers of the steps that a ring still has, from 0, the oldest first."""
    return np.arange(max(0, seen - keep), seen)


def _columns(table: np.ndarray, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    return {name: table[:, n].astype(np.float64) for n, name in enumerate(names)}
