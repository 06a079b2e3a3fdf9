"""A bank of answers to chapter 07's verdict, and what its pairs are."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from sccbook.exercises.conclude.exercise import (
    CASES,
    EXERCISE,
    MISCONCEPTIONS,
    NAMES,
    ONE_SIDED,
    PAIRED,
    by,
    error_of,
    right,
    verdict,
    why,
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


def two_one_sided(narrow, wide):
    """Answer by two one-sided tests: the narrow interval decides on 'small', the wide one on 'different'."""

    def answer(a, b, worth, n):
        low, high = narrow(a, b, n)
        return SMALL if -worth < low and high < worth else verdict(*wide(a, b, n), 0)

    return answer


def by_p_values(a, b, worth, n):
    low = stats.ttest_1samp(a - b, -worth, alternative="greater").pvalue
    high = stats.ttest_1samp(a - b, worth, alternative="less").pvalue
    apart = DIFFERENT if stats.ttest_rel(a, b).pvalue < 0.05 / n else OPEN
    return SMALL if max(low, high) < 0.05 / n else apart


narrow_student, narrow_bootstrap = partial(student, error=0.1), partial(bootstrap, error=0.1)

WRONG = {
    "always_the_same": [lambda *_, name=name: name for name in NAMES],
    "not_corrected": [
        *by(lambda a, b, n: student(a, b, 1), verdict),
        *by(lambda a, b, n: bootstrap(a, b, 1), verdict),
        lambda a, b, worth, n: by_p_values(a, b, worth, 1),
        two_one_sided(lambda a, b, n: narrow_student(a, b, 1), student),
    ],
    "corrected_the_wrong_way": by(lambda a, b, n: student(a, b, 1 / n), verdict),
    "one_sided": [
        *by(narrow_student, verdict),
        *by(narrow_bootstrap, verdict),
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
    "TOST, Student's t": two_one_sided(narrow_student, student),
    "TOST, normal": two_one_sided(ONE_SIDED, PAIRED),
    "TOST, bootstrap": two_one_sided(narrow_bootstrap, bootstrap),
    "TOST, p-values": by_p_values,
    "the arms the other way round": lambda a, b, worth, n: right(b, a, worth, n),
    "in NumPy's text": lambda *given: np.array([right(*given)])[0],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_verdicts_survive_a_five_percent_change_of_the_interval(case):
    def scaled(interval, factor):
        low, high = interval(*case.arguments[:2], case.arguments[3])
        middle, half = (low + high) / 2, (high - low) / 2
        return lambda *_: (middle - factor * half, middle + factor * half)

    for narrow, wide in ((ONE_SIDED, PAIRED), (narrow_student, student)):
        for factor in (0.95, 1.05):
            small, apart = scaled(narrow, factor), scaled(wide, factor)
            for answer in (*by(apart, verdict), two_one_sided(small, apart)):
                assert answer(*case.arguments) == right(*case.arguments)


@pytest.mark.parametrize(("case", "said"), list(zip(CASES, VERDICTS, strict=True)))
def test_an_explanation_has_the_interval_and_says_what_follows(case, said):
    first, second, worth, comparisons = case.arguments
    words, (low, high) = why(*case.arguments), PAIRED(first, second, comparisons)
    assert f"from {low:.3g} to {high:.3g}, with worth = {worth:g}" in words
    assert ("95 %" if comparisons == 1 else "99.17 %") in words
    assert (f"{SMALL!r} follows" in words) == (said == SMALL)
    assert (f"{DIFFERENT!r} follows" in words) == (said == DIFFERENT)
    assert words.endswith(OPEN) == (said == OPEN)


def test_every_wrong_verdict_is_explained_by_the_first_pair_that_fails():
    for mistake in MISCONCEPTIONS[len(NAMES) :]:
        for answer in mistake.answers:
            case = next(c for c in CASES if answer(*c.arguments) != right(*c.arguments))
            assert why(*case.arguments) in EXERCISE.examine(answer).message


def test_certain_pairs_can_be_small_and_large_means_can_stay_open():
    seen = set()
    for case, said in zip(CASES, VERDICTS, strict=True):
        first, second, worth, _ = case.arguments
        gap = abs(np.mean(first - second))
        assert np.corrcoef(first, second)[0, 1] > 0.5
        seen.add((said, gap > worth, gap > 4 * error_of(first - second)))
    assert {(SMALL, False, True), (OPEN, True, False), (DIFFERENT, False, True)} <= seen
