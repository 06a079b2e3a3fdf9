"""Test the experiment on remedies as estimators on chaotic unrolls, and reproduce a part of its record."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.chaotic_unrolls import run
from experiments.chaotic_unrolls.systems import SYSTEMS, end, lags, network
from scaleclip.ops import clip_gradient_norm, scale_gradient
from sccbook.records import load
from tests.tiers import some_now

RECORD = load("chaotic_unrolls")

NETWORKS = ("network", "network 2", "network 3")


def one(*of, batch=run.SMALL):
    names = ("system", "length", "estimator", "setting")
    return RECORD.cell(batch=batch, **dict(zip(names, of, strict=True)))


def unrolled(system, theta, start, length, between):
    """Unroll in Python, with an operator on the state between two applications."""
    x = start
    for t in range(length):
        x = system.apply(theta, between(x, t) if t else x)
    return system.loss(x)


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(["logistic", "cliff", "network"], "logistic"))
def test_lags_are_those_of_the_scale_and_of_the_clip_at_the_state(name):
    system, length = SYSTEMS[name], 4
    with jax.enable_x64(True):
        theta, start = jnp.asarray(system.theta), system.draw(jax.random.key(3))
        parts = lags(system, theta, start, length)
        whole = jax.grad(lambda t: end(system, t, start, 4))  # a loop of fixed length
        np.testing.assert_allclose(parts.sum(0), whole(theta), rtol=1e-10, atol=1e-14)
        for s in run.SCALES:
            scaled = jax.grad(unrolled, 1)(
                system, theta, start, length, lambda x, _, s=s: scale_gradient(x, s)
            )
            weighted = s ** jnp.arange(length) @ parts
            np.testing.assert_allclose(weighted, scaled, rtol=1e-10, atol=1e-14)
        for c in run.AT_STATE:
            clipped = jax.grad(unrolled, 1)(
                system, theta, start, length, lambda x, _, c=c: clip_gradient_norm(x, c)
            )
            parts = lags(system, theta, start, length, c)
            np.testing.assert_allclose(parts.sum(0), clipped, rtol=1e-10, atol=1e-14)


@pytest.mark.slow
def test_the_mean_over_all_coins_is_the_scale():
    system, length, s = SYSTEMS["cliff"], 4, 0.75
    with jax.enable_x64(True):
        theta, start = jnp.asarray(system.theta), jnp.asarray(0.4)
        mean = jnp.zeros(2)
        for falls in itertools.product((0.0, 1.0), repeat=length - 1):
            stopped = jax.grad(unrolled, 1)(
                system, theta, start, length, lambda x, t, f=falls: scale_gradient(x, f[t - 1])
            )
            mean += np.prod([s if fall else 1 - s for fall in falls]) * stopped
        weighted = s ** jnp.arange(length) @ lags(system, theta, start, length)
        np.testing.assert_allclose(mean, weighted, rtol=1e-12)


@pytest.mark.slow
def test_the_networks_are_the_first_three_chaotic_ones():
    def growth(seed, starts):
        """The least of 32 starts' Lyapunov exponents."""
        matrix = np.random.default_rng(seed).normal(size=(16, 16)) * 3.0 / 4
        (x, v), total = starts, 0.0
        for step in range(1000):
            x = np.tanh(x @ matrix.T)
            v = (1 - x**2) * (v @ matrix.T)
            norm = np.linalg.norm(v, axis=1)
            v /= norm[:, None]
            total += np.log(norm) * (step >= 300) / 700
        return total.min()

    starts = 0.5 * np.random.default_rng(99).normal(size=(2, 32, 16))
    assert [seed for seed in range(1, 8) if growth(seed, starts) > 0.1] == [2, 3, 7]
    for name, seed in zip(NETWORKS, (2, 3, 7), strict=True):
        x = jnp.linspace(-1, 1, 16)
        applied = SYSTEMS[name].apply(jnp.zeros(16), x)
        np.testing.assert_allclose(applied, network(seed).apply(jnp.zeros(16), x))


def test_evolution_is_unbiased_and_so_is_the_gradient_of_a_short_unroll():
    for cell in RECORD.cells():
        if cell.estimator == "evolution" or (cell.estimator, cell.length) == ("plain", 5):
            off = RECORD["provenance"]["truth_error"][f"{cell.system} {cell.length}"]
            assert abs(cell.bias) < 4 * np.hypot(cell.bias_error, off)


def test_clipping_each_example_has_the_same_bias_in_a_large_batch():
    for system, length in run.RUNS:
        for limit in run.LIMITS:
            small, large = (
                one(system, length, "each", limit, batch=batch) for batch in (run.SMALL, run.LARGE)
            )
            assert large.bias == pytest.approx(small.bias, abs=2e-3)


@pytest.mark.slow
def test_a_part_is_reproduced():
    true = np.array(RECORD["provenance"]["truth"]["cliff 5"])
    with jax.enable_x64(True):
        by_size, _ = run.batches("cliff", 5, true)
        again, error = run.truth("cliff", 5, 1 << 18)
    assert np.all(np.abs(again - true) < 5 * error)
    for size, means in by_size.items():
        for arm, estimates in zip(run.ARMS, np.moveaxis(means, 1, 0), strict=True):
            found = run.measured(estimates, true)
            kept = one("cliff", 5, *arm, batch=size)._asdict()
            for name in found:
                assert found[name] == pytest.approx(kept[name], rel=0.02, abs=0.002), (arm, name)
