"""Records in an optimizer's state: saved and read back, inside wrappers, several, and carried over."""

from __future__ import annotations

import io
import math
import pickle
import warnings

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
import pytest
from flax import nnx, serialization

from scaleclip import probe

PARAMS = {"inner": {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}, "outer": {"w": jnp.ones(2)}}
NAN = jax.tree.map(lambda w: w + jnp.nan, PARAMS)


def chained(keep=4, limit=1.0):
    clip = probe.clip_by_global_norm(limit, keep=keep)
    return optax.chain(clip, optax.adam(1e-3), probe.updates(keep=keep))


def run(tx, state=None, steps=6, broken=(), params=PARAMS):
    """Take steps with growing gradients, some of them NaN."""
    state = tx.init(params) if state is None else state
    update = jax.jit(tx.update)
    for n in range(steps):
        grads = NAN if n in broken else jax.tree.map(lambda w, n=n: w + n, params)
        _, state = update(grads, state, params)
    return state


def with_orbax(target):
    def saved(state, folder, tx):
        with ocp.StandardCheckpointer() as checkpointer:
            checkpointer.save(folder / "state", state)
            checkpointer.wait_until_finished()
            return checkpointer.restore(folder / "state", *([tx.init(PARAMS)] if target else []))

    return saved


def with_equinox(state, folder, tx):
    file = io.BytesIO()
    eqx.tree_serialise_leaves(file, state)
    file.seek(0)
    return eqx.tree_deserialise_leaves(file, tx.init(PARAMS))


WAYS = {
    "flax": lambda s, _, tx: serialization.from_bytes(tx.init(PARAMS), serialization.to_bytes(s)),
    "flax, no target": lambda s, *_: serialization.msgpack_restore(serialization.to_bytes(s)),
    "orbax": with_orbax(target=True),
    "orbax, no target": with_orbax(target=False),
    "pickle": lambda s, *_: pickle.loads(pickle.dumps(s)),
    "equinox": with_equinox,
}


@pytest.mark.slow
def test_a_record_is_read_from_each_kind_of_checkpoint_with_its_names(tmp_path):
    tx = chained()
    state = run(tx)
    expected = probe.read(state)
    assert set(expected.groups) == {"inner", "outer"}
    for name, saved in WAYS.items():
        (tmp_path / name).mkdir()
        found = probe.read(saved(state, tmp_path / name, tx))
        assert repr(found) == repr(expected), name
        np.testing.assert_array_equal(found.norms, expected.norms)


@pytest.mark.slow
def test_a_record_is_read_from_the_state_of_an_nnx_optimizer(tmp_path):
    model = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, chained(), wrt=nnx.Param)
    grads = nnx.grad(lambda m: jnp.sum(m(jnp.ones((1, 2))) ** 2))
    nnx.jit(lambda model, optimizer: optimizer.update(model, grads(model)))(model, optimizer)
    expected = repr(probe.read(optimizer.opt_state))
    for state in (nnx.state(optimizer), nnx.to_pure_dict(nnx.state(optimizer))):
        assert repr(
            probe.read(with_orbax(target=False)(state, tmp_path / str(type(state)), None))
        ) == (expected)


