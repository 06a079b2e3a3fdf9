"""Compute a unit: train its seeds side by side, and measure where gradients go."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from experiments.half_by_depth.units import Unit
from experiments.muzero_half.compute import MEASURED_ON, POINTS, Program, iterations, programs
from experiments.record import short
from scaleclip.ledger import ledger
from scaleclip.ledger.placements import unroll_losses
from sccbook.models import catch, muzero, self_play
from sccbook.models.self_play import Settings, Training
from sccbook.records.half_by_depth import SHORTER

CHECKPOINTS = (0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
"""When gradients are measured, in parts of a run."""

EVALUATED = 512
"""Games of the last networks, played as in training."""


def compute(unit: Unit) -> dict[str, Any]:
    """Train the seeds of a unit, and return what is stored of them, as plain numbers.

    Returns:
      By seed: ``"curve"``, the mean return of each part of the training, float ``[seeds, points]``;
      ``"auc"``, the mean return over all of it, ``"late"``, over its last fifth, and ``"final"``, over
      ``EVALUATED`` games of the last networks; ``"finite"``, whether their parameters are. Of a unit that
      is measured: ``"checkpoints"``, iterations; and by checkpoint and seed what ``measure`` gives.
    """
    of = programs(unit.settings)
    parts = CHECKPOINTS if unit.measured else ()
    at = [max(1, round(part * unit.iterations)) for part in parts]
    returns, measured = list[Array](), list[dict[str, Array]]()
    seeds = np.arange(unit.first, unit.first + unit.seeds)
    run = iterations(of, seeds, unit.rate, unit.scale, unit.iterations)
    for iteration, mean, training in run:
        returns.append(mean)
        if iteration in at:
            measured.append(measure(unit.settings)(training))
    curve = np.asarray(returns, np.float64).T
    chunks = np.array_split(curve, min(POINTS, unit.iterations), axis=1)
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(training.params)]
    finite = [np.isfinite(leaf).reshape(unit.seeds, -1).all(axis=1) for leaf in leaves]
    return {
        "auc": curve.mean(axis=1).tolist(),
        "late": curve[:, -max(1, unit.iterations // 5) :].mean(axis=1).tolist(),
        "final": np.asarray(evaluate(unit.settings)(training), np.float64).tolist(),
        "finite": np.all(finite, axis=0).tolist(),
        "curve": short(np.stack([chunk.mean(axis=1) for chunk in chunks], axis=1)),
        "checkpoints": at,
        **{
            name: short(np.stack([one[name] for one in measured]), 3)
            for name in (measured or [{}])[0]
        },
    }


@cache
def evaluate(settings: Settings) -> Program:
    """Return a program that plays ``EVALUATED`` new games, with the search's noise: mean returns ``[seeds]``."""

    def of_one(training: Training) -> Array:
        of_starts, of_play = jax.random.split(jax.random.fold_in(training.key, EVALUATED))
        keys = jax.random.split(of_starts, EVALUATED)
        games = jax.vmap(lambda key: catch.start(settings.rules, key))(keys)
        played = self_play.play(settings, training.params, of_play, games)
        return jnp.mean(jnp.sum(played.reward, axis=1))

    return jax.jit(jax.vmap(of_one))


@cache
def measure(settings: Settings) -> Program:
    """Return a program that measures, on positions of the replay, how the dynamics' gradients add up.

    With s after the heads, at the K that is trained, for the losses 1 to K of training.

    Returns:
      ``"by_lag"``: float ``[K]``, the mean norm of what a loss sends to the dynamics' parameters
      through the step i before its own, at s = 1 and with the weight 1; ``"own"``: float ``[K]``,
      that of loss k through step k. ``"totals"``: float ``[scales, lengths]``, at s = 1 and 1/2 and for
      lengths of ``SHORTER`` up to K, the norm of the dynamics' whole gradient, with the losses
      up to that length weighted by one over it.
    """
    lengths = jnp.asarray([length for length in SHORTER if length <= settings.steps])

    def of_one(training: Training) -> dict[str, Array]:
        filled = jnp.minimum(training.iteration, settings.kept)
        key = jax.random.key(7)
        batch = self_play.sample(settings, training.replay, key, filled, MEASURED_ON)
        step, head, state, inputs = muzero.parts(
            training.params, batch, normalise=settings.normalise
        )
        found = ledger(step, head, training.params, state, inputs, scale=1.0)
        unscaled = found.norms * settings.steps

        def total(scale: Array, length: Array) -> Array:
            def loss(dynamics: Any) -> Array:
                params = {**training.params, "dynamics": dynamics}
                _, losses = unroll_losses(step, head, params, state, inputs, scale=scale)
                return jnp.mean(losses, where=jnp.arange(settings.steps) < length)

            leaves = jax.tree.leaves(jax.grad(loss)(training.params["dynamics"]))
            return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))

        totals = jax.vmap(jax.vmap(total, (None, 0)), (0, None))(jnp.asarray([1.0, 0.5]), lengths)
        lags = [jnp.mean(jnp.diagonal(unscaled, -lag)) for lag in range(settings.steps)]
        return {"by_lag": jnp.stack(lags), "own": jnp.diagonal(unscaled), "totals": totals}

    return jax.jit(jax.vmap(of_one))
