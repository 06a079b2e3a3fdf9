"""TotalsInTraining: at each measurement it draws the record, and between two what lies between."""

import math

import numpy as np
import pytest

from sccbook.figures.totals_in_training.figure import MEASURED, OFFERED, SCALES, TRAINED
from sccbook.records import load
from sccbook.records.muzero_half import TASKS

ENDING = {"half": "_half", "one": ""}
NEAR = {"rtol": 0.002}  # three decimals of a logarithm


def ledgers(task, arm):
    found = load("muzero_half_accounts").cells(stage="confirmatory", task=task, arm=arm)
    return sorted(found, key=lambda cell: cell.part)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("arm", TRAINED)
@pytest.mark.parametrize("scale", SCALES)
def test_the_record_is_drawn_at_each_measurement(figure, task, arm, scale):
    cells, end = ledgers(task, arm), ENDING[scale]
    np.testing.assert_allclose([100 * cell.part for cell in cells], MEASURED, atol=0.5)
    for part, cell in zip(MEASURED, cells, strict=True):
        figure.set(part=part, task=task, arm=arm, scale=scale)
        value = figure.value
        np.testing.assert_allclose(value["by_lag"], cell.by_lag, atol=2e-6, **NEAR)
        for name in ("predicted", "sums", "totals"):
            np.testing.assert_allclose(value[name], getattr(cell, name + end), **NEAR)
        for name in ("low", "high"):
            np.testing.assert_allclose(
                value[f"totals_{name}"], getattr(cell, f"totals{end}_{name}"), **NEAR
            )
        found = [value["gain"], value["left"]]
        np.testing.assert_allclose(
            found, [cell.gain, 100 * getattr(cell, f"left{end}")[-1]], **NEAR
        )
        total = value["total"]
        said = "less than half" if total < 0.5 else "more than twice"
        said = "within 0.5 and 2" if 0.5 <= total <= 2 else said
        assert f"{total:.2f} times that at K = 1, {said};" in figure.sentence
        ratios = [max(total / offered, offered / total) for offered in OFFERED]
        assert value["answer"] == int(np.argmin(ratios))


def test_the_thin_lines_are_all_measurements_and_the_other_scale(at):
    value, cells = at(part=50.0, task="long", arm="off", scale="half"), ledgers("long", "off")
    for n, cell in enumerate(cells):
        np.testing.assert_allclose(value[f"at_{n}"], cell.by_lag, atol=2e-6, **NEAR)
    np.testing.assert_allclose(value["other"], cells[3].totals, **NEAR)


def test_between_two_measurements_lies_their_geometric_mean(at):
    found = [at(part=part, arm="off", scale="one") for part in (10.0, math.sqrt(10 * 25), 25.0)]
    for name in ("by_lag", "totals", "left"):
        before, between, after = (value[name] for value in found)
        np.testing.assert_allclose(between, np.sqrt(before * after), rtol=1e-6)


def test_totals_are_concealed_until_the_answer(figure):
    told = {leaf.name for leaf in figure.program.outputs} - set(figure.spec.prediction.conceals)
    lags = {f"at_{n}" for n in range(len(MEASURED))}
    assert told == {"lags", "by_lag", "geometric", "lengths", "gain", *lags}
