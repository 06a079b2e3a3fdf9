"""The loss scale: its steps against a loop, its words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures.loss_scale.figure import BAND, STEPS, ceiling

pytestmark = pytest.mark.slow


def by_a_loop(start, interval):
    """As PyTorch's GradScaler has it, step by step."""
    power, good, powers, skipped = start, 0, [], []
    for step, most in enumerate(ceiling()):
        powers.append(power)
        if power > most:
            skipped.append(step)
            power, good = power - 1, 0
            continue
        good += 1
        if good == interval:
            power, good = power + 1, 0
    return powers, skipped


@pytest.mark.parametrize(("start", "interval"), [(40, 10), (0, 10), (46, 2), (16, 100), (35, 3)])
def test_the_scale_is_doubled_after_good_steps_and_halved_after_a_skip(at, start, interval):
    found = at(start=start, interval=interval)
    powers, skipped = by_a_loop(start, interval)
    np.testing.assert_array_equal(found["power"], powers)
    assert found["skipped"] == len(skipped)
    assert found["settled"] == sum(step >= 20 for step in skipped)
    assert found["small"] == np.sum(np.array(powers) < ceiling() - BAND)


def test_each_skipped_step_has_a_mark_and_no_other_has(at):
    found, (_, skipped) = at(start=40, interval=10), by_a_loop(40, 10)
    assert sorted(set(found["lost_at"])) == skipped
    np.testing.assert_array_equal(found["power"][found["lost_at"].astype(int)], found["lost"])


def test_what_fits_rises_slowly_and_falls_at_a_spike():
    most = ceiling()
    assert len(most) == STEPS
    assert np.median(most[:20]) < np.median(most[-20:]) < np.median(most[:20]) + 4
    assert np.flatnonzero(most < 30).tolist() == [70, 71, 72]
