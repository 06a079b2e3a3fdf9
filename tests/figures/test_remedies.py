"""The recorded remedies: what is drawn is what was recorded, and the words say what it shows."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from gradlab.figures import Remedies
from gradlab.figures.remedies import AT, EVERY, LEARNT, RATES, SHOWN
from gradlab.unroll import recorded, remedies


@pytest.mark.parametrize("remedy", ["clip", "spectral"])
def test_the_dots_and_the_lines_are_the_recorded_runs(remedy: str) -> None:
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    value = Remedies(remedy=remedy, across="longest step").value
    for i, rate in enumerate(RATES):
        (cell,) = recorded.cells(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
        runs = slice(16 * i, 16 * (i + 1))
        np.testing.assert_allclose(value["helped_runs"][runs], 100 * np.array(cell.right), atol=0.6)
        steps = np.minimum(cell.longest_step, 1000)
        np.testing.assert_allclose(value["helped_runs_at"][runs], steps, rtol=0.06)
        assert value["helped"][i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
        assert value["helped_at"][i] == pytest.approx(np.median(steps), rel=0.06)


def test_each_remedy_is_drawn_as_itself():
    drawn = [tuple(Remedies(remedy=remedy).value["helped_runs"]) for remedy in SHOWN]
    assert len(set(drawn)) == len(SHOWN) == len(remedies.REMEDIES) - 1


def test_at_equal_median_steps_one_learns_and_the_other_does_not():
    value = Remedies(remedy="normalise", across="median step").value
    assert value["plain_at"][AT] == pytest.approx(EVERY, rel=0.1)
    assert value["helped_at"][AT + 1] == pytest.approx(EVERY, rel=1e-6)
    assert value["matched"] == np.sum(value["helped_runs"][16 * (AT + 1) :][:16] > LEARNT) == 16
    assert value["plain_learnt"] == 0


def test_over_the_longest_step_all_fall_at_the_same_place():
    for remedy in ("clip", "normalise", "clip_state", "columns"):
        value = Remedies(remedy=remedy, across="longest step").value
        places = np.concatenate([value["plain_at"], value["helped_at"]])
        right = np.concatenate([value["plain"], value["helped"]])
        assert np.all(right[(places > 0.02) & (places < 0.25)] > LEARNT)
        assert np.all(right[places > 0.9] < 75)


def test_across_the_learning_rate_each_run_stands_at_its_own():
    value = Remedies(across="learning rate").value
    np.testing.assert_allclose(value["plain_runs_at"], np.repeat(RATES, 16))
    np.testing.assert_allclose(value["helped_at"], RATES)


def test_the_counts_are_of_the_record_as_it_is():
    for remedy in SHOWN:
        limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
        (cell,) = recorded.cells(
            arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=RATES[AT]
        )
        value = Remedies(remedy=remedy).value
        assert value["helped_learnt"] == sum(right > LEARNT / 100 for right in cell.right)


def test_the_record_is_light_enough_for_a_page():
    assert len(gzip.compress(Remedies().program.javascript.encode())) < 4000
