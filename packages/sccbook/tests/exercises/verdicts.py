"""Intervals and rules, right and wrong, as answers to chapter 07's verdict may have them."""

from functools import cache
from statistics import NormalDist

import numpy as np
from scipy import stats

from sccbook.checking.verdicts import error_of
from sccbook.exercises.conclude.exercise import NAMES

SMALL, DIFFERENT, OPEN = NAMES


def z(level):
    return NormalDist().inv_cdf((1 + level) / 2)


def said(low, high, worth):
    if max(-low, high) <= worth:
        return SMALL
    return DIFFERENT if low * high > 0 else OPEN


# ------------------------------------------- intervals, from d and a level


def normal(d, level):
    half = z(level) * np.std(d) / np.sqrt(len(d))
    return d.mean() - half, d.mean() + half


def student(d, level):
    half = stats.t.ppf((1 + level) / 2, len(d) - 1) * stats.sem(d)
    return d.mean() - half, d.mean() + half


@cache
def drawn(data, statistic):
    """From the differences' bytes, so that a bank of answers draws once."""
    d = np.frombuffer(data)
    rows = np.random.default_rng(0).integers(len(d), size=(4000, len(d)))
    return statistic(d[rows], axis=1)


def percentile(d, level, statistic=np.mean):
    return np.quantile(drawn(d.tobytes(), statistic), [(1 - level) / 2, (1 + level) / 2])


def basic(d, level):
    low, high = percentile(d, level)
    return 2 * d.mean() - high, 2 * d.mean() - low


def bca(d, level):
    random = np.random.default_rng(1)
    found = stats.bootstrap((d,), np.mean, confidence_level=level, n_resamples=4000, rng=random)
    return found.confidence_interval


def by(interval, rule=said, level=lambda comparisons: 1 - 0.05 / comparisons):
    """An answer: the rule, of the interval of the differences at the level."""

    def conclude(first, second, worth, comparisons):
        return rule(*interval(first - second, level(comparisons)), worth)

    return conclude


# -------------------------------------------------------------- wrong intervals


def welch(first, second, worth, comparisons):
    found = stats.ttest_ind(first, second, equal_var=False)
    low, high = found.confidence_interval(1 - 0.05 / comparisons)
    return said(low, high, worth)


def of_two_samples(first, second, level):
    half = z(level) * np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / len(first))
    return first.mean() - second.mean() - half, first.mean() - second.mean() + half


def unpaired(first, second, worth, comparisons, rule=said):
    return rule(*of_two_samples(first, second, 1 - 0.05 / comparisons), worth)


def shuffled(first, second, worth, comparisons):
    level = 1 - 0.05 / comparisons
    random, n = np.random.default_rng(0), len(first)
    a = first[random.integers(n, size=(4000, n))].mean(axis=1)
    b = second[random.integers(n, size=(4000, n))].mean(axis=1)
    return said(*np.quantile(a - b, [(1 - level) / 2, (1 + level) / 2]), worth)


def unpaired_p(first, second, worth, comparisons):
    if stats.ttest_ind(first, second).pvalue < 0.05 / comparisons:
        return DIFFERENT
    return SMALL


def deviation(d, level):
    return d.mean() - z(level) * d.std(), d.mean() + z(level) * d.std()


def middle_of_the_seeds(d, level):
    return np.quantile(d, [(1 - level) / 2, (1 + level) / 2])


def one_error(d, level):
    return d.mean() - error_of(d), d.mean() + error_of(d)


def of_each(first, second, comparisons, interval):
    (a, b), (c, d) = (interval(arm, 1 - 0.05 / comparisons) for arm in (first, second))
    return b < c or d < a


def if_apart(interval, otherwise):
    return lambda a, b, worth, n: (
        DIFFERENT if of_each(a, b, n, interval) else otherwise(a, b, worth, n)
    )


def widths_added(first, second, comparisons):
    half = z(1 - 0.05 / comparisons) * (stats.sem(first) + stats.sem(second))
    return np.mean(first - second) - half, np.mean(first - second) + half


def median_interval(d, level):
    return percentile(d, level, np.median)


def about_the_median(d, level):
    half = stats.t.ppf((1 + level) / 2, len(d) - 1) * stats.sem(d)
    return np.median(d) - half, np.median(d) + half


def sign_test(first, second, worth, comparisons):
    wins, losses = np.sum(first > second), np.sum(first < second)
    p = stats.binomtest(int(wins), int(wins + losses)).pvalue
    if p < 0.05 / comparisons:
        return DIFFERENT
    return SMALL if abs(np.mean(first - second)) < worth else OPEN


def signed_ranks(first, second, worth, comparisons):
    d, level = first - second, 1 - 0.05 / comparisons
    if within(*student(d, level), worth):
        return SMALL
    return DIFFERENT if stats.wilcoxon(d).pvalue < 1 - level else OPEN


# ------------------------------------------------------------------ wrong rules


def excludes_0(low, high):
    return low > 0 or high < 0


def within(low, high, worth):
    return low > -worth and high < worth


def mean(low, high):
    return abs(low + high) / 2


def zero_is_small(low, high, worth):
    return said(low, high, worth).replace(OPEN, SMALL)


def by_zero_alone(low, high, worth):
    return DIFFERENT if excludes_0(low, high) else SMALL


def zero_first(low, high, worth):
    return DIFFERENT if excludes_0(low, high) else said(low, high, worth)


def different_or_open(low, high, worth):
    return DIFFERENT if excludes_0(low, high) else OPEN


def zero_is_open(low, high, worth):
    return said(low, high, worth) if excludes_0(low, high) else OPEN


def different_is_large(low, high, worth):
    if within(low, high, worth):
        return SMALL
    return DIFFERENT if excludes_0(low, high) and mean(low, high) >= worth else OPEN


def all_of_it_is_large(low, high, worth):
    if within(low, high, worth):
        return SMALL
    return DIFFERENT if low > worth or high < -worth else OPEN


def first_ahead(low, high, worth):
    if within(low, high, worth):
        return SMALL
    return DIFFERENT if low > 0 else OPEN


def below_worth(low, high, worth):
    if high < worth:
        return SMALL
    return DIFFERENT if low > 0 else OPEN


def swapped(answer):
    return lambda first, second, worth, comparisons: answer(second, first, worth, comparisons)
