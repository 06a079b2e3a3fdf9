"""The recorders: the same updates as without them, and the norms that were there."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from scaleclip import ops, probe


def drawn(source, size=1.0):
    draw = lambda *shape: np.float32(size * source.normal(size=shape))
    return {
        "layers": [{"w": draw(3, 4), "b": draw(4)}, {"w": draw(4, 2), "b": draw(2)}],
    }


FLOATS = jax.tree.map(jnp.asarray, drawn(np.random.default_rng(0)))


def gradients(n: int):
    source = np.random.default_rng(1)
    return [
        jax.tree.map(jnp.asarray, drawn(source, 10.0 ** source.uniform(-1, 1))) for _ in range(n)
    ]


def norm(tree):
    return float(
        np.sqrt(sum(np.sum(np.square(leaf, dtype=np.float64)) for leaf in jax.tree.leaves(tree)))
    )


def run(tx, grads, params=FLOATS):
    state, updates = tx.init(params), []
    update = jax.jit(tx.update)
    for g in grads:
        u, state = update(g, state, params)
        updates.append(u)
    return updates, state


def test_it_clips_as_the_operator_and_records_norms_counts_and_groups():
    grads = gradients(8)
    updates, state = run(probe.clip_by_global_norm(2.0), grads)
    for u, g in zip(updates, grads, strict=True):
        expected = ops.clip_by_global_norm(g, 2.0)[0]  # which sums in another order
        rounding = 0 if norm(g) <= 2 else 1e-6
        jax.tree.map(lambda a, b, r=rounding: np.testing.assert_allclose(a, b, rtol=r), u, expected)
    recording, norms = probe.read(state), [norm(g) for g in grads]
    np.testing.assert_allclose(recording.norms, norms, rtol=1e-6)
    np.testing.assert_array_equal(recording.steps, np.arange(1, 9))
    np.testing.assert_array_equal(recording.limits, 2.0)
    assert list(recording.groups) == ["layers/0", "layers/1"]
    for n in (0, 1):
        by_hand = [norm(g["layers"][n]) for g in grads]
        np.testing.assert_allclose(recording.groups[f"layers/{n}"], by_hand, rtol=1e-6)
        after = [norm(g["layers"][n]) * min(1, 2 / norm(g)) for g in grads]
        np.testing.assert_allclose(recording.after[f"layers/{n}"], after, rtol=1e-6)
    assert 0 < recording.clipped == sum(n > 2 for n in norms) < 8
    assert (recording.seen, recording.nonfinite) == (8, 0)


def test_a_ring_keeps_the_last_steps_and_counts_all():
    grads = gradients(11)
    recording = probe.read(run(probe.clip_by_global_norm(2.0, keep=4), grads)[1])
    np.testing.assert_array_equal(recording.steps, [8, 9, 10, 11])
    np.testing.assert_allclose(recording.norms, [norm(g) for g in grads[-4:]], rtol=1e-6)
    assert recording.seen == 11
    assert recording.clipped == sum(norm(g) > 2 for g in grads)


@pytest.mark.parametrize("nonfinite", ["propagate", "zero"])
def test_steps_with_inf_or_nan_are_counted(nonfinite):
    grads = gradients(3)
    grads[1]["layers"][0]["b"] = jnp.array([jnp.inf, 1.0, jnp.nan, 0.0])
    updates, state = run(probe.clip_by_global_norm(2.0, nonfinite=nonfinite), grads)
    recording = probe.read(state)
    assert recording.nonfinite == 1
    finite = np.isfinite(recording.norms)
    assert finite.tolist() == [True, nonfinite == "zero", True]
    assert np.all(np.isfinite(updates[1]["layers"][1]["w"])) == (nonfinite == "zero")
    np.testing.assert_array_equal(np.isfinite(recording.groups["layers/0"]), finite)
    assert np.all(np.isfinite(recording.groups["layers/1"]))
    assert 0 <= recording.share_clipped() <= 1


def test_norms_whose_squares_overflow_are_recorded():
    grads = {"a": {"w": jnp.float32([3e30, 0])}, "b": {"w": jnp.float32([4e30, 0])}}
    updates, state = run(probe.clip_by_global_norm(1.0), [grads], grads)
    recording = probe.read(state)
    np.testing.assert_allclose(recording.norms, 5e30, rtol=1e-6)
    np.testing.assert_allclose([recording.groups[g][0] for g in "ab"], [3e30, 4e30], rtol=1e-6)
    np.testing.assert_allclose(updates[0]["a"]["w"], [0.6, 0], rtol=1e-6)
    assert recording.nonfinite == 0


def test_it_records_under_jit_scan_and_in_half_precision():
    params = jax.tree.map(lambda x: x.astype(jnp.bfloat16), FLOATS)
    grads = [jax.tree.map(lambda x: x.astype(jnp.bfloat16), g) for g in gradients(6)]
    tx = optax.chain(probe.clip_by_global_norm(2.0, keep=5), optax.adam(1e-3))
    _, by_hand = run(tx, grads, params)

    @jax.jit
    def trained(state, stacked):
        return jax.lax.scan(lambda s, g: (tx.update(g, s, params)[1], None), state, stacked)[0]

    scanned = trained(tx.init(params), jax.tree.map(lambda *g: jnp.stack(g), *grads))
    found, expected = probe.read(scanned), probe.read(by_hand)
    np.testing.assert_allclose(found.norms, expected.norms, rtol=1e-6)
    np.testing.assert_allclose(found.norms, [norm(g) for g in grads[1:]], rtol=1e-2)
    assert found.clipped == expected.clipped


def test_the_state_may_be_donated():
    tx = optax.chain(probe.clip_by_global_norm(2.0), probe.updates(projection=ops.non_negative))
    step = jax.jit(lambda state, g: tx.update(g, state, FLOATS)[1], donate_argnums=0)
    state = tx.init(FLOATS)
    for g in gradients(3):
        state = step(state, g)
    assert probe.read(state).seen == 3


def test_under_vmap_each_training_has_a_record_of_its_own():
    tx = probe.clip_by_global_norm(2.0, keep=4)
    grads = gradients(3)
    stacked = jax.tree.map(lambda *g: jnp.stack(g), *grads)
    states = jax.vmap(lambda g: tx.update(g, tx.init(FLOATS))[1])(stacked)
    for n, g in enumerate(grads):
        one = probe.read(jax.tree.map(lambda x, n=n: x[n], states))
        np.testing.assert_allclose(one.norms, [norm(g)], rtol=1e-6)
    with pytest.raises(ValueError, match=r"batch of trainings.*x\[0\]"):
        probe.read(states)


def test_it_does_not_call_back():
    tx = probe.clip_by_global_norm(2.0)
    text = str(jax.make_jaxpr(tx.update)(gradients(1)[0], tx.init(FLOATS)))
    assert "callback" not in text


def test_a_schedule_gives_the_limit_of_each_step():
    tx = probe.clip_by_global_norm(optax.linear_schedule(4.0, 1.0, 3))
    updates, state = run(tx, gradients(5))
    np.testing.assert_allclose(probe.read(state).limits, [4, 3, 2, 1, 1], rtol=1e-6)
    assert norm(updates[4]) <= 1 + 1e-6


GROUPS = {
    probe.by_leaf: ["layers/0/b", "layers/0/w", "layers/1/b", "layers/1/w"],
    probe.by_module: ["layers/0", "layers/1"],
    probe.by_layer: ["layers/0", "layers/1"],
    lambda path, leaf: f"{leaf.ndim} axes": ["1 axes", "2 axes"],
}


@pytest.mark.parametrize("groups", GROUPS)
def test_groups_are_named_by_path_and_leaf(groups):
    grads = gradients(2)
    recording = probe.read(run(probe.clip_by_global_norm(2.0, groups=groups), grads)[1])
    assert list(recording.groups) == GROUPS[groups]
    squares = sum(np.square(norms) for norms in recording.groups.values())
    np.testing.assert_allclose(np.sqrt(squares), recording.norms, rtol=1e-6)


@pytest.mark.parametrize(
    ("path", "layer"),
    [
        ("blocks/3/attention/query/kernel", "blocks/3"),
        ("params/Block_3/Dense_0/kernel", "params/Block_3"),
        ("encoder/attention/kernel", "encoder/attention"),
        ("w", "all"),
    ],
)
def test_a_layer_is_the_path_up_to_its_first_number(path, layer):
    assert probe.by_layer(path, None) == layer


def test_updates_are_compared_with_weights_and_with_a_constraint():
    cap = lambda w: ops.max_norm(w, 1.0)
    tx = optax.chain(probe.clip_by_global_norm(2.0), optax.sgd(0.1), probe.updates(projection=cap))
    g = gradients(1)[0]
    (u,), state = run(tx, [g])
    recording = probe.read(state)
    for n in (0, 1):
        name, weights = f"layers/{n}", FLOATS["layers"][n]
        assert recording.ratios[name][0] == pytest.approx(
            norm(u["layers"][n]) / norm(weights), rel=1e-5
        )
        moved = jax.tree.map(jnp.add, weights, u["layers"][n])
        beyond = norm(jax.tree.map(jnp.subtract, moved, cap(moved)))
        assert recording.beyond[name][0] == pytest.approx(beyond, rel=1e-5)
        assert beyond > 0.1
    assert "taken back" in repr(recording)


def started(params, **how):
    return probe.clip_by_global_norm(1.0, **how).init(params)


BY_LEAF = probe.clip_by_global_norm(1.0, groups=probe.by_leaf)
REFUSED = [
    (lambda: probe.clip_by_global_norm(-1.0), ValueError, r"max_norm must be 0 or more, but -1\.0 was given"),
    (
        lambda: probe.clip_by_global_norm(1.0, keep=0), ValueError,
        "keep must be a whole number of steps, 1 or more, but 0",
    ),
    (lambda: probe.clip_by_global_norm(1.0, nonfinite="ignore"), ValueError, "nonfinite"),
    (lambda: started({"n": 1}), ValueError, "params has no float leaf"),
    (
        lambda: started({"w": jnp.ones(2)}, groups=lambda path, leaf: 3), TypeError,
        r"groups returned 3 for 'w'.*by_module",
    ),
    (
        lambda: probe.updates().update(FLOATS, probe.updates().init(FLOATS)), ValueError,
        r"call update\(grads, state, params\)",
    ),
    (
        lambda: BY_LEAF.update({"b": jnp.ones(2)}, BY_LEAF.init({"a": jnp.ones(2)})), ValueError,
        r"gradients are b; those of the weights.*are a",
    ),
    (
        lambda: probe.read(optax.adam(1e-3).init(FLOATS)), ValueError,
        r"has 0 records .* Chain probe\.clip_by_global_norm\(1\.0\)",
    ),
    (lambda: jax.jit(lambda state: probe.read(state).norms)(started(FLOATS)), ValueError, "traced"),
    (
        lambda: jax.jit(BY_LEAF.update)({"b": jnp.ones(2)}, BY_LEAF.init(FLOATS)), ValueError,
        r"groups of the gradients are b; .* are others",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_cannot_be_right_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("beside", [jnp.inf, jnp.nan, 1e25])
def test_a_group_keeps_its_norm_beside_one_that_overflows(beside):
    grads = {"a": jnp.full((3, 4), beside), "b": jnp.full((3, 4), 2.0), "c": jnp.full(4, 1e-12)}
    recorder = probe.clip_by_global_norm(1.0, groups=probe.by_leaf, keep=1)
    _, log = recorder.update(grads, recorder.init(grads))
    np.testing.assert_allclose(log.groups[0, 1:], [48**0.5, 2e-12], rtol=1e-6)
