"""TotalsInTraining: at each measurement it draws the record, and between two the line from one to the other."""

import numpy as np
import pytest

from sccbook.figures.totals_in_training.figure import (
    ARMS,
    LINES,
    MEASURED,
    MOST,
    OPTIMIZERS,
    UNROLLS,
)
from sccbook.records import load

STATES = [(o, arm, k) for o, _ in OPTIMIZERS for arm, _ in ARMS for k in UNROLLS]


@pytest.mark.parametrize(("optimizer", "arm", "length"), STATES)
def test_the_record_is_drawn_at_each_measurement(at, optimizer, arm, length):
    found = load("half_by_depth_totals").cells(
        stage="confirmatory", optimizer=optimizer, arm=arm, steps=length
    )
    cells = sorted(found, key=lambda cell: cell.part)
    np.testing.assert_allclose([100 * cell.part for cell in cells], MEASURED, atol=0.5)
    before = None
    for percent, cell in zip(MEASURED, cells, strict=True):
        state = {"optimizer": optimizer, "arm": arm, "length": str(length)}
        value = at(part=percent, **state)
        places = len(cell.lengths)
        for name in LINES:
            np.testing.assert_allclose(value[name][:places], getattr(cell, name), atol=6e-3)
            assert np.all(value[name][places:] == value[name][places - 1])
        assert value["whole"].max() < MOST
        if before is not None and (percent - before[0]) % 2 == 0:
            between = at(part=(percent + before[0]) // 2, **state)
            np.testing.assert_allclose(
                between["whole"], (value["whole"] + before[1]) / 2, rtol=1e-6
            )
        before = percent, value["whole"]


def test_the_question_tells_where_agents_without_the_half_end(figure, at):
    assert f"end at {at()['whole_end']:.2f}, measured" in figure.spec.prediction.question
