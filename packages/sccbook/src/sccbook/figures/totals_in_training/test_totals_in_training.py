"""TotalsInTraining: at each measurement it draws the record."""

import numpy as np
import pytest

from sccbook.figures.totals_in_training.figure import BOUND, MEASURED, MOST, TOTALS, TRAINED
from sccbook.records import load
from sccbook.records.muzero_half import TASKS


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("arm", TRAINED)
def test_the_record_is_drawn_at_each_measurement(figure, task, arm):
    found = load("muzero_half_accounts").cells(stage="confirmatory", task=task, arm=arm)
    cells = sorted(found, key=lambda cell: cell.part)
    np.testing.assert_allclose([100 * cell.part for cell in cells], MEASURED, atol=0.5)
    for when, cell in enumerate(cells, 1):
        figure.set(when=when, task=task, arm=arm)
        value = figure.value
        for name in TOTALS:
            np.testing.assert_allclose(value[name], getattr(cell, name), atol=6e-4)
        assert max(value["half"], value["whole"]) < MOST
        assert value["gain"] == pytest.approx(cell.gain, abs=6e-4)
        said = "below" if value["half"] < BOUND else "above"
        assert (
            f"{value['half']:.1f} times the gradient of one with s = ½, {said} 2" in figure.sentence
        )


def test_the_bound_holds_for_every_median_with_the_half_and_for_20_of_30_without(at):
    states = [(when, task, arm) for when in range(1, 6) for task in TASKS for arm in TRAINED]
    found = [at(when=when, task=task, arm=arm) for when, task, arm in states]
    assert all(value["half"] < BOUND for value in found)
    assert sum(value["whole"] < BOUND for value in found) == 20
