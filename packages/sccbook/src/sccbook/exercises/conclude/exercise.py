"""Chapter 07: write ``conclude(first, second, worth, comparisons)``: small, different, or open?

Given are a measure of two arms, seed by seed in the same order, the smallest difference that matters, and how many
comparisons are made. By the interval of the mean paired difference at the level 1 - 0.05 / comparisons, an answer names
what may be said. Any usual interval will do, and so will two one-sided tests (TOST) for "small": the cases are clear
enough for all of them.
"""

from collections.abc import Callable
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    Mistake,
    Observations,
    always,
    describe,
    one_of,
    shape_of,
)

Interval = Callable[[Array, Array, int], tuple[float, float]]
"""From two arms and the number of comparisons to the interval's ends."""
Apart = Callable[[Array, Array, int], bool]
"""From the same to whether the arms seem to differ."""
Rule = Callable[[float, float, float], str]
"""From an interval's ends and the difference that matters to the verdict."""

NAMES = ("small", "different", "open")
SMALL, DIFFERENT, OPEN = NAMES

# ---------------------------------------------------------------------- cases


def _even(source: np.random.Generator, n: int) -> Array:
    return source.normal(size=n)


def _two_groups(source: np.random.Generator, n: int) -> Array:
    """Let four in ten gain much, and the others lose a little."""
    gains = np.arange(n) < 0.4 * n
    return np.where(gains, source.normal(1.0, 0.2, n), source.normal(0.0, 0.05, n))


def _few_at_all(source: np.random.Generator, n: int) -> Array:
    """Make both arms the same, except for five seeds."""
    d = np.zeros(n)
    d[:5] = 1.0, -0.7, 0.5, -0.4, 0.3
    return d


def pair(
    seeds: int, mean: float | None, limit: float, wider: float, worth: float, shape: Any, seed: int
) -> tuple[Array, Array]:
    """Draw two arms whose differences have exactly this mean and this standard error.

    Args:
      seeds: how many.
      mean: of the differences, in standard errors of it; None leaves it as it is drawn.
      limit: the difference that matters, in the same unit.
      wider: the standard error that two independent samples would have, in the same unit; above the root of a half.
      worth: the difference that matters, in the unit of the measure.
      shape: draws the differences.
      seed: of the draws.

    Returns:
      The two arms, ``[seeds]`` each.
    """
    source = np.random.default_rng(seed)
    error = worth / limit
    deviation = error * np.sqrt(seeds)
    d, shared = source.permutation(shape(source, seeds)), source.normal(size=seeds)
    d = d / np.std(d, ddof=1) * deviation
    if mean is not None:
        d += mean * error - np.mean(d)
    shared *= deviation * np.sqrt((wider**2 - 0.5) / 2) / np.std(shared, ddof=1)
    return shared + d / 2, shared - d / 2


CASES = tuple(
    Case(
        (*pair(seeds, mean, limit, wider, worth, shape, seed), worth, comparisons),
        f"for pair {number} ({seeds} seeds, worth = {worth:g}, comparisons = {comparisons})",
    )
    for number, (seed, seeds, mean, limit, wider, worth, comparisons, shape) in enumerate(
        (
            (1, 48, 11.0, 9.5, 3.0, 0.1, 1, _even),
            (2, 48, 0.5, 6.0, 4.0, 0.1, 1, _even),
            (28, 12, 1.35, 1.1, 1.5, 0.1, 1, _even),
            (4, 64, -6.0, 15.0, 8.0, 0.1, 6, _even),
            (216, 64, -2.2, 3.5, 5.0, 2.0, 6, _even),
            (216, 64, -2.2, 3.5, 5.0, 2.0, 1, _even),
            (327, 64, 0.0, 2.18, 4.0, 0.05, 1, _even),
            (327, 64, 0.0, 2.18, 4.0, 0.05, 6, _even),
            (1637, 64, -1.8, 2.5, 3.0, 0.1, 1, _even),
            (8, 16, -6.0, 7.5, 4.5, 0.1, 6, _even),
            (39, 40, 0.8, 0.5, 2.0, 0.02, 1, lambda source, n: source.lognormal(0.0, 1.2, n)),
            (10, 48, 5.0, 4.0, 3.0, 0.1, 6, _two_groups),
            (11, 24, -6.0, 3.0, 2.55, 1.0, 1, _even),
            (12, 24, None, 60.0, 5.0, 0.1, 6, _few_at_all),
        ),
        start=1,
    )
)  # fmt: skip


