"""The recorded remedies: what is drawn is what was recorded, and where the lines fall."""

import numpy as np
import pytest

from sccbook.figures.remedies.figure import FALLEN, LEARNT, RATES, SPAN, STOPS
from sccbook.models import remedies
from sccbook.records import load

MANY = len(remedies.REMEDIES)
MEASURES = ("rate", "median_step", "longest_step")
FIELDS = ("by_rate", "by_median", "by_longest")


@pytest.mark.parametrize("way", range(len(STOPS)))
def test_dots_and_lines_are_the_recorded_runs_at_each_stop(at, way):
    value = at(way=float(way))
    runs, places = (value[name].reshape(MANY, len(RATES), 16) for name in ("runs", "runs_at"))
    middle, middles = (value[name].reshape(MANY, -1) for name in ("middle", "middle_at"))
    for n, (remedy, limit) in enumerate(zip(remedies.REMEDIES, remedies.LIMITS, strict=True)):
        for i, rate in enumerate(RATES):
            cell = load("remedies").cell(
                arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate
            )
            there = np.clip(getattr(cell, MEASURES[way]), *SPAN)
            np.testing.assert_allclose(runs[n, i], 100 * np.array(cell.right), atol=0.5)
            np.testing.assert_allclose(places[n, i], np.broadcast_to(there, 16), rtol=0.012)
            assert middle[n, i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
            assert middles[n, i] == pytest.approx(np.median(there), rel=0.012)
            learnt = sum(right > LEARNT / 100 for right in cell.right)
            assert rate != 0.1 or value[f"learnt_{remedy}"] == value["learnt"][n] == learnt


@pytest.mark.parametrize("way", range(len(STOPS)))
def test_every_line_that_learns_and_forgets_falls_between_the_first_and_the_last(at, way):
    value = at(way=float(way))
    lines, places = (value[name].reshape(MANY, -1) for name in ("middle", "middle_at"))
    for right, there in zip(lines, places, strict=True):
        if right.max() > LEARNT and right[-1] < FALLEN:
            assert np.all(right[there < value["first"]][1:] > FALLEN)
            assert np.all(right[there > value["last"]] < FALLEN)
    assert value["apart"] == pytest.approx(value["last"] / value["first"])
    assert value["apart"] == pytest.approx(value[FIELDS[way]])


def test_between_two_stops_all_is_halfway_on_a_logarithmic_axis(at):
    for name in ("runs_at", "middle_at"):
        halfway = np.sqrt(at(way=1.0)[name] * at(way=2.0)[name])
        np.testing.assert_allclose(at(way=1.5)[name], halfway, rtol=1e-9)
