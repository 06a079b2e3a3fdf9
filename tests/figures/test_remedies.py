"""The recorded remedies: what is drawn is what was recorded, and the words say what it shows."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from gradlab.figures import Remedies
from gradlab.figures.remedies import ACROSS, AT, LEARNT, LINES, RATES, SHOWN
from gradlab.figures.train_it_here import REMEDIES
from gradlab.unroll import recorded, remedies


@pytest.mark.parametrize("remedy", ["clip", "spectral"])
def test_the_dots_and_the_lines_are_the_recorded_runs(remedy: str) -> None:
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    value = Remedies(remedy=REMEDIES[remedy], across="longest step").value
    for i, rate in enumerate(RATES):
        (cell,) = recorded.cells(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
        runs = slice(16 * i, 16 * (i + 1))
        np.testing.assert_allclose(value["helped_runs"][runs], 100 * np.array(cell.right), atol=0.6)
        steps = np.minimum(cell.longest_step, 1000)
        np.testing.assert_allclose(value["helped_runs_at"][runs], steps, rtol=0.06)
        assert value["helped"][i] == pytest.approx(100 * np.median(cell.right), abs=0.5)
        assert value["helped_at"][i] == pytest.approx(np.median(steps), rel=0.06)


def test_each_remedy_is_drawn_as_itself():
    drawn = [tuple(Remedies(remedy=REMEDIES[remedy]).value["helped_runs"]) for remedy in SHOWN]
    assert len(set(drawn)) == len(SHOWN) == len(remedies.REMEDIES) - 1


def test_at_equal_median_steps_one_learns_and_the_other_does_not():
    value = Remedies(remedy=REMEDIES["normalise"], across="median step").value
    assert value["helped_at"][AT + 1] == pytest.approx(value["plain_at"][AT], rel=0.1)
    assert np.all(value["helped_runs"][16 * (AT + 1) :][:16] > LEARNT)
    assert value["plain_learnt"] == 0


def test_the_lines_fall_at_nearly_the_same_longest_step():
    factors = {across: Remedies(across=across).value["factor"] for across in ACROSS}
    assert factors["longest step"] < 5 < 9 < min(factors["learning rate"], factors["median step"])
    assert Remedies().spec.prediction.options[Remedies().value["agrees"]] == "the longest step"


def test_every_line_that_learns_and_forgets_falls_between_the_first_and_the_last():
    for across in ACROSS:
        value = Remedies(across=across).value
        for line in ("plain", *LINES):
            right, at = value[line], value[f"{line}_at"]
            if right.max() > LEARNT and right[-1] < 60:
                assert np.all(right[at < value["first"]][1:] > 60), line
                assert np.all(right[at > value["last"]] < 60), line


def test_over_the_longest_step_all_fall_at_the_same_place():
    for remedy in ("clip", "normalise", "clip_state", "columns"):
        value = Remedies(remedy=REMEDIES[remedy], across="longest step").value
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
        value = Remedies(remedy=REMEDIES[remedy]).value
        assert value["helped_learnt"] == sum(right > LEARNT / 100 for right in cell.right)


def test_the_record_is_light_enough_for_a_page():
    assert len(gzip.compress(Remedies().program.javascript.encode())) < 4000
