"""SpikeMemory: its closed form against Optax's Adam, its remedies against runs, its words."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.figures import SpikeMemory
from sccbook.figures.spike_memory.figure import STEPS

LONG = 30_000
"""Steps before the spike, after which m and v have settled."""


@pytest.fixture(scope="module")
def figure():
    return SpikeMemory()


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


def test_a_clip_before_adam_and_a_skip_leave_every_later_step_as_usual(figure):
    figure.set(beta2=0.999, size=1000.0, done="clip")
    for name in ("m", "root", "step"):
        np.testing.assert_array_equal(figure.value[name], 1.0)
    np.testing.assert_allclose(run(spiked(1000.0), 0.999, limit=1.0)[LONG:], 1.0, rtol=1e-9)
    figure.set(done="skip")
    np.testing.assert_array_equal(figure.value["step"], np.where(STEPS == 0, 0.0, 1.0))
    np.testing.assert_array_equal(figure.value["root"], 1.0)


def test_a_clip_of_the_update_shortens_the_long_steps_alone(figure):
    figure.set(beta2=0.999, size=1000.0, done="nothing", later=250)
    alone = figure.value
    figure.set(done="clip_update")
    found = figure.value
    np.testing.assert_array_equal(found["step"], np.minimum(alone["step"], 1.0))
    for name in ("m", "root"):
        np.testing.assert_array_equal(found[name], alone[name])
    assert alone["step"][STEPS == 0] > 3
    assert round(100 * float(found["step_now"]), 1) == 3.6


def test_the_two_thick_stretches_are_equally_long(figure):
    (spans,) = [t.spans for t in figure.spec.view.thresholds if t.spans]
    assert figure.spec.view.y.scale == "log"
    for later in (0, 5, 60, 2000):
        figure.set(beta2=0.999, done="nothing", size=1000.0, later=later)
        found = figure.value
        first, second = (
            [float(end if isinstance(end, float) else found[end]) for end in ends]
            for *ends, _ in spans
        )
        np.testing.assert_allclose(first[0] / first[1], second[1] / second[0], rtol=1e-12)


@pytest.mark.parametrize(("settings", "words"), [
    ({"beta2": 0.999}, "m is 1 and √v is 27.9, so Adam’s step is 0.036 times the usual one. "
     "It is back to half its usual length after 5,807 steps."),
    ({"beta2": 0.95}, "0.94 times the usual one. It is back to half its usual length after 190 steps."),
    ({"later": 0}, "At the spike itself m is 101 and √v is 31.6, so Adam’s step is 3.2 times"),
    ({"beta2": 0.999, "size": 10.0}, "0.96 times the usual one. It’s never below half"),
    ({"beta2": 0.9}, "m and √v are as usual again, and so is Adam’s step"),
    ({"done": "clip"}, "clipped to 1 before Adam sees it"),
    ({"done": "skip"}, "isn’t taken"),
    ({"done": "clip_update"}, "At step 250 after the spike √v is 27.9, and the step is 0.036 times"),
    ({"done": "clip_update", "later": 0}, "At the spike itself √v is 31.6, and the step is 1 times the usual one"),
    ({"done": "skip", "later": 0}, "isn’t taken"),
])  # fmt: skip
def test_the_sentence_says_why_the_step_is_short_and_for_how_long(figure, settings, words):
    figure.set(**{"beta2": 0.999, "done": "nothing", "size": 1000.0, "later": 250, **settings})
    assert words in figure.sentence


@pytest.mark.parametrize("beta2", [0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("size", [100.0, 1000.0, 10_000.0])
def test_the_root_of_v_is_named_where_it_stands_out(figure, beta2, size):
    figure.set(beta2=beta2, size=size, done="nothing")
    found = figure.value
    root = np.interp(found["root_named"], found["steps"], found["root"])
    assert 0 < found["root_named"] < STEPS[-1]
    assert root > 2


def test_before_the_spike_gradient_and_step_are_as_usual(figure):
    figure.set(beta2=0.999, size=1000.0, done="nothing")
    early = STEPS < 0
    np.testing.assert_array_equal(figure.value["step"][early], 1.0)
    np.testing.assert_array_equal(figure.value["gradient"], [1.0, 1.0, 1000.0, 1.0, 1.0])


def test_the_answer_to_the_prediction_is_a_few_per_cent(figure):
    figure.set(**figure.spec.prediction.settings)
    assert round(float(figure.value[figure.spec.prediction.answer]), 3) == 0.036
