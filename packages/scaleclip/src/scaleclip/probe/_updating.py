"""Record the updates of an optimizer beside the weights, as an Optax transformation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from scaleclip.ops._norms import joint_norms
from scaleclip.probe._grouped import Grouped, grouped, known_norms, require_groups
from scaleclip.probe._memory import ring, ring_length
from scaleclip.probe.groups import Groups, by_module, encoded


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
    by, length = groups or by_module, ring_length(keep)

    def init(params: Any) -> UpdateLog:
        names = grouped(params, by, "params").names
        return UpdateLog(
            jnp.array(encoded(names)),
            jnp.zeros((), jnp.int32),
            jnp.zeros((), jnp.int32),
            jnp.zeros(length, jnp.int32),
            ring(length, names),
            ring(length, names),
            ring(length, names) if projection else None,
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
        written = [kept.at[row].set(n) for kept, n in zip(rings, norms, strict=True)]
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
        require_groups(each.names, names)
    count = len(found[0].names)
    norm, parts = joint_norms(
        tuple(leaf for each in found for leaf in each.leaves),
        tuple(axes for each in found for axes in each.axes),
        tuple(n * count + number for n, each in enumerate(found) for number in each.numbers),
    )
    norms = known_norms(norm.value, parts)
    return [norms[n * count : (n + 1) * count] for n in range(len(found))]
