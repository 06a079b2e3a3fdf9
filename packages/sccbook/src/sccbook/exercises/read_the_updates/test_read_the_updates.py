"""A bank of answers to chapter 11's diagnosis, and what its logs are."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.exercises.read_the_updates.exercise import DONE, OPTIMIZERS, record, right


def optimizer_of(gradients, updates):
    """SGD's updates follow the gradients, step by step."""
    spike = int(np.argmax(gradients))
    together = np.corrcoef(gradients[20:spike], updates[20:spike])[0, 1]
    return "sgd" if together > 0.999 else "adam"


def done_of(gradients, updates):
    spike = int(np.argmax(gradients))
    usual = np.mean(updates[20:spike])
    if updates[spike] < 1e-12 * usual:
        return "skip"
    if optimizer_of(gradients, updates) == "sgd":
        return "clip" if updates[spike] < 5 * usual else "nothing"
    if np.mean(updates[spike + 20 : spike + 50]) > 0.8 * usual:
        return "clip"
    ordered = np.sort(updates)
    return "clip_update" if ordered[-1] == ordered[-3] else "nothing"


def both(gradients, updates):
    return optimizer_of(gradients, updates), done_of(gradients, updates)


def where(found, said):
    """Answer rightly but for one pair of names."""
    return lambda *given: said if both(*given) == found else both(*given)


def small_is_skipped(gradients, updates):
    spike = int(np.argmax(gradients))
    small = updates[spike] < 1.2 * np.median(updates[20:spike])
    return optimizer_of(gradients, updates), "skip" if small else done_of(gradients, updates)


WRONG = {
    "clip_overlooked": [where(("adam", "clip"), ("adam", "nothing"))],
    "small_is_skipped": [small_is_skipped],
    "one_optimizer": [lambda *given: ("adam", both(*given)[1])],
    "always_the_same": [lambda *_, pair=(a, b): pair for a in OPTIMIZERS for b in DONE],
    "swapped": [lambda *given: both(*given)[::-1]],
    "not_a_name": [
        lambda *given: ("momentum", both(*given)[1]),
        lambda *given: (both(*given)[0], "clipped"),
    ],
    "structure_changed": [lambda *_: 0.5, lambda *given: (*both(*given), 0.999)],
    "not_callable": [("adam", "clip")],
    "raises": [lambda gradients: ("adam", "clip")],
    "wrong": [
        lambda *given: ("sgd", "clip") if len(given[0]) == 350 else both(*given),
    ],
}


RIGHT = {
    "correlation": both,
    "in JAX": lambda g, u: right(jnp.asarray(g), jnp.asarray(u)),
    "by the course's own": right,
}


@pytest.mark.slow
@pytest.mark.parametrize("beta2", [0.999, 0.95])
@pytest.mark.parametrize("limit", [None, 2.0])
def test_a_log_agrees_with_optax(beta2, limit):
    done = "nothing" if limit is None else "clip"
    gradients, updates = record("adam", done, at=60, size=500.0, rate=0.01, beta2=beta2, seed=3)
    usual = 10.0 ** np.random.default_rng(3).uniform(-3, 1)
    optimizer = optax.adam(0.01, b2=beta2, eps=0.0)
    state = optimizer.init(jnp.zeros(()))
    for g, expected in zip(gradients[:80], updates[:80], strict=True):
        clipped = g if limit is None else min(g, limit * usual)
        update, state = optimizer.update(jnp.asarray(clipped), state)
        assert float(-update) == pytest.approx(expected, rel=2e-4)
