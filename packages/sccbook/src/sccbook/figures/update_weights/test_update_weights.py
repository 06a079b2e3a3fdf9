"""The listing of update_weights: its factors against the ledger's, its code against itself, its words."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import coefficients as of_placement
from scaleclip.ops import scale_gradient
from sccbook.figures.update_weights.figure import LISTING
from sccbook.models.muzero_slots import MOST, SLOTS
from tests.tiers import some_now

SLOT = [name for name, _ in SLOTS]
PLACEMENTS = {"off": "off", "after_loop": "off", **{p: p for p in SLOT[3:6]}}


def of_listing(slot, s, steps):
    """The loss and each step's gradient by the code that is shown, with the smallest networks."""
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


def test_the_number_at_each_place_is_the_total_with_the_line_there(at):
    numbers = at(slot="off", s=0.3, steps=4)["dynamics"]
    for i, slot in enumerate(SLOT):
        value = at(slot=slot, s=0.3, steps=4)
        np.testing.assert_array_equal(value["dynamics"], numbers)
        assert numbers[i] == pytest.approx(value["coefficients"][:, 1:].sum(), rel=1e-12)
        assert value["share"] == pytest.approx(40 * numbers[i], rel=1e-12)  # of 2.5
