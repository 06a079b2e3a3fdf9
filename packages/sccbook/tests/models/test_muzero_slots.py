"""The scale line in its seven slots, on MuZero's networks: against ``muzero.loss``, and against each other."""

import jax
import numpy as np
import pytest
from tests.ledger.ledger_reference import flat

from sccbook.models import muzero
from sccbook.models.muzero_slots import BATCH, MOST, SLOTS, THETA, gradient
from tests.tiers import some_now

pytestmark = pytest.mark.slow

SLOT = [name for name, _ in SLOTS]
PLACEMENTS = {"off": "off", "after_loop": "off", **{p: p for p in SLOT[3:6]}}


def of_slot(slot, name, **options):
    """One network's gradient with the line in a slot, as one vector."""
    with jax.enable_x64(True):
        return flat(gradient(slot, **options)[name])


@pytest.mark.parametrize("slot", some_now(PLACEMENTS, "after_heads"))
def test_the_gradient_is_that_of_muzero(slot):
    for s, root in ((0.5, 1.0), (0.0, 1 / MOST)):
        with jax.enable_x64(True):
            found = gradient(slot, scale=s, weights=(root, *MOST * (1 / MOST,)))
            loss = lambda theta, s=s, root=root: muzero.loss(
                theta, BATCH, scale=s, placement=PLACEMENTS[slot], root_weight=root
            )[0]
            expected = jax.jit(jax.grad(loss))(THETA)
            np.testing.assert_allclose(flat(found), flat(expected), atol=1e-10)


def test_two_places_in_the_loop_agree_for_the_dynamics_and_the_third_is_scaled_by_s():
    first, before, after = (of_slot(slot, "dynamics", scale=0.3) for slot in SLOT[3:6])
    np.testing.assert_allclose(first, after, atol=1e-10)
    np.testing.assert_allclose(before, 0.3 * after, atol=1e-10)
    whole = of_slot("off", "dynamics")
    for slot in ("root_heads", "before_loop", "after_loop"):
        np.testing.assert_allclose(of_slot(slot, "dynamics", scale=0.3), whole, atol=1e-10)


def test_before_the_roots_heads_all_of_the_representations_gradient_is_scaled():
    whole = of_slot("off", "representation")
    np.testing.assert_allclose(
        of_slot("root_heads", "representation", scale=0.3), 0.3 * whole, atol=1e-10
    )


@pytest.mark.parametrize("slot", some_now(SLOT, "before_heads"))
def test_the_heads_gradients_are_never_scaled(slot):
    for name in ("value", "reward", "policy"):
        np.testing.assert_allclose(of_slot(slot, name, scale=0.0), of_slot("off", name), atol=1e-10)


def test_another_place_is_refused():
    with pytest.raises(ValueError, match=r"one of off, root_heads, .*, but 'P' was given"):
        gradient("P")
