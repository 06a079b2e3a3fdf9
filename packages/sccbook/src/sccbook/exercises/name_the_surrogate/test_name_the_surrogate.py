"""A bank of answers to chapter 15's diagnosis, and what its batches are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.name_the_surrogate.exercise import CASES, NAMES, batch, gradient_of
from sccbook.models import policy

POLICY, RATIO, PPO, NO_MIN, CISPO, TWO_SIDED = NAMES


def by_corners(log_new, log_old, advantage, gradient):
    """What the samples that moved farthest receive, up and down, with either sign."""
    r, weight = np.exp(log_new - log_old), gradient / advantage
    far = {}
    for up in (True, False):
        for good in (True, False):
            here = ((r > 1.5) if up else (r < 0.65)) & ((advantage > 0) == good)
            far[up, good] = np.median(weight[here] / r[here])
    if np.ptp(weight) < 1e-9:
        return POLICY
    zeros = [corner for corner, share in far.items() if share == 0]
    if zeros:
        return NO_MIN if len(zeros) == 4 else PPO
    if all(np.isclose(share, 1) for share in far.values()):
        return RATIO
    return CISPO if np.isclose(far[False, True], 1) else TWO_SIDED


def renamed(**names):
    return lambda *given: names.get(by_corners(*given), by_corners(*given))


def by_zeros(log_new, log_old, advantage, gradient):
    """The stub."""
    return PPO if np.any(gradient == 0) else CISPO


def old_by_new(log_new, log_old, advantage, gradient):
    """The solution, but for the ratio."""
    r, weight = np.exp(log_old - log_new), gradient / advantage
    if np.allclose(weight, 1):
        return POLICY
    if np.allclose(weight, r):
        return RATIO
    stopped = weight == 0
    if stopped.any():
        return NO_MIN if (stopped & ((r > 1) != (advantage > 0))).any() else PPO
    return CISPO if np.isclose(weight.min(), r.min()) else TWO_SIDED


WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "ratio_upside_down": [old_by_new],
    "a_zero_is_ppo": [by_zeros, renamed(no_min=PPO), renamed(no_min=PPO, two_sided=CISPO)],
    "a_clip_is_ppo": [
        renamed(cispo=PPO, two_sided=PPO),
        renamed(cispo=PPO, two_sided=PPO, no_min=PPO),
    ],
    "above_alone": [renamed(two_sided=CISPO), renamed(cispo=TWO_SIDED)],
    "no_ratio": [renamed(ratio=POLICY), renamed(policy_gradient=RATIO)],
    "stop_is_weight": [renamed(ppo=CISPO, cispo=PPO)],
    "not_a_name": [lambda *_: "trpo", lambda *given: by_corners(*given).upper()],
    "returns_other": [lambda *given: 0.5, lambda *given: given[-1]],
    "structure_changed": [lambda *given: [by_corners(*given)]],
    "not_callable": [PPO],
    "raises": [lambda log_new: PPO, lambda *given: given[4]],
    "never_said": [renamed(ratio=CISPO)],
}


def by_fits(log_new, log_old, advantage, gradient):
    """Try each loss at many limits, and take the one that fits."""
    r = np.exp(log_new - log_old)
    for kind in (POLICY, RATIO, PPO, NO_MIN, CISPO, TWO_SIDED):
        for epsilon in (0.1, 0.2, 0.3):
            if np.allclose(gradient_of(kind, r, advantage, epsilon), gradient):
                return kind
    return RATIO


def in_jax(log_new, log_old, advantage, gradient):
    """The losses themselves, differentiated; what is left is told by zeros and by small ratios."""
    r = jnp.exp(jnp.asarray(log_new - log_old))
    weight = jnp.asarray(gradient) / advantage
    if jnp.allclose(weight, 1.0):
        return POLICY
    if bool(jnp.any(weight == 0)):
        within = jnp.max(jnp.where(weight != 0, r, 0)) < 1.35
        return NO_MIN if within else PPO
    if jnp.allclose(weight, r):
        return RATIO
    return CISPO if jnp.allclose(jnp.min(weight), jnp.min(r)) else TWO_SIDED


RIGHT = {"by the corners": by_corners, "by fits": by_fits, "in JAX": in_jax}


@pytest.mark.parametrize("kind", [RATIO, PPO, CISPO])
def test_the_gradients_are_those_of_the_losses(kind):
    log_new, log_old, advantage, gradient = batch(kind, policy.EPSILON, 0.4, 3)
    loss = {RATIO: policy.plain, PPO: policy.ppo, CISPO: policy.cispo}[kind]
    with jax.enable_x64(True):
        found = jax.grad(lambda log_new: jnp.sum(loss(log_new, log_old, advantage)))(log_new)
    np.testing.assert_allclose(found, gradient, rtol=1e-9, atol=1e-12)


def test_each_loss_comes_with_each_limit_and_every_corner():
    assert len(CASES) == 18
    for case in CASES:
        log_new, log_old, advantage, _ = case.arguments
        r = np.exp(log_new - log_old)
        for far in (r > 1.5, r < 0.65):
            assert np.any(far & (advantage > 0))
            assert np.any(far & (advantage < 0))
        assert not any(name in case.words for name in NAMES)
