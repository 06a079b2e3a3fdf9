"""What is recorded of remedies as estimators is what their experiment gives again."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.chaotic_unrolls import run
from experiments.chaotic_unrolls.systems import SYSTEMS, end, lags
from scaleclip.ops import clip_gradient_norm, scale_gradient
from sccbook.records import load

RECORD = load("chaotic_unrolls")

NETWORKS = ("network", "network 2", "network 3")
LENGTHS = (5, 10, 20, 50)


def one(*of, batch=run.SMALL):
    names = ("system", "length", "estimator", "setting")
    return RECORD.cell(batch=batch, **dict(zip(names, of, strict=True)))


def unrolled(system, theta, start, length, between):
    """Unroll in Python, with an operator on the state between two applications."""
    x = start
    for t in range(length):
        x = system.apply(theta, between(x, t) if t else x)
    return system.loss(x)


def test_every_arm_of_the_protocol_is_recorded_once_at_each_batch():
    cells = RECORD.cells()
    assert len({cell[:5] for cell in cells}) == len(cells) == 2 * len(run.RUNS) * len(run.ARMS)
    for name, length in run.RUNS:
        for size in (run.SMALL, run.LARGE):
            found = RECORD.cells(system=name, length=length, batch=size)
            assert [(c.estimator, c.setting) for c in found] == list(run.ARMS)
            for cell in found:
                descended = (length, size) == (50, run.SMALL) and cell.estimator != "global"
                assert len(cell.ends) == (run.SEEDS if descended else 0)


def test_it_names_what_it_was_made_with():
    made = RECORD["provenance"]
    assert made["pairs"] == [run.PAIRS, run.PAIRS_NETWORK]
    assert (made["batches"], made["steps"], made["seeds"]) == (run.BATCHES, run.STEPS, run.SEEDS)
    assert made["dtype"] == "float64"
    assert max(made["truth_error"].values()) < 0.06


@pytest.mark.slow
@pytest.mark.parametrize("name", ["logistic", "cliff", "network"])
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
def test_coins_over_all_their_falls_have_the_mean_of_the_scale():
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
def test_the_networks_are_the_first_that_are_chaotic_from_every_start():
    chosen = []
    for seed in range(1, 8):
        matrix = np.random.default_rng(seed).normal(size=(16, 16)) * 3.0 / 4
        x, v = 0.5 * np.random.default_rng(99).normal(size=(2, 32, 16))
        total = np.zeros(32)
        for step in range(1000):
            x = np.tanh(x @ matrix.T)
            v = (1 - x**2) * (v @ matrix.T)
            norm = np.linalg.norm(v, axis=1)
            v /= norm[:, None]
            total += np.log(norm) * (step >= 300) / 700
        if total.min() > 0.1:
            chosen.append(seed)
    assert chosen == [2, 3, 7]
    for name, seed in zip(NETWORKS, chosen, strict=True):
        matrix = np.random.default_rng(seed).normal(size=(16, 16)) * 3.0 / 4
        x = np.linspace(-1, 1, 16)
        applied = SYSTEMS[name].apply(jnp.zeros(16), jnp.asarray(x))
        np.testing.assert_allclose(applied, np.tanh(matrix @ x), rtol=1e-4)


def test_the_logistic_map_is_chaotic():
    x, total = np.linspace(0.11, 0.89, 32), np.zeros(32)
    (r,) = SYSTEMS["logistic"].theta
    for _ in range(2000):
        total += np.log(np.abs(r * (1 - 2 * x))) / 2000
        x = r * x * (1 - x)
    assert total.min() > 0.3


def test_a_bias_of_the_scale_is_what_its_lags_leave_out():
    powers = np.arange(run.LAGS)
    for name in ("logistic", "cliff", *NETWORKS):
        means = np.array(RECORD["provenance"]["lags"][f"{name} 50"])
        for s in (0.25, 0.5):
            bias = one(name, 50, "scale", s).bias
            np.testing.assert_allclose(s**powers @ means - 1, bias, atol=0.01)


def test_short_unrolls_show_that_plain_and_evolution_are_unbiased():
    for cell in RECORD.cells(length=5):
        if cell.estimator in ("plain", "evolution"):
            off = RECORD["provenance"]["truth_error"][f"{cell.system} 5"]
            assert abs(cell.bias) < 4 * np.hypot(cell.bias_error, off)
    for cell in RECORD.cells(estimator="evolution"):
        off = RECORD["provenance"]["truth_error"][f"{cell.system} {cell.length}"]
        assert abs(cell.bias) < 4 * np.hypot(cell.bias_error, off)


def test_a_coin_has_the_bias_of_its_scale_and_more_noise():
    for system, length in run.RUNS:
        for s in (0.25, 0.5):
            scale, coin = (one(system, length, name, s) for name in ("scale", "coin"))
            assert abs(scale.bias - coin.bias) < 5 * np.hypot(scale.bias_error, coin.bias_error)
            assert coin.sd > scale.sd


def test_the_bias_of_a_clip_of_each_example_does_not_fall_with_the_batch():
    for system, length in run.RUNS:
        for limit in run.LIMITS:
            small, large = (
                one(system, length, "each", limit, batch=batch) for batch in (run.SMALL, run.LARGE)
            )
            assert large.bias == pytest.approx(small.bias, abs=2e-3)


def test_what_acts_at_the_state_keeps_a_direction_where_a_clip_of_the_gradient_has_none():
    for network in NETWORKS:
        for batch in (run.SMALL, run.LARGE):
            apart = 0.02 if batch == run.SMALL else 0.1
            for limit in run.LIMITS:
                for name in ("each", "global"):
                    found = one(network, 50, name, limit, batch=batch)
                    assert found.right == pytest.approx(0.5, abs=apart)
            assert one(network, 50, "scale", 0.5, batch=batch).right > 0.99
            assert one(network, 50, "state", 0.1, batch=batch).right > 0.99


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
