"""TwoArms: curves, errors and paired differences are those of the record, in both games."""

import numpy as np
import pytest
from tests.book_figures import shown

from sccbook.figures.two_arms.figure import APART, ARMS, CONFIRMED, FIRST, PLACES
from sccbook.records import load
from sccbook.records.muzero_half import TASKS

PAIRS = [
    ("P 1/2", "off"),
    ("R 1/2", "P 1/2"),
    ("K = 1", "off"),
    ("off, K = 10", "P 1/2, K = 10"),
]


def cells(arm):
    """The cells of an arm that isn't a trial of a learning rate, one for each task."""
    found = [c for c in load("muzero_half").cells(arm=arm) if c.stage != "tuning"]
    return sorted(found, key=lambda cell: TASKS.index(cell.task))


def shares(returns):
    return 50 + 50 * np.asarray(returns)


@pytest.mark.slow
def test_every_arm_is_drawn_as_it_was_recorded(figure):
    for n, arm in enumerate(ARMS):
        curves = shares([cell.curve for cell in cells(arm)])
        np.testing.assert_allclose(figure.value[f"arm_{n}"], curves, atol=0.06)
    assert set(FIRST) == set(ARMS)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_chosen_curves_have_two_standard_errors(at, first, second):
    value = at(first=first, second=second)
    for name, arm, start in (("one", first, 0), ("other", second, 1)):
        curves = shares([cell.curve for cell in cells(arm)])
        errors = 100 * np.array([cell.error for cell in cells(arm)])
        some = slice(start, None, APART)
        np.testing.assert_allclose(value[name], curves, atol=0.06)
        for row in value[f"{name}_at"]:
            np.testing.assert_allclose(row, PLACES[some])
        for end, sign in (("low", -1), ("high", 1)):
            expected = (curves + sign * errors)[:, some]
            np.testing.assert_allclose(value[f"{name}_{end}"], expected, atol=0.16)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_difference_is_over_the_seeds_that_both_have(figure, first, second):
    figure.set(first=first, second=second)
    draws = np.random.default_rng(1)
    for n, (one, other) in enumerate(zip(cells(first), cells(second), strict=True)):
        assert one.first == other.first
        both = min(len(one.area), len(other.area))
        apart = shares(one.area[:both]) - shares(other.area[:both])
        mean, low, high = (figure.value[f"apart{end}"][n] for end in ("", "_low", "_high"))
        assert mean == pytest.approx(apart.mean(), abs=0.06)
        ends = np.quantile(draws.choice(apart, (20_000, both)).mean(axis=1), [0.025, 0.975])
        slack = 0.1 + 0.1 * apart.std() / np.sqrt(both)
        np.testing.assert_allclose([low, high], ends, atol=slack)
        assert f"over {both} paired seeds" in figure.sentence
    confirmed = {first, second} <= set(ARMS[:CONFIRMED])
    assert ("exploratory" in figure.sentence) != confirmed


def test_swapping_the_arms_changes_the_sign_and_an_arm_equals_itself(name, at):
    there, back = at(first="P 0", second="off"), at(first="off", second="P 0")
    for end, other in (("", ""), ("_low", "_high"), ("_high", "_low")):
        np.testing.assert_array_equal(back[f"apart{end}"], -there[f"apart{other}"])
    same = shown(name, first="P 0", second="P 0")
    assert "choose another arm" in same.sentence
    np.testing.assert_array_equal(same.value["apart"], 0)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("n", range(CONFIRMED))
def test_the_tried_rates_are_drawn_with_their_errors(figure, task, n):
    tried = {
        c.rate: c.area for c in load("muzero_half").cells(stage="tuning", task=task, arm=ARMS[n])
    }
    names = ("rates", "tried", "tried_low", "tried_high")
    at, means, low, high = (figure.value[f"{name}_{n}"][TASKS.index(task)] for name in names)
    rates = np.array(sorted(tried))
    near = rates[np.argmin(np.abs(np.log(rates[:, None] / at)), axis=0)]
    assert set(near) == set(tried)
    np.testing.assert_allclose(near / at, near[0] / at[0], rtol=1e-3)
    np.testing.assert_allclose(means, [shares(tried[rate]).mean() for rate in near], atol=0.06)
    errors = [shares(tried[rate]).std(ddof=1) / np.sqrt(len(tried[rate])) for rate in near]
    np.testing.assert_allclose([means - low, high - means], [2 * np.array(errors)] * 2, atol=0.16)
