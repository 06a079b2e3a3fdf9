"""A bank of answers to chapter 09's diagnosis, and what its hooks are."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_gradient, clip_gradient_norm
from sccbook.checking import naming
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


renamed = partial(naming.renamed, by_symptoms)


WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in HOOKS],
    "short_rows_overlooked": [renamed(no_minimum=RIGHT_NAME), renamed(no_minimum=ROOT)],
    "neighbours_overlooked": [renamed(whole_batch=RIGHT_NAME), renamed(whole_batch=ROOT)],
    "root_overlooked": [renamed(root=RIGHT_NAME), renamed(root=WHOLE_BATCH)],
    "turned_overlooked": [
        renamed(by_value=RIGHT_NAME, wrong_axis=RIGHT_NAME),
        renamed(by_value=ROOT, wrong_axis=ROOT),
        renamed(by_value=RIGHT_NAME),
        renamed(wrong_axis=WHOLE_BATCH),
    ],
    "turned_by_which": [
        renamed(by_value=WRONG_AXIS),
        renamed(wrong_axis=BY_VALUE),
        renamed(by_value=WRONG_AXIS, wrong_axis=BY_VALUE),
    ],
    "right_suspected": [renamed(right=NO_MINIMUM), renamed(right=ROOT)],
    "not_a_name": [lambda *_: "clip", lambda *given: by_symptoms(*given).upper()],
    "returns_other": [lambda *_: 0.5, lambda before, after, limit: after],
    "structure_changed": [lambda *given: [by_symptoms(*given)]],
    "not_callable": [ROOT],
    "raises": [lambda before: ROOT],
}


def by_trying(before, after, limit):
    """Which function makes the one of the other?"""
    norm = np.linalg.norm
    rows, columns = norm(before, axis=1, keepdims=True), norm(before, axis=0, keepdims=True)
    made = {
        BY_VALUE: before.clip(-limit, limit),
        RIGHT_NAME: before / np.maximum(rows / limit, 1),
        NO_MINIMUM: before / rows * limit,
        ROOT: before / np.maximum(rows**0.5 / limit, 1),
        WHOLE_BATCH: before / max(norm(before) / limit, 1),
        WRONG_AXIS: before / np.maximum(columns / limit, 1),
    }
    return min(made, key=lambda name: norm(made[name] - after))


IN_PART = {
    "neighbours_overlooked": [renamed(root=NO_MINIMUM, whole_batch=BY_VALUE)],
}

RIGHT = {
    "symptoms": by_symptoms,
    "by trying each": by_trying,
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


def test_each_record_tells_all_hooks_apart():
    assert {right(*case.arguments) for case in CASES} == set(HOOKS)
    for before, _, limit in (case.arguments for case in CASES):
        made = [hook(before, limit) for hook in HOOKS.values()]
        for i, one in enumerate(made):
            assert all(np.abs(one - other).max() > 1e-3 for other in made[:i])
        lengths = np.linalg.norm(before, axis=1)
        assert lengths.min() < limit < lengths.max()
