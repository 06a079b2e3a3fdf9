"""A bank of answers to chapter 09's diagnosis, and what its hooks are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_gradient, clip_gradient_norm
from sccbook.checking.comparisons import renamed
from sccbook.exercises.diagnose_the_hook.exercise import CASES, HOOKS, right

RIGHT_NAME, ROOT, NO_MINIMUM, WHOLE_BATCH, WRONG_AXIS, BY_VALUE = HOOKS


def by_symptoms(before, after, limit):
    """Is a row turned? Does a short one stay? How long does a long one come out?"""
    factor = after / before
    n, out = np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1)
    if np.any(np.ptp(factor, axis=1) > 1e-6):
        return WRONG_AXIS if np.all(np.ptp(factor, axis=0) < 1e-6) else BY_VALUE
    if np.ptp(factor) < 1e-6:
        return WHOLE_BATCH
    if np.any(factor > 1 + 1e-6):
        return NO_MINIMUM
    return RIGHT_NAME if np.allclose(out, np.minimum(n, limit)) else ROOT


WRONG = {
    "across": [
        lambda before, after, limit: min(
            HOOKS, key=lambda name: np.abs(HOOKS[name](before.T, limit).T - after).max()
        ),
        renamed(by_symptoms, {"right": WRONG_AXIS, "wrong_axis": RIGHT_NAME}),
    ],
    "turns_alone": [
        renamed(by_symptoms, dict.fromkeys((ROOT, NO_MINIMUM, WHOLE_BATCH), RIGHT_NAME))
    ],
    "by_value_by_size": [
        lambda *g: BY_VALUE if np.abs(g[1]).max() <= g[2] + 1e-6 else by_symptoms(*g)
    ],
    "always_the_same": [lambda *_, name=name: name for name in HOOKS],
    "short_rows_overlooked": [
        renamed(by_symptoms, {"no_minimum": RIGHT_NAME}),
        renamed(by_symptoms, {"no_minimum": ROOT}),
    ],
    "neighbours_overlooked": [
        renamed(by_symptoms, {"whole_batch": RIGHT_NAME}),
        renamed(by_symptoms, {"whole_batch": ROOT}),
    ],
    "short_rows_not_asked": [
        renamed(by_symptoms, dict.fromkeys((NO_MINIMUM, WHOLE_BATCH), RIGHT_NAME)),
    ],
    "root_overlooked": [
        renamed(by_symptoms, {"root": RIGHT_NAME}),
        renamed(by_symptoms, {"root": WHOLE_BATCH}),
    ],
    "turned_overlooked": [
        renamed(by_symptoms, {"by_value": RIGHT_NAME, "wrong_axis": RIGHT_NAME}),
        renamed(by_symptoms, {"by_value": ROOT, "wrong_axis": ROOT}),
        renamed(by_symptoms, {"by_value": RIGHT_NAME}),
        renamed(by_symptoms, {"wrong_axis": WHOLE_BATCH}),
    ],
    "turned_by_which": [
        renamed(by_symptoms, {"by_value": WRONG_AXIS}),
        renamed(by_symptoms, {"wrong_axis": BY_VALUE}),
        renamed(by_symptoms, {"by_value": WRONG_AXIS, "wrong_axis": BY_VALUE}),
    ],
    "right_suspected": [
        renamed(by_symptoms, {"right": NO_MINIMUM}),
        renamed(by_symptoms, {"right": ROOT}),
    ],
    "not_a_name": [lambda *_: "clip", lambda *given: by_symptoms(*given).upper()],
    "returns_other": [lambda *_: 0.5, lambda before, after, limit: after],
    "structure_changed": [lambda *given: [by_symptoms(*given)]],
    "not_callable": [ROOT],
    "raises": [lambda before: ROOT],
}


IN_PART = {
    "neighbours_overlooked": [renamed(by_symptoms, {"root": NO_MINIMUM, "whole_batch": BY_VALUE})],
}

RIGHT = {
    "symptoms": by_symptoms,
    "the course's own": right,
}


def backward(operator, g):
    return jax.vjp(operator, jnp.zeros_like(g))[1](g)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operator"), [
    ("right", lambda h, c: clip_gradient_norm(h, c, axis=-1)),
    ("whole_batch", clip_gradient_norm),
    ("wrong_axis", lambda h, c: clip_gradient_norm(h, c, axis=0)),
    ("by_value", lambda h, c: clip_gradient(h, -c, c)),
])  # fmt: skip
def test_four_hooks_agree_with_the_operators(name, operator):
    with jax.enable_x64(True):
        for before, after, limit in (case.arguments for case in CASES):
            if right(before, after, limit) == name:
                found = backward(lambda h, c=limit: operator(h, c), jnp.asarray(before))
                np.testing.assert_allclose(found, after, rtol=1e-9)
