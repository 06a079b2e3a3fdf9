"""The recorded remedies: what is drawn is what was recorded, and the words say what it shows."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from sccbook.figures import Remedies
from sccbook.figures.remedies.figure import ACROSS, AT, LEARNT, LINES, RATES, SHOWN, SPAN
from sccbook.figures.train_it_here.figure import REMEDIES
from sccbook import records as recorded
from sccbook.models import remedies

MEDIAN, LONGEST = ACROSS.index("median step"), ACROSS.index("longest step")


@pytest.mark.parametrize("remedy", SHOWN)
def test_the_lines_are_the_recorded_runs(remedy: str) -> None:
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    value = Remedies(remedy=REMEDIES[remedy]).value
    for i, rate in enumerate(RATES):
        (cell,) = recorded.cells(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
        steps = np.clip(np.median([cell.median_step, cell.longest_step], axis=1), *SPAN)
        assert value["helped"][i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
        np.testing.assert_allclose(value["helped_at"][:, i], [rate, *steps], rtol=0.06)
    np.testing.assert_allclose(value["helped_median"], value["helped_at"][MEDIAN])
    np.testing.assert_allclose(value["helped_longest"], value["helped_at"][LONGEST])
    np.testing.assert_array_equal(value["helped"], value[f"line_{remedy}"])
    np.testing.assert_array_equal(value["helped_at"], value[f"line_{remedy}_at"])


def test_at_equal_median_steps_one_learns_and_the_other_does_not():
    value = Remedies(remedy=REMEDIES["normalise"]).value
    plain_at = value["line_nothing_at"][MEDIAN, AT]
    assert value["helped_at"][MEDIAN, AT + 1] == pytest.approx(plain_at, rel=0.1)
    assert value["helped"][AT + 1] > LEARNT
    assert value["plain_learnt"] == 0


def test_the_lines_fall_at_nearly_the_same_longest_step():
    value = Remedies().value
    assert value["by_longest"] < 5 < 9 < min(value["by_rate"], value["by_median"])
    assert Remedies().spec.prediction.options[value["agrees"]] == "the longest step"
    factors = [value["by_rate"], value["by_median"], value["by_longest"]]
    np.testing.assert_allclose(value["last"] / value["first"], factors)


@pytest.mark.parametrize("across", range(len(ACROSS)))
def test_every_line_that_learns_and_forgets_falls_between_the_first_and_the_last(
    across: int,
) -> None:
    value = Remedies().value
    for line in LINES:
        right, at = value[line], value[f"{line}_at"][across]
        if right.max() > LEARNT and right[-1] < 60:
            assert np.all(right[at < value["first"][across]][1:] > 60), line
            assert np.all(right[at > value["last"][across]] < 60), line


def test_over_the_longest_step_all_fall_at_the_same_place():
    value = Remedies().value
    for remedy in ("nothing", "clip", "normalise", "clip_state", "columns"):
        places, right = value[f"line_{remedy}_at"][LONGEST], value[f"line_{remedy}"]
        assert np.all(right[(places > 0.02) & (places < 0.25)] > LEARNT)
        assert np.all(right[places > 0.9] < 75)


def test_until_it_is_answered_the_lines_stand_over_the_learning_rate_alone():
    held = Remedies().spec.prediction.holds["way"]

    found = Remedies(way=held).value
    for name in ("first", "last", "helped_at", *(f"{line}_at" for line in LINES)):
        assert np.all(np.isnan(found[name][1:])), name
    np.testing.assert_allclose(found["helped_at"][0], RATES)


def test_on_the_way_a_line_stands_between_its_rate_and_its_steps():
    there, halfway = Remedies().value, Remedies(way=0.5).value
    middle = np.sqrt(np.asarray(RATES) * there["helped_at"][1:])
    np.testing.assert_allclose(halfway["helped_at"][1:], middle, rtol=1e-6)


def test_the_counts_are_of_the_record_as_it_is():
    for remedy in SHOWN:
        limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
        (cell,) = recorded.cells(
            arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=RATES[AT]
        )
        value = Remedies(remedy=REMEDIES[remedy]).value
        assert value["helped_learnt"] == sum(right > LEARNT / 100 for right in cell.right)


def test_the_record_is_light_enough_for_a_page():
    assert len(gzip.compress(Remedies().program.javascript.encode())) < 4000
