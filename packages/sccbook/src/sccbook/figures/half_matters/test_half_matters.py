"""HalfMatters: differences, intervals, slope and verdict are those of the record, whatever it says."""

import numpy as np
import pytest

from sccbook.figures.half_matters.figure import LEAST, MEASURES, OPTIMIZERS, REACH, SEEDS, VERDICTS
from sccbook.records import half_by_depth


@pytest.mark.parametrize("optimizer", dict(OPTIMIZERS))
@pytest.mark.parametrize("measure", dict(MEASURES))
@pytest.mark.parametrize("seeds", [LEAST, 33, SEEDS])
def test_means_and_intervals_are_what_the_protocol_computes(figure, optimizer, measure, seeds):
    figure.set(optimizer=optimizer, measure=measure, seeds=seeds)
    value = figure.value
    apart = half_by_depth.apart(optimizer, measure)[:, :seeds]
    means = [half_by_depth.mean_of(one) for one in apart]
    slopes = half_by_depth.slopes(apart)
    slope = half_by_depth.mean_of(slopes, 1 - half_by_depth.ALPHA)
    for name, n in (("apart", 0), ("low", 1), ("high", 2)):
        np.testing.assert_allclose(value[name], [mean[n] for mean in means], atol=0.01)
    np.testing.assert_allclose(
        [value["slope"], value["slope_low"], value["slope_high"]], slope[:3], atol=0.01
    )
    fitted = np.polyfit(np.log2(half_by_depth.LENGTHS), value["apart"], 1)
    np.testing.assert_allclose(
        value["line"], np.polyval(fitted, np.log2(half_by_depth.LENGTHS)), atol=1e-6
    )
    judged = ("grows", "falls", "not shown").index(half_by_depth.judge(slope))
    judged += 3 * half_by_depth.too_small(slopes)
    assert figure.sentence.endswith(f"{VERDICTS[judged]}.")


def test_all_pairs_are_recorded_and_every_interval_fits_the_axis(at):
    assert SEEDS == 96
    for optimizer, _ in OPTIMIZERS:
        for measure, _ in MEASURES:
            value = at(optimizer=optimizer, measure=measure)
            assert REACH[0] < value["low"].min()
            assert value["high"].max() < REACH[1]


def test_the_question_tells_the_lead_under_adam(figure, at):
    assert f"catch {at()['last']:.1f} balls of 100 more" in figure.spec.prediction.question
