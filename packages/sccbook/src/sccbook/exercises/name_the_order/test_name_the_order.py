"""A bank of answers to chapter 14's diagnosis, and what its logs are."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.exercises.name_the_order.exercise import CASES, NAMES, SIZE, record, right, taken
from scaleclip.ops import clip_by_norm, clip_per_example

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


def by_the_largest_error(gradients, limit, steps):
    """The name whose worst step is the best."""
    errors = {
        name: max(
            np.abs(candidates(g, limit)[name] - k).max()
            for g, k in zip(gradients, steps, strict=True)
        )
        for name in NAMES
    }
    return min(errors, key=errors.get)


def by_reasons(gradients, limit, steps):
    """From what each of them is known by, without computing all six."""
    means = gradients.mean(1)
    lengths = np.linalg.norm(means, axis=1)
    n = gradients.shape[1]
    short = lengths < limit
    ratio = np.linalg.norm(steps, axis=1) / lengths
    cosine = np.sum(steps * means, 1) / np.linalg.norm(steps, axis=1) / lengths
    if np.any(cosine < 1 - 1e-9):
        own = [candidates(g, limit)[OWN_NORMS] for g in gradients]
        return OWN_NORMS if np.allclose(own, steps) else CLIP_FIRST
    if np.any(ratio > 1 + 1e-9):
        return SUM
    if np.allclose(ratio, np.minimum(1, limit / lengths)):
        return GOOD
    assert np.any(~short)
    copies = np.minimum(1, limit / (np.sqrt(n) * lengths))
    return COPIES if np.allclose(ratio, copies) else SUM_OF_NORMS


def some(choose, names=NAMES):
    def answer(gradients, limit, steps):
        chosen = choose(np.linalg.norm(gradients.mean(1), axis=1) / limit)
        for name in names:
            if all(
                np.allclose(candidates(g, limit)[name], k)
                for g, k in zip(gradients[chosen], steps[chosen], strict=True)
            ):
                return name
        raise AssertionError

    return answer


def renamed(**names):
    return lambda *log: names.get(by_all_steps(*log), by_all_steps(*log))


def the_stub(gradients, limit, steps):
    """As the chapter begins."""
    mean = gradients[0].mean(axis=0)
    factor = min(1, limit / np.linalg.norm(mean))
    return GOOD if np.allclose(steps[0], factor * mean) else CLIP_FIRST


def turned_or_not(gradients, limit, steps):
    """By the angle to the mean."""
    if all(
        np.isclose(m @ k, np.linalg.norm(m) * np.linalg.norm(k))
        for m, k in zip(gradients.mean(1), steps, strict=True)
    ):
        return GOOD
    return by_all_steps(gradients, limit, steps)


WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "one_step": [the_stub, some(lambda n: np.arange(len(n)) == 0), some(lambda n: np.arange(len(n)) == 0, NAMES[::-1])],
    "right_or_wrong": [lambda *log: GOOD if by_all_steps(*log) == GOOD else CLIP_FIRST],
    "long_steps_alone": [some(lambda n: n > 1), renamed(sum=GOOD), renamed(right=SUM)],
    "short_steps_alone": [some(lambda n: n < 1), renamed(own_norms=GOOD)],
    "direction_alone": [turned_or_not],
    "both_turn": [renamed(clip_first=OWN_NORMS), renamed(own_norms=CLIP_FIRST)],
    "both_too_short": [renamed(sum_of_norms=COPIES), renamed(copies=SUM_OF_NORMS)],
    "limit_by_length": [renamed(clip_first=GOOD), renamed(copies=GOOD)],
    "not_a_name": [lambda *_: "average", lambda *log: by_all_steps(*log).upper()],
    "returns_other": [lambda *_: 0.5, lambda gradients, limit, steps: steps],
    "structure_changed": [lambda *log: [by_all_steps(*log)]],
    "not_callable": [GOOD],
    "raises": [lambda gradients: GOOD, lambda gradients, limit, steps: gradients.norm()],
    "never_said": [renamed(right=COPIES)],
}  # fmt: skip

RIGHT = {
    "by all steps": by_all_steps,
    "by the largest error": by_the_largest_error,
    "by reasons": by_reasons,
    "in JAX's arrays": lambda *log: by_all_steps(*map(jnp.asarray, log)),
    "by the course's own": right,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("devices", [2, 4, 8])
def test_each_log_is_what_its_name_says(name, devices):
    gradients, limit, steps = record(name, devices, (3.0, 0.5), 5)
    np.testing.assert_allclose(
        np.linalg.norm(gradients.mean(1), axis=1), [3 * limit, limit / 2], rtol=1e-12
    )
    for g, step in zip(gradients, steps, strict=True):
        np.testing.assert_allclose(step, candidates(g, limit)[name], rtol=1e-12)


def test_two_of_them_are_the_books_operators():
    gradients, limit, _ = record(GOOD, 4, (3.0, 0.5), 5)
    with jax.enable_x64(True):
        for g in gradients:
            by_norm = clip_by_norm(jnp.asarray(g.mean(0)), limit)
            np.testing.assert_allclose(taken(GOOD, g, limit), by_norm, rtol=1e-12)
            each = clip_per_example(jnp.asarray(g), limit).mean(0)
            np.testing.assert_allclose(taken(CLIP_FIRST, g, limit), each, rtol=1e-12)


def test_there_are_two_logs_of_each_name_and_each_has_long_and_short_means():
    found = [right(*case.arguments) for case in CASES]
    assert min(found.count(name) for name in NAMES) >= 2
    for case in CASES:
        gradients, limit, _ = case.arguments
        lengths = np.linalg.norm(gradients.mean(1), axis=1)
        assert np.any(lengths > limit)
        assert np.any(lengths < limit)
        assert gradients.shape[2] == SIZE
