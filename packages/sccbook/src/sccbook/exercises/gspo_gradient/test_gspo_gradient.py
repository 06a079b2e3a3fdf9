"""A bank of answers to assignment 7's third function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.gspo_gradient.exercise import CASES, right

X64 = False  # as in an assignment
SOLUTION = r"jnp\.|exp\(|where\("


def inside(x, lengths):
    return jnp.arange(x.shape[1]) < lengths[:, None]


def per_answer(new, old, lengths):
    difference = jnp.where(inside(new, lengths), new - old, 0.0)
    return jnp.exp(difference.sum(1) / lengths)


def smaller(s, a, e):
    return jnp.minimum(s * a, jnp.clip(s, 1 - e, 1 + e) * a)


def of(objective):
    """An answer: JAX differentiates an objective of all that is given."""
    return jax.grad(objective)


def with_ratio(ratio, combine=smaller):
    return of(lambda new, old, n, a, e: combine(ratio(new, old, n), a, e).mean())


def product(new, old, n):
    return jnp.exp((jnp.where(inside(new, n), new - old, 0.0)).sum(1))


def arithmetic(new, old, n):
    return jnp.where(inside(new, n), jnp.exp(new - old), 0.0).sum(1) / n


def scaled(factor):
    """The right gradient, times what is computed of all that is given."""
    return lambda *given: with_ratio(per_answer)(*given) * factor(*given)


WRONG = {
    "product": [with_ratio(product)],
    "arithmetic_mean": [with_ratio(arithmetic)],
    "padding_counted": [
        with_ratio(lambda new, old, n: jnp.exp((new - old).mean(1))),
        with_ratio(lambda new, old, n: jnp.exp(jnp.where(inside(new, n), new - old, 0.0).mean(1))),
    ],
    "never_stopped": [with_ratio(per_answer, lambda s, a, e: s * a)],
    "no_min": [with_ratio(per_answer, lambda s, a, e: jnp.clip(s, 1 - e, 1 + e) * a)],
    "max": [
        with_ratio(per_answer, lambda s, a, e: jnp.maximum(s * a, jnp.clip(s, 1 - e, 1 + e) * a))
    ],
    "upside_down": [
        lambda new, old, *more: with_ratio(per_answer)(old, new, *more),
        with_ratio(lambda new, old, n: per_answer(old, new, n)),
    ],
    "no_ratio": [scaled(lambda new, old, n, a, e: 1 / per_answer(new, old, n)[:, None])],
    "not_spread": [scaled(lambda new, old, n, a, e: n[:, None])],
    "sum_of_answers": [of(lambda new, old, n, a, e: smaller(per_answer(new, old, n), a, e).sum())],
    "tokens_alike": [scaled(lambda new, old, n, a, e: n[:, None] * len(n) / n.sum())],
    "descends": [of(lambda new, old, n, a, e: -smaller(per_answer(new, old, n), a, e).mean())],
    "wrong": [lambda new, old, n, a, e: new - old],
    "shape_changed": [lambda new, old, n, a, e: per_answer(new, old, n)],
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
    "by jax.grad": with_ratio(per_answer),
    "by hand": by_hand,
    "compiled": jax.jit(with_ratio(per_answer)),
    "root of a product": with_ratio(lambda new, old, n: product(new, old, n) ** (1 / n)),
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_stopped_and_kept_answers_beyond_the_limits(case):
    new, old, lengths, advantage, epsilon = case.arguments
    s = np.asarray(per_answer(new, old, lengths))
    stopped = ~right(*case.arguments).any(axis=1)
    assert np.array_equal(stopped, np.where(advantage > 0, s > 1 + epsilon, s < 1 - epsilon))
    assert (~stopped).any()
    assert (np.abs(s - 1) > 1.3 * epsilon).sum() >= 3
    assert np.all(np.abs(np.abs(s - 1) - epsilon) > 0.2 * epsilon)


def test_the_cases_hold_all_four_corners():
    corners = {
        (bool(s > 1), bool(a > 0))
        for case in CASES
        for s, a in zip(np.asarray(per_answer(*case.arguments[:3])), case.arguments[3], strict=True)
        if abs(s - 1) > case.arguments[4]
    }
    assert len(corners) == 4