# ------------------------------------------------------------------ intervals


def error_of(values: Array) -> float:
    """Return the standard error of the mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def quantile(comparisons: float, sides: int = 2) -> float:
    """Return how many standard errors an interval reaches, corrected for so many comparisons."""
    return NormalDist().inv_cdf(1 - 0.05 / comparisons / sides)


def _around(half: Callable[[Array, Array, int], float], middle: Function = np.mean) -> Interval:
    def interval(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
        center, width = float(middle(first - second)), half(first, second, comparisons)
        return center - width, center + width

    return interval


PAIRED = _around(lambda a, b, n: quantile(n) * error_of(a - b))
ABOUT_THE_MEDIAN = _around(lambda a, b, n: quantile(n) * error_of(a - b), np.median)
UNPAIRED = _around(lambda a, b, n: quantile(n) * float(np.hypot(error_of(a), error_of(b))))
UNCORRECTED = _around(lambda a, b, n: quantile(1) * error_of(a - b))
WIDTH_TIMES = _around(lambda a, b, n: n * quantile(1) * error_of(a - b))
WRONG_WAY = _around(lambda a, b, n: quantile(1 / n) * error_of(a - b))
ONE_SIDED = _around(lambda a, b, n: quantile(n, sides=1) * error_of(a - b))
ONE_SIDED_UNCORRECTED = _around(lambda a, b, n: quantile(1, sides=1) * error_of(a - b))
ONE_ERROR = _around(lambda a, b, n: error_of(a - b))
DEVIATION = _around(lambda a, b, n: quantile(n) * float(np.std(a - b, ddof=1)))
ONE_DEVIATION = _around(lambda a, b, n: float(np.std(a - b, ddof=1)))
OF_EACH_ARM = _around(lambda a, b, n: quantile(n) * (error_of(a) + error_of(b)))
NARROW_OR_UNPAIRED = (UNPAIRED, UNCORRECTED, ONE_SIDED)


def of_the_seeds(first: Array, second: Array, comparisons: int) -> tuple[float, float]:
    """Return where most of the seeds are."""
    low, high = np.quantile(first - second, [0.025 / comparisons, 1 - 0.025 / comparisons])
    return float(low), float(high)


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
    """Apply a rule with the arms swapped."""
    return lambda low, high, worth: rule(-high, -low, worth)


def by(interval: Interval, *rules: Rule) -> list[Function]:
    """Make an answer of this interval for each rule."""
    return [
        lambda first, second, worth, comparisons, rule=rule: rule(
            *interval(first, second, comparisons), worth
        )
        for rule in rules
    ]


def whether(apart: Apart) -> list[Function]:
    """Make answers that say 'different' of arms that seem apart, and 'small' by several criteria."""

    def answer(a: Array, b: Array, worth: float, n: int, small: Function, first: bool) -> str:
        is_small = small(a, b, worth, n)
        if apart(a, b, n) and not (first and is_small):
            return DIFFERENT
        return SMALL if is_small else OPEN

    criteria = (
        lambda a, b, worth, n: abs(np.mean(a - b)) < worth,
        lambda a, b, worth, n: abs(np.median(a - b)) < worth,
        lambda a, b, worth, n: _within(*PAIRED(a, b, n), worth),
    )
    return [
        *(partial(answer, small=lambda *_, same=same: same, first=False) for same in (True, False)),
        *(partial(answer, small=s, first=f) for f in (False, True) for s in criteria),
    ]


def by_interval(interval: Interval) -> list[Function]:
    """Make answers that use a wrong interval for everything, or only to tell if the arms are apart."""
    return [
        *by(interval, verdict),
        *whether(lambda a, b, n: _excludes_0(*interval(a, b, n))),
    ]


def _share_won(share: float, way: int, a: Array, b: Array, comparisons: int) -> bool:
    """Tell whether one arm won this share of seeds: of those that differ, of all, or with ties as losses of the first."""
    wins, losses, n = int(np.sum(a > b)), int(np.sum(a < b)), len(a)
    if way == 0:
        return max(wins, losses) > share * (wins + losses)
    return max(wins, losses if way == 1 else n - wins) > share * n


WINS: tuple[Apart, ...] = tuple(
    partial(_share_won, share, way)
    for share in (0.5, 0.55, 0.6, 2 / 3, 0.75, 0.9)
    for way in range(3)
)


def right(first: Array, second: Array, worth: float, comparisons: int) -> str:
    """Name what may be said, by the normal interval."""
    return verdict(*PAIRED(first, second, comparisons), worth)


def why(first: Array, second: Array, worth: float, comparisons: int) -> str:
    """Say which verdict follows from the normal interval, and why the others don't."""
    low, high = PAIRED(first, second, comparisons)
    interval = (
        f"the {100 - 5 / comparisons:.4g} % interval of the mean difference goes from {low:.3g} to {high:.3g}, "
        f"with worth = {worth:g}"
    )
    if _within(low, high, worth):
        return f"{interval}: no difference as large as worth fits these numbers, so {SMALL!r} follows, whether or not 0 fits"
    large = f"{interval}: a difference of {max(low, high, key=abs):.3g} fits these numbers, so {SMALL!r} doesn't follow"
    if _excludes_0(low, high):
        return f"{large}; 0 doesn't fit, so {DIFFERENT!r} follows"
    return (
        f"{large}; 0 fits too, so {DIFFERENT!r} doesn't follow either, and the question is {OPEN}"
    )


