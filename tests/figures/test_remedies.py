"""The recorded remedies: what is drawn is what was recorded, and the words say what it shows."""

from __future__ import annotations

import numpy as np
import pytest

from gradlab.figures import Remedies
from gradlab.figures.remedies import AT, EVERY, LEARNT, RATES, SHOWN
from gradlab.unroll import recorded, remedies


@pytest.mark.parametrize("optimizer", remedies.OPTIMIZERS)
@pytest.mark.parametrize("remedy", ["clip", "spectral"])
def test_the_dots_and_the_lines_are_the_recorded_runs(remedy: str, optimizer: str) -> None:
    limit = remedies.LIMITS[remedies.REMEDIES.index(remedy)]
    value = Remedies(remedy=remedy, optimizer=optimizer).value
    for i, rate in enumerate(RATES):
        (cell,) = recorded.cells(
            arm="grid", remedy=remedy, limit=limit, optimizer=optimizer, rate=rate
        )
        runs = slice(16 * i, 16 * (i + 1))
        np.testing.assert_allclose(value["helped_runs"][runs], 100 * np.array(cell.right), atol=0.6)
        steps = np.minimum(cell.longest_step, 1000)
        np.testing.assert_allclose(value["helped_runs_at"][runs], steps, rtol=0.06)
        assert value["helped"][i] == np.median(value["helped_runs"][runs])
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
        value = Remedies(remedy=remedy).value
        places = np.concatenate([value["plain_at"], value["helped_at"]])
        right = np.concatenate([value["plain"], value["helped"]])
        assert np.all(right[(places > 0.02) & (places < 0.25)] > LEARNT)
        assert np.all(right[places > 0.9] < 75)


def test_with_adam_the_clip_leaves_the_longest_step_as_it_is():
    value = Remedies(remedy="clip", optimizer="adam").value
    np.testing.assert_allclose(value["helped_at"], value["plain_at"], rtol=0.02)
