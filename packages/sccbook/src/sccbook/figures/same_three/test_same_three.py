"""SameThree: each response is that of the operation itself."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from scaleclip.ops import clip_by_norm
from sccbook.figures.same_three.figure import NAMES, responses
from sccbook.models import policy, remedies

SIZES = np.array([0.25, 1.0, 1.75, 2.9])
LIMIT = 1.2


def shown(name):
    with jax.enable_x64(True):
        return np.asarray(responses(jnp.asarray(SIZES), LIMIT))[NAMES.index(name)]


def of_matrix(change):
    """What becomes of singular values."""
    left, right = np.linalg.qr(np.random.default_rng(0).normal(size=(2, 4, 4)))[0]
    with jax.enable_x64(True):
        return np.linalg.svd(np.asarray(change(jnp.asarray(left * SIZES @ right))))[1][::-1]


@pytest.mark.parametrize(("name", "loss"), [("PPO’s clip", policy.ppo), ("CISPO", policy.cispo)])
def test_a_surrogate_sends_what_the_figure_shows(name, loss):
    with jax.enable_x64(True):
        zeros, ones = jnp.zeros(4), jnp.ones(4)
        found = jax.grad(lambda new: jnp.sum(loss(new, zeros, ones, LIMIT - 1)))(jnp.log(SIZES))
    np.testing.assert_allclose(found, shown(name), rtol=1e-12)


@pytest.mark.parametrize("clip", ["max_grad_norm", "AGC"])
def test_a_clip_shortens_what_is_longer(clip):
    found = [jnp.linalg.norm(clip_by_norm(s * jnp.array([0.6, 0.8]), LIMIT)) for s in SIZES]
    np.testing.assert_allclose(found, shown(clip), rtol=1e-6)


def test_a_cap_cuts_large_singular_values_and_a_polar_factor_makes_all_one():
    capped = of_matrix(lambda m: remedies.cap_singular_values(m, LIMIT))
    np.testing.assert_allclose(capped, shown("spectral cap"), atol=1e-3)
    np.testing.assert_allclose(of_matrix(remedies.orthogonal_factor), shown("Muon"), atol=1e-3)
    muon = optax.contrib.scale_by_muon(beta=0.0, nesterov=False)
    by_optax = of_matrix(lambda m: muon.update(m, muon.init(m))[0])
    np.testing.assert_allclose(by_optax, shown("Muon"), atol=0.4)


def test_the_softcap_bends_every_logit():
    np.testing.assert_allclose(shown("logit softcap"), LIMIT * np.tanh(SIZES / LIMIT), rtol=1e-12)


@pytest.mark.parametrize(("size", "limit", "changed"), [(1.5, 1.2, 8), (1.5, 2.0, 2), (0.0, 1, 0)])
def test_it_counts_the_operations_that_change_a_size(at, size, limit, changed):
    value = at(size=size, limit=limit)
    assert value["changed"] == np.sum(np.abs(value["out"] - size) > 1e-9) == changed