# ------------------------------------------------------------- misconceptions


def _small_first(interval: Interval, a: Array, b: Array, worth: float, comparisons: int) -> str:
    """Use another interval for 'small' alone, as a test of equivalence does."""
    if verdict(*interval(a, b, comparisons), worth) == NAMES[0]:
        return NAMES[0]
    return right(a, b, worth, comparisons)


_UNPAIRED_WORDS = (
    "{run} it says {given}, as if the arms were two independent samples. But a seed is the same in both: the same "
    "initial networks, games and noise. What a seed changes in both arms alike is counted here as uncertainty about "
    "their difference. Seed by seed, {why}."
)
_UNCORRECTED_WORDS = (
    "{run} it says {given}, as it would if only one comparison were made. The more you make, the likelier it is that chance "
    "alone makes one of them stand out. Corrected, {why}."
)
_OPEN_IS_SMALL_WORDS = "{run} it says {given}, because the interval includes 0. But 0 isn't the only difference in it. Read it once more: {why}."
_SIZE_IGNORED_WORDS = (
    "{run} it says {given}. You ask whether there's a difference, but not whether it's large enough to matter. With enough "
    "seeds, an interval excludes 0 for the tiniest one. Here {why}."
)
_ONE_SIDED_WORDS = (
    "{run} it says {given}, by an interval that puts the whole error at one end. Two one-sided tests (TOST) do that for "
    "'small'. But either arm could have come out ahead, so 'different' takes a two-sided interval. Here {why}."
)

