"""A bank of answers to chapter 14's diagnosis, and what its logs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_norm, clip_per_example
from sccbook.checking.comparisons import renamed
from sccbook.exercises.name_the_order.exercise import NAMES, record, right, taken

GOOD, CLIP_FIRST, SUM, OWN_NORMS, SUM_OF_NORMS, COPIES = NAMES


def clip(v, c, norm=None):
    norm = np.linalg.norm(v) if norm is None else norm
    return v if norm <= c else v * c / norm


def candidates(g, c):
    """The six steps, each in a line."""
    mean, n = g.mean(0), len(g)
    parts = np.split(mean, n)
    return {
        GOOD: clip(mean, c),
        CLIP_FIRST: sum(clip(one, c) for one in g) / n,
        SUM: clip(n * mean, c),
        OWN_NORMS: np.concatenate([clip(part, c) for part in parts]),
        SUM_OF_NORMS: clip(mean, c, sum(np.linalg.norm(part) for part in parts)),
        COPIES: clip(mean, c, np.linalg.norm(np.tile(mean, n))),
    }


def by_all_steps(gradients, limit, steps):
    found = set(NAMES)
    for g, step in zip(gradients, steps, strict=True):
        found &= {name for name, k in candidates(g, limit).items() if np.allclose(k, step)}
    return found.pop()


def by_any_step(gradients, limit, steps):
    return next(
        name
        for name in NAMES[::-1]
        for g, step in zip(gradients, steps, strict=True)
        if np.allclose(candidates(g, limit)[name], step)
    )


WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "right_or_wrong": [lambda *log: GOOD if by_all_steps(*log) == GOOD else CLIP_FIRST],
    "long_steps_alone": [
        renamed(by_all_steps, {"sum": GOOD}),
        renamed(by_all_steps, {"right": SUM}),
    ],
    "one_step": [lambda g, c, s: by_any_step(g[-1:], c, s[-1:])],
    "any_step": [lambda *log: by_any_step(*log)],
    "parts_overlooked": [renamed(by_all_steps, {"own_norms": GOOD})],
    "both_turn": [
        renamed(by_all_steps, {"clip_first": OWN_NORMS}),
        renamed(by_all_steps, {"own_norms": CLIP_FIRST}),
    ],
    "both_too_short": [
        renamed(by_all_steps, {"sum_of_norms": COPIES}),
        renamed(by_all_steps, {"copies": SUM_OF_NORMS}),
    ],
    "limit_by_length": [
        renamed(by_all_steps, {"clip_first": GOOD}),
        renamed(by_all_steps, {"copies": GOOD}),
    ],
    "not_a_name": [lambda *_: "average", lambda *log: by_all_steps(*log).upper()],
    "returns_other": [lambda *_: 0.5, lambda gradients, limit, steps: steps],
    "structure_changed": [lambda *log: [by_all_steps(*log)]],
    "not_callable": [GOOD],
    "raises": [lambda gradients: GOOD, lambda gradients, limit, steps: gradients.norm()],
    "never_said": [renamed(by_all_steps, {"right": COPIES})],
}

RIGHT = {
    "by all steps": by_all_steps,
    "in JAX's arrays": lambda *log: by_all_steps(*map(jnp.asarray, log)),
    "by the course's own": right,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("devices", [2, 4, 8])
def test_each_log_follows_its_rule(name, devices):
    gradients, limit, steps = record(name, devices, (3.0, 0.5), 5)
    np.testing.assert_allclose(
        np.linalg.norm(gradients.mean(1), axis=1), [3 * limit, limit / 2], rtol=1e-12
    )
    for g, step in zip(gradients, steps, strict=True):
        np.testing.assert_allclose(step, candidates(g, limit)[name], rtol=1e-12)


def test_two_orders_agree_with_the_operators():
    gradients, limit, _ = record(GOOD, 4, (3.0, 0.5), 5)
    with jax.enable_x64(True):
        for g in gradients:
            by_norm = clip_by_norm(jnp.asarray(g.mean(0)), limit)
            np.testing.assert_allclose(taken(GOOD, g, limit), by_norm, rtol=1e-12)
            each = clip_per_example(jnp.asarray(g), limit).mean(0)
            np.testing.assert_allclose(taken(CLIP_FIRST, g, limit), each, rtol=1e-12)