WRAPPED = {  # what is around the recorder: steps seen, not finite, unseen; of six, of which one is NaN
    "outside apply_if_finite": (
        lambda: optax.chain(
            probe.clip_by_global_norm(1.0), optax.apply_if_finite(optax.adam(1e-3), 5)
        ),
        (6, 1, 0),
    ),
    "inside apply_if_finite": (lambda: optax.apply_if_finite(chained(), 5), (5, 0, 1)),
    "in an apply_if_finite that gives up": (lambda: optax.apply_if_finite(chained(), 0), (6, 1, 0)),
    "outside MultiSteps": (
        lambda: optax.chain(
            probe.clip_by_global_norm(1.0),
            optax.MultiSteps(
                optax.sgd(0.1), 2, should_skip_update_fn=optax.skip_not_finite
            ).gradient_transformation(),
        ),
        (6, 1, 0),
    ),
    "inside MultiSteps that may skip": (
        lambda: optax.MultiSteps(chained(), 2, should_skip_update_fn=optax.skip_not_finite),
        (2, 0, None),
    ),
    "masked": (
        lambda: optax.masked(chained(), {"inner": {"w": True, "b": False}, "outer": True}),
        (6, 1, 0),
    ),
    "inject_hyperparams": (
        lambda: optax.inject_hyperparams(probe.clip_by_global_norm, ("groups", "keep"))(
            max_norm=0.1, keep=9
        ),
        (6, 1, 0),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("wrapper", WRAPPED)
def test_what_a_recorder_sees_in_a_wrapper(wrapper):
    make, expected = WRAPPED[wrapper]
    state = run(make(), broken=[2])
    for given in (state, serialization.msgpack_restore(serialization.to_bytes(state))):
        found = probe.read(given)
        assert (found.seen, found.nonfinite, found.unseen) == expected
    assert ("left out by a wrapper" in repr(found)) == (found.unseen == 1)
    assert ("may have left steps out" in repr(found)) == (found.unseen is None)


@pytest.mark.slow
def test_a_limit_may_be_injected():
    tx = WRAPPED["inject_hyperparams"][0]()
    state = tx.init(PARAMS)
    state.hyperparams["max_norm"] = jnp.asarray(0.5)
    updates, state = tx.update(PARAMS, state, PARAMS)
    assert optax.tree.norm(updates) == pytest.approx(0.5, rel=1e-5)
    assert probe.read(state).limits.tolist() == [0.5]


@pytest.mark.slow
def test_multi_steps_is_recorded_once_for_each_mean():
    found = probe.read(run(optax.MultiSteps(chained(keep=9), 3)))
    means = [jax.tree.map(lambda w, n=n: w + n, PARAMS) for n in (1, 4)]
    np.testing.assert_allclose(found.norms, [optax.tree.norm(g) for g in means], rtol=1e-6)
    assert found.unseen == 0


@pytest.mark.slow
def test_two_recorders_are_read_by_path_or_together():
    alone = optax.chain(probe.clip_by_global_norm(2.0), optax.sgd(1.0))
    tx = optax.partition({"a": chained(), "b": alone}, {"inner": "a", "outer": "b"})
    state = run(tx)
    with pytest.raises(
        ValueError, match=r"has 2 records .* at 'inner_states/a/inner_state/0', 'inner_st"
    ):
        probe.read(state)
    b = probe.read(state, "inner_states/b")
    assert (list(b.groups), b.limits[0], b.updates) == (["outer"], 2, {})
    both = probe.read_all(state)
    assert [*both] == [f"inner_states/{part}/inner_state/0" for part in "ab"]
    assert set(both["inner_states/a/inner_state/0"].ratios) == {"inner"}
    with pytest.raises(ValueError, match="part 'inner_states/c' of the state has 0 records"):
        probe.read(state, "inner_states/c")


@pytest.mark.slow
def test_recorders_that_saw_different_steps_are_refused():
    clip = optax.apply_if_finite(probe.clip_by_global_norm(1.0), 5)
    state = run(optax.chain(clip, optax.sgd(0.1), probe.updates()), broken=[2])
    with pytest.raises(
        ValueError, match=r"saw 5 steps, and probe.updates, at '2', 6.* Put both inside"
    ):
        probe.read(state)
    assert probe.read(state, "0").seen == 5


@pytest.mark.slow
def test_updates_may_be_measured_in_some_steps():
    tx = chained(keep=5)
    state = tx.init(PARAMS)
    step = jax.jit(tx.update, static_argnames="record_updates")
    for n in range(8):
        _, state = step(PARAMS, state, PARAMS, record_updates=n % 3 == 0)
    found = probe.read(state)
    assert found.steps.tolist() == [4, 5, 6, 7, 8]
    assert np.isfinite(found.ratios["inner"]).tolist() == [True, False, False, True, False]
    with pytest.raises(TypeError, match=r"record_updates must be True or False.*static_argnames"):
        tx.update(PARAMS, state, PARAMS, record_updates=jnp.array(True))


@pytest.mark.slow
def test_a_running_job_adopts_a_recorder():
    old = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3), optax.trace(0.9))
    new = optax.chain(
        probe.clip_by_global_norm(1.0), optax.adam(1e-3), optax.trace(0.9), probe.updates()
    )
    many = {
        "layers": [{"w": jnp.full(2, float(n))} for n in range(12)]
    }  # "10" is before "2" in a dict
    state = run(old, params=many)
    expected, _ = jax.jit(old.update)(many, state, many)
    update = jax.jit(new.update)
    for given in (state, serialization.msgpack_restore(serialization.to_bytes(state))):
        updates, after = update(many, probe.adopt(given, new, many), many)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), updates, expected)
        assert probe.read(after).seen == 1


@pytest.mark.slow
@pytest.mark.parametrize("keep", [2, 9])
def test_a_record_goes_on_with_another_keep(keep):
    state = run(chained(keep=4))
    old = probe.read(state)
    adopted = probe.adopt(state, chained(keep), PARAMS)
    for found, steps in (
        (probe.read(adopted), range(7 - min(keep, 6), 7)),
        (probe.read(run(chained(keep), adopted, 3)), range(10 - keep, 10)),
    ):
        assert found.steps.tolist() == [*steps]
        same = np.isin(found.steps, old.steps)
        np.testing.assert_array_equal(found.norms[same], old.norms[np.isin(old.steps, found.steps)])
        assert all(np.isfinite(values[-4:]).all() for values in found.ratios.values())
        assert found.clipped == found.seen == found.steps[-1]


@pytest.mark.slow
def test_a_record_of_updates_may_begin_later():
    plain = optax.chain(probe.clip_by_global_norm(1.0), optax.adam(1e-3))
    found = probe.read(run(chained(), probe.adopt(run(plain), chained(), PARAMS), 2))
    assert found.steps.tolist() == [5, 6, 7, 8]
    assert np.isfinite(found.ratios["inner"]).tolist() == [False, False, True, True]


FINER = optax.chain(probe.clip_by_global_norm(1.0, groups=probe.by_leaf), optax.adam(1e-3))


@pytest.mark.parametrize(
    ("tx", "times", "message"),
    [
        (optax.sgd(0.1), 1, "doesn't fit: count: 1 in the old state, 0 in the new one"),
        (chained(), 2, r"mu/inner/b is float32\[2\] in the old state and float32\[4\]"),
        (FINER, 1, "has the groups inner, outer; the new one has inner/b, .*groups="),
    ],
)
def test_what_cannot_be_adopted_is_refused(tx, times, message):
    params = jax.tree.map(lambda w: jnp.concatenate([w] * times), PARAMS)
    with pytest.raises(ValueError, match=message):
        probe.adopt(chained().init(PARAMS), tx, params)


def test_a_limit_of_0_warns_and_inf_changes_nothing():
    with pytest.warns(UserWarning, match=r"max_norm = 0 makes every gradient 0.*use math\.inf"):
        probe.clip_by_global_norm(0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tx = probe.clip_by_global_norm(math.inf)
    broken = {"a": jnp.array([1.0, jnp.nan]), "b": jnp.array([jnp.inf, 2.0])}
    updates, state = jax.jit(tx.update)(broken, tx.init(broken))
    jax.tree.map(np.testing.assert_array_equal, updates, broken)
    assert probe.read(state).nonfinite == 1
