"""Find the records in an optimizer's state, and read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from scaleclip.probe._memory import LOST, HistoryLog, SpikeLog
from scaleclip.probe._sizes import SPIKES, WINDOW
from scaleclip.probe._updating import UpdateLog
from scaleclip.probe.groups import decoded
from scaleclip.probe.recorder import ClipLog
from scaleclip.probe.recording import Culprit, Recording, Spike

Log = ClipLog | UpdateLog
Path = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A record in a state.

    Attributes:
      path: where it is: names of fields, keys and indices.
      log: the record.
      wrappers: by their paths the states around it that may keep a step from it, the outermost first.
    """

    path: Path
    log: Log
    wrappers: dict[Path, Any]


def read(opt_state: Any, path: str = "") -> Recording:
    """Read what the recorder in an optimizer's state has kept.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import probe
    >>> tx = optax.chain(probe.clip_by_global_norm(1.0), optax.sgd(0.1), probe.updates())
    >>> params = {"layer": {"w": jnp.array([3.0, 4.0])}}
    >>> updates, state = tx.update(params, tx.init(params), params)
    >>> print(probe.read(state))
    1 step, 1 clipped, 0 not finite
    norm: median 5, 90th percentile 5, largest 5 in step 1
    limit 1: clips 100 % of these steps, keeps 20 % of their total length
    <BLANKLINE>
    group  median  largest  of norm²  update/weight
    layer       5        5     100 %           0.02

    It may be anywhere: in a chain, inside ``optax.masked`` or ``optax.MultiSteps``, in the
    ``opt_state`` of a Flax NNX ``Optimizer``, or in the dicts and arrays that a checkpoint of any of
    these is restored to without its optimizer. The arrays are fetched from the device now.

    Steps that ``optax.apply_if_finite`` around the recorder has left out are counted in ``unseen``.
    ``optax.MultiSteps`` keeps no such count; where it may skip, ``unseen`` is None. Those that
    ``apply_if_finite`` after the recorder has left out are in ``skipped``: all that it found not finite,
    so with the ones that it applied after giving up. From a checkpoint::

        state = orbax.checkpoint.StandardCheckpointer().restore(folder)
        print(probe.read(state))

    Args:
      opt_state: an optimizer's state, with a ``clip_by_global_norm`` in it and maybe an ``updates``.
      path: where there are several, the part to read, such as ``"inner_states/actor"``; the error
        for several lists them. ``read_all`` reads each.

    Returns:
      The steps that the clip has kept.

    Raises:
      ValueError: if there is no recorder in it, or more than one; if it is traced or batched, as by
        ``jax.vmap``: take one of the batch; if the two recorders saw different steps.
    """
    asked = tuple(path.split("/")) if path else ()
    found = [each for each in records(opt_state) if each.path[: len(asked)] == asked]
    clips = [each for each in found if isinstance(each.log, ClipLog)]
    if len(clips) != 1:
        where = f"part {path!r} of the state" if path else "state"
        paths = ", ".join(repr("/".join(each.path)) for each in clips)
        raise ValueError(
            f"The {where} has {len(clips)} records of probe.clip_by_global_norm; expected one. "
            + (
                f"They are at {paths}. Read one, probe.read(opt_state, path), or all, "
                "probe.read_all(opt_state)."
                if clips
                else "Chain probe.clip_by_global_norm(1.0) before the optimizer (inf records without "
                "clipping), and give the optimizer's state."
            )
        )
    return _recording(clips[0], found, opt_state)


def read_all(opt_state: Any) -> dict[str, Recording]:
    """Read every record in an optimizer's state, by its path.

    >>> import jax.numpy as jnp
    >>> from scaleclip import probe
    >>> state = probe.clip_by_global_norm(1.0).init({"w": jnp.ones(2)})
    >>> [*probe.read_all({"actor": state, "critic": state})]
    ['actor', 'critic']

    With ``optax.partition`` or two optimizers in one state, each clip has a record of its own. An
    ``updates`` goes with the clip that it is nearest to. For an actor and a critic::

        for path, recording in probe.read_all({"actor": actor_state, "critic": critic_state}).items():
            print(path, recording)

    Args:
      opt_state: an optimizer's state, or a pytree of several.

    Returns:
      Recordings, as by ``read``; none where there is no recorder.

    Raises:
      ValueError: as ``read``, for a state that is traced or batched.
    """
    found = records(opt_state)
    clips = [each for each in found if isinstance(each.log, ClipLog)]
    return {"/".join(each.path): _recording(each, found, opt_state) for each in clips}


