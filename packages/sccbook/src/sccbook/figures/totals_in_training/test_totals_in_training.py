"""TotalsInTraining: at each measurement it draws the record."""

import numpy as np
import pytest

from sccbook.figures.totals_in_training.figure import (
    BOUND,
    MEASURED,
    MOST,
    TOTALS,
    TRAINED,
    UNROLLS,
)
from sccbook.records import load
from sccbook.records.muzero_half import LENGTHS, TASKS


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("arm", TRAINED)
@pytest.mark.parametrize("length", UNROLLS)
def test_the_record_is_drawn_and_read_off_at_each_measurement(at, task, arm, length):
    found = load("muzero_half_accounts").cells(stage="confirmatory", task=task, arm=arm)
    cells = sorted(found, key=lambda cell: cell.part)
    np.testing.assert_allclose([100 * cell.part for cell in cells], MEASURED, atol=0.5)
    for when, part in enumerate(MEASURED):
        value = at(part=part, task=task, arm=arm, length=str(length))
        for name in TOTALS:
            recorded = [getattr(cell, name)[LENGTHS.index(length)] for cell in cells]
            np.testing.assert_allclose(value[name], recorded, atol=6e-4)
        for name, totals in (("half", "totals_half"), ("whole", "totals")):
            assert value[name] == pytest.approx(value[totals][when])
            assert value[name] < MOST
        assert value["gain"] == pytest.approx(cells[-1].gain, abs=6e-4)


def test_the_bound_holds_for_every_median_with_the_half_and_for_20_of_30_without(at):
    found = [at(task=task, arm=arm) for task in TASKS for arm in TRAINED]
    assert all(np.all(value["totals_half"] < BOUND) for value in found)
    assert sum(np.sum(value["totals"] < BOUND) for value in found) == 20


def test_the_question_tells_where_it_ends_without_the_half(figure, at):
    assert f"end at {at()['whole']:.1f}, measured" in figure.spec.prediction.question
