"""Compute a unit: train its seeds side by side, and measure where gradients go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from experiments.muzero_half.units import NETWORKS, Unit
from experiments.record import short
from scaleclip.ledger import ledger
from sccbook.models import muzero, self_play
from sccbook.models.self_play import Settings, Training

Program = Callable[..., Any]

POINTS = 25
"""Of a curve that is stored: means over as many iterations as it takes."""

CHECKPOINTS = (0.02, 0.1, 0.25, 0.5, 1.0)
"""When gradients are measured, in parts of a run."""

LENGTHS = (1, 2, 5, 10)
"""K at which their totals are measured."""

SCALES = (1.0, 0.5)
PAIRED_AT = (1, 10, 60)
"""Iterations after which two runs are compared."""

MEASURED_ON = 64
"""Positions from the replay."""


def compute(unit: Unit) -> dict[str, Any]:
    """Compute what a unit's stage asks for."""
    return pair(unit) if unit.stage == "invisible" else train(unit)


def train(unit: Unit) -> dict[str, Any]:
    """Train the seeds of a unit, and return what is stored of them, as plain numbers.

    Returns:
      By seed: ``"auc"``, the mean return over all iterations; ``"final"``, that of the last networks,
      without noise; ``"curve"``, float ``[seeds, points]``. By checkpoint and seed: ``"norms"`` of
      the training's gradients, by network; ``"by_lag"``, ``"sums"`` and ``"totals"``: see ``measure``.
    """
    of = programs(unit.settings)
    at = {max(1, round(part * unit.iterations)) for part in CHECKPOINTS}
    returns, measured = list[Array](), list[dict[str, Array]]()
    for iteration, mean, training in iterations(of, *run_of(unit)):
        returns.append(mean)
        if iteration in at:
            norms = jnp.mean(training.optimizer[0].groups, axis=1)
            measured.append({"norms": norms, **of.measure(training)})
    curve = np.asarray(returns, np.float64).T
    chunks = np.array_split(curve, min(POINTS, unit.iterations), axis=1)
    stacked = {name: np.stack([one[name] for one in measured]) for name in measured[0]}
    return {
        "auc": curve.mean(axis=1).tolist(),
        "final": np.asarray(of.evaluate(training.params), np.float64).tolist(),
        "curve": short(np.stack([chunk.mean(axis=1) for chunk in chunks], axis=1)),
        "checkpoints": sorted(at),
        **{name: short(array) for name, array in stacked.items()},
    }


def pair(unit: Unit) -> dict[str, Any]:
    """Train the seeds of a unit with P and with R, and tell how far apart their parameters are.

    Returns:
      ``"apart"``: by number of updates, network and seed, ``norm(p - r) / norm(p - start)``, which is 0
      if the two runs have the same bits; and both runs' mean returns by seed.
    """
    courses, areas = list[list[Any]](), list[Any]()
    for placement in ("after_heads", "before_heads"):
        of = programs(unit.settings._replace(placement=placement))
        course, returns = [of.start(run_of(unit)[0]).params], list[Array]()
        for iteration, mean, training in iterations(of, *run_of(unit)):
            returns.append(mean)
            if iteration in PAIRED_AT:
                course.append(training.params)
        courses.append(course)
        areas.append(np.mean(np.asarray(returns, np.float64), axis=0))
    (begun, *of_p), (_, *of_r) = courses

    def length(one: Any, other: Any, network: str) -> Any:
        leaves = zip(jax.tree.leaves(one[network]), jax.tree.leaves(other[network]), strict=True)
        squares = (
            np.square(np.asarray(a, np.float64) - np.asarray(b, np.float64)) for a, b in leaves
        )
        return np.sqrt(sum(np.sum(square, axis=tuple(range(1, square.ndim))) for square in squares))

    apart = [
        [length(p, r, network) / length(p, begun, network) for network in NETWORKS]
        for p, r in zip(of_p, of_r, strict=True)
    ]
    updates = [iteration * unit.settings.updates for iteration in PAIRED_AT]
    return {"updates": updates, "apart": short(apart), "auc": short(areas)}


class Programs(NamedTuple):
    """What a run is made of, each over all seeds, and compiled when it is first called."""

    start: Program
    collect: Program
    learn: Program
    evaluate: Program
    measure: Program


@cache
def programs(settings: Settings) -> Programs:
    """Return the programs of runs with these settings."""
    of_one = (
        lambda seed: self_play.start(settings, jax.random.key(seed)),
        lambda training: self_play.collect(settings, training),
        lambda training, rate, s: self_play.learn(settings, training, rate, s),
        lambda params: self_play.evaluate(settings, params),
        lambda training: measure(settings, training),
    )
    return Programs(*(jax.jit(jax.vmap(program)) for program in of_one))


def run_of(unit: Unit) -> tuple[np.ndarray, float, float, int]:
    """Return the seeds of a unit, its learning rate, s, and how many iterations it has."""
    seeds = np.arange(unit.first, unit.first + unit.seeds)
    return seeds, unit.rate, unit.scale, unit.iterations


def iterations(
    of: Programs, seeds: np.ndarray, rate: float, scale: float, count: int
) -> Iterator[tuple[int, Array, Training]]:
    """Train, and yield after each iteration its number, the mean return of its games, and the run."""
    rates, scales = (np.full(len(seeds), x, np.float32) for x in (rate, scale))
    training = of.start(seeds)
    for iteration in range(1, count + 1):
        training, mean = of.collect(training)
        training, _ = of.learn(training, rates, scales)
        yield iteration, mean, training


def measure(settings: Settings, training: Training) -> dict[str, Array]:
    """Measure, on positions of the replay, how the dynamics' gradients add up.

    Always with s after the heads, up to K = 10, for the losses that training has.

    Returns:
      ``"by_lag"``: float ``[10]``, the mean norm of what a loss sends to the dynamics' parameters
      through the application i before its own, at s = 1 and with the weight 1; ``"own"``: float
      ``[10]``, that of loss k through application k. ``"sums"`` and ``"totals"``: float
      ``[scales, lengths]``, the sum of the norms of all entries of the ledger, and the norm of their
      sum, with the losses up to K weighted 1/K.
    """
    longest = LENGTHS[-1]
    filled = jnp.minimum(training.iteration, settings.kept)
    batch = self_play.sample(
        settings._replace(steps=longest), training.replay, jax.random.key(7), filled, MEASURED_ON
    )
    step, head, state, inputs = muzero.parts(training.params, batch, normalise=settings.normalise)

    def account(scale: Array, length: Array) -> tuple[Array, Array, Array]:
        weights = jnp.where(jnp.arange(longest) < length, 1.0 / length, 0.0)
        found = ledger(step, head, training.params, state, inputs, scale=scale, weights=weights)
        return found.norms, jnp.sum(found.norms), found.sum_norm

    over_lengths = jax.vmap(account, (None, 0))
    norms, sums, totals = jax.vmap(over_lengths, (0, None))(
        jnp.asarray(SCALES), jnp.asarray(LENGTHS)
    )
    unscaled = norms[0, -1] * longest
    by_lag = jnp.stack([jnp.mean(jnp.diagonal(unscaled, -lag)) for lag in range(longest)])
    own = jnp.diagonal(unscaled)
    return {"by_lag": by_lag, "own": own, "sums": sums, "totals": totals}
