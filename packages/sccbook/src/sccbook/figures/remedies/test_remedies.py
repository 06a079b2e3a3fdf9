"""The recorded remedies: what is drawn is what was recorded, and where the lines fall."""

import numpy as np
import pytest

from sccbook.figures.remedies.figure import FALLEN, LEARNT, RATES, SPAN, STOPS, falling
from sccbook.models import remedies
from sccbook.records import load

MANY = len(remedies.REMEDIES)
MEASURES = ("rate", "median_step", "longest_step")


@pytest.mark.parametrize("way", range(len(STOPS)))
def test_dots_and_lines_are_the_recorded_runs_at_each_stop(at, way):
    value = at(way=STOPS[way][0])
    runs, places = (value[name].reshape(MANY, len(RATES), 16) for name in ("runs", "runs_at"))
    middle, middles = (value[name].reshape(MANY, -1) for name in ("middle", "middle_at"))
    for n, (remedy, limit) in enumerate(zip(remedies.REMEDIES, remedies.LIMITS, strict=True)):
        for i, rate in enumerate(RATES):
            cell = load("remedies").cell(
                arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate
            )
            there = np.log10(np.clip(getattr(cell, MEASURES[way]), *SPAN))
            np.testing.assert_allclose(runs[n, i], 100 * np.array(cell.right), atol=0.5)
            np.testing.assert_allclose(places[n, i], np.broadcast_to(there, 16), atol=0.006)
            assert middle[n, i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
            assert middles[n, i] == pytest.approx(np.median(there), abs=0.006)
            learnt = sum(right > LEARNT / 100 for right in cell.right)
            assert rate != 0.1 or value[f"learnt_{remedy}"] == value["learnt"][n] == learnt


@pytest.mark.parametrize("level", [FALLEN[0], 60, FALLEN[1]])
@pytest.mark.parametrize("way", range(len(STOPS)))
def test_a_line_falls_where_it_crosses_the_level_and_the_spread_is_from_first_to_last(
    at, way, level
):
    value = at(way=STOPS[way][0], level=level)
    lines, places = (value[name].reshape(MANY, -1) for name in ("middle", "middle_at"))
    falls = value["falls"][way]
    for n, fall in zip(falling(), falls, strict=True):
        top = lines[n].argmax()
        assert np.interp(fall, places[n, top:], lines[n, top:]) == pytest.approx(level)
    assert value["spreads"][way] == pytest.approx(10 ** np.ptp(falls))
    assert value["closest"] == 1