MISCONCEPTIONS = (
    *always(NAMES, "pair"),
    Misconception("unpaired", _UNPAIRED_WORDS, *by(UNPAIRED, verdict)),
    Misconception("not_corrected", _UNCORRECTED_WORDS, *by(UNCORRECTED, verdict),
        partial(_small_first, ONE_SIDED_UNCORRECTED)),
    Misconception("corrected_the_wrong_way",
        "the more comparisons are made, the narrower your interval becomes. Should more chances to be wrong make you more "
        "certain? {run} it says {given}, but {why}.",
        *by(WRONG_WAY, verdict)),
    Misconception("deviation_for_error",
        "the interval shows how far apart the seeds are. How far may their mean be from that of many more seeds? {run} "
        "it says {given}, but {why}.",
        *by(DEVIATION, verdict), *by(ONE_DEVIATION, verdict), *by(of_the_seeds, verdict)),
    Misconception("one_standard_error",
        "the interval reaches one standard error to each side, whatever the level. About a third of such intervals miss. "
        "{run} it says {given}, but {why}.",
        *by(ONE_ERROR, verdict)),
    Misconception("one_sided", _ONE_SIDED_WORDS, *by(ONE_SIDED, verdict)),
    Misconception("open_is_small", _OPEN_IS_SMALL_WORDS, *by(PAIRED, *OPEN_IS_SMALL)),
    Misconception("size_ignored", _SIZE_IGNORED_WORDS, *by(PAIRED, *SIZE_IGNORED)),
    Misconception("mean_alone",
        "{run} it says {given}, as if the mean were known exactly, or nearly so. Other seeds would give another mean: {why}.",
        *by(PAIRED, *MEAN_ALONE)),
    Misconception("zero_is_open",
        "{run} it says {given}, because the interval includes 0. But what counts first is how far from 0 it reaches: {why}.",
        *by(PAIRED, *ZERO_IS_OPEN)),
    Misconception("different_is_large",
        "{run} it says {given}, because the difference needn't be as large as `worth`. How large it is may be unclear. "
        "Whether there is one isn't: {why}.",
        *by(PAIRED, *DIFFERENT_IS_LARGE)),
    Misconception("one_direction",
        "{run} it says {given}. The verdict changes when the two arms are swapped, but a difference may have either sign: "
        "{why}.",
        *by(PAIRED, *ONE_DIRECTION, *map(mirrored, ONE_DIRECTION))),
    Misconception("overlap",
        "each arm has an interval of its own, and where the two overlap you see no difference. The intervals can "
        "overlap even if nearly every seed points the same way. {run} it says {given}, but {why}.",
        *by_interval(OF_EACH_ARM)),
    # two mistakes at once: the one to fix first is named
    Misconception("open_is_small", _OPEN_IS_SMALL_WORDS,
        *(answer for interval in NARROW_OR_UNPAIRED for answer in by(interval, *OPEN_IS_SMALL))),
    Misconception("size_ignored", _SIZE_IGNORED_WORDS,
        *(answer for interval in NARROW_OR_UNPAIRED for answer in by(interval, *SIZE_IGNORED))),
    Misconception("unpaired", _UNPAIRED_WORDS, *by_interval(UNPAIRED)),
    Misconception("one_sided", _ONE_SIDED_WORDS, *by(ONE_SIDED_UNCORRECTED, verdict)),
    Misconception("width_multiplied",
        "the interval's width is multiplied by the number of comparisons, which is far too much. It's the allowed "
        "error that is shared among the comparisons. {run} it says {given}, but {why}.",
        *by(WIDTH_TIMES, verdict)),
    Misconception("seeds_counted",
        "{run} it says {given}, by the median of the differences, their ranks, or how many seeds an arm has won. Use "
        "the mean, to which a few seeds with a large difference contribute the most: {why}.",
        *by(ABOUT_THE_MEDIAN, verdict, *MEAN_ALONE),
        *(answer for won in WINS for answer in whether(won))),
)  # fmt: skip


def _first(observations: Observations) -> None:
    """Refuse what is no word, and words that aren't among the three."""
    for case, seen in zip(CASES, observations.seen, strict=False):
        kind = getattr(seen.value, "dtype", None)
        if isinstance(seen.value, bool) or (kind is not None and kind.kind == "b"):
            raise Mistake(
                "yes_or_no",
                f"{case.words} it returned a yes or no. There are three verdicts: "
                f"{', '.join(map(repr, NAMES))}. Return one of these words.",
            )
        if isinstance(seen.value, int | float | tuple | list | np.ndarray):
            one = not isinstance(seen.value, tuple | list) and shape_of(seen.value) == ()
            raise Mistake(
                "not_a_word",
                f"{case.words} it returned {'a number' if one else describe(seen.value)}. What do you conclude from "
                f"it? Return one of the words {', '.join(map(repr, NAMES))}.",
            )
    one_of(CASES, NAMES)(observations)


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} pairs are read right: 'small' where no difference as large as worth fits the numbers, 'different' "
    "where one does and 0 doesn't, 'open' where both fit.",
    first=_first,
    why=why,
    quantity="the verdict",
).exercise(
    "conclude",
    partial={
        "unpaired": 0.5,
        "not_corrected": 0.75,
        "one_sided": 0.75,
        "open_is_small": 0.5,
        "size_ignored": 0.5,
        "zero_is_open": 0.75,
        "different_is_large": 0.75,
        "one_direction": 0.5,
    },
)
"""An answer is called as ``answer(first, second, worth, comparisons)`` and returns one of ``NAMES``."""
