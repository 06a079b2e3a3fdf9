"""HalfMatters: seeds, differences and verdicts are those of the record, whatever it says."""

import numpy as np
import pytest

from sccbook.figures.half_matters.figure import CORRECTED, DRAWN, MEASURES, REACH, verdict
from sccbook.records import load
from sccbook.records.muzero_half import ARMS, COMPARED, TASKS

STATES = [(task, measure) for task in TASKS for measure in MEASURES]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "measure"), STATES)
def test_a_dot_is_a_pair_and_a_difference_has_its_corrected_interval(at, task, measure):
    value = at(seed=33, task=task, measure=measure)
    cells = [load("muzero_half").cell(stage="confirmatory", task=task, arm=arm) for arm in ARMS]
    returns = {cell.arm: np.array(getattr(cell, measure)) for cell in cells}
    apart = np.array([returns[first] - returns[second] for first, second in COMPARED])
    np.testing.assert_allclose(value["seeds"], 50 * apart[:DRAWN], atol=0.11)
    chosen = [50 * (1 + returns[arm][32]) for arm in ARMS]
    np.testing.assert_allclose(value["caught"], chosen, atol=0.06)
    assert np.abs(value["seeds"]).max() <= REACH
    draws = np.random.default_rng(1)
    for n, seeds in enumerate(apart):
        found = [value[f"apart{end}"][n] for end in ("", "_low", "_high")]
        means = draws.choice(seeds, (20_000, len(seeds))).mean(axis=1)
        ends = np.quantile(means, [(1 - CORRECTED) / 2, (1 + CORRECTED) / 2])
        assert found[0] == pytest.approx(50 * seeds.mean(), abs=0.006)
        np.testing.assert_allclose(found[1:], 50 * ends, atol=50 * 0.3 * seeds.std() / 8)
    assert round(1 - CORRECTED, 6) == round(0.05 / 6, 6)


@pytest.mark.parametrize(("mean", "low", "high", "said"), [
    (6.0, 1.0, 11.0, "a difference that matters, as the interval excludes 0 and the mean is outside"),
    (-6.0, -11.0, -1.0, "a difference that matters, as the interval excludes 0 and the mean is outside"),
    (3.0, 1.0, 5.5, "a small difference, as the interval excludes 0 and the mean is in"),
    (1.0, -3.0, 4.9, "too small to matter, as the interval includes 0 and stays in"),
    (1.0, -3.0, 5.1, "undecided, as the interval includes 0 but reaches beyond"),
    (6.0, -1.0, 13.0, "undecided, as the interval includes 0 but reaches beyond"),
])  # fmt: skip
def test_the_verdict_is_the_protocols(mean, low, high, said):
    assert verdict(mean, low, high) == f"{said} the grey band"


@pytest.mark.parametrize(("task", "measure"), STATES)
def test_the_sentence_says_each_verdict(figure, task, measure):
    figure.set(task=task, measure=measure)
    for n, said in enumerate(figure.sentence.split(". The half")):
        values = [float(figure.value[f"apart{end}"][n]) for end in ("", "_low", "_high")]
        assert said.rstrip(".").endswith(f"): {verdict(*values)}")


def test_what_is_asked_is_too_small_to_matter_as_the_answer_says(at, figure):
    value = at(**figure.spec.prediction.settings)
    found = [value[f"apart{end}"][0] for end in ("", "_low", "_high")]
    assert verdict(*found).startswith("too small to matter")
    assert [round(float(at(task=task, measure="area")["answer"]), 1) for task in TASKS] == [
        3.2,
        found[0].round(1),
    ]
    assert round(np.abs(value["seeds"]).max()) == 33
