"""HalfMatters: bars, differences and verdicts are those of the record, whatever it says."""

import numpy as np
import pytest

from sccbook.figures.half_matters.figure import (
    APART,
    CORRECTED,
    MEASURES,
    VERDICTS,
    verdict,
)
from sccbook.models import catch
from sccbook.records import load
from sccbook.records.muzero_half import ARMS, COMPARED, RANDOM, TASKS
from tests.tiers import some_now

PLAYED = list(zip(TASKS, (catch.CATCH, catch.LONG), RANDOM, strict=True))
STATES = [(task, measure) for task in TASKS for measure in MEASURES]


def recorded(task, measure):
    """The returns by arm and seed, and the paired differences of ``COMPARED``."""
    cells = [load("muzero_half").cell(stage="confirmatory", task=task, arm=arm) for arm in ARMS]
    returns = {cell.arm: np.array(getattr(cell, measure)) for cell in cells}
    return returns, [returns[first] - returns[second] for first, second in COMPARED]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "measure"), STATES)
def test_a_bar_is_the_share_caught_and_a_difference_paired_with_its_corrected_interval(
    at, task, measure
):
    value, (returns, apart) = at(task=task, measure=measure), recorded(task, measure)
    for n, arm in enumerate(ARMS):
        share = np.mean(returns[arm]) * 50 + 50
        assert value["means"][n] == pytest.approx(share, abs=0.006)
        assert value["means_low"][n] - 0.01 <= share <= value["means_high"][n] + 0.01
    both = [*(np.mean(returns[arm]) for arm in ARMS), *np.mean(apart, axis=1)]
    np.testing.assert_allclose(value["rows_return"], both, atol=2e-4)
    draws = np.random.default_rng(1)
    for n, seeds in enumerate(apart):
        found = [value[f"apart{end}"][n] for end in ("", "_low", "_high")]
        means = draws.choice(seeds, (20_000, len(seeds))).mean(axis=1)
        ends = np.quantile(means, [(1 - CORRECTED) / 2, (1 + CORRECTED) / 2])
        assert found[0] == pytest.approx(50 * seeds.mean(), abs=0.006)
        np.testing.assert_allclose(found[1:], 50 * ends, atol=50 * 0.3 * seeds.std() / 8)
    assert round(1 - CORRECTED, 6) == round(0.05 / 6, 6)


@pytest.mark.parametrize(("mean", "low", "high", "said"), [
    (6.0, 1.0, 11.0, "an effect worth speaking of"),
    (-6.0, -11.0, -1.0, "an effect worth speaking of"),
    (3.0, 1.0, 5.5, "an effect, with a mean not worth speaking of"),
    (1.0, -3.0, 4.9, "no effect worth speaking of"),
    (1.0, -3.0, 5.1, "open at this size"),
    (6.0, -1.0, 13.0, "open at this size"),
])  # fmt: skip
def test_the_verdict_is_the_protocols(mean, low, high, said):
    assert verdict(mean, low, high) == said


@pytest.mark.parametrize(("task", "measure"), STATES)
def test_the_sentence_says_each_difference_and_its_verdict(figure, task, measure):
    figure.set(task=task, measure=measure)
    _, *parts = figure.sentence.rstrip(".").replace(": ", "; ", 1).split("; ")
    assert len(parts) == len(APART)
    for n, (name, said) in enumerate(zip(APART, parts, strict=True)):
        values = [float(figure.value[f"apart{end}"][n]) for end in ("", "_low", "_high")]
        assert said.startswith(f"{name} = ")
        assert said.endswith(f"), {verdict(*values)}")
        assert verdict(*values) in VERDICTS


@pytest.mark.slow
@pytest.mark.parametrize("game", some_now(PLAYED, PLAYED[0]))
def test_random_play_is_that_of_the_games(at, game):
    task, rules, share = game
    random, best = catch.bounds(rules)
    assert (50 * (1 + random), best) == (pytest.approx(share, abs=0.05), 1)
    np.testing.assert_array_equal(at(task=task)["random"], share)


def test_results_are_concealed_until_the_bars_are_drawn(figure):
    told = {leaf.name for leaf in figure.program.outputs} - set(figure.spec.prediction.conceals)
    assert told == {"random"}
