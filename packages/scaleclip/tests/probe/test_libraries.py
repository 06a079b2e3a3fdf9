"""Record, read, print and draw a training in Equinox and Flax NNX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import scaleclip.figure
from scaleclip import probe
from scaleclip.probe import Recording

pytestmark = pytest.mark.slow

X = jax.random.normal(jax.random.key(0), (32, 4))
Y = jnp.sin(X[:, :1])
STEPS = 30


def optimizer() -> Any:
    return optax.chain(
        probe.clip_by_global_norm(0.05, keep=20), optax.adam(1e-2), probe.updates(keep=20)
    )


def with_equinox() -> Recording:
    model = eqx.nn.MLP(4, 1, 16, 2, key=jax.random.key(1))
    tx = optimizer()
    state = tx.init(eqx.filter(model, eqx.is_inexact_array))

    @eqx.filter_jit
    def step(model, state):
        loss = lambda model: jnp.mean((jax.vmap(model)(X) - Y) ** 2)
        grads = eqx.filter_grad(loss)(model)
        params = eqx.filter(model, eqx.is_inexact_array)
        updates, state = tx.update(grads, state, params)
        return eqx.apply_updates(model, updates), state

    for _ in range(STEPS):
        model, state = step(model, state)
    return probe.read(state)


class Net(nnx.Module):
    def __init__(self, rngs: nnx.Rngs) -> None:
        self.layers = nnx.List([nnx.Linear(4, 16, rngs=rngs), nnx.Linear(16, 1, rngs=rngs)])

    def __call__(self, x: Any) -> Any:
        return self.layers[1](jnp.tanh(self.layers[0](x)))


def with_nnx() -> Recording:
    model = Net(nnx.Rngs(0))
    trained = nnx.Optimizer(model, optimizer(), wrt=nnx.Param)

    @nnx.jit
    def step(model, trained):
        grads = nnx.grad(lambda model: jnp.mean((model(X) - Y) ** 2))(model)
        trained.update(model, grads)

    for _ in range(STEPS):
        step(model, trained)
    return probe.read(trained.opt_state)


GROUPS = {
    with_equinox: {"layers/0", "layers/1", "layers/2"},
    with_nnx: {"layers/0", "layers/1"},
}


@pytest.mark.parametrize("train", GROUPS)
def test_a_training_is_recorded_read_printed_and_drawn(train: Callable[[], Recording]) -> None:
    recording = train()
    assert set(recording.groups) == set(recording.ratios) == GROUPS[train]
    assert recording.seen == STEPS
    assert recording.steps.tolist() == [*range(11, 31)]
    assert 0 < recording.clipped <= STEPS
    squares = sum(np.square(norms) for norms in recording.groups.values())
    np.testing.assert_allclose(np.sqrt(squares), recording.norms, rtol=1e-5)
    assert all(np.all((r > 0) & (r < 1)) for r in recording.ratios.values())
    assert f"30 steps, {recording.clipped} clipped" in repr(recording)
    figure = scaleclip.figure.of(recording)
    assert figure.limit == pytest.approx(0.05)
    assert figure.value["share"] == pytest.approx(100 * recording.share_clipped())
    assert figure.value["kept"] == pytest.approx(100 * recording.length_kept())
