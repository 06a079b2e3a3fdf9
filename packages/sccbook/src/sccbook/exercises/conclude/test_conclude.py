"""A bank of answers to chapter 07's verdict, and what its pairs are."""

import numpy as np
import pytest
from scipy import stats

from sccbook.exercises.conclude.exercise import (
    CASES,
    NAMES,
    PAIRED,
    by,
    error_of,
    right,
    verdict,
)

SMALL, DIFFERENT, OPEN = NAMES
VERDICTS = tuple(right(*case.arguments) for case in CASES)

# ------------------------------------------- other usual intervals than the exercise's own


def student(a, b, n, error=0.05):
    return stats.ttest_rel(a, b).confidence_interval(1 - error / n)


def bootstrap(a, b, n, error=0.05, method="percentile"):
    return stats.bootstrap(
        (a - b,), np.mean, confidence_level=1 - error / n, method=method, n_resamples=4000, rng=0
    ).confidence_interval


WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
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
    "the arms the other way round": lambda a, b, worth, n: right(b, a, worth, n),
    "in NumPy's text": lambda *given: np.array([right(*given)])[0],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_verdicts_survive_a_five_percent_change_of_the_interval(case):
    first, second, worth, comparisons = case.arguments
    for interval in (PAIRED, student):
        low, high = interval(first, second, comparisons)
        middle, half = (low + high) / 2, (high - low) / 2
        for factor in (0.95, 1.05):
            said = verdict(middle - factor * half, middle + factor * half, worth)
            assert said == right(first, second, worth, comparisons)


def test_certain_pairs_can_be_small_and_large_means_can_stay_open():
    seen = set()
    for case, said in zip(CASES, VERDICTS, strict=True):
        first, second, worth, _ = case.arguments
        gap = abs(np.mean(first - second))
        assert np.corrcoef(first, second)[0, 1] > 0.5
        seen.add((said, gap > worth, gap > 4 * error_of(first - second)))
    assert {(SMALL, False, True), (OPEN, True, False), (DIFFERENT, False, True)} <= seen
