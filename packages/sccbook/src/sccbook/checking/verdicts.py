"""Intervals of a mean difference, right and wrong, and what is said by them: small, different, or open."""

from collections.abc import Callable
from functools import partial
from math import comb
from statistics import NormalDist

import numpy as np

from sccbook.checking.comparisons import Function

Array = np.ndarray
Interval = Callable[[Array, Array, int], tuple[float, float]]
"""From two arms and the number of comparisons to the interval's ends."""
Apart = Callable[[Array, Array, int], bool]
"""From the same to whether the arms seem to differ."""
Rule = Callable[[float, float, float], str]
"""From an interval's ends and the difference worth speaking of to the verdict."""

NAMES = ("small", "different", "open")
SMALL, DIFFERENT, OPEN = NAMES


# ------------------------------------------------------------------ intervals


def error_of(values: Array) -> float:
    """Return the standard error of the mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def quantile(comparisons: float, sides: int = 2) -> float:
    """Return how many standard errors an interval reaches, corrected for so many comparisons."""
    return NormalDist().inv_cdf(1 - 0.05 / comparisons / sides)


def _around(half: Callable[[Array, Array, int], float]) -> Interval:
    def interval(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
        mean, width = float(np.mean(first - second)), half(first, second, comparisons)
        return mean - width, mean + width

    return interval


def _unpaired_error(a: Array, b: Array) -> float:
    return float(np.hypot(error_of(a), error_of(b)))


PAIRED = _around(lambda a, b, n: quantile(n) * error_of(a - b))
UNPAIRED = _around(lambda a, b, n: quantile(n) * _unpaired_error(a, b))
UNPAIRED_UNCORRECTED = _around(lambda a, b, n: quantile(1) * _unpaired_error(a, b))
UNCORRECTED = _around(lambda a, b, n: quantile(1) * error_of(a - b))
WIDTH_TIMES = _around(lambda a, b, n: n * quantile(1) * error_of(a - b))
WRONG_WAY = _around(lambda a, b, n: quantile(1 / n) * error_of(a - b))
ONE_SIDED = _around(lambda a, b, n: quantile(n, sides=1) * error_of(a - b))
ONE_SIDED_UNCORRECTED = _around(lambda a, b, n: quantile(1, sides=1) * error_of(a - b))
ONE_ERROR = _around(lambda a, b, n: error_of(a - b))
DEVIATION = _around(lambda a, b, n: quantile(n) * float(np.std(a - b, ddof=1)))
ONE_DEVIATION = _around(lambda a, b, n: float(np.std(a - b, ddof=1)))
OF_EACH_ARM = _around(lambda a, b, n: quantile(n) * (error_of(a) + error_of(b)))
NARROW_OR_UNPAIRED = (UNPAIRED, UNPAIRED_UNCORRECTED, UNCORRECTED, ONE_SIDED)


def of_the_seeds(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
    """Return where most of the seeds are."""
    low, high = np.quantile(first - second, [0.025 / comparisons, 1 - 0.025 / comparisons])
    return float(low), float(high)


def of_the_median(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
    """Return an interval of the median, by ranks."""
    d, n = np.sort(first - second), len(first)
    reach = quantile(comparisons) * np.sqrt(n) / 2
    low, high = round(n / 2 - reach) - 1, round(n / 2 + reach)
    return float(d[max(0, low)]), float(d[min(n - 1, high)])


def about_the_median(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
    """Put the interval of the mean about the median."""
    d = first - second
    width = quantile(comparisons) * error_of(d)
    return float(np.median(d)) - width, float(np.median(d)) + width


# ---------------------------------------------------------------------- rules


def verdict(low: float, high: float, worth: float) -> str:
    """Name what an interval lets you say."""
    if _within(low, high, worth):
        return SMALL
    return DIFFERENT if _excludes_0(low, high) else OPEN


def _within(low: float, high: float, worth: float) -> bool:
    return -worth < low and high < worth


def _excludes_0(low: float, high: float) -> bool:
    return low > 0 or high < 0


def _large(low: float, high: float, worth: float) -> bool:
    return abs(low + high) / 2 >= worth


def _beyond(low: float, high: float, worth: float) -> bool:
    return low > worth or high < -worth


OPEN_IS_SMALL: tuple[Rule, ...] = (
    lambda low, high, worth: DIFFERENT if _excludes_0(low, high) and not _within(low, high, worth) else SMALL,
    lambda low, high, worth: DIFFERENT if _excludes_0(low, high) else SMALL,
    lambda low, high, worth: DIFFERENT if _excludes_0(low, high) and _large(low, high, worth) else SMALL,
)  # fmt: skip
SIZE_IGNORED: tuple[Rule, ...] = (
    lambda low, high, worth: DIFFERENT if _excludes_0(low, high) else verdict(low, high, worth),
    lambda low, high, worth: DIFFERENT if _excludes_0(low, high) else OPEN,
)
MEAN_ALONE: tuple[Rule, ...] = (
    lambda low, high, worth: DIFFERENT if _large(low, high, worth) else SMALL,
    lambda low, high, worth: verdict(low, high, worth) if _large(low, high, worth) else SMALL,
    lambda low, high, worth: DIFFERENT if _large(low, high, worth) else verdict(low, high, worth),
    lambda low, high, worth: DIFFERENT if _large(low, high, worth) else OPEN,
    lambda low, high, worth: (
        DIFFERENT if _excludes_0(low, high) else OPEN if _large(low, high, worth) else SMALL
    ),
)
ZERO_IS_OPEN: tuple[Rule, ...] = (
    lambda low, high, worth: verdict(low, high, worth) if _excludes_0(low, high) else OPEN,
    lambda low, high, worth: (
        OPEN if not _excludes_0(low, high) else DIFFERENT if _large(low, high, worth) else SMALL
    ),
)
DIFFERENT_IS_LARGE: tuple[Rule, ...] = (
    lambda low, high, worth: verdict(low, high, worth) if _large(low, high, worth) or _within(low, high, worth) else OPEN,
    lambda low, high, worth: verdict(low, high, worth) if _beyond(low, high, worth) or _within(low, high, worth) else OPEN,
)  # fmt: skip
ONE_DIRECTION: tuple[Rule, ...] = (
    lambda low, high, worth: verdict(low, high, worth) if low > 0 or _within(low, high, worth) else OPEN,
    lambda low, high, worth: SMALL if high < worth else verdict(low, high, worth),
    lambda low, high, worth: SMALL if high < worth else DIFFERENT if low > 0 else OPEN,
)  # fmt: skip


def mirrored(rule: Rule) -> Rule:
    """Return what a rule says where the arms have changed places."""
    return lambda low, high, worth: rule(-high, -low, worth)


def by(interval: Interval, *rules: Rule) -> list[Function]:
    """Return an answer for each rule, by this interval."""
    return [
        lambda first, second, worth, comparisons, rule=rule: rule(
            *interval(first, second, comparisons), worth
        )
        for rule in rules
    ]


def whether(apart: Apart) -> list[Function]:
    """Say different of arms that seem apart, and of others, or before that, small in several cases."""

    def answer(small: Callable[..., bool], first: bool) -> Function:
        def conclude(a: Array, b: Array, worth: float, comparisons: int) -> str:
            is_small = small(a, b, worth, comparisons)
            if apart(a, b, comparisons) and not (first and is_small):
                return DIFFERENT
            return SMALL if is_small else OPEN

        return conclude

    return [
        answer(lambda *_: True, False),
        answer(lambda *_: False, False),
        *(
            answer(small, first)
            for first in (False, True)
            for small in (
                lambda a, b, worth, n: abs(np.mean(a - b)) < worth,
                lambda a, b, worth, n: abs(np.median(a - b)) < worth,
                lambda a, b, worth, n: _within(*PAIRED(a, b, n), worth),
            )
        ),
    ]


def by_interval(interval: Interval) -> list[Function]:
    """Use a wrong interval for everything, or only to tell if the arms are apart."""
    return [
        *by(interval, verdict),
        *whether(lambda a, b, n: _excludes_0(*interval(a, b, n))),
    ]


def _share_won(share: float, way: int, a: Array, b: Array, comparisons: int) -> bool:
    """Ask whether one arm has won so many: of those that differ, of all, or with a tie as a loss of the first."""
    wins, losses, n = int(np.sum(a > b)), int(np.sum(a < b)), len(a)
    if way == 0:
        return max(wins, losses) > share * (wins + losses)
    return max(wins, losses if way == 1 else n - wins) > share * n


def _sign_test(a: Array, b: Array, comparisons: int) -> bool:
    wins, losses = int(np.sum(a > b)), int(np.sum(a < b))
    n = wins + losses
    p: float = 2 * sum(comb(n, k) for k in range(min(wins, losses) + 1)) / 2.0**n
    return p < 0.05 / comparisons


WINS: tuple[Apart, ...] = (
    *(
        partial(_share_won, share, way)
        for share in (0.5, 0.55, 0.6, 0.65, 2 / 3, 0.7, 0.75, 0.8, 0.9)
        for way in range(3)
    ),
    _sign_test,
    lambda a, b, comparisons: _sign_test(a, b, 1),
)
