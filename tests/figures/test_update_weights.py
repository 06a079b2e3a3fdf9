"""The listing of update_weights: its program against muzero's, its code against itself, its words."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.figures import UpdateWeights
from gradlab.figures.update_weights import LISTING
from gradlab.ops import scale_gradient
from gradlab.unroll import coefficients as of_placement
from gradlab.unroll import muzero
from gradlab.unroll.muzero_slots import BATCH, MOST, SLOTS, THETA, gradient
from tests.tiers import some_now

pytestmark = pytest.mark.slow

SLOT = [name for name, _ in SLOTS]
PLACEMENTS = {"off": "off", "after_loop": "off", **{p: p for p in SLOT[3:6]}}
NETWORKS = {
    "representation": ("representation",),
    "dynamics": ("dynamics",),
    "heads": ("value", "reward", "policy"),
}


@pytest.fixture(scope="module")
def figure():
    return UpdateWeights()


def cut(steps):
    return muzero.Batch(
        BATCH.observation, BATCH.actions[:, :steps], *(array[:, : steps + 1] for array in BATCH[2:])
    )


def norms(gradient):
    return [
        np.linalg.norm(np.concatenate([np.ravel(x) for x in jax.tree.leaves([gradient[n] for n in names])]))
        for names in NETWORKS.values()
    ]  # fmt: skip


@functools.cache
def of_muzero(placement, steps):
    """A function of s and step 0's weight: the loss and its gradient, by ``muzero.loss``."""

    def loss(theta, s, root_weight):
        return muzero.loss(
            theta, cut(steps), scale=s, placement=placement, root_weight=root_weight
        )[0]

    return jax.jit(jax.value_and_grad(loss))


def of_listing(slot, s, steps):
    """The same by the code that is shown, run with the line in its place."""
    of_the_root = iter([True])

    def heads(theta, h):
        p = jax.vmap(lambda state: muzero.prediction(theta, state))(h)
        return p._replace(reward=jnp.zeros_like(p.reward)) if next(of_the_root, False) else p

    with jax.enable_x64(True):
        batch = cut(steps)
        names = {
            "represent": lambda theta, x: jax.vmap(lambda o: muzero.representation(theta, o))(x),
            "dynamics": lambda theta, h, a: jax.vmap(lambda state, action: muzero.dynamics(theta, state, action))(h, a),
            "heads": heads,
            "l": lambda p, t: jnp.mean(muzero.state_losses(p, *t).each),
            "scale_gradient": scale_gradient,
            "K": steps,
        }  # fmt: skip
        exec(LISTING.source(slot, f"h = scale_gradient(h, {s})"), names)
        y = [(batch.value[:, k], batch.reward[:, k], batch.policy[:, k]) for k in range(steps + 1)]
        theta = jax.tree.map(jnp.asarray, THETA)
        value, gradient = jax.value_and_grad(names["loss"])(
            theta, batch.observation, list(batch.actions.T), y
        )
    return float(value), norms(gradient)


@pytest.mark.parametrize("slot", some_now(PLACEMENTS, "after_heads"))
def test_loss_and_gradients_are_those_of_muzero(figure, slot):
    for s, share in ((0.5, False), (0.0, True)):
        figure.set(slot=slot, s=s, steps=3, share=share)
        with jax.enable_x64(True):
            weight = 1 / 3 if share else 1.0
            value, gradient = of_muzero(PLACEMENTS[slot], 3)(THETA, s, weight)
            _, without = of_muzero("off", 3)(THETA, s, weight)
        np.testing.assert_allclose(figure.value["total"], value, rtol=1e-12)
        np.testing.assert_allclose(figure.value["after"], norms(gradient), atol=1e-10)
        np.testing.assert_allclose(figure.value["before"], norms(without), atol=1e-10)


def test_the_gradient_of_a_place_is_the_figures(figure):
    for slot in ("off", "every_input", "before_heads"):
        figure.set(slot=slot, s=0.5, steps=MOST, share=False)
        with jax.enable_x64(True):
            found = norms(gradient(slot))
        np.testing.assert_allclose(figure.value["after"], found, atol=1e-10)
    with jax.enable_x64(True):
        figure.set(slot="after_heads", s=0.25, steps=MOST, share=True)
        found = norms(gradient("after_heads", weights=(MOST + 1) * [1 / MOST], scale=0.25))
    np.testing.assert_allclose(figure.value["after"], found, atol=1e-10)
    with pytest.raises(ValueError, match=r"one of off, root_heads, .*, but 'P' was given"):
        gradient("P")


