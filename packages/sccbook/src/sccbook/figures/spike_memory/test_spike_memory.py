"""SpikeMemory: its closed form against Optax's Adam, its remedies against runs, its words."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.figures.spike_memory.figure import STEPS

LONG = 30_000
"""Steps before the spike, after which m and v have settled."""


def run(gradients, beta2, limit=np.inf):
    """Steps of Optax's Adam, with its gradients clipped at a limit."""
    optimizer = optax.adam(1.0, b2=beta2, eps=0.0)

    def step(state, g):
        update, state = optimizer.update(g, state)
        return state, -update

    with jax.enable_x64(True):
        clipped = jnp.minimum(jnp.asarray(gradients), limit)
        return np.asarray(jax.lax.scan(step, optimizer.init(jnp.zeros(())), clipped)[1])


def spiked(size, after=3000):
    gradients = np.ones(LONG + after + 1)
    gradients[LONG] = size
    return gradients


@pytest.mark.slow
@pytest.mark.parametrize(
    ("beta2", "size"), [(0.999, 1000.0), (0.95, 1000.0), (0.999, 10.0), (0.9, 10_000.0)]
)
def test_the_closed_form_is_optaxs_adam(figure, beta2, size):
    figure.set(beta2=beta2, size=size, done="nothing")
    expected = run(spiked(size), beta2)[LONG:]
    early = (STEPS >= 0) & (STEPS <= 3000) & (STEPS % 1 == 0)
    drawn = STEPS[early].astype(int)
    np.testing.assert_allclose(figure.value["step"][early], expected[drawn], rtol=1e-9)
    back = figure.value["back"]
    if back < 3000:
        assert back == np.flatnonzero(expected[40:] >= 0.5)[0] + 40
    elif np.isnan(back):
        assert expected.min() > 0.5


def test_a_clip_before_adam_and_a_skip_leave_every_later_step_as_usual(at):
    clipped, skipped = at(done="clip"), at(done="skip")
    for usual in (clipped["m"], clipped["root"], clipped["step"], skipped["root"]):
        np.testing.assert_array_equal(usual, 1.0)
    np.testing.assert_allclose(run(spiked(1000.0), 0.999, limit=1.0)[LONG:], 1.0, rtol=1e-9)
    np.testing.assert_array_equal(skipped["step"], np.where(STEPS == 0, 0.0, 1.0))


def test_a_clip_of_the_update_shortens_the_long_steps_alone(at):
    alone, found = at(), at(done="clip_update")
    np.testing.assert_array_equal(found["step"], np.minimum(alone["step"], 1.0))
    for name in ("m", "root"):
        np.testing.assert_array_equal(found[name], alone[name])
    assert alone["step"][STEPS == 0] > 3
    assert round(100 * float(found["step_now"]), 1) == 3.6
