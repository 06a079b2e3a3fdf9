"""A bank of answers to chapter 07's verdict, and what its pairs are."""

import numpy as np
import pytest
from scipy import stats

from sccbook.checking.verdicts import error_of
from sccbook.exercises.conclude.exercise import CASES, MISCONCEPTIONS, pair, right
from tests.exercises.verdicts import (
    DIFFERENT,
    NAMES,
    OPEN,
    SMALL,
    about_the_median,
    all_of_it_is_large,
    basic,
    bca,
    below_worth,
    by,
    by_zero_alone,
    deviation,
    different_is_large,
    different_or_open,
    excludes_0,
    first_ahead,
    if_apart,
    mean,
    median_interval,
    middle_of_the_seeds,
    normal,
    of_each,
    one_error,
    percentile,
    said,
    shuffled,
    sign_test,
    signed_ranks,
    student,
    swapped,
    unpaired,
    unpaired_p,
    welch,
    widths_added,
    within,
    z,
    zero_first,
    zero_is_open,
    zero_is_small,
)

VERDICTS = tuple(right(*case.arguments) for case in CASES)


def normal_times(n, d):
    half = n * z(0.95) * error_of(d)
    return d.mean() - half, d.mean() + half


def equivalence(level):
    """The textbook's test of equivalence, and a two-sided one for a difference."""

    def answer(a, b, worth, n):
        if within(*student(a - b, level(n)), worth):
            return SMALL
        return DIFFERENT if excludes_0(*student(a - b, 1 - 0.05 / n)) else OPEN

    return answer


