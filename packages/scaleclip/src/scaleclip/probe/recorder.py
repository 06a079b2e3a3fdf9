"""A clip as an Optax transformation that keeps what it saw.

It keeps the last ``keep`` steps in a ring within the optimizer's state, so it works wherever
the optimizer does, under ``jax.jit``, ``jax.lax.scan`` and ``jax.vmap``, and with arrays that are
sharded under ``jit``: nothing is called back, and nothing is fetched until ``read``. A state is a
NamedTuple of arrays, the names of the groups included, so whatever saves Adam's state saves it too,
and ``read`` needs neither model nor optimizer.

Where the recorder goes when there is a wrapper, and what it then sees:

    =========================================================  =====================================
    chain(probe.clip, apply_if_finite(adam, 5))                every step; NaN is counted, not applied
    apply_if_finite(chain(probe.clip, adam), 5)                applied steps; ``read`` adds the others
    chain(probe.clip, MultiSteps(adam, k))                     every mini-step, clipped by itself
    MultiSteps(chain(probe.clip, adam), k)                     each mean of k mini-steps, clipped once
    MultiSteps(chain(probe.clip, adam), k, skip_not_finite)    the same; ``read`` says steps may be missing
    masked(probe.clip, mask)                                   the leaves of the mask, one norm for them
    partition({"a": chain(probe.clip, ...), ...}, labels)      a record and a norm for each part
    chain(probe.clip({"a": 1.0, ...}, parts=f), adam)          the same, before one optimizer for all
    inject_hyperparams(probe.clip)(max_norm=0.1)               every step, and the limit it had
    =========================================================  =====================================

With ``probe.clip`` short for ``probe.clip_by_global_norm(...)``; its limit ``inf`` only records.

Optax has ``snapshot``, ``monitor`` and ``measure_with_ema`` (since 0.2.6): they keep the latest value,
or a running mean, of any function of the updates. The recorders keep each of the last steps by group,
with the limit in force and counts over the whole run, so that another limit can be tried afterwards;
of the first step with inf or NaN the groups that had it; of the last spikes the steps before each; and
the whole run, thinned.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import norm_limit, scalar_in_range
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.probe._grouped import grouped, known_norms, require_groups, written_path
from scaleclip.probe._live import Limit, begin, clip
from scaleclip.probe._memory import (
    STATIC,
    HistoryLog,
    SpikeLog,
    no_history,
    no_spikes,
    ring,
    ring_length,
    with_row,
    with_step,
)
from scaleclip.probe._sizes import BEFORE, FACTOR, HISTORY
from scaleclip.probe.groups import Groups, by_module, encoded, group_of
from scaleclip.probe.limits import AGC, AutoClip, ZClip


class ClipLog(NamedTuple):
    """The state of ``clip_by_global_norm``; ``read`` makes a ``Recording`` of it.

    Attributes:
      names: uint8 ``[n]``; of the groups, G of them, as ``groups.encoded`` writes them.
      seen, clipped, nonfinite: int32 ``[]``; all steps, those with a norm beyond the limit, and
        those with inf or NaN in a gradient.
      norms, limits: float32 ``[rows]``; of step n, counted from 0, at ``n % rows``. There are
        ``keep`` rows, or as many as the spikes look back.
      groups: float32 ``[rows, G]``; the groups' norms before the clip. NaN where they aren't known:
        beside a group that has inf.
      keep: int32 ``[]``; of the rows, so many are read. None, as all that follow, in the record of
        an earlier version, which ``read`` and ``adopt`` take.
      streaks: int32 ``[2]``; steps with inf or NaN in a row: up to now, and at most.
      first: int32 ``[]``; the first such step, counted from 0; -1 for none.
      broken: bool ``[G]``; the groups that had inf or NaN in it.
      limit: what ``AutoClip`` and ``ZClip`` remember: a dict of arrays.
      spikes, history: None where they aren't kept.
    """

    names: Array
    seen: Array
    clipped: Array
    nonfinite: Array
    norms: Array
    limits: Array
    groups: Array
    keep: Array | None = None
    streaks: Array | None = None
    first: Array | None = None
    broken: Array | None = None
    limit: dict[str, Array] | None = None
    spikes: SpikeLog | None = None
    history: HistoryLog | None = None


def clip_by_global_norm(
    max_norm: Limit | Mapping[str, Limit],
    *,
    groups: Groups | None = None,
    keep: int | None = None,
    nonfinite: Nonfinite = "propagate",
    parts: Groups | None = None,
    spike: ArrayLike | None = FACTOR,
    history: int | None = None,
) -> optax.GradientTransformationExtraArgs:
    """Clip gradients by the norm of all of them together, and record what was clipped.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import probe
    >>> tx = optax.chain(probe.clip_by_global_norm(2.5), optax.sgd(1.0))
    >>> updates, state = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)))
    >>> print(updates, probe.read(state).norms)
    [-1.5 -2. ] [5.]

    ``g -> g * min(1, max_norm / norm(g))``, as ``scaleclip.ops.clip_by_global_norm``. In the
    optimizer's state it keeps, of the last ``keep`` steps, the limit, the norm before the clip, and
    the norm of each group; of all steps how many were clipped, and how many had inf or NaN; and
    spikes, the first failure and the whole run, thinned, as ``Recording`` describes them.

    The limit may be one that the run sets itself, ``probe.AutoClip()``, ``ZClip()`` or ``AGC()``.
    To know the batch of a spike, give its number, ``tx.update(grads, state, params, tag=n)``; inside
    ``optax.MultiSteps`` that of the last mini-step is kept. Updates beside a spike are those that
    ``updates`` measured, if they are still in its ring when it is read.

    With ``parts`` each part of the model has a limit and a record of its own, where Muon and AdamW,
    say, share a model. ``read_all`` reads them::

        muon = lambda path, leaf: "muon" if leaf.ndim == 2 else "adamw"
        clip = probe.clip_by_global_norm({"muon": 1.0, "adamw": probe.ZClip()}, parts=muon)

    Where a module has leaves of two parts, its update and weights are those of both: give
    ``groups=probe.by_leaf`` to this and to ``updates``.

    ``optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4))``, and later
    ``probe.read(opt_state)``. It replaces ``optax.clip_by_global_norm``; in a job that is already
    running, ``adopt`` carries its state over. To clip some leaves alone, put it into ``optax.masked``;
    the module's docstring lists what it sees inside other wrappers.

    Args:
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf, which records
        without clipping; or a schedule, from the number of the step (int32 ``[]``, from 0) to it;
        or an ``AutoClip``, a ``ZClip`` or, if ``update`` gets the weights, an ``AGC``. With ``parts``
        a dict of these. A number that is 0 warns: other programs use 0 for "off", but here it makes
        every gradient 0.
      groups: ``groups(path, leaf) -> name``: ``by_module`` (the default), ``by_layer``, ``by_leaf``
        or one of your own. Under ``optax.inject_hyperparams``, which takes functions for schedules
        and numbers for what may change, all that comes after the limit is static:
        ``static_args=("groups", "keep", "spike", "history", "parts")``.
      keep: so many steps are kept, 1 or more; 4,096 by default.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``, as in ``scaleclip.ops.clipping``.
        With ``"zero"`` the norms are those after inf and NaN were made 0.
      parts: ``parts(path, leaf) -> name`` of the part that a leaf belongs to: a key of ``max_norm``.
      spike: a norm above this many times the median of the 100 before it is a spike; above 0. The
        last 16 are kept, with 32 steps each; None or inf keeps none.
      history: so many rows for the whole run, a power of two, 0 for none; 1,024 by default.

    Returns:
      An Optax transformation, whose state is a ``ClipLog``; with ``parts`` a dict of them.

    Raises:
      TypeError, ValueError: where an argument cannot be right; from ``init`` if ``groups``
        returns no name, or there is no float leaf.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1, for the clip.
      ``optax.snapshot`` beside Optax's clip keeps the latest norm, and ``monitor`` a running
      mean; this keeps each of the last steps, by group, with the limit that was in force.
    """
    how: Any = {"groups": groups, "keep": keep, "nonfinite": nonfinite, "spike": spike}
    if parts is not None or isinstance(max_norm, Mapping):
        return _by_part(max_norm, parts, history=history, **how)
    _check_limit(max_norm)
    check_choice(nonfinite)
    by, length, rows = groups or by_module, ring_length(keep), _history_rows(history)
    factor = jnp.inf if spike is None else spike
    factor = scalar_in_range(factor, "spike", lambda times: times > 0, "a number above 0, or None")
    looks = isinstance(factor, jax.core.Tracer) or bool(np.isfinite(factor))

    def init(params: Any) -> ClipLog:
        names = grouped(params, by, "params").names
        count = partial(jnp.zeros, (), jnp.int32)
        kept = max(length, BEFORE + 1) if looks else length
        return ClipLog(
            jnp.array(encoded(names)),
            count(),
            count(),
            count(),
            jnp.zeros(kept, jnp.float32),
            jnp.zeros(kept, jnp.float32),
            ring(kept, names),
            jnp.full((), length, jnp.int32),
            jnp.zeros(2, jnp.int32),
            jnp.full((), -1, jnp.int32),
            jnp.zeros(len(names), bool),
            begin(max_norm),
            no_spikes(len(names)) if looks else None,
            no_history(rows, len(names)) if rows else None,
        )

    def update(
        grads: Any, log: ClipLog, params: Any = None, *, tag: ArrayLike | None = None, **extra: Any
    ) -> tuple[Any, ClipLog]:
        if log.streaks is None or log.first is None or log.broken is None:
            raise ValueError(
                "The state is of an earlier version. Carry it over with scaleclip.probe.adopt."
            )
        found = grouped(grads, by)
        require_groups(found.names, log.names)
        leaves = tuple(handle_nonfinite(leaf, nonfinite, "grads") for leaf in found.leaves)
        weights = _weights(params, by) if isinstance(max_norm, AGC) else ()
        clipped, norm, by_group, now, cut, limit = clip(
            max_norm, found._replace(leaves=leaves), weights, log.seen, log.limit
        )
        broken = ~jnp.isfinite(by_group)
        if nonfinite == "zero":
            pairs = zip(found.leaves, leaves, strict=True)
            changed = jnp.stack([jnp.any(given != leaf) for given, leaf in pairs])
            broken = broken.at[np.array(found.numbers)].max(changed)
        wrong = jnp.any(broken) | ~jnp.isfinite(norm)
        streak = jnp.where(wrong, log.streaks[0] + 1, 0)
        new = wrong & (log.nonfinite == 0)
        at = log.seen % log.norms.size
        row = jnp.stack([norm.astype(jnp.float32), jnp.asarray(now, jnp.float32)])
        row = jnp.concatenate([row, known_norms(norm, by_group)])
        rings = (
            log.norms.at[at].set(row[0]),
            log.limits.at[at].set(row[1]),
            log.groups.at[at].set(row[2:]),
        )
        return found.put_back(clipped), ClipLog(
            log.names,
            log.seen + 1,
            log.clipped + cut,
            log.nonfinite + wrong,
            *rings,
            log.keep,
            jnp.stack([streak, jnp.maximum(streak, log.streaks[1])]),
            jnp.where(new, log.seen, log.first),
            jnp.where(new, broken, log.broken),
            limit,
            log.spikes and with_step(log.spikes, factor, log.seen, _tag(tag), rings),
            log.history and with_row(log.history, log.seen, row),
        )

    return optax.GradientTransformationExtraArgs(init, update)


def _by_part(
    limits: Any, parts: Groups | None, **how: Any
) -> optax.GradientTransformationExtraArgs:
    """Make a recorder for each part of the leaves, and a state that has theirs by name."""
    if parts is None or not isinstance(limits, Mapping) or not limits:
        raise ValueError(
            f"Limits by part go with parts=, but max_norm = {limits!r} and parts = {parts!r} were "
            'given. Give both: clip_by_global_norm({"muon": 1.0, "adamw": 0.5}, '
            "parts=lambda path, leaf: ...)."
        )
    recorders = {name: clip_by_global_norm(limit, **how) for name, limit in limits.items()}

    def chosen(tree: Any, name: str) -> Any:
        def select(path: Any, leaf: Any) -> Any:
            part = group_of(parts, written_path(path), leaf)
            if part not in recorders:
                raise ValueError(
                    f"parts returned {part!r} for {written_path(path)!r}, for which there is no "
                    f"limit. There are limits for {', '.join(recorders)}."
                )
            return leaf if part == name else None

        return jax.tree_util.tree_map_with_path(select, tree)

    def init(params: Any) -> dict[str, ClipLog]:
        return {name: each.init(chosen(params, name)) for name, each in recorders.items()}

    def update(
        grads: Any, logs: dict[str, ClipLog], params: Any = None, **extra: Any
    ) -> tuple[Any, dict[str, ClipLog]]:
        done = {
            name: each.update(chosen(grads, name), logs[name], chosen(params, name), **extra)
            for name, each in recorders.items()
        }
        clipped = jax.tree.map(
            lambda *given: next((leaf for leaf in given if leaf is not None), None),
            *(updates for updates, _ in done.values()),
            is_leaf=lambda leaf: leaf is None,
        )
        return clipped, {name: log for name, (_, log) in done.items()}

    return optax.GradientTransformationExtraArgs(init, update)


def _check_limit(limit: Any) -> None:
    """Refuse a wrong limit, and warn of one that is 0."""
    if callable(limit) or isinstance(limit, AutoClip | ZClip | AGC):
        return
    norm_limit(limit, "max_norm")
    if not isinstance(limit, jax.core.Tracer) and np.asarray(limit) == 0:
        warnings.warn(
            "max_norm = 0 makes every gradient 0. Elsewhere 0 means off: to record without clipping "
            "use math.inf.",
            UserWarning,
            stacklevel=3,
        )


def _weights(params: Any, by: Groups) -> tuple[Array, ...]:
    if params is None:
        raise ValueError(
            "AGC compares gradients with the weights: call update(grads, state, params)."
        )
    return grouped(params, by, "params").leaves


def _history_rows(rows: Any) -> int:
    if rows is None:
        return HISTORY
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0 or rows & (rows - 1):
        raise ValueError(
            f"history must be a power of two, or 0 for none, but {rows!r} was given. {STATIC}"
        )
    return rows


def _tag(tag: Any) -> ArrayLike:
    """Check what the caller says of the batch; -1 if nothing."""
    if tag is None:
        return -1
    number = tag if isinstance(tag, Array) else np.asarray(tag)
    if number.ndim or not jnp.issubdtype(number.dtype, jnp.integer):
        raise TypeError(
            f"tag must be a whole number, such as that of the batch, but {tag!r} was given."
        )
    most = np.iinfo(jnp.zeros((), int).dtype).max
    if not isinstance(tag, Array) and not 0 <= number <= most:  # would wrap without a word
        raise ValueError(f"tag must be from 0 to {most:,}, but {tag!r} was given.")
    return jnp.asarray(number)
