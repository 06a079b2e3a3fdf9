"""The loss scale: its steps against a loop, its words at the corners."""

import numpy as np
import pytest

from sccbook.figures.loss_scale.figure import BAND, ceiling

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
    assert (found["skipped"], *found["places"][: len(skipped)]) == (len(skipped), *skipped)
    assert found["settled"] == sum(step >= 20 for step in skipped)
    assert found["small"] == np.sum(np.array(powers) < ceiling() - BAND)
