"""A bank of answers to chapter 08's reading of a log, and what its logs are."""

import numpy as np
import pytest

from sccbook.exercises.read_the_norms.exercise import CASES, READINGS, record, right
from scaleclip.ops import clip_by_norm

FINE, AFTER, NEVER, ALWAYS, NAN = READINGS


def by_counts(norms, limit):
    """How many norms are above the limit, how many are the limit."""
    known = norms[~np.isnan(norms)]
    if len(known) < len(norms) - 1:
        return NAN
    above = sum(n > limit for n in known)
    if above == 0:
        return AFTER if list(known).count(limit) > 3 else NEVER
    return ALWAYS if above > 0.9 * len(norms) else FINE


def renamed(**names):
    return lambda *given: names.get(by_counts(*given), by_counts(*given))


def as_it_stands(norms, limit):
    return ALWAYS if np.mean(norms > limit) > 0.9 else FINE


def without_nan(norms, limit):
    """A NaN is above nothing."""
    if np.max(np.nan_to_num(norms)) <= limit:
        return AFTER if np.sum(norms == limit) > 1 else NEVER
    return ALWAYS if np.mean(norms > limit) > 0.9 else FINE


def at_least(share):
    def answer(norms, limit):
        found = by_counts(norms, limit)
        return ALWAYS if found == FINE and np.mean(norms > limit) >= share else found

    return answer


def by_maximum(norms, limit):
    """A skipped NaN is the maximum, too."""
    if np.isnan(norms[-1]):
        return NAN
    if np.max(norms) < limit:
        return NEVER
    return AFTER if np.max(norms) == limit else as_it_stands(norms, limit)


WRONG = {
    "nan_in_the_maximum": [by_maximum],
    "never_said": [renamed(always=NAN, fine=NAN)],
    "always_the_same": [lambda *_, name=name: name for name in READINGS],
    "share_alone": [
        as_it_stands,
        lambda norms, limit: NEVER if not np.any(norms > limit) else as_it_stands(norms, limit),
    ],
    "any_nan": [
        lambda norms, limit: NAN if np.isnan(norms).any() else by_counts(norms, limit),
        lambda norms, limit: NAN if np.isnan(np.sum(norms)) else by_counts(norms, limit),
    ],
    "nan_overlooked": [without_nan, renamed(nan=FINE)],
    "after_is_never": [renamed(after=NEVER)],
    "never_is_after": [renamed(never=AFTER)],
    "after_overlooked": [renamed(after=FINE), renamed(after=ALWAYS)],
    "never_overlooked": [renamed(never=FINE)],
    "always_overlooked": [renamed(always=FINE)],
    "often_is_always": [at_least(0.5), at_least(0.1)],
    "not_a_name": [lambda *_: "before", lambda *given: by_counts(*given).upper()],
    "returns_other": [lambda norms, limit: 0.5, lambda norms, limit: norms > limit],
    "structure_changed": [lambda *given: [by_counts(*given)]],
    "not_callable": [FINE],
    "raises": [lambda norms: FINE, lambda norms, limit: norms.mode()],
}  # fmt: skip


def by_sorting(norms, limit):
    if np.isnan(norms[-10:]).all():
        return NAN
    ordered = np.sort(norms[~np.isnan(norms)])
    if ordered[-1] > limit:
        return FINE if ordered[len(ordered) // 10] <= limit else ALWAYS
    return AFTER if ordered[-2] > 0.999 * limit else NEVER


IN_PART = {
    "often_is_always": [lambda *given: {FINE: ALWAYS, ALWAYS: FINE}.get(n := by_counts(*given), n)],
}

RIGHT = {
    "by counts": by_counts,
    "by sorting": by_sorting,
    "in Python's floats": lambda norms, limit: by_counts(np.array(norms.tolist()), float(limit)),
    "by the course's own": right,
}


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_a_log_from_after_the_clip_is_what_the_clip_makes_of_one_from_before(share):
    before, limit = record(FINE, 0.5, share, 100, 3)
    after, _ = record(AFTER, 0.5, share, 100, 3)
    clipped = [float(np.linalg.norm(clip_by_norm(np.array([n, 0.0]), limit))) for n in before]
    np.testing.assert_allclose(after, clipped, rtol=1e-6)
    assert np.mean(before > limit) == pytest.approx(share, abs=0.011)


def test_each_reading_has_logs_and_a_skipped_nan_is_none():
    found = [right(*case.arguments) for case in CASES]
    assert {name: found.count(name) >= 2 for name in READINGS} == dict.fromkeys(READINGS, True)
    single = [n for c, n in zip(CASES, found, strict=True) if np.isnan(c.arguments[0]).sum() == 1]
    assert single == [FINE, NEVER]
    lost = [n for c, n in zip(CASES, found, strict=True) if np.isnan(c.arguments[0]).sum() > 1]
    assert lost == [NAN, NAN]
