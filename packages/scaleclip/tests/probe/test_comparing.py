"""Two trainings side by side: where they part, and what is in one of them alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scaleclip import probe
from scaleclip.probe import Recording

NORMS = np.exp(0.3 * np.random.default_rng(0).normal(size=200))
RUN = Recording(np.arange(1, 201), NORMS, np.ones(200), {"a": NORMS, "b": 0 * NORMS}, seen=200)


def test_runs_part_where_the_norms_differ_lastingly_not_where_one_spikes():
    other = NORMS * np.where(RUN.steps >= 120, 4.0, 1.001)
    other[[50, 51, 52]] *= 100
    found = probe.compare(RUN, replace(RUN, norms=other, groups={"a": other, "c": other}))
    assert (found.common, found.differs, found.parts) == (200, 1, 120)
    rows = [line.split() for line in repr(found).splitlines()]
    assert ["c", f"{np.median(other):.3g}", "100", "%"] in rows
    assert ["b", "0", "0", "%"] in rows
    again = probe.compare(RUN, replace(RUN))
    assert (again.differs, again.parts) == (None, None)


def test_steps_in_the_history_are_compared_where_the_ends_are_of_other_steps():
    end = Recording(RUN.steps[-9:], NORMS[-9:], np.ones(9), seen=200, history=RUN)
    found = probe.compare(end, 3 * NORMS[:100])
    assert (found.common, found.parts) == (100, 1)
    assert "192–200  1–100" in repr(found)
    assert "that both have kept, none differs" in repr(probe.compare(end, NORMS[:150]))
    alone = repr(probe.compare(replace(end, history=None, spiked=2), NORMS[:9]))
    assert {"No step is in both.", "spikes 2"} < {
        " ".join(row.split()) for row in alone.splitlines()
    }
