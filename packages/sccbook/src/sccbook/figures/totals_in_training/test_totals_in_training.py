"""TotalsInTraining: at each measurement it draws the record, and between two what lies between."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest

from sccbook.figures import TotalsInTraining
from sccbook.figures.totals_in_training.figure import MEASURED, OFFERED, SCALES, TRAINED
from sccbook.records import muzero_half_accounts
from sccbook.records.muzero_half import TASKS
from sccbook.records.muzero_half_accounts import LENGTHS

ENDING = {"half": "_half", "one": ""}
NEAR = {"rtol": 0.002}  # three decimals of a logarithm


@pytest.fixture(scope="module")
def figure():
    return TotalsInTraining()


def ledgers(task, arm):
    found = muzero_half_accounts.cells(stage="confirmatory", task=task, arm=arm)
    return sorted(found, key=lambda cell: cell.part)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("arm", TRAINED)
def test_at_each_measurement_it_draws_the_record(figure, task, arm):
    cells = ledgers(task, arm)
    np.testing.assert_allclose([100 * cell.part for cell in cells], MEASURED, atol=0.5)
    for part, cell in zip(MEASURED, cells, strict=True):
        for scale in SCALES:
            figure.set(part=part, task=task, arm=arm, scale=scale)
            value, end = figure.value, ENDING[scale]
            np.testing.assert_allclose(value["by_lag"], cell.by_lag, atol=2e-6, **NEAR)
            for name in ("predicted", "sums", "totals"):
                expected = getattr(cell, name + end)
                np.testing.assert_allclose(value[name], expected, **NEAR)
            for name in ("low", "high"):
                expected = getattr(cell, f"totals{end}_{name}")
                np.testing.assert_allclose(value[f"totals_{name}"], expected, **NEAR)
            assert value["gain"] == pytest.approx(cell.gain, rel=0.002)
            assert value["left"] == pytest.approx(100 * getattr(cell, f"left{end}")[-1], rel=0.002)


def test_the_thin_lines_are_all_measurements_and_the_other_scale(figure):
    figure.set(part=50.0, task="long", arm="off", scale="half")
    cells = ledgers("long", "off")
    for n, cell in enumerate(cells):
        np.testing.assert_allclose(figure.value[f"at_{n}"], cell.by_lag, atol=2e-6, **NEAR)
    np.testing.assert_allclose(figure.value["other"], cells[3].totals, **NEAR)


def test_between_two_measurements_lies_their_geometric_mean(figure):
    figure.set(task="catch", arm="off", scale="one")
    found = []
    for part in (10.0, math.sqrt(10 * 25), 25.0):
        figure.set(part=part)
        found.append(figure.value)
    for name in ("by_lag", "totals", "left"):
        before, between, after = (value[name] for value in found)
        np.testing.assert_allclose(between, np.sqrt(before * after), rtol=1e-6)


def test_a_gain_alone_would_be_geometric(figure):
    figure.set(part=100.0)
    value = figure.value
    np.testing.assert_allclose(value["geometric"], value["gain"] ** np.arange(10))
    np.testing.assert_allclose(value["geometric"][:2], value["by_lag"][:2])


def test_the_right_option_is_the_nearest(figure):
    for task in TASKS:
        for scale in SCALES:
            figure.set(part=100.0, task=task, arm="P 1/2", scale=scale)
            total = figure.value["totals"][LENGTHS.index(10)]
            ratios = [max(total / offered, offered / total) for offered in OFFERED]
            assert figure.value["answer"] == int(np.argmin(ratios))


def test_the_sentence_says_if_the_total_stays_within_half_and_twice(figure):
    for task in TASKS:
        for arm in TRAINED:
            for part in MEASURED:
                for scale in SCALES:
                    figure.set(part=part, task=task, arm=arm, scale=scale)
                    total = figure.value["total"]
                    said = "less than half" if total < 0.5 else "more than twice"
                    said = "within 0.5 and 2" if 0.5 <= total <= 2 else said
                    assert f"{total:.2f} times that at K = 1, {said};" in figure.sentence


def test_all_totals_are_concealed_until_it_is_answered(figure):
    told = {leaf.name for leaf in figure.program.outputs} - set(figure.spec.prediction.conceals)
    lags = {f"at_{n}" for n in range(len(MEASURED))}
    assert told == {"lags", "by_lag", "geometric", "lengths", "gain", *lags}


def test_it_is_light(figure):
    assert len(gzip.compress(figure.program.javascript.encode())) < 5500