@pytest.mark.exhaustive
@pytest.mark.parametrize("slot", SLOT)
def test_the_code_that_is_shown_does_what_the_figure_shows(figure, slot):
    figure.set(slot=slot, s=0.5, steps=2, share=False)
    value, expected = of_listing(slot, 0.5, steps=2)
    np.testing.assert_allclose(figure.value["total"], value, rtol=1e-12)
    np.testing.assert_allclose(figure.value["after"], expected, atol=1e-10)


@pytest.mark.parametrize("slot", some_now(PLACEMENTS, "after_heads"))
def test_the_triangle_has_the_ledgers_coefficients(figure, slot):
    figure.set(slot=slot, s=0.3, steps=4, share=False)
    with jax.enable_x64(True):
        inside, root = of_placement(4, 0.3, PLACEMENTS[slot])
    found = figure.value["coefficients"]
    np.testing.assert_allclose(found[1:5, 1:5], inside, atol=1e-14)
    np.testing.assert_allclose(found[1:5, 0], root, atol=1e-14)
    assert found[0, 0] == 1
    assert not found[5].any()


def test_the_loss_is_the_same_in_every_place(figure):
    totals = set()
    for slot in SLOT:
        for s in (0.0, 0.5, 1.0):
            figure.set(slot=slot, s=s, steps=MOST, share=False)
            totals.add(float(figure.value["total"]))
    assert len(totals) == 1


def test_before_the_heads_the_dynamics_receive_s_times_as_much(figure):
    found = {}
    for slot in ("after_heads", "before_heads"):
        figure.set(slot=slot, s=0.3, steps=MOST, share=False)
        found[slot] = figure.value
    after, before = found["after_heads"], found["before_heads"]
    np.testing.assert_allclose(before["after"][1], 0.3 * after["after"][1], rtol=1e-12)
    np.testing.assert_allclose(before["turn"][1], after["turn"][1], atol=1e-6)
    assert abs(before["turn"][0] - after["turn"][0]) > 1


def test_the_heads_hear_every_loss_as_it_is_unless_their_input_does_not(figure):
    for slot in SLOT:
        figure.set(slot=slot, s=0.0, steps=MOST, share=False)
        np.testing.assert_allclose(figure.value["ratio"][2], 1, rtol=1e-12)


def test_a_gradient_of_zero_has_no_angle(figure):
    figure.set(slot="before_heads", s=0.0, steps=3, share=False)
    assert figure.value["after"][1] == 0
    assert figure.value["turn"][1] == 0
    assert np.isfinite(figure.value["turn"]).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"slot": "off"}, "Without the line the loss is 19.21"),
        ({"slot": "root_heads"}, "Before the root’s heads: all that the representation receives"),
        ({"slot": "before_loop"}, "Before the loop: what the steps send"),
        ({"slot": "every_input"}, "First in the loop, the paper’s prose"),
        ({"slot": "before_heads"}, "Before the heads, as in several ports."),
        ({"slot": "after_heads"}, "After the heads, in the loop: the pseudocode’s place."),
        ({"slot": "after_loop"}, "After the loop nobody reads h"),
        ({"slot": "after_heads", "s": 1.0}, "A scale of 1 changes nothing"),
        ({"slot": "after_heads", "steps": 1}, "With a single step nobody reads h after the heads"),
    ],
)
def test_the_sentence_names_the_place(figure, settings, words):
    figure.set(**({"s": 0.5, "steps": MOST, "share": False} | settings))
    assert figure.sentence.startswith(words)
    assert f"{figure.value['total']:.2f}" in figure.sentence


def test_of_the_places_in_the_loop_the_one_before_the_heads_is_the_dynamics_odd_one(figure):
    prediction = figure.spec.prediction
    assert prediction.options[int(figure.value["odd"])] == "before the heads"
    assert prediction.settings["slot"] == "before_heads"
    found = {}
    for slot in SLOT[3:6]:
        figure.set(slot=slot, **{k: v for k, v in prediction.settings.items() if k != "slot"})
        found[slot] = figure.value["dynamics"]
    np.testing.assert_allclose(found["every_input"], found["after_heads"], atol=1e-6)
    assert found["before_heads"][1] == pytest.approx(found["after_heads"][1] / 2)
