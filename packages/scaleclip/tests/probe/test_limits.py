"""Limits that a run sets itself, and limits by part, in the recorder for JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from scaleclip import ops, probe
from scaleclip.probe import adaptive

PARAMS = {"block": {"w": jnp.ones((2, 3)), "b": jnp.ones(2)}, "head": {"w": jnp.ones(4)}}
NORMS = np.random.default_rng(0).lognormal(0, 0.3, 120)
NORMS[[60, 61, 90]] = [20.0, 3.0, 50.0]


def with_norm(norm):
    return jax.tree.map(lambda w: norm * w / jnp.sqrt(12.0), PARAMS)


def scanned(tx, norms, **extra):
    """Take a step for each norm in one compiled scan; return the updates' norms and the state."""

    def step(state, norm):
        updates, state = tx.update(with_norm(norm), state, PARAMS, **extra)
        return state, optax.tree.norm(updates)

    state, after = jax.jit(lambda norms: jax.lax.scan(step, tx.init(PARAMS), norms))(norms)
    return after, state


@pytest.mark.parametrize("limit", [probe.ZClip(), probe.ZClip(1.5, 0.9)])
def test_zclip_is_its_reference(limit):
    after, state = scanned(probe.clip_by_global_norm(limit), jnp.asarray(NORMS))
    begins, expected = adaptive.zclip(NORMS, limit.z_limit, limit.alpha)
    np.testing.assert_allclose(after, expected, rtol=1e-5)
    found = probe.read(state)
    np.testing.assert_allclose(found.norms * found.factors, expected, rtol=1e-5)
    np.testing.assert_allclose(
        found.limits[found.factors == 1], begins[found.factors == 1], rtol=1e-5
    )
    assert found.clipped == np.sum(found.factors < 1) >= 2


def test_autoclip_is_its_reference_and_then_follows_the_last_norms():
    after, state = scanned(probe.clip_by_global_norm(probe.AutoClip(25, 50)), jnp.asarray(NORMS))
    limits = [np.percentile(NORMS[max(0, n - 49) : n + 1], 25) for n in range(len(NORMS))]
    np.testing.assert_allclose(limits[:50], adaptive.autoclip(NORMS, 25)[:50])
    np.testing.assert_allclose(probe.read(state).limits, limits, rtol=1e-5)
    np.testing.assert_allclose(after, np.minimum(NORMS, limits), rtol=1e-5)


@pytest.mark.parametrize("limit", [probe.ZClip(), probe.AutoClip()])
def test_a_norm_that_is_not_finite_leaves_a_limit_as_it_was(limit):
    broken = np.insert(NORMS, [0, 40, 40], [np.nan, np.inf, np.nan])
    tx = probe.clip_by_global_norm(limit)
    found, expected = (probe.read(scanned(tx, jnp.asarray(n))[1]) for n in (broken, NORMS))
    np.testing.assert_allclose(found.limits[np.isfinite(broken)], expected.limits, rtol=1e-6)
    assert not np.isnan(found.limits).any()


def test_agc_is_the_operator_and_its_limit_is_the_norm_after_it():
    tx = probe.clip_by_global_norm(probe.AGC(0.5))
    for norm, cut in ((10.0, True), (0.1, False)):
        grads = with_norm(norm)
        updates, state = jax.jit(tx.update)(grads, tx.init(PARAMS), PARAMS)
        expected = ops.clip_adaptively(grads, PARAMS, 0.5)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), updates, expected)
        found = probe.read(state)
        assert found.norms[0] == pytest.approx(norm)
        assert found.limits[0] == pytest.approx(float(optax.tree.norm(expected)) if cut else np.inf)
        assert found.clipped == cut
    with pytest.raises(ValueError, match=r"AGC compares .* call update\(grads, state, params\)"):
        tx.update(PARAMS, tx.init(PARAMS))


def by_axes(path, leaf):
    return "muon" if leaf.ndim == 2 else "adamw"


def test_parts_have_limits_and_records_of_their_own():
    limits = {"muon": 1.0, "adamw": probe.AGC(0.5)}
    clip = probe.clip_by_global_norm(limits, parts=by_axes)
    tx = optax.chain(clip, optax.sgd(1.0), probe.updates())
    updates, state = jax.jit(tx.update)(with_norm(12.0), tx.init(PARAMS), PARAMS)
    assert optax.tree.norm(updates["block"]["w"]) == pytest.approx(1, rel=1e-6)
    assert optax.tree.norm(updates["head"]["w"]) == pytest.approx(0.5 * 2, rel=1e-6)
    found = probe.read_all(state)
    assert [*found] == ["0/adamw", "0/muon"]
    assert [*found["0/muon"].ratios] == [*found["0/muon"].groups] == ["block"]
    assert found["0/muon"].limits.tolist() == [1.0]
    with pytest.raises(ValueError, match=r"'0/adamw', '0/muon'.*read_all"):
        probe.read(state)


REFUSED = [
    (lambda: probe.ZClip(alpha=1.0), ValueError, "ZClip: alpha must be .* below 1, but 1.0"),
    (lambda: probe.AutoClip(percentile="10"), TypeError, "AutoClip: percentile .* '10'"),
    (lambda: probe.clip_by_global_norm({"a": 1.0}), ValueError, "Give both"),
    (
        lambda: probe.clip_by_global_norm({"muon": 1.0}, parts=by_axes).init(PARAMS), ValueError,
        "parts returned 'adamw' for 'block/b', for which there is no limit.* for muon",
    ),
    (lambda: probe.clip_by_global_norm(1.0, history=3), ValueError, "power of two"),
    (lambda: scanned(probe.clip_by_global_norm(1.0), NORMS, tag=0.5), TypeError, "tag .* 0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_cannot_be_a_limit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
