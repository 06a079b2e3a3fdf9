"""A bank of answers to assignment 7's third function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.gspo_gradient.exercise import CASES, right

SOLUTION = r"jnp\.|exp\(|where\("


def ratio(new, old, lengths):
    inside = jnp.arange(new.shape[1]) < lengths[:, None]
    return jnp.exp(jnp.where(inside, new - old, 0.0).sum(1) / lengths)


def objective(new, old, lengths, a, e):
    s = ratio(new, old, lengths)
    return jnp.minimum(s * a, jnp.clip(s, 1 - e, 1 + e) * a).mean()


WRONG = {
    "upside_down": [lambda new, old, *more: jax.grad(objective)(old, new, *more)],
    "descends": [lambda *given: -jax.grad(objective)(*given)],
    "wrong": [lambda new, old, n, a, e: new - old],
    "shape_changed": [lambda new, old, n, a, e: ratio(new, old, n)],
    "not_callable": [[[0.1, 0.0]]],
    "raises": [lambda new, old: new],
}


def by_hand(log_new, log_old, lengths, advantage, epsilon):
    found = np.zeros(log_new.shape)
    for row, (new, old, n, a) in enumerate(
        zip(*map(np.asarray, (log_new, log_old, lengths, advantage)), strict=True)
    ):
        s = np.exp(np.mean(new[:n] - old[:n]))
        if (a > 0 and s > 1 + epsilon) or (a < 0 and s < 1 - epsilon):
            continue
        found[row, :n] = s * a / n / len(log_new)
    return found


RIGHT = {
    "by jax.grad": jax.grad(objective),
    "by hand": by_hand,
    "compiled": jax.jit(jax.grad(objective)),
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_stopped_and_kept_answers_beyond_the_limits(case):
    new, old, lengths, advantage, epsilon = case.arguments
    s = np.asarray(ratio(new, old, lengths))
    stopped = ~right(*case.arguments).any(axis=1)
    assert np.array_equal(stopped, np.where(advantage > 0, s > 1 + epsilon, s < 1 - epsilon))
    assert (~stopped).any()
    assert (np.abs(s - 1) > 1.3 * epsilon).sum() >= 3
    assert np.all(np.abs(np.abs(s - 1) - epsilon) > 0.2 * epsilon)
