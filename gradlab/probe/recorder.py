"""Recorders as Optax transformations: a clip that keeps what it saw, and one for the updates.

Both keep the last ``keep`` steps in a ring within the optimizer's state, so they work wherever
the optimizer does, under ``jax.jit``, ``jax.lax.scan`` and ``jax.vmap``, and with arrays that are
sharded under ``jit``: nothing is called back, and nothing is fetched until ``read``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from gradlab import ops
from gradlab.ops._arguments import map_real_leaves, norm_limit
from gradlab.ops._nonfinite import Nonfinite, check_choice, handle_nonfinite
from gradlab.ops._norms import joint_norm
from gradlab.probe.groups import Groups, by_module, grouped

KEEP = 4096
"""Steps that are kept: with 50 groups 0.8 MB."""


@partial(
    jax.tree_util.register_dataclass,
    data_fields=("seen", "clipped", "nonfinite", "norms", "limits", "groups"),
    meta_fields=("names",),
)
@dataclass(frozen=True)
class ClipLog:
    """The state of ``clip_by_global_norm``; ``read`` makes a ``Recording`` of it.

    Attributes:
      names: of the groups, G of them.
      seen, clipped, nonfinite: int32 ``[]``; all steps, those with a norm beyond the limit, and
        those with inf or NaN in a gradient.
      norms, limits: float32 ``[keep]``; of step n, counted from 0, at ``n % keep``.
      groups: float32 ``[keep, G]``; the groups' norms before the clip.
    """

    names: tuple[str, ...] = field(metadata={"static": True})
    seen: Array
    clipped: Array
    nonfinite: Array
    norms: Array
    limits: Array
    groups: Array


@partial(
    jax.tree_util.register_dataclass,
    data_fields=("seen", "updates", "weights", "beyond"),
    meta_fields=("names",),
)
@dataclass(frozen=True)
class UpdateLog:
    """The state of ``updates``.

    Attributes:
      names: of the groups, G of them.
      seen: int32 ``[]``; all steps.
      updates, weights: float32 ``[keep, G]``; the norms of the updates, and of the weights before.
      beyond: the same, of what a projection takes back; None where none was given.
    """

    names: tuple[str, ...] = field(metadata={"static": True})
    seen: Array
    updates: Array
    weights: Array
    beyond: Array | None


def clip_by_global_norm(
    max_norm: ArrayLike | Callable[[Array], ArrayLike],
    *,
    groups: Groups = by_module,
    keep: int = KEEP,
    nonfinite: Nonfinite = "propagate",
) -> optax.GradientTransformation:
    """Clip gradients by the norm of all of them together, and record what was clipped.

    ``g -> g * min(1, max_norm / norm(g))``, as ``gradlab.ops.clip_by_global_norm``. In the
    optimizer's state it keeps, of the last ``keep`` steps, the limit, the norm before the clip, and
    the norm of each group; of all steps how many were clipped, and how many had inf or NaN.

    ``optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4))``, and later
    ``probe.read(opt_state)``. It is a drop-in for ``optax.clip_by_global_norm``. To clip some
    leaves alone, put it into ``optax.masked``.

    Args:
      max_norm: a real number or a real array of shape ``[]``, from 0 to inf, which records
        without clipping; or a schedule, from the number of the step (int32 ``[]``, from 0) to it.
      groups: ``groups(path, leaf) -> name``: ``by_module``, ``by_layer``, ``by_leaf`` or one
        of your own.
      keep: so many steps are kept, 1 or more.
      nonfinite: ``"propagate"``, ``"zero"`` or ``"raise"``, as in ``gradlab.ops.clipping``.
        With ``"zero"`` the norms are those after inf and NaN were made 0.

    Returns:
      An Optax transformation, whose state is a ``ClipLog``.

    Raises:
      TypeError, ValueError: where an argument cannot be right; from ``init`` if ``groups``
        returns no name, or there is no float leaf.

    Source: Pascanu, Mikolov and Bengio 2013 (arXiv 1211.5063), algorithm 1, for the clip.
      Optax's clip does not tell the norm (optax issue 326).
    """
    schedule = max_norm if callable(max_norm) else lambda step: max_norm
    if not callable(max_norm):
        norm_limit(max_norm, "max_norm")  # refuses a wrong limit now
    check_choice(nonfinite)
    _check_keep(keep)

    def init(params: Any) -> ClipLog:
        names = tuple(grouped(params, groups, "params"))
        count = partial(jnp.zeros, (), jnp.int32)
        ring = partial(jnp.zeros, keep, jnp.float32)
        return ClipLog(names, count(), count(), count(), ring(), ring(), _ring(keep, names))

    def update(grads: Any, log: ClipLog, params: Any = None) -> tuple[Any, ClipLog]:
        now = norm_limit(schedule(log.seen), "max_norm")
        broken = jnp.asarray(False)
        if nonfinite == "zero":  # once, for the clip and for the groups
            given, grads = grads, map_real_leaves(_finite, grads, "grads")
            same = jax.tree.map(lambda a, b: jnp.all(a == b), given, grads)
            broken = ~jnp.all(jnp.stack(jax.tree.leaves(same)))
        clipped, norm = ops.clip_by_global_norm(grads, now, nonfinite=nonfinite)
        broken |= ~jnp.isfinite(norm)
        at = log.seen % log.norms.size
        return clipped, ClipLog(
            log.names,
            log.seen + 1,
            log.clipped + (norm > now),
            log.nonfinite + broken,
            log.norms.at[at].set(norm.astype(jnp.float32)),
            log.limits.at[at].set(jnp.asarray(now, jnp.float32)),
            log.groups.at[at].set(_group_norms(grads, groups, log.names)),
        )

    return optax.GradientTransformation(init, update)


def updates(
    *,
    groups: Groups = by_module,
    keep: int = KEEP,
    projection: Callable[[Any], Any] | None = None,
) -> optax.GradientTransformation:
    """Record how long the updates are beside the weights; nothing is changed.

    It stands at the end of a chain, where updates are what is added to the weights w. It keeps
    ``norm(u)`` and ``norm(w)`` of each group, so that ``read(opt_state).ratios`` has
    ``norm(u) / norm(w)``; and if a projection is given, ``norm(w + u - projection(w + u))``: how
    far outside of its set the step would end. Put it before the constraint, then, to see what the
    constraint takes back: 0 where it does not act.

    Args:
      groups, keep: as in ``clip_by_global_norm``.
      projection: from a pytree of weights to one like it, such as
        ``lambda w: gradlab.ops.max_norm(w, 2.0)``.

    Returns:
      An Optax transformation, whose state is an ``UpdateLog``. Its ``update`` needs the weights,
      and raises a ValueError without them.
    """
    _check_keep(keep)

    def init(params: Any) -> UpdateLog:
        names = tuple(grouped(params, groups, "params"))
        updates, weights = _ring(keep, names), _ring(keep, names)
        beyond = _ring(keep, names) if projection else None
        return UpdateLog(names, jnp.zeros((), jnp.int32), updates, weights, beyond)

    def update(given: Any, log: UpdateLog, params: Any = None) -> tuple[Any, UpdateLog]:
        if params is None:
            raise ValueError(
                "probe.updates compares updates with the weights: call update(grads, state, params)."
            )
        at = log.seen % len(log.updates)
        beyond = log.beyond
        if projection is not None and beyond is not None:
            moved = optax.apply_updates(params, given)
            taken = jax.tree.map(lambda a, b: a - b, moved, projection(moved))
            beyond = beyond.at[at].set(_group_norms(taken, groups, log.names))
        return given, UpdateLog(
            log.names,
            log.seen + 1,
            log.updates.at[at].set(_group_norms(given, groups, log.names)),
            log.weights.at[at].set(_group_norms(params, groups, log.names)),
            beyond,
        )

    return optax.GradientTransformation(init, update)


def _group_norms(tree: Any, groups: Groups, names: tuple[str, ...]) -> Array:
    """The norms of the groups, float32 ``[G]``.

    Their sums of squares are those that a clip of the same tree takes, so XLA reads the memory once.
    Squares that overflow are rescued; a group shorter than 1e-19 may be recorded as 0.
    """
    found = grouped(tree, groups)
    if tuple(found) != names:
        raise ValueError(
            f"The groups of the gradients are {', '.join(found)}; those of the weights, for which "
            f"the recorder was made, are {', '.join(names)}."
        )
    squares = jnp.stack([_sum_of_squares(leaves) for leaves in found.values()])

    def rescued() -> Array:
        norms = [joint_norm(tuple(leaves), _axes(leaves)).value for leaves in found.values()]
        return jnp.stack([norm.astype(jnp.float32) for norm in norms])

    safe = jnp.all(jnp.isfinite(squares))
    norms: Array = jax.lax.cond(safe, lambda: jnp.sqrt(squares), rescued)
    return norms


def _sum_of_squares(leaves: list[Array]) -> Array:
    wide = (leaf.astype(jnp.promote_types(leaf.dtype, jnp.float32)) for leaf in leaves)
    return sum((jnp.sum(jnp.square(leaf)) for leaf in wide), jnp.float32(0)).astype(jnp.float32)


def _axes(leaves: list[Array]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(leaf.ndim)) for leaf in leaves)


def _ring(keep: int, names: tuple[str, ...]) -> Array:
    """A buffer of its own for each ring: a state may be donated to the step that makes the next."""
    return jnp.zeros((keep, len(names)), jnp.float32)


def _finite(leaf: Array, path: Any) -> Array:
    return handle_nonfinite(leaf, "zero", "grads")


def _check_keep(keep: Any) -> None:
    if isinstance(keep, bool) or not isinstance(keep, int) or keep < 1:
        raise ValueError(
            f"keep must be a whole number of steps, 1 or more, but {keep!r} was given."
        )
