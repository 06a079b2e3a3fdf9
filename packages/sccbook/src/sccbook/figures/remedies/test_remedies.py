"""The recorded remedies: what is drawn is what was recorded, and the words say what it shows."""

import numpy as np
import pytest

from sccbook.figures import Remedies
from sccbook.figures.remedies.figure import ACROSS, AT, LEARNT, LINES, RATES, SHOWN, SPAN
from sccbook.figures.train_it_here.figure import REMEDIES
from sccbook.models import remedies
from sccbook.records import load

MEDIAN, LONGEST = ACROSS.index("median step"), ACROSS.index("longest step")


@pytest.mark.parametrize("remedy", SHOWN)
def test_the_lines_are_the_recorded_runs(at, remedy):
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    value = at(remedy=REMEDIES[remedy])
    for i, rate in enumerate(RATES):
        cell = load("remedies").cell(
            arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate
        )
        steps = np.clip(np.median([cell.median_step, cell.longest_step], axis=1), *SPAN)
        assert value["helped"][i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
        np.testing.assert_allclose(value["helped_at"][:, i], [rate, *steps], rtol=0.06)
        learnt = sum(right > LEARNT / 100 for right in cell.right)
        assert i != AT or value["helped_learnt"] == learnt
    np.testing.assert_allclose(value["helped_median"], value["helped_at"][MEDIAN])
    np.testing.assert_allclose(value["helped_longest"], value["helped_at"][LONGEST])
    np.testing.assert_array_equal(value["helped"], value[f"line_{remedy}"])
    np.testing.assert_array_equal(value["helped_at"], value[f"line_{remedy}_at"])


@pytest.mark.parametrize("across", range(len(ACROSS)))
def test_every_line_that_learns_and_forgets_falls_between_the_first_and_the_last(
    across,
):
    value = Remedies().value
    for line in LINES:
        right, at = value[line], value[f"{line}_at"][across]
        if right.max() > LEARNT and right[-1] < 60:
            assert np.all(right[at < value["first"][across]][1:] > 60), line
            assert np.all(right[at > value["last"][across]] < 60), line


def test_before_the_answer_only_the_learning_rate_is_shown(figure, at):
    found = at(way=figure.spec.prediction.holds["way"])
    for name in ("first", "last", "helped_at", *(f"{line}_at" for line in LINES)):
        assert np.all(np.isnan(found[name][1:])), name
    np.testing.assert_allclose(found["helped_at"][0], RATES)
    middle = np.sqrt(np.asarray(RATES) * at()["helped_at"][1:])  # halfway, on a logarithmic axis
    np.testing.assert_allclose(at(way=0.5)["helped_at"][1:], middle, rtol=1e-6)