def records(tree: Any, path: Path = (), wrappers: Mapping[Path, Any] | None = None) -> list[Found]:
    """Return the records in a pytree, in its order."""
    around = dict(wrappers or {})
    log = as_log(tree)
    if log is not None:
        return [Found(path, log, around)]
    if _field(tree, "total_notfinite") is not None or _field(tree, "acc_grads") is not None:
        around[path] = tree
    return [log for name, child in _children(tree) for log in records(child, (*path, name), around)]


def _children(tree: Any) -> list[tuple[str, Any]]:
    """What is one level down in a pytree, by its name there."""
    below = jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda node: node is not tree)[0]
    return [(name_of(key), child) for key, child in below if key]


def name_of(key: Any) -> str:
    """Write the keys that lead one level down in a pytree."""
    return str(jax.tree_util.keystr(key, simple=True, separator="/"))


def as_log(node: Any) -> Log | None:
    """Return the record that a node is, also as the dict that a checkpoint makes of it."""
    if isinstance(node, ClipLog | UpdateLog):
        return node
    if isinstance(node, Mapping):
        if set(ClipLog._fields[:7]) <= set(node) <= set(ClipLog._fields):
            kinds = {"limit": dict, "spikes": SpikeLog, "history": HistoryLog}
            inner = {name: kind(**node[name]) for name, kind in kinds.items() if node.get(name)}
            return ClipLog(**(dict(node) | inner))
        if {*node, "beyond"} == set(UpdateLog._fields):
            return UpdateLog(**({"beyond": None} | dict(node)))
    return None


def _field(node: Any, name: str) -> Any:
    return node.get(name) if isinstance(node, Mapping) else getattr(node, name, None)


def _recording(clip: Found, found: list[Found], state: Any) -> Recording:
    log = fetched(clip.log)
    _require_one(log.norms, 1)
    seen, keep = int(log.seen), len(log.norms) if log.keep is None else int(log.keep)
    steps = np.arange(max(0, seen - keep), seen)
    rows = np.concatenate([log.norms[:, None], log.limits[:, None], log.groups], axis=1)
    names = decoded(log.names)
    kept, steps = _rows(rows[steps % len(rows)], steps, names)
    counts: Any = {name: int(getattr(log, name)) for name in ("seen", "clipped", "nonfinite")}
    first = -1 if log.first is None else int(log.first)
    broken = [name for name, n in zip(names, log.broken, strict=True) if n] if first >= 0 else []
    return Recording(
        **kept,
        **counts,
        **_updates(clip, found, seen, steps),
        unseen=_unseen(clip, counts["nonfinite"]),
        skipped=_skipped(clip.path, state),
        streak=0 if log.streaks is None else int(log.streaks[1]),
        culprit=Culprit(first + 1, tuple(broken)) if first >= 0 else None,
        spiked=int(log.spikes.total) if log.spikes else None,
        spikes=tuple(_spikes(log.spikes, clip, found, seen, names)) if log.spikes else (),
        history=_history(log.history, names, counts) if log.history else None,
    )


def _rows(rows: Any, steps: Any, names: tuple[str, ...]) -> Any:
    """What a recording has of rows of norm, limit and groups; and the steps, without lost rows."""
    found = rows[:, 1] != LOST
    norms, limits, *of_groups = rows[found].T.astype(np.float64, order="C")
    by_group, steps = dict(zip(names, of_groups, strict=True)), steps[found]
    return {"steps": steps + 1, "norms": norms, "limits": limits, "groups": by_group}, steps


def _spikes(
    log: SpikeLog, clip: Found, found: list[Found], seen: int, names: tuple[str, ...]
) -> Iterator[Spike]:
    """The last spikes, the oldest first, each with the updates that are still in their ring."""
    count = int(log.total)
    for n in range(max(0, count - SPIKES), count):
        row = n % SPIKES
        at, tag = int(log.at[row]), int(log.tags[row])
        steps = np.arange(max(0, at - WINDOW + 1), at + 1)
        kept, steps = _rows(log.rows[row, -len(steps) :], steps, names)
        norms = kept["norms"]
        window = Recording(
            **kept,
            **_updates(clip, found, seen, steps),
            seen=len(steps),
            clipped=int(np.sum(norms > kept["limits"])),
            nonfinite=int(np.sum(~np.isfinite(norms))),
        )
        yield Spike(float(log.medians[row]), None if tag < 0 else tag, window)


