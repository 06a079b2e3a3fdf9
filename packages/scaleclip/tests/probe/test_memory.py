"""What the recorder for JAX remembers of a whole run: spikes, the first failure, a thinned history."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import serialization

from scaleclip import probe

PARAMS = {"early": jnp.ones(1), "late": jnp.ones(1)}
MEASURED = optax.chain(
    probe.clip_by_global_norm(1.0, groups=probe.by_leaf, keep=4),
    optax.sgd(0.1),
    probe.updates(groups=probe.by_leaf),
)


def trained(tx, grads, tagged=True):
    """Take a step for each row of gradients, in one compiled scan, and return the state."""
    number = np.arange(len(grads))

    def step(state, given):
        each, tag = given
        extra = {"tag": tag} if tagged else {}
        return tx.update(dict(zip(PARAMS, each, strict=True)), state, PARAMS, **extra)[1], None

    pairs = (jnp.asarray(grads, jnp.float32)[..., None], jnp.asarray(1000 + number))
    return jax.jit(lambda pairs: jax.lax.scan(step, tx.init(PARAMS), pairs)[0])(pairs)


def test_a_spike_is_kept_with_its_batch_and_the_steps_before_it():
    grads = np.ones((200, 2))
    grads[117:120, 0] = [2, 3, 4]  # one module grows first,
    grads[120:123, 1] = [30, 40, 20]  # then the other: one event
    grads[[10, 190]] = 50  # the first comes before there is a median
    state = trained(MEASURED, grads)
    for given in (state, serialization.msgpack_restore(serialization.to_bytes(state))):
        found = probe.read(given)
        first, second = found.spikes
        assert (found.spiked, first.step, first.tag, second.step) == (2, 121, 1120, 191)
        norms = np.linalg.norm(grads, axis=1)
        assert first.median == pytest.approx(np.median(norms[20:120]))
        np.testing.assert_array_equal(first.window.steps, np.arange(90, 122))
        np.testing.assert_allclose(first.window.norms, norms[89:121], rtol=1e-6)
        assert first.window.groups["early"][-4:].tolist() == [2, 3, 4, 1]
        after = 0.1 * grads[89:121, 0] / norms[89:121]
        np.testing.assert_allclose(first.window.ratios["early"], after, rtol=1e-5)
        assert found.steps.tolist() == [197, 198, 199, 200]
    none = probe.clip_by_global_norm(1.0, spike=None)
    assert probe.read(trained(none, grads)).spiked == 0
    assert probe.read(trained(MEASURED, grads[:130], tagged=False)).spikes[0].tag is None


@pytest.mark.slow
def test_more_spikes_than_are_kept_leave_the_last():
    grads = np.ones((400, 2))
    grads[50:400:10] = 90
    found = probe.read(trained(probe.clip_by_global_norm(1.0), grads))
    assert found.spiked == 35
    assert [spike.step for spike in found.spikes] == [*range(51 + 190, 401, 10)]
    assert all(spike.median == pytest.approx(2**0.5) for spike in found.spikes)


@pytest.mark.slow
def test_history_keeps_the_start_of_a_million_steps_evenly_spaced():
    tx = probe.clip_by_global_norm(1.0, history=64)

    @jax.jit
    def run(state):
        step = lambda n, state: tx.update({"w": 1.0 + n[None]}, state)[1]
        return jax.lax.fori_loop(0, 1_000_000, step, state)

    state = run(tx.init({"w": jnp.ones(1)}))
    found = probe.read(state)
    assert found.seen == found.history.seen == 1_000_000
    np.testing.assert_array_equal(found.history.steps, np.arange(1, 1_000_001, 16384))
    np.testing.assert_array_equal(found.history.norms, found.history.steps)
    assert probe.read(
        probe.adopt(state, probe.clip_by_global_norm(1.0, history=16), {"w": jnp.ones(1)})
    ).history.steps.tolist() == [*range(1, 1_000_001, 65536)]
    large = probe.clip_by_global_norm(1.0).init({f"{n}/w": jnp.ones(1) for n in range(50)})
    assert sum(leaf.nbytes for leaf in jax.tree.leaves(large)) < 4e6


@pytest.mark.parametrize("nonfinite", ["propagate", "zero"])
def test_the_first_failure_is_kept_with_its_groups(nonfinite):
    grads = np.ones((60, 2))
    grads[12:14, 1] = [np.nan, np.inf]
    grads[40:45] = np.inf
    clip = probe.clip_by_global_norm(1.0, groups=probe.by_leaf, nonfinite=nonfinite)
    state = trained(optax.chain(clip, optax.apply_if_finite(optax.adam(1e-3), 9)), grads)
    for given in (state, serialization.msgpack_restore(serialization.to_bytes(state))):
        found = probe.read(given)
        assert found.culprit == probe.recording.Culprit(13, ("late",))
        assert (found.nonfinite, found.streak) == (7, 5)
        assert found.skipped == (7 if nonfinite == "propagate" else 0)


def test_a_record_of_an_earlier_version_is_read_and_adopted():
    tx = probe.clip_by_global_norm(probe.ZClip())
    grads = np.ones((30, 2))
    grads[3] = np.nan
    log = trained(tx, grads)
    old = log._asdict() | {"norms": log.norms[:9], "limits": log.limits[:9]}
    old |= {"groups": log.groups[:9]}
    old = {name: old[name] for name in type(log)._fields[:7]}
    assert probe.read(old).culprit is None
    state = probe.adopt(old, tx, PARAMS)
    found = probe.read(tx.update(dict.fromkeys(PARAMS, jnp.full(1, jnp.nan)), state)[1])
    assert (found.seen, found.nonfinite, found.culprit, found.spiked) == (31, 2, None, 0)
    assert found.steps.tolist() == [*range(22, 32)]
