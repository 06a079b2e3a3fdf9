"""What the recorder for JAX remembers: live limits, parts, spikes, the first failure, the whole run."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import serialization

from scaleclip import ops, probe
from scaleclip.probe import adaptive

PARAMS = {"early": jnp.full(1, 3.0), "late": jnp.full(1, 4.0)}
NORMS = np.random.default_rng(0).lognormal(0, 0.3, 120)
NORMS[[60, 61, 90]] = [20.0, 3.0, 50.0]


def trained(tx, grads, tag=None):
    """Take a step for each row of gradients in one compiled scan; return updates and state."""

    def step(state, given):
        number, each = given
        extra = {} if tag is None else {"tag": tag + number}
        updates, state = tx.update(dict(zip(PARAMS, each, strict=True)), state, PARAMS, **extra)
        return state, updates

    rows = jnp.arange(len(grads)), jnp.asarray(grads, jnp.float32)[..., None]
    state, updates = jax.jit(lambda rows: jax.lax.scan(step, tx.init(PARAMS), rows))(rows)
    return np.concatenate([*updates.values()], axis=1), state


def of_norm(norms):
    return np.asarray(norms)[:, None] * [0.6, 0.8]


def clipped_by(limit, norms=NORMS):
    after, state = trained(probe.clip_by_global_norm(limit), of_norm(norms))
    return np.linalg.norm(after, axis=1), probe.read(state)


def test_zclip_is_its_reference():
    after, found = clipped_by(probe.ZClip(1.5, 0.9))
    begins, expected = adaptive.zclip(NORMS, 1.5, 0.9)
    for values in (after, found.norms * found.factors):
        np.testing.assert_allclose(values, expected, rtol=1e-5)
    kept = found.factors == 1
    np.testing.assert_allclose(found.limits[kept], begins[kept], rtol=1e-5)
    assert found.clipped == np.sum(~kept) >= 3


def test_autoclip_is_its_reference_and_then_follows_the_last_norms():
    after, found = clipped_by(probe.AutoClip(25, 50))
    limits = [np.percentile(NORMS[max(0, n - 49) : n + 1], 25) for n in range(120)]
    np.testing.assert_allclose(limits[:50], adaptive.autoclip(NORMS, 25)[:50])
    np.testing.assert_allclose(found.limits, limits, rtol=1e-5)
    np.testing.assert_allclose(after, np.minimum(NORMS, limits), rtol=1e-5)


def test_zclip_recovers_from_a_norm_whose_square_overflows():
    norms = of_norm([*NORMS[:5], 1e20, *([1.0] * 4000)])
    assert probe.read(trained(probe.clip_by_global_norm(probe.ZClip()), norms)[1]).limits[-1] < 2


def test_agc_has_clipped_a_unit_with_inf_and_not_one_with_nan():
    tx, params = probe.clip_by_global_norm(probe.AGC()), {"w": jnp.ones(2)}
    for wrong, clipped in ((jnp.nan, 0), (jnp.inf, 1)):
        state = tx.update({"w": jnp.array([1.0, wrong])}, tx.init(params), params)[1]
        assert probe.read(state).clipped == clipped


@pytest.mark.parametrize("limit", [probe.ZClip(), probe.AutoClip()])
def test_a_norm_that_is_not_finite_leaves_a_limit_as_it_was(limit):
    broken = np.insert(NORMS, [0, 40, 40], [np.nan, np.inf, np.nan])
    found = clipped_by(limit, broken)[1].limits
    np.testing.assert_allclose(found[np.isfinite(broken)], clipped_by(limit)[1].limits, rtol=1e-6)
    assert not np.isnan(found).any()


def test_parts_have_limits_and_records_of_their_own():
    limits = {"a": 1.0, "b": probe.AGC(0.5)}
    clip = probe.clip_by_global_norm(limits, parts=lambda path, _: "a" if path == "early" else "b")
    tx = optax.chain(clip, optax.scale(-1.0), probe.updates(groups=probe.by_leaf))
    updates, state = trained(tx, [[9.0, 9.0], [0.5, 0.5]])
    agc = [ops.clip_adaptively(g, 4.0, 0.5) for g in (9.0, 0.5)]
    np.testing.assert_allclose(-updates, [[1, agc[0]], [0.5, agc[1]]], rtol=1e-6)
    found = probe.read_all(state)
    assert [*found] == ["0/a", "0/b"]
    assert [found[name].limits.tolist() for name in found] == [[1, 1], [agc[0], np.inf]]
    assert found["0/b"].clipped == 1
    with pytest.raises(ValueError, match=r"'0/a', '0/b'.*read_all"):
        probe.read(state)


def test_a_spike_is_kept_with_its_batch_and_the_steps_before_it():
    grads = np.ones((200, 2))
    grads[117:120, 0] = [2, 3, 4]  # one module grows first,
    grads[120:123, 1] = [30, 40, 20]  # then the other: one event
    grads[[10, 190]] = 50  # the first comes before there is a median
    norms = np.linalg.norm(grads, axis=1)
    clip = probe.clip_by_global_norm(1.0, groups=probe.by_leaf, keep=4)
    tx = optax.chain(clip, optax.scale(-0.1), probe.updates(groups=probe.by_leaf))
    found = probe.read(trained(tx, grads, tag=1000)[1])
    (first, second), window = found.spikes, found.spikes[0].window
    assert (found.spiked, first.step, first.tag, second.step) == (2, 121, 1120, 191)
    assert first.median == pytest.approx(np.median(norms[20:120]))
    np.testing.assert_array_equal(window.steps, np.arange(90, 122))
    np.testing.assert_allclose(window.norms, norms[89:121], rtol=1e-6)
    assert window.groups["early"][-4:].tolist() == [2, 3, 4, 1]
    np.testing.assert_allclose(window.ratios["late"], grads[89:121, 1] / norms[89:121] / 40, 1e-5)
    assert found.steps.tolist() == [197, 198, 199, 200]
    longer = probe.clip_by_global_norm(1.0, groups=probe.by_leaf, keep=8)
    state = probe.adopt(trained(clip, grads[:110])[1], longer, PARAMS)  # with the norms before
    assert probe.read(longer.update(jax.tree.map(lambda w: 9 * w, PARAMS), state)[1]).spiked == 1


@pytest.mark.slow
def test_history_keeps_the_start_of_a_million_steps_evenly_spaced():
    tx, params = probe.clip_by_global_norm(1.0, history=64), {"w": jnp.ones(1)}
    step = lambda n, state: tx.update({"w": 1.0 + n[None]}, state)[1]
    found = probe.read(jax.jit(lambda s: jax.lax.fori_loop(0, 1_000_000, step, s))(tx.init(params)))
    assert found.seen == found.history.seen == 1_000_000
    np.testing.assert_array_equal(found.history.steps, np.arange(1, 1_000_001, 16384))
    np.testing.assert_array_equal(found.history.norms, found.history.steps)
    many = probe.clip_by_global_norm(1.0).init({f"{n}/w": jnp.ones(1) for n in range(50)})
    assert sum(leaf.nbytes for leaf in jax.tree.leaves(many)) < 4e6


@pytest.mark.parametrize("nonfinite", ["propagate", "zero"])
def test_the_first_failure_is_kept_with_its_groups(nonfinite):
    grads = np.ones((60, 2))
    grads[12:14, 1] = [np.nan, np.inf]
    grads[40:45] = np.inf
    clip = probe.clip_by_global_norm(1.0, groups=probe.by_leaf, nonfinite=nonfinite)
    state = trained(optax.chain(clip, optax.apply_if_finite(optax.adam(1e-3), 9)), grads)[1]
    for given in (state, serialization.msgpack_restore(serialization.to_bytes(state))):
        found = probe.read(given)
        assert found.culprit == probe.recording.Culprit(13, ("late",))
        assert (found.nonfinite, found.streak) == (7, 5)
        assert found.skipped == (7 if nonfinite == "propagate" else 0)


def test_a_record_of_an_earlier_version_is_read_and_adopted():
    tx = probe.clip_by_global_norm(probe.ZClip())
    log = trained(tx, of_norm([*NORMS[:3], np.nan]))[1]
    old = {name: getattr(log, name) for name in log._fields[:7]}
    assert probe.read(old).culprit is None
    state = tx.update(PARAMS, probe.adopt(old, tx, PARAMS))[1]
    found = probe.read(state)
    assert (found.seen, found.nonfinite, found.culprit, found.spiked) == (5, 1, None, 0)
    np.testing.assert_allclose(found.norms, [*NORMS[:3], np.nan, 5], rtol=1e-6)


REFUSED = [
    (lambda: probe.ZClip(alpha=1.0), ValueError, "ZClip: alpha must be .* below 1, but 1.0"),
    (lambda: probe.AutoClip(percentile="10"), TypeError, "AutoClip: percentile .* '10'"),
    (lambda: probe.clip_by_global_norm({"a": 1.0}), ValueError, "Give both"),
    (
        lambda: probe.clip_by_global_norm({"a": 1.0}, parts=probe.by_leaf).init(PARAMS), ValueError,
        "parts returned 'early' for 'early', for which there is no limit.* for a",
    ),
    (lambda: probe.clip_by_global_norm(1.0, history=3), ValueError, "power of two"),
    (
        lambda: probe.clip_by_global_norm(probe.ZClip()).update(PARAMS, probe.clip_by_global_norm(1.0).init(PARAMS)),
        ValueError, r"another limit than ZClip.*adopt\(state, tx, params\)",
    ),
    (lambda: trained(probe.clip_by_global_norm(1.0), of_norm(NORMS), 0.5), TypeError, "tag must be"),
    (
        lambda: (tx := probe.clip_by_global_norm(1.0)).update(PARAMS, tx.init(PARAMS), tag=np.int64(2**32)),
        ValueError, "tag must be from 0 to 2,147,483,647",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_cannot_be_a_limit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
