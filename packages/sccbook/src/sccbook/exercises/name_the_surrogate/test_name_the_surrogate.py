"""A bank of answers to chapter 15's diagnosis, and what its batches are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.checking.comparisons import renamed
from sccbook.exercises.name_the_surrogate.exercise import NAMES, batch, gradient_of
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


def with_epsilon(epsilon, log_new, log_old, advantage, gradient):
    r = np.exp(log_new - log_old)
    return min(NAMES, key=lambda k: np.abs(gradient_of(k, r, advantage, epsilon) - gradient).sum())


WRONG = {
    "epsilon_assumed": [lambda *given: with_epsilon(0.2, *given)],
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "a_zero_is_ppo": [
        renamed(by_corners, {"no_min": PPO}),
        renamed(by_corners, {"no_min": PPO, "two_sided": CISPO}),
    ],
    "a_clip_is_ppo": [
        renamed(by_corners, {"cispo": PPO, "two_sided": PPO}),
        renamed(by_corners, {"cispo": PPO, "two_sided": PPO, "no_min": PPO}),
    ],
    "above_alone": [
        renamed(by_corners, {"two_sided": CISPO}),
        renamed(by_corners, {"cispo": TWO_SIDED}),
    ],
    "no_ratio": [
        renamed(by_corners, {"ratio": POLICY}),
        renamed(by_corners, {"policy_gradient": RATIO}),
    ],
    "stop_is_weight": [renamed(by_corners, {"ppo": CISPO, "cispo": PPO})],
    "not_a_name": [lambda *_: "trpo", lambda *given: by_corners(*given).upper()],
    "returns_other": [lambda *given: 0.5, lambda *given: given[-1]],
    "structure_changed": [lambda *given: [by_corners(*given)]],
    "not_callable": [PPO],
    "raises": [lambda log_new: PPO, lambda *given: given[4]],
    "never_said": [renamed(by_corners, {"ratio": CISPO})],
}


RIGHT = {
    "by the corners": by_corners,
}


@pytest.mark.parametrize("kind", [RATIO, PPO, CISPO])
def test_the_gradients_agree_with_jax(kind):
    log_new, log_old, advantage, gradient = batch(kind, policy.EPSILON, 0.4, 3)
    loss = {RATIO: policy.plain, PPO: policy.ppo, CISPO: policy.cispo}[kind]
    with jax.enable_x64(True):
        found = jax.grad(lambda log_new: jnp.sum(loss(log_new, log_old, advantage)))(log_new)
    np.testing.assert_allclose(found, gradient, rtol=1e-9, atol=1e-12)
