"""Limits that a run sets itself: what they take in, and when they begin."""

from __future__ import annotations

import numpy as np

from scaleclip.probe.adaptive import WARM_UP, autoclip, zclip


def test_autoclip_and_zclip():
    assert autoclip(np.array([3.0, 1.0, 2.0]), 50).tolist() == [3.0, 2.0, 2.0]
    norms = np.random.default_rng(0).lognormal(0, 0.1, 200)
    norms[[10, 100]] = 50.0
    begins, after = zclip(norms)
    assert after[10] == 50.0
    assert np.isinf(begins[:WARM_UP]).all()
    norms[10] = 1.0
    begins, after = zclip(norms)
    assert after[100] < begins[100] < 2
    assert abs(begins[101] - begins[100]) < 0.1  # one left at 50 would move the mean by 1.5
    norms[100] = 500.0  # the farther out, the shorter
    assert zclip(norms)[1][100] < after[100]
