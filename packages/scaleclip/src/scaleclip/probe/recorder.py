"""Recorders as Optax transformations: a clip that keeps what it saw, and one for the updates.

Both keep the last ``keep`` steps in a ring within the optimizer's state, so they work wherever
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
    inject_hyperparams(probe.clip)(max_norm=0.1)               every step, and the limit it had
    =========================================================  =====================================

With ``probe.clip`` short for ``probe.clip_by_global_norm(...)``; its limit ``inf`` only records.

Optax has ``snapshot``, ``monitor`` and ``measure_with_ema`` (since 0.2.6): they keep the latest value,
or a running mean, of any function of the updates. The recorders keep each of the last steps by group,
with the limit in force and counts over the whole run, so that another limit can be tried afterwards.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array
from jax.typing import ArrayLike

from scaleclip.ops._arguments import norm_limit
from scaleclip.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from scaleclip.ops._norms import clip_joint_norm, joint_norms
from scaleclip.probe._grouped import Grouped, grouped
from scaleclip.probe.groups import Groups, by_module, decoded, encoded

KEEP = 4096
"""Steps that are kept: with 50 groups 0.8 MB."""

LOST = -1
"""The limit, or the step, of a row that ``adopt`` didn't find: a longer ring begins with such rows."""


class ClipLog(NamedTuple):
    """The state of ``clip_by_global_norm``; ``read`` makes a ``Recording`` of it.

    Attributes:
      names: uint8 ``[n]``; of the groups, G of them, as ``groups.encoded`` writes them.
      seen, clipped, nonfinite: int32 ``[]``; all steps, those with a norm beyond the limit, and
        those with inf or NaN in a gradient.
      norms, limits: float32 ``[keep]``; of step n, counted from 0, at ``n % keep``.
      groups: float32 ``[keep, G]``; the groups' norms before the clip. NaN where they aren't known:
        beside a group that has inf.
    """

    names: Array
    seen: Array
    clipped: Array
    nonfinite: Array
    norms: Array
    limits: Array
    groups: Array


class UpdateLog(NamedTuple):
    """The state of ``updates``.

    Attributes:
      names: uint8 ``[n]``; of the groups, G of them, as ``groups.encoded`` writes them.
      seen, measured: int32 ``[]``; all steps, and those that were measured.
      at: int32 ``[keep]``; the steps of the rows, counted from 0. The m-th to be measured is in row
        ``m % keep``.
      updates, weights: float32 ``[keep, G]``; the norms of the updates, and of the weights before.
      beyond: the same, of what a projection takes back; None where none was given.
    """

    names: Array
    seen: Array
    measured: Array
    at: Array
    updates: Array
    weights: Array
    beyond: Array | None


