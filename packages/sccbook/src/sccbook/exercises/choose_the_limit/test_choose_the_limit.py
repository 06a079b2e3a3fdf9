"""A bank of answers to chapter 13's choice of a limit, and what its logs are."""

import numpy as np
import pytest

from sccbook.exercises.choose_the_limit.exercise import CASES, counted, right


def percentile(norms, share):
    return np.percentile(norms, 100 * (1 - share))


def later(norms, first):
    return norms[first:][np.isfinite(norms[first:])]


def by_length(norms, share, first):
    known = later(norms, first)
    limits = np.linspace(0, known.max(), 4000)
    kept = np.minimum(known, limits[:, None]).sum(axis=1) / known.sum()
    return limits[np.argmin(np.abs(kept - (1 - share)))]


WRONG = {
    "clips_the_rest": [
        lambda norms, share, first: np.quantile(later(norms, first), share),
        lambda norms, share, first: np.sort(later(norms, first))[
            int(share * later(norms, first).size)
        ],
    ],
    "warm_up_counted": [lambda norms, share, first: percentile(norms[np.isfinite(norms)], share)],
    "filtered_first": [
        lambda norms, share, first: percentile(norms[np.isfinite(norms)][first:], share)
    ],
    "broken_counted": [
        lambda norms, share, first: percentile(
            np.nan_to_num(norms[first:], nan=1e9, posinf=1e9), share
        )
    ],
    "nan_counted_as_short": [
        lambda norms, share, first: np.sort(np.nan_to_num(norms[first:], nan=-1, posinf=1e9))[
            round((1 - share) * (norms.size - first)) - 1
        ]
    ],
    "zero_for_broken": [
        lambda norms, share, first: percentile(np.nan_to_num(norms[first:], posinf=0.0), share),
        lambda norms, share, first: percentile(
            np.where(np.isfinite(norms), norms, 0.0)[first:], share
        ),
    ],
    "share_of_length": [by_length],
    "inf_counted": [lambda norms, share, first: np.nanquantile(norms[first:], 1 - share)],
    "warm_up_alone": [lambda norms, share, first: np.quantile(norms[:first], 1 - share)],
    "percents": [
        lambda norms, share, first: np.percentile(later(norms, first), 1 - share),
        lambda norms, share, first: np.percentile(later(norms, first), 100 - share),
    ],
    "share_ignored": [lambda norms, share, first: np.percentile(later(norms, first), 99)],
    "times_the_median": [lambda norms, share, first: 10 * np.median(later(norms, first))],
    "share_of_all_steps": [
        lambda norms, share, first: np.sort(later(norms, first))[-int(share * len(norms))]
    ],
    "by_deviations": [
        lambda norms, share, first: later(norms, first).mean() + 2 * later(norms, first).std(),
        lambda norms, share, first: later(norms, first).mean() + 1.645 * later(norms, first).std(),
        lambda norms, share, first: later(norms, first).mean() + 2.5 * later(norms, first).std(),
    ],
    "share_of_the_longest": [
        lambda norms, share, first: (1 - share) * later(norms, first).max(),
        lambda norms, share, first: (1 - share) * norms[np.isfinite(norms)].max(),
    ],
    "returns_nan": [
        lambda norms, share, first: percentile(norms[first:], share),
    ],
    "always_the_same": [lambda *_: 1.0],
    "returns_other": [lambda norms, share, first: "95th"],
    "not_callable": [1.0],
    "raises": [lambda norms, share: percentile(norms, share)],
    "wrong": [lambda norms, share, first: 2 * right(norms, share, first)],
}


def by_sorting(norms, share, first):
    known = sorted(float(n) for n in norms[first:] if np.isfinite(n))
    return known[-round(share * len(known)) - 1]


RIGHT = {
    "by percentile": lambda norms, share, first: percentile(later(norms, first), share),
    "by sorting": by_sorting,
    "nanpercentile": lambda norms, share, first: np.nanquantile(
        np.where(np.isinf(norms), np.nan, norms)[first:], 1 - share, method="nearest"
    ),
    "by the course's own": right,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_every_log_has_a_warm_up_and_non_finite_steps(case):
    norms, share, first = case.arguments
    assert np.isnan(norms[first:]).any()
    assert np.isinf(norms[first:]).any()
    assert np.median(norms[:first]) > 3 * np.median(counted(norms, first))
    assert np.mean(counted(norms, first) > right(norms, share, first)) == pytest.approx(share, abs=0.01)  # fmt: skip
