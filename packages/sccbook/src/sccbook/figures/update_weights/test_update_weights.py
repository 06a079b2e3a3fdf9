"""The listing of update_weights: its factors against the ledger's, its code against itself, its words."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.figures import UpdateWeights
from sccbook.figures.update_weights.figure import LISTING
from scaleclip.ops import scale_gradient
from scaleclip.ledger import coefficients as of_placement
from sccbook.models.muzero_slots import MOST, SLOTS
from tests.tiers import some_now

SLOT = [name for name, _ in SLOTS]
PLACEMENTS = {"off": "off", "after_loop": "off", **{p: p for p in SLOT[3:6]}}


@pytest.fixture(scope="module")
def figure():
    return UpdateWeights()


def of_listing(slot, s, steps):
    """The loss and each application's gradient by the code that is shown, with the smallest networks."""
    names = {
        "represent": lambda theta, x: theta[x],
        "dynamics": lambda theta, h, a: h + theta[a],
        "heads": lambda _, h: h,
        "l": lambda p, _: p,
        "scale_gradient": scale_gradient,
        "K": steps,
    }
    exec(LISTING.source(slot, f"h = scale_gradient(h, {s})"), names)
    with jax.enable_x64(True):
        loss = lambda theta: names["loss"](theta, 0, range(1, steps + 1), (steps + 1) * [None])
        value, gradient = jax.value_and_grad(loss)(jnp.ones(MOST + 1))
        return float(value), np.asarray(gradient)


@pytest.mark.parametrize("slot", some_now(SLOT, "after_heads"))
def test_the_code_that_is_shown_does_what_the_figure_shows(figure, slot):
    for s, steps in ((0.5, MOST), (0.3, 2)):
        figure.set(slot=slot, s=s, steps=steps)
        value, gradient = of_listing(slot, s, steps)
        assert figure.value["total"] == value
        np.testing.assert_allclose(figure.value["columns"], gradient, atol=1e-14)


@pytest.mark.parametrize("slot", some_now(PLACEMENTS, "after_heads"))
def test_the_triangle_has_the_ledgers_coefficients(figure, slot):
    figure.set(slot=slot, s=0.3, steps=4)
    with jax.enable_x64(True):
        inside, root = of_placement(4, 0.3, PLACEMENTS[slot])
    found = figure.value["coefficients"]
    np.testing.assert_allclose(found[1:5, 1:5], inside, atol=1e-14)
    np.testing.assert_allclose(found[1:5, 0], root, atol=1e-14)
    assert found[0, 0] == 1
    assert not found[5].any()


def test_the_number_at_a_place_is_the_sum_of_its_columns_were_the_line_there(figure):
    figure.set(slot="off", s=0.3, steps=4)
    numbers = figure.value["dynamics"]
    for i, slot in enumerate(SLOT):
        figure.set(slot=slot, s=0.3, steps=4)
        np.testing.assert_array_equal(figure.value["dynamics"], numbers)
        assert numbers[i] == pytest.approx(figure.value["coefficients"][:, 1:].sum(), rel=1e-12)


def test_where_two_numbers_are_equal_every_entry_of_the_columns_is(figure):
    for s in (0.0, 0.3, 0.5, 0.85, 1.0):
        for steps in range(1, MOST + 1):
            tables, numbers = [], UpdateWeights(s=s, steps=steps).value["dynamics"]
            for slot in SLOT:
                figure.set(slot=slot, s=s, steps=steps)
                tables.append(figure.value["coefficients"][:, 1:])
            for a, x in zip(tables, numbers, strict=True):
                for b, y in zip(tables, numbers, strict=True):
                    assert (abs(x - y) < 1e-9) == np.allclose(a, b, atol=1e-12)


def test_the_loss_is_the_same_in_every_place(figure):
    totals = set()
    for slot in SLOT:
        for s in (0.0, 0.5, 1.0):
            figure.set(slot=slot, s=s, steps=MOST)
            totals.add(float(figure.value["total"]))
    assert len(totals) == 1


def test_for_the_dynamics_first_in_the_loop_is_after_the_heads_and_for_the_representation_before_them(
    figure,
):
    found = {}
    for slot in SLOT[3:6]:
        figure.set(slot=slot, s=0.3, steps=MOST)
        found[slot] = figure.value["coefficients"]
    first, before, after = found.values()
    np.testing.assert_allclose(first[:, 1:], after[:, 1:], rtol=1e-12)
    np.testing.assert_allclose(before[:, 1:], 0.3 * after[:, 1:], rtol=1e-12)
    np.testing.assert_allclose(first[:, 0], before[:, 0], rtol=1e-12)
    np.testing.assert_allclose(first[1:, 0], 0.3 * after[1:, 0], rtol=1e-12)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"slot": "off"}, "Without the line every application"),
        ({"slot": "root_heads"}, "Before the root’s heads, all that the representation receives"),
        ({"slot": "before_loop"}, "Before the loop, what the steps send"),
        ({"slot": "every_input"}, "First in the loop, the paper’s prose"),
        ({"slot": "before_heads"}, "Before the heads, as in several ports: "),
        ({"slot": "after_heads"}, "After the heads, the pseudocode’s place: "),
        ({"slot": "after_loop"}, "After the loop nobody reads h"),
        ({"slot": "after_heads", "s": 1.0}, "A scale of 1 changes nothing"),
        ({"slot": "after_heads", "steps": 1}, "With a single step nobody reads h after the heads"),
    ],
)
def test_the_sentence_names_the_place(figure, settings, words):
    figure.set(**({"s": 0.5, "steps": MOST} | settings))
    assert figure.sentence.startswith(words)
    assert figure.sentence.endswith(f"{figure.value['total']:.0f}.")


def test_of_the_places_in_the_loop_the_one_before_the_heads_is_the_dynamics_odd_one(figure):
    prediction = figure.spec.prediction
    figure.set(**prediction.settings)
    assert prediction.options[int(figure.value["odd"])] == "before the heads"
    first, before, after = figure.value["dynamics"][3:6]
    assert first == pytest.approx(after, rel=1e-12)
    assert before == pytest.approx(after / 2, rel=1e-12)