WRONG = {
    "width_multiplied": [
        lambda a, b, worth, n: said(*normal_times(n, a - b), worth),
    ],
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "unpaired": [
        unpaired,
        welch,
        shuffled,
        lambda a, b, worth, n: unpaired(a, b, worth, 1),
        lambda a, b, worth, n: unpaired(a, b, worth, n, zero_first),
    ],
    "not_corrected": [
        by(normal, level=lambda n: 0.95), by(student, level=lambda n: 0.95),
        by(percentile, level=lambda n: 0.95), by(bca, level=lambda n: 0.95),
    ],
    "corrected_the_wrong_way": [
        by(student, level=lambda n: 1 - 0.05 * n), by(percentile, level=lambda n: 1 - 0.05 * n),
    ],
    "deviation_for_error": [
        by(deviation),
        by(middle_of_the_seeds),
        by(lambda d, level: (d.mean() - d.std(), d.mean() + d.std())),
    ],
    "one_standard_error": [by(one_error)],
    "one_sided": [
        by(interval, level=lambda n: 1 - 0.1 / n) for interval in (normal, student, percentile)
    ] + [
        by(normal, level=lambda n: 0.9),
        equivalence(lambda n: 1 - 0.1 / n),
        equivalence(lambda n: 0.9),
    ],
    "open_is_small": [
        *(by(interval, zero_is_small) for interval in (normal, student, percentile)),
        *(by(interval, by_zero_alone) for interval in (normal, student, percentile)),
        by(normal, zero_is_small, level=lambda n: 0.95),
        by(student, by_zero_alone, level=lambda n: 0.95),
        lambda a, b, worth, n: unpaired(a, b, worth, n, zero_is_small),
        unpaired_p,
    ],
    "size_ignored": [
        *(by(interval, zero_first) for interval in (normal, student, percentile)),
        *(by(interval, different_or_open) for interval in (normal, student, percentile)),
        by(student, zero_first, level=lambda n: 0.95),
    ],
    "mean_alone": [
        lambda a, b, worth, n: SMALL if abs(np.mean(a - b)) < worth else DIFFERENT,
        lambda a, b, worth, n: DIFFERENT if abs(a.mean() - b.mean()) >= worth else OPEN,
        by(student, lambda low, high, worth: (
            SMALL if mean(low, high) < worth else said(low, high, worth))),
        by(percentile, lambda low, high, worth: (
            DIFFERENT if excludes_0(low, high) else SMALL if mean(low, high) < worth else OPEN)),
        by(lambda d, level: (d.mean() - z(level) * d.std() / len(d), d.mean() + z(level) * d.std() / len(d))),
    ],
    "zero_is_open": [
        by(student, zero_is_open),
        by(percentile, lambda low, high, worth: (
            OPEN if low < 0 < high else SMALL if mean(low, high) < worth else DIFFERENT)),
    ],
    "different_is_large": [
        *(by(interval, different_is_large) for interval in (normal, student, percentile)),
        *(by(interval, all_of_it_is_large) for interval in (normal, student, percentile)),
    ],
    "one_direction": [
        by(student, first_ahead),
        swapped(by(student, first_ahead)),
        by(percentile, below_worth),
        swapped(by(normal, below_worth)),
    ],
    "overlap": [
        if_apart(interval, otherwise)
        for interval in (student, percentile)
        for otherwise in (
            lambda *_: OPEN,
            lambda *_: SMALL,
            lambda a, b, worth, n: SMALL if abs(np.mean(a - b)) < worth else OPEN,
        )
    ] + [
        lambda a, b, worth, n: (
            SMALL if within(*student(a - b, 1 - 0.05 / n), worth)
            else DIFFERENT if of_each(a, b, n, student) else OPEN
        ),
        lambda a, b, worth, n: said(*widths_added(a, b, n), worth),
    ],
    "seeds_counted": [
        by(median_interval),
        by(about_the_median),
        lambda a, b, worth, n: SMALL if abs(np.median(a - b)) < worth else DIFFERENT,
        lambda a, b, worth, n: DIFFERENT if np.mean(a > b) > 0.75 or np.mean(a > b) < 0.25 else OPEN,
        lambda a, b, worth, n: DIFFERENT if abs(np.mean(np.sign(a - b))) > 0.3 else SMALL,
        sign_test,
        signed_ranks,
    ],
    "yes_or_no": [
        lambda a, b, worth, n: abs(np.mean(a - b)) > worth,
        lambda a, b, worth, n: bool(excludes_0(*student(a - b, 0.95))),
    ],
    "not_a_word": [
        lambda a, b, worth, n: np.mean(a - b),
        lambda a, b, worth, n: student(a - b, 1 - 0.05 / n),
        lambda a, b, worth, n: percentile(a - b, 1 - 0.05 / n),
    ],
    "not_a_name": [
        lambda *given: right(*given).capitalize(),
        lambda *given: right(*given).replace(OPEN, "no difference"),
    ],
    "structure_changed": [lambda *_: {"verdict": OPEN}],
    "returns_other": [lambda *_: {OPEN}],
    "not_callable": ["open"],
    "raises": [lambda first, second: OPEN],
}  # fmt: skip


def by_flips_of_signs(first, second, worth, comparisons):
    """The p-value for 0, and the interval for the size."""
    d = first - second
    if within(*normal(d, 1 - 0.05 / comparisons), worth):
        return SMALL
    flips = np.random.default_rng(0).choice([-1.0, 1.0], size=(4000, len(d)))
    p = np.mean(np.abs(flips @ d) >= abs(d.sum()))
    return DIFFERENT if p < 0.05 / comparisons else OPEN


def by_scipy(first, second, worth, comparisons):
    low, high = stats.ttest_rel(first, second).confidence_interval(1 - 0.05 / comparisons)
    return np.array([SMALL, DIFFERENT, OPEN])[
        0 if max(abs(low), abs(high)) < worth else 1 if excludes_0(low, high) else 2
    ]


def in_plain_python(first, second, worth, comparisons):
    d = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    n = len(d)
    m = sum(d) / n
    half = z(1 - 0.05 / comparisons) * (sum((x - m) ** 2 for x in d) / (n - 1) / n) ** 0.5
    return SMALL if abs(m) + half < worth else OPEN if abs(m) < half else DIFFERENT


def by_covariance(first, second, worth, comparisons):
    variance = np.cov(first, second)
    error = np.sqrt(np.array([1, -1]) @ variance @ np.array([1, -1]) / len(first))
    half = z(1 - 0.05 / comparisons) * error
    gap = first.mean() - second.mean()
    return said(gap - half, gap + half, worth)