def clip_by_global_norm(
    max_norm: ArrayLike | Callable[[Array], ArrayLike],
    *,
    groups: Groups | None = None,
    keep: int | None = None,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip gradients by the norm of all of them together, and record what was clipped.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import probe
    >>> tx = optax.chain(probe.clip_by_global_norm(2.5), optax.sgd(1.0))
    >>> updates, state = tx.update(jnp.array([3.0, 4.0]), tx.init(jnp.zeros(2)))
    >>> print(updates, probe.read(state).norms)
    [-1.5 -2. ] [5.]

    ``g -> g * min(1, max_norm / norm(g))``, as ``scaleclip.ops.clip_by_global_norm``. In the
    optimizer's state it keeps, of the last ``keep`` steps, the limit, the norm before the clip, and
    the norm of each group; of all steps how many were clipped, and how many had inf or NaN.

    ``optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4))``, and later
    ``probe.read(opt_state)``. It replaces ``optax.clip_by_global_norm``; in a job that is already
    running, ``adopt`` carries its state over. To clip some leaves alone, put it into ``optax.masked``;
    the module's docstring lists what it sees inside other wrappers.

    Args:
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf, which records
        without clipping; or a schedule, from the number of the step (int32 ``[]``, from 0) to it.
        A number that is 0 warns: other programs use 0 for "off", but here it makes every gradient 0.
      groups: ``groups(path, leaf) -> name``: ``by_module`` (the default), ``by_layer``, ``by_leaf``
        or one of your own. Under ``optax.inject_hyperparams``, which takes functions for schedules,
        name it in ``static_args=("groups", "keep")``.
      keep: so many steps are kept, 1 or more; 4,096 by default.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``, as in ``scaleclip.ops.clipping``.
        With ``"zero"`` the norms are those after inf and NaN were made 0.

    Returns:
      An Optax transformation, whose state is a ``ClipLog``.

    Raises:
      TypeError, ValueError: where an argument cannot be right; from ``init`` if ``groups``
        returns no name, or there is no float leaf.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1, for the clip.
      ``optax.snapshot`` beside Optax's clip keeps the latest norm, and ``monitor`` a running
      mean; this keeps each of the last steps, by group, with the limit that was in force.
    """
    schedule = max_norm if callable(max_norm) else lambda step: max_norm
    if not callable(max_norm):
        norm_limit(max_norm, "max_norm")  # refuses a wrong limit now
        if not isinstance(max_norm, jax.core.Tracer) and np.asarray(max_norm) == 0:
            warnings.warn(
                "max_norm = 0 makes every gradient 0. Elsewhere 0 means off: to record without clipping "
                "use math.inf.",
                UserWarning,
                stacklevel=2,
            )
    check_choice(nonfinite)
    by, length = groups or by_module, _length(keep)

    def init(params: Any) -> ClipLog:
        names = grouped(params, by, "params").names
        count = partial(jnp.zeros, (), jnp.int32)
        ring = partial(jnp.zeros, length, jnp.float32)
        return ClipLog(
            jnp.array(encoded(names)),
            count(),
            count(),
            count(),
            ring(),
            ring(),
            _ring(length, names),
        )

    def update(grads: Any, log: ClipLog, params: Any = None) -> tuple[Any, ClipLog]:
        now = norm_limit(schedule(log.seen), "max_norm")
        found = grouped(grads, by)
        _require_groups(found.names, log.names)
        leaves = tuple(handle_nonfinite(leaf, nonfinite, "grads") for leaf in found.leaves)
        clipped, norm, parts = clip_joint_norm(leaves, found.axes, now, groups=found.numbers)
        norms = _known(norm, parts)
        broken = ~jnp.isfinite(norm)
        if nonfinite == "zero":
            pairs = zip(found.leaves, leaves, strict=True)
            broken |= ~jnp.all(jnp.stack([jnp.all(given == leaf) for given, leaf in pairs]))
        at = log.seen % log.norms.size
        return found.put_back(clipped), ClipLog(
            log.names,
            log.seen + 1,
            log.clipped + (norm > now),
            log.nonfinite + broken,
            log.norms.at[at].set(norm.astype(jnp.float32)),
            log.limits.at[at].set(jnp.asarray(now, jnp.float32)),
            log.groups.at[at].set(norms),
        )

    return optax.GradientTransformation(init, update)


def updates(
    *,
    groups: Groups | None = None,
    keep: int | None = None,
    projection: Callable[[Any], Any] | None = None,
) -> optax.GradientTransformationExtraArgs:
    """Record how large the updates are beside the weights; nothing is changed.

    >>> import jax.numpy as jnp, optax
    >>> from scaleclip import probe
    >>> tx = optax.chain(probe.clip_by_global_norm(1.0), optax.sgd(0.1), probe.updates())
    >>> params = {"layer": {"w": jnp.array([3.0, 4.0])}}
    >>> updates, state = tx.update(params, tx.init(params), params)
    >>> print(probe.read(state).ratios["layer"])  # 0.1 beside 5
    [0.02]

    It goes at the end of a chain, where updates are what is added to the weights w. It keeps
    ``norm(u)`` and ``norm(w)`` of each group, so that ``read(opt_state).ratios`` has
    ``norm(u) / norm(w)``; and if a projection is given, ``norm(w + u - projection(w + u))``: how
    far outside of its set the step would end. Put it before the constraint, then, to see what the
    constraint takes back: 0 where it does not act.

    Measuring reads the updates and the weights once more, which for small batches is a fifth of a
    step. ``update`` takes ``record_updates``, which is True by default, so a second version of the
    step can leave it out::

        @partial(jax.jit, static_argnames="measure")
        def step(params, state, batch, measure):
            grads = jax.grad(loss)(params, batch)
            u, state = tx.update(grads, state, params, record_updates=measure)
            return optax.apply_updates(params, u), state

        for n, batch in enumerate(batches):
            params, state = step(params, state, batch, measure=n % 10 == 0)

    Args:
      groups, keep: as in ``clip_by_global_norm``; ``keep`` counts the steps that are measured.
      projection: from a pytree of weights to one like it, such as
        ``lambda w: scaleclip.ops.max_norm(w, 2.0)``.

    Returns:
      An Optax transformation, whose state is an ``UpdateLog``. Its ``update`` needs the weights,
      and raises a ValueError without them, and a TypeError where ``record_updates`` is no bool
      (one that is traced would cost as much as measuring each step).
    """
    by, length = groups or by_module, _length(keep)

    def init(params: Any) -> UpdateLog:
        names = grouped(params, by, "params").names
        return UpdateLog(
            jnp.array(encoded(names)),
            jnp.zeros((), jnp.int32),
            jnp.zeros((), jnp.int32),
            jnp.zeros(length, jnp.int32),
            _ring(length, names),
            _ring(length, names),
            _ring(length, names) if projection else None,
        )

    def update(
        given: Any,
        log: UpdateLog,
        params: Any = None,
        *,
        record_updates: bool = True,
        **extra: Any,
    ) -> tuple[Any, UpdateLog]:
        if not isinstance(record_updates, bool):
            raise TypeError(
                f"record_updates must be True or False, but {record_updates!r} was given. Under "
                'jax.jit make it static: jax.jit(step, static_argnames="record_updates").'
            )
        if not record_updates:
            return given, log._replace(seen=log.seen + 1)
        if params is None:
            raise ValueError(
                "probe.updates compares updates with the weights: call update(grads, state, params)."
            )
        trees = [given, params]
        if projection is not None:
            moved = optax.apply_updates(params, given)
            trees.append(jax.tree.map(lambda a, b: a - b, moved, projection(moved)))
        norms = _group_norms([grouped(tree, by) for tree in trees], log.names)
        row = log.measured % len(log.at)
        rings = [log.updates, log.weights] + ([] if log.beyond is None else [log.beyond])
        written = [ring.at[row].set(n) for ring, n in zip(rings, norms, strict=True)]
        return given, UpdateLog(
            log.names,
            log.seen + 1,
            log.measured + 1,
            log.at.at[row].set(log.seen),
            *(written if projection else (*written, None)),
        )

    return optax.GradientTransformationExtraArgs(init, update)


def _group_norms(found: list[Grouped], names: Array) -> list[Array]:
    """The norms of the groups of several pytrees, each float32 ``[G]``.

    Squares that overflow are rescued; a group shorter than 1e-19 may be recorded as 0.
    """
    for each in found:
        _require_groups(each.names, names)
    count = len(found[0].names)
    norm, parts = joint_norms(
        tuple(leaf for each in found for leaf in each.leaves),
        tuple(axes for each in found for axes in each.axes),
        tuple(n * count + number for n, each in enumerate(found) for number in each.numbers),
    )
    norms = _known(norm.value, parts)
    return [norms[n * count : (n + 1) * count] for n in range(len(found))]


def _known(whole: Array, parts: Array) -> Array:
    """The norms of groups, float32 ``[G]``; NaN for one that may have underflowed beside an inf."""
    norms = parts.astype(jnp.float32)
    return jnp.where(jnp.isinf(whole) & (norms == 0), jnp.nan, norms)


def _require_groups(found: tuple[str, ...], names: Array) -> None:
    """Refuse gradients of other groups than the weights': under ``jit`` by the length of their names."""
    written = encoded(found)
    traced = isinstance(names, jax.core.Tracer)
    if written.shape != names.shape or not (traced or np.array_equal(written, names)):
        known = "others" if traced else ", ".join(decoded(names))
        raise ValueError(
            f"The groups of the gradients are {', '.join(found)}; those of the weights, for which "
            f"the recorder was made, are {known}. Call init again with the weights as they are now, "
            "or scaleclip.probe.adopt to keep the rest of the state."
        )


def _ring(keep: int, names: tuple[str, ...]) -> Array:
    """A buffer of its own for each ring: a state may be donated to the step that makes the next."""
    return jnp.zeros((keep, len(names)), jnp.float32)


def _length(keep: Any) -> int:
    """Check a number of steps to keep; by default ``KEEP``."""
    if keep is None:
        return KEEP
    if isinstance(keep, bool) or not isinstance(keep, int) or keep < 1:
        raise ValueError(
            f"keep must be a whole number of steps, 1 or more, but {keep!r} was given. Under "
            'optax.inject_hyperparams add static_args=("groups", "keep").'
        )
    return keep
