"""A bank of answers to chapter 07's verdict, and what its pairs are."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from sccbook.exercises.conclude import exercise as conclude
from sccbook.exercises.conclude.exercise import (
    CASES,
    NAMES,
    PAIRED,
    by,
    error_of,
    pair,
    right,
    verdict,
)

SMALL, DIFFERENT, OPEN = NAMES
VERDICTS = tuple(right(*case.arguments) for case in CASES)

# ------------------------------------------- other usual intervals than the exercise's own


def student(a, b, n, error=0.05):
    return stats.ttest_rel(a, b).confidence_interval(1 - error / n)


def bootstrap(a, b, n, error=0.05, method="percentile"):
    return drawn((a - b).tobytes(), 1 - error / n, method)


@cache
def drawn(data, level, method):
    """From the differences' bytes, so that a bank of answers draws once."""
    d, random = np.frombuffer(data), np.random.default_rng(0)
    found = stats.bootstrap(
        (d,), np.mean, confidence_level=level, method=method, n_resamples=4000, rng=random
    )
    return found.confidence_interval


def welch(a, b, n):
    return stats.ttest_ind(a, b, equal_var=False).confidence_interval(1 - 0.05 / n)


def signed_ranks(a, b, worth, n):
    if verdict(*student(a, b, n), worth) == SMALL:
        return SMALL
    return DIFFERENT if stats.wilcoxon(a - b).pvalue < 0.05 / n else OPEN


def swapped(answer):
    return lambda a, b, worth, n: answer(b, a, worth, n)


RULES = {
    "open_is_small": conclude.OPEN_IS_SMALL,
    "size_ignored": conclude.SIZE_IGNORED,
    "mean_alone": conclude.MEAN_ALONE,
    "zero_is_open": conclude.ZERO_IS_OPEN,
    "different_is_large": conclude.DIFFERENT_IS_LARGE,
    "one_direction": conclude.ONE_DIRECTION,
}
"""Wrong rules, by the mistake: each is found by other intervals, too."""

WRONG = {name: by(student, *rules) + by(bootstrap, *rules) for name, rules in RULES.items()} | {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "unpaired": by(welch, verdict),
    "not_corrected": [
        *by(lambda a, b, n: student(a, b, 1), verdict),
        *by(lambda a, b, n: bootstrap(a, b, 1), verdict),
    ],
    "corrected_the_wrong_way": by(lambda a, b, n: student(a, b, 1 / n), verdict),
    "one_sided": [
        *by(lambda a, b, n: student(a, b, n, error=0.1), verdict),
        *by(lambda a, b, n: bootstrap(a, b, n, error=0.1), verdict),
    ],
    "seeds_counted": [
        lambda a, b, worth, n: SMALL if abs(np.median(a - b)) < worth else DIFFERENT,
        lambda a, b, worth, n: DIFFERENT if abs(np.mean(np.sign(a - b))) > 0.3 else SMALL,
        signed_ranks,
    ],
    "yes_or_no": [
        lambda a, b, worth, n: abs(np.mean(a - b)) > worth,
        lambda a, b, worth, n: bool(stats.ttest_rel(a, b).pvalue < 0.05),
    ],
    "not_a_word": [
        lambda a, b, worth, n: np.mean(a - b),
        lambda a, b, worth, n: tuple(student(a, b, n)),
    ],
    "not_a_name": [
        lambda *given: right(*given).capitalize(),
        lambda *given: right(*given).replace(OPEN, "no difference"),
    ],
    "structure_changed": [lambda *_: {"verdict": OPEN}],
    "returns_other": [lambda *_: {OPEN}],
    "not_callable": ["open"],
    "raises": [lambda first, second: OPEN],
}

IN_PART = {
    "open_is_small": [lambda *given: {SMALL: OPEN, OPEN: SMALL}.get(right(*given), DIFFERENT)],
}

RIGHT = {
    "Student's t": by(student, verdict)[0],
    "the bootstrap's percentiles": by(bootstrap, verdict)[0],
    "the bootstrap, bias-corrected": by(lambda a, b, n: bootstrap(a, b, n, method="BCa"), verdict)[
        0
    ],
    "Sidak's correction": by(lambda a, b, n: student(a, b, 1, 1 - 0.95 ** (1 / n)), verdict)[0],
    "the arms the other way round": swapped(right),
    "in NumPy's text": lambda *given: np.array([right(*given)])[0],
}


def test_every_verdict_has_four_pairs():
    assert all(VERDICTS.count(name) >= 4 for name in NAMES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_verdicts_survive_a_five_percent_change_of_the_interval(case):
    first, second, worth, comparisons = case.arguments
    for interval in (PAIRED, student):
        low, high = interval(first, second, comparisons)
        middle, half = (low + high) / 2, (high - low) / 2
        for factor in (0.95, 1.05):
            said = verdict(middle - factor * half, middle + factor * half, worth)
            assert said == right(first, second, worth, comparisons)


def test_six_comparisons_can_change_a_verdict():
    verdicts = {}
    for case, said in zip(CASES, VERDICTS, strict=True):
        first, _, worth, comparisons = case.arguments
        verdicts.setdefault((first.tobytes(), worth), {})[comparisons] = said
    changed = [v for v in verdicts.values() if len(v) == 2]
    assert changed == [{6: OPEN, 1: DIFFERENT}, {1: SMALL, 6: OPEN}]


def test_certain_pairs_can_be_small_and_large_means_can_stay_open():
    seen = set()
    for case, said in zip(CASES, VERDICTS, strict=True):
        first, second, worth, _ = case.arguments
        gap = abs(np.mean(first - second))
        seen.add((said, gap > worth, gap > 4 * error_of(first - second)))
    assert {(SMALL, False, True), (OPEN, True, False), (DIFFERENT, False, True)} <= seen


def test_seeds_are_correlated_and_both_signs_occur():
    for case in CASES:
        first, second, *_ = case.arguments
        assert np.corrcoef(first, second)[0, 1] > 0.5
    signs = {
        (said, np.mean(case.arguments[0]) > np.mean(case.arguments[1]))
        for case, said in zip(CASES, VERDICTS, strict=True)
    }
    assert len(signs) == 6


def test_distinct_mistakes_give_distinct_verdicts():
    mistakes = {}
    for mistake in reversed(conclude.MISCONCEPTIONS):  # the last of a name mixes it with others
        mistakes[mistake.name] = mistake
    said = {}
    for name, mistake in mistakes.items():
        for answer in mistake.answers:
            said.setdefault(tuple(answer(*case.arguments) for case in CASES), set()).add(name)
    assert VERDICTS not in said
    assert {frozenset(names) for names in said.values() if len(names) > 1} == {
        frozenset({"mean_alone", "seeds_counted"}),  # some arm wins more than half
        frozenset({"overlap", "seeds_counted"}),  # and nine in ten where nothing overlaps
    }


def test_a_pair_has_the_requested_mean_and_errors():
    first, second = pair(20, -3.0, 5.0, 4.0, 0.1, lambda source, n: source.normal(size=n), 0)
    error = error_of(first - second)
    assert 0.1 / error == pytest.approx(5)
    assert np.mean(first - second) / error == pytest.approx(-3)
    assert np.hypot(error_of(first), error_of(second)) / error == pytest.approx(4)