def in_place(first, second, worth, comparisons):
    first -= second
    return by(student)(first, 0.0, worth, comparisons)


IN_PART = {
    "open_is_small": [lambda *given: {SMALL: OPEN, OPEN: SMALL}.get(right(*given), DIFFERENT)],
}

RIGHT = {
    "Student's t": by(student),
    "normal, with the deviation of the sample": by(normal),
    "the bootstrap's percentiles": by(percentile),
    "the bootstrap, turned round": by(basic),
    "the bootstrap, bias-corrected": by(bca),
    "the arms the other way round": swapped(by(student)),
    "Sidak's correction": by(student, level=lambda n: 0.95 ** (1 / n)),
    "flips of signs": by_flips_of_signs,
    "ttest_rel": by_scipy,
    "in plain Python": in_plain_python,
    "the covariance of the arms": by_covariance,
    "in place": in_place,
    "by the course's own": right,
}


def test_every_verdict_is_that_of_four_pairs_or_more():
    assert all(VERDICTS.count(name) >= 4 for name in NAMES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_an_interval_a_twentieth_wider_or_narrower_says_the_same(case):
    first, second, worth, comparisons = case.arguments
    d = first - second
    for interval in (normal, student):
        low, high = interval(d, 1 - 0.05 / comparisons)
        middle, half = (low + high) / 2, (high - low) / 2
        for factor in (0.95, 1.05):
            told = said(middle - factor * half, middle + factor * half, worth)
            assert told == right(first, second, worth, comparisons)


def test_the_same_pair_has_another_verdict_among_six_comparisons():
    verdicts = {}
    for (first, _, worth, comparisons), verdict in zip(
        (case.arguments for case in CASES), VERDICTS, strict=True
    ):
        verdicts.setdefault((first.tobytes(), worth), {})[comparisons] = verdict
    changed = [v for v in verdicts.values() if len(v) == 2]
    assert changed == [{6: OPEN, 1: DIFFERENT}, {1: SMALL, 6: OPEN}]


def test_a_pair_that_is_certain_is_small_and_one_whose_mean_is_worth_speaking_of_stays_open():
    seen = set()
    for case, verdict in zip(CASES, VERDICTS, strict=True):
        first, second, worth, _ = case.arguments
        gap = abs(np.mean(first - second))
        seen.add((verdict, gap > worth, gap > 4 * error_of(first - second)))
    assert {(SMALL, False, True), (OPEN, True, False), (DIFFERENT, False, True)} <= seen


def test_seeds_are_correlated_and_both_signs_occur():
    for case in CASES:
        first, second, *_ = case.arguments
        assert np.corrcoef(first, second)[0, 1] > 0.5
    signs = {
        (verdict, np.mean(case.arguments[0]) > np.mean(case.arguments[1]))
        for case, verdict in zip(CASES, VERDICTS, strict=True)
    }
    assert len(signs) == 6


def test_one_mistake_alone_is_never_told_as_another():
    told, names = {}, set()
    for misconception in MISCONCEPTIONS:
        if misconception.name in names:  # those with a second one come last
            continue
        names.add(misconception.name)
        for answer in misconception.answers:
            row = tuple(answer(*case.arguments) for case in CASES)
            assert row != VERDICTS
            told.setdefault(row, set()).add(misconception.name)
    shared = {frozenset(names) for names in told.values() if len(names) > 1}
    assert shared == {
        frozenset({"mean_alone", "seeds_counted"}),  # some arm wins more than half
        frozenset({"overlap", "seeds_counted"}),  # and nine in ten where nothing overlaps
    }


def test_a_pair_is_drawn_as_it_is_asked_for():
    first, second = pair(20, -3.0, 5.0, 4.0, 0.1, lambda source, n: source.normal(size=n), 0)
    error = error_of(first - second)
    assert 0.1 / error == pytest.approx(5)
    assert np.mean(first - second) / error == pytest.approx(-3)
    assert np.hypot(error_of(first), error_of(second)) / error == pytest.approx(4)
