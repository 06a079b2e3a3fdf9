"""A bank of answers to chapter 11's diagnosis, and what its logs are."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest

from sccbook.exercises.read_the_updates.exercise import CASES, DONE, OPTIMIZERS, record, right


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


def renamed(adam=None, sgd=None):
    def answer(gradients, updates):
        a, b = both(gradients, updates)
        return a, ((adam if a == "adam" else sgd) or {}).get(b, b)

    return answer


def own_share(gradients, updates):
    spike = int(np.argmax(gradients))
    return updates[spike] / np.median(updates[:spike])


def by_the_spike(most):
    def answer(gradients, updates):
        optimizer = "sgd" if own_share(gradients, updates) > most else "adam"
        return optimizer, done_of(gradients, updates)

    return answer


def at_rate(rate):
    def answer(gradients, updates):
        same = np.allclose(updates[:60], rate * gradients[:60])
        return "sgd" if same else "adam", done_of(gradients, updates)

    return answer


def no_look_behind(gradients, updates):
    own = own_share(gradients, updates)
    return optimizer_of(
        gradients, updates
    ), "skip" if own == 0 else "nothing" if own > 2.5 else "clip"


def as_it_stands(gradients, updates):
    own = own_share(gradients, updates)
    return "sgd" if own > 10 else "adam", "nothing" if own > 2.5 else "skip" if own == 0 else "clip"


WRONG = {
    "always_the_same": [lambda *_, pair=(a, b): pair for a in OPTIMIZERS for b in DONE],
    "swapped": [lambda *given: both(*given)[::-1]],
    "optimizer_by_the_spike": [by_the_spike(2.0), by_the_spike(5.0), as_it_stands],
    "rate_assumed": [at_rate(1.0), at_rate(0.1)],
    "memory_overlooked": [no_look_behind, renamed(adam={"clip_update": "clip"})],
    "short_is_clipped": [renamed(adam={"nothing": "clip"})],
    "update_clip_overlooked": [renamed(adam={"clip_update": "nothing"})],
    "nothing_overlooked": [renamed(adam={"nothing": "clip_update"})],
    "skip_is_a_clip": [renamed(adam={"skip": "clip"}, sgd={"skip": "clip"})],
    "clip_is_a_skip": [renamed(adam={"clip": "skip"}, sgd={"clip": "skip"})],
    "sgd_never_clipped": [renamed(sgd={"clip": "nothing"})],
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


def by_ratios(gradients, updates):
    """What is constant before the spike: the ratio, or the update?"""
    spike = int(np.argmax(gradients))
    ratios = updates[30:spike] / gradients[30:spike]
    optimizer = "sgd" if np.ptp(ratios) < 1e-9 * ratios[0] else "adam"
    return optimizer, done_of(gradients, updates)


def by_the_end(gradients, updates):
    """The last steps of the log tell of the memory, too, if it is long."""
    spike = int(np.argmax(gradients))
    a, b = both(gradients, updates)
    if a == "adam" and b == "clip":
        assert updates[spike + 10] > 0.7 * np.median(updates[20:spike])
    return [a, b]


RIGHT = {
    "correlation": both,
    "ratios": by_ratios,
    "in a list": by_the_end,
    "in JAX": lambda g, u: right(jnp.asarray(g), jnp.asarray(u)),
    "by the course's own": right,
}


@pytest.mark.slow
@pytest.mark.parametrize("beta2", [0.999, 0.95])
@pytest.mark.parametrize("limit", [None, 2.0])
def test_a_log_is_what_optax_makes_of_the_gradients(beta2, limit):
    done = "nothing" if limit is None else "clip"
    gradients, updates = record("adam", done, at=60, size=500.0, rate=0.01, beta2=beta2, seed=3)
    usual = 10.0 ** np.random.default_rng(3).uniform(-3, 1)
    optimizer = optax.adam(0.01, b2=beta2, eps=0.0)
    state = optimizer.init(jnp.zeros(()))
    for g, expected in zip(gradients[:80], updates[:80], strict=True):
        clipped = g if limit is None else min(g, limit * usual)
        update, state = optimizer.update(jnp.asarray(clipped), state)
        assert float(-update) == pytest.approx(expected, rel=2e-4)


def test_each_optimizer_comes_with_all_that_can_be_done_and_no_two_logs_are_alike():
    pairs = [right(*case.arguments) for case in CASES]
    assert set(pairs) == {("adam", done) for done in DONE} | {
        ("sgd", done) for done in DONE if done != "clip_update"
    }
    assert len({case.arguments[0].tobytes() for case in CASES}) == len(CASES)