def _history(log: HistoryLog, names: tuple[str, ...], counts: Any) -> Recording:
    rows = np.flatnonzero((log.at >= 0) & (log.at % log.stride == 0))
    rows = rows[np.argsort(log.at[rows])]
    return Recording(**_rows(log.rows[rows], log.at[rows].astype(np.int64), names)[0], **counts)


def _skipped(path: Path, tree: Any) -> int:
    """Steps that an ``optax.apply_if_finite`` that comes after a clip in its chain has left out."""
    if not path:
        return 0
    children, key = _children(tree), path[0]
    later = [each for n, each in children if n.isdigit() and key.isdigit() and int(n) > int(key)]
    totals = [_field(each, "total_notfinite") for each in later]
    skipped = sum(int(fetched(total)) for total in totals if total is not None)
    return skipped or _skipped(path[1:], dict(children)[key])


def _updates(clip: Found, found: list[Found], seen: int, order: np.ndarray) -> Any:
    """What ``updates`` has measured in the steps ``order`` of a clip; NaN where it measured none."""
    clips = [each for each in found if isinstance(each.log, ClipLog)]
    others = [
        each
        for each in found
        if isinstance(each.log, UpdateLog)  # and no other clip is nearer to it
        and _shared(clip.path, each.path) == max(_shared(c.path, each.path) for c in clips)
    ]
    if not others:
        return {}
    near = [_shared(clip.path, each.path) for each in others]
    nearest = [each for each, n in zip(others, near, strict=True) if n == max(near)]
    if len(nearest) > 1:
        paths = ", ".join(repr("/".join(each.path)) for each in nearest)
        raise ValueError(
            f"The state has {len(nearest)} records of probe.updates that may belong to "
            f"{'/'.join(clip.path)!r}, at {paths}; expected one. Keep one probe.updates in the chain."
        )
    other = nearest[0]
    log = fetched(other.log)
    _require_one(log.updates, 2)
    late = seen - int(log.seen)
    if late and set(clip.wrappers) != set(other.wrappers):
        raise ValueError(
            f"probe.clip_by_global_norm, at {'/'.join(clip.path)!r}, saw {seen} steps, and probe.updates, "
            f"at {'/'.join(other.path)!r}, {int(log.seen)}, because a wrapper is around one of them alone. "
            "Put both inside the wrapper or both outside of it. To read the clip's record by itself: "
            f"probe.read(opt_state, {'/'.join(clip.path)!r})."
        )
    rows = np.arange(min(int(log.measured), len(log.at)))
    rows = rows[log.at[rows] != LOST]
    at = log.at[rows] + late  # adopted in different steps, each counts from where it began
    _, places, which = np.intersect1d(order, at, return_indices=True)
    rows = rows[which]
    near_too = [c for c in clips if _shared(c.path, other.path) == max(near)]
    theirs = decoded(log.names)
    mine = set(decoded(fetched(clip.log.names))) & set(theirs)
    filled = {}
    for name in ("updates", "weights", "beyond")[: 2 if log.beyond is None else 3]:
        by_step = np.full((len(order), len(theirs)), np.nan)
        by_step[places] = getattr(log, name)[rows]
        filled[name] = {
            group: values
            for group, values in _columns(by_step, theirs).items()
            if len(near_too) == 1 or not mine or group in mine  # a part has groups of its own
        }
    return filled


def _shared(one: Path, other: Path) -> int:
    """How many keys two paths begin with in common."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def _unseen(clip: Found, nonfinite: int) -> int | None:
    """Steps that wrappers kept from a record; None where one may have, and keeps no count."""
    count = 0
    for state in clip.wrappers.values():
        total = _field(state, "total_notfinite")
        if total is not None:
            # after too many in a row it gives up, and the recorder has seen those
            count += max(0, int(fetched(total)) - nonfinite)
        elif jax.tree.leaves(_field(state, "skip_state")):
            return None
    return count


def fetched(tree: Any) -> Any:
    """Fetch arrays; Flax NNX puts a variable around each."""
    return jax.tree.map(_array, tree, is_leaf=_is_variable)


def _is_variable(node: Any) -> bool:
    return hasattr(node, "get_value") or (isinstance(node, Mapping) and set(node) == {"value"})


def _array(leaf: Any) -> np.ndarray:
    leaf = leaf["value"] if isinstance(leaf, Mapping) else leaf
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


def _columns(table: np.ndarray, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    return {name: table[:, n].astype(np.float64) for n, name in enumerate(names)}
