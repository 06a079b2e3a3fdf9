"""A bank of answers to chapter 08's reading of a log, and what its logs are."""

import numpy as np
import pytest

from scaleclip.ops import clip_by_norm
from sccbook.checking.comparisons import renamed
from sccbook.exercises.read_the_norms.exercise import READINGS, record, right

FINE, AFTER, NEVER, ALWAYS, NAN = READINGS


def by_counts(norms, limit):
    """How many norms are above the limit, how many are the limit."""
    known = norms[~np.isnan(norms)]
    if len(known) < len(norms) - 1:
        return NAN
    above = sum(n > 1.0001 * limit for n in known)
    if above == 0:
        return AFTER if sum(abs(n / limit - 1) < 1e-6 for n in known) > 3 else NEVER
    return ALWAYS if above > 0.9 * len(norms) else FINE


WRONG = {
    "never_said": [renamed(by_counts, {"always": NAN, "fine": NAN})],
    "always_the_same": [lambda *_, name=name: name for name in READINGS],
    "any_nan": [
        lambda norms, limit: NAN if np.isnan(norms).any() else by_counts(norms, limit),
        lambda norms, limit: NAN if np.isnan(np.sum(norms)) else by_counts(norms, limit),
    ],
    "nan_overlooked": [renamed(by_counts, {"nan": FINE})],
    "nan_too_late": [
        lambda norms, limit: (
            ALWAYS
            if np.nanmean(np.where(norms > 0, norms > limit, np.nan)) > 0.9
            else by_counts(norms, limit)
        ),
        lambda norms, limit: (
            NAN if np.isnan(norms).mean() > 0.5 else by_counts(norms[norms > 0], limit)
        ),
    ],
    "limit_counted": [
        lambda norms, limit: ALWAYS if np.mean(norms >= limit) > 0.9 else by_counts(norms, limit)
    ],
    "after_is_never": [renamed(by_counts, {"after": NEVER})],
    "never_is_after": [renamed(by_counts, {"never": AFTER})],
    "after_overlooked": [
        renamed(by_counts, {"after": FINE}),
        renamed(by_counts, {"after": ALWAYS}),
        lambda norms, limit: (
            FINE if (n := by_counts(norms, limit)) == AFTER and max(norms) > limit else n
        ),
    ],
    "never_overlooked": [renamed(by_counts, {"never": FINE})],
    "always_overlooked": [renamed(by_counts, {"always": FINE})],
    "not_a_name": [lambda *_: "before", lambda *given: by_counts(*given).upper()],
    "returns_other": [lambda norms, limit: 0.5, lambda norms, limit: norms > limit],
    "structure_changed": [lambda *given: [by_counts(*given)]],
    "not_callable": [FINE],
    "raises": [lambda norms: FINE, lambda norms, limit: norms.mode()],
}


IN_PART = {
    "often_is_always": [lambda *given: {FINE: ALWAYS, ALWAYS: FINE}.get(n := by_counts(*given), n)],
}

RIGHT = {
    "by counts": by_counts,
    "in Python's floats": lambda norms, limit: by_counts(np.array(norms.tolist()), float(limit)),
    "by the course's own": right,
}


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_a_log_after_the_clip_is_the_clipped_log_before_it(share):
    before, limit = record(FINE, 0.5, share, 100, 3)
    after, _ = record(AFTER, 0.5, share, 100, 3)
    clipped = [float(np.linalg.norm(clip_by_norm(np.array([n, 0.0]), limit))) for n in before]
    np.testing.assert_allclose(after, clipped, rtol=1e-6)
    assert np.mean(before > limit) == pytest.approx(share, abs=0.011)
