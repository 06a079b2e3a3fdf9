"""Carry the state of a running job over to another chain."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from scaleclip.probe._memory import LOST
from scaleclip.probe._reading import as_log, fetched, name_of, records
from scaleclip.probe.groups import decoded
from scaleclip.probe.recorder import ClipLog


def adopt(old_state: Any, tx: optax.GradientTransformation, params: Any) -> Any:
    """Make the state of ``tx``, with everything that an older state has for it.

    To add a recorder to a job that is running, or to change its ``keep``, restore the checkpoint with
    the optimizer that wrote it, or with none, and adopt it::

        >>> import jax.numpy as jnp, optax
        >>> from scaleclip import probe
        >>> params = {"w": jnp.ones(3)}
        >>> old = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3)).init(params)
        >>> tx = optax.chain(probe.clip_by_global_norm(1.0), optax.adam(1e-3), probe.updates())
        >>> state = probe.adopt(old, tx, params)
        >>> probe.read(state).seen
        0

    Moments and counts are matched by the names of their fields and keys, and where these are the same
    by order. Records are matched by their groups, in order: of the old rows, the last
    that fit are kept; a history of another length begins anew, and so does what ``AutoClip`` or ``ZClip``
    remember where the old limit was another. A recorder that is new counts its steps from 0, and so does a schedule of its
    limit. A record for which ``tx`` has no recorder is left out. In Flax NNX adopt
    ``optimizer.opt_state`` with ``nnx.state(model, nnx.Param)``, and give the result to the new
    optimizer: ``new.opt_state = flax.nnx.training.optimizer.to_opt_state(state)``.

    Args:
      old_state: an optimizer's state, or the dicts, lists and arrays that it was restored to.
      tx: the transformation to go on with.
      params: the weights, as ``tx.init`` takes them.

    Returns:
      A state of ``tx``.

    Raises:
      ValueError: if an array has no counterpart of its shape and dtype, or a record has other groups.
    """
    new_state = tx.init(params)
    old_logs = [each.log for each in records(old_state)]
    logs = iter([_adopted(each.log, old_logs) for each in records(new_state)])
    old, new = _by_name(old_state), _by_name(new_state)
    problems = [
        f"{name or 'array'}: {len(old.get(name, ()))} in the old state, {len(new.get(name, ()))} in the "
        "new one"
        for name in {**old, **new}
        if len(old.get(name, ())) != len(new.get(name, ()))
    ]
    taken = {}
    for name in old if not problems else ():
        for (place, leaf), (_, given) in zip(new[name], old[name], strict=True):
            taken[place] = given
            if _kind(given) != _kind(leaf):
                problems.append(f"{name} is {_kind(given)} in the old state and {_kind(leaf)} now")
    if problems:
        raise ValueError(
            f"The old state doesn't fit: {'; '.join(problems[:6])}"
            + (f"; and {len(problems) - 6} more" if len(problems) > 6 else "")
            + ". Apart from its recorders tx must be the optimizer that the old state is of, with the "
            "same wrappers, and params must have the same shapes. For a state that inject_hyperparams "
            'made before there was a spike=, add static_args="spike".'
        )
    return jax.tree_util.tree_map_with_path(
        lambda path, node: next(logs) if _is_log(node) else jnp.asarray(taken[_keys(path)]),
        new_state,
        is_leaf=_is_log,
    )


Place = tuple[str | int, ...]


def _by_name(tree: Any) -> dict[str, list[tuple[Place, Any]]]:
    """The arrays outside of records, by the names in their paths, in the order of the indices there.

    Indices are numbers in it: a checkpoint may have lists as dicts, in which "10" is before "2".
    """
    found: dict[str, list[tuple[Place, Any]]] = defaultdict(list)
    for path, leaf in jax.tree_util.tree_flatten_with_path(tree, is_leaf=_is_log)[0]:
        if not _is_log(leaf):
            place = _keys(path)
            found["/".join(key for key in place if isinstance(key, str))].append((place, leaf))
    return {
        name: sorted(leaves, key=lambda each: [key for key in each[0] if isinstance(key, int)])
        for name, leaves in found.items()
    }


def _keys(path: Any) -> Place:
    """A path, without the ``value`` that Flax NNX adds to each."""
    names = [name_of((key,)) for key in path]
    return tuple(int(name) if name.isdigit() else name for name in names if name != "value")


def _is_log(node: Any) -> bool:
    return as_log(node) is not None


def _kind(leaf: Any) -> str:
    return f"{getattr(leaf, 'dtype', type(leaf).__name__)}{list(np.shape(leaf))}"


def _adopted(new: Any, old: list[Any]) -> Any:
    """Take over the rows of the first old record of the same kind, which is removed from the list."""
    given = next((log for log in old if type(log) is type(new)), None)
    if given is None:
        return new
    old[:] = [log for log in old if log is not given]
    given = fetched(given)
    theirs, ours = decoded(given.names), decoded(new.names)
    if theirs != ours:
        raise ValueError(
            f"The old record has the groups {', '.join(theirs)}; the new one has {', '.join(ours)}. Give "
            "the recorder the same groups=."
        )
    rings, count = (
        (("norms", "limits", "groups"), given.seen)
        if isinstance(new, ClipLog)
        else (("at", "updates", "weights", "beyond"), given.measured)
    )
    last = min(len(getattr(log, rings[0])) for log in (new, given))
    moved: dict[str, Any] = {
        name: _carried(getattr(new, name), getattr(given, name))
        for name in new._fields
        if name not in rings and name not in ("names", "keep")
    }
    for name in rings:
        ring, theirs_too = getattr(new, name), getattr(given, name)
        if ring is not None and theirs_too is not None:
            kept = np.arange(max(0, int(count) - last), int(count))
            if name in ("limits", "at"):  # rows that the old ring had no longer: read skips them
                ring = jnp.full_like(ring, LOST)
            moved[name] = ring.at[kept % len(ring)].set(theirs_too[kept % len(theirs_too)])
    return new._replace(**moved)


def _carried(new: Any, old: Any) -> Any:
    """Take over what isn't a ring; where the old record had none or another kind, begin anew."""
    if jax.tree.map(np.shape, new) != jax.tree.map(np.shape, old):
        return new
    return jax.tree.map(lambda to, given: jnp.asarray(given, to.dtype), new, old)
