"""Lay the recordings of two trainings side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scaleclip.probe import report
from scaleclip.probe.logs import load
from scaleclip.probe.recording import Recording
from scaleclip.text_table import aligned

APART, LASTING = 2.0, 25
"""Runs have parted where the median of so many norms in a row differs by more than this factor."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two recordings, and where they part, by ``compare``. It prints itself.

    >>> from scaleclip import probe
    >>> probe.compare([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]).differs
    3

    Attributes:
      a, b: the recordings.
      names: what they are called.
      common: how many steps both have kept, in their histories or at their ends.
      differs: the first of these whose norms differ at all, by more than 1 in 100,000; None if none.
      parts: the first of these from which on they differ by more than a factor of 2, and go on doing
        so: where the median ratio of 25 steps in a row is first beyond it, the first of those 25 that
        is. None if there is none.
    """

    a: Recording
    b: Recording
    names: tuple[str, str]
    common: int
    differs: int | None
    parts: int | None

    def __repr__(self) -> str:
        both = (self.a, self.b)
        columns = [_column(recording) for recording in both]
        rows = [["", *self.names, f"{self.names[1]} / {self.names[0]}"]]
        pairs = {name: (one, columns[1][name]) for name, one in columns[0].items()}
        rows += [[name, *_pair(*pair)] for name, pair in pairs.items() if pair != ("", "")]
        named = [f"{kind}, {name}" for kind in ("median", "of norm²") for name in self.names]
        groups = [["group", *named[:2], "ratio", *named[2:]]]
        shares = [{g: report.part(r, norms) for g, norms in r.groups.items()} for r in both]
        every = {**shares[1], **shares[0]}
        for g in sorted(every, key=lambda g: -every[g]):
            medians = [report.median(r.groups.get(g, np.zeros(0))) for r in both]
            parts = [report.percent(share[g]) if g in share else "" for share in shares]
            groups.append([g, *_pair(*medians), *parts])
        table = ["", *aligned(groups)] if every else []
        return "\n".join([*aligned(rows), *self._parting(), *table])

    def _parting(self) -> list[str]:
        if not self.common:
            return ["No step is in both."]
        shared = f"Of {report.count(self.common, 'step')} that both have kept,"
        if self.differs is None:
            return [f"{shared} none differs."]
        later = f"from step {self.parts:,} on" if self.parts else "from no step on"
        first = f"{shared} step {self.differs:,} is the first that differs;"
        return [first, f"{later} by more than a factor of {APART:g} (the median of {LASTING})."]


def compare(a: Any, b: Any, names: tuple[str, str] = ("a", "b")) -> Comparison:
    """Compare two trainings: their norms, counts and groups, and the step from which on they part.

    >>> from scaleclip import probe
    >>> usual = [1.0, 2.0] * 20
    >>> print(probe.compare(usual, [*usual[:10], *(3 * n for n in usual[10:])], ("fp32", "bf16")))
                     fp32  bf16  bf16 / fp32
    steps              40    40
    clipped           0 %   0 %
    not finite          0     0
    skipped             0     0
    norms of steps   1–40  1–40
    median            1.5     3            2
    90th percentile     2     6            3
    largest             2     6            3
    Of 40 steps that both have kept, step 11 is the first that differs;
    from step 11 on by more than a factor of 2 (the median of 25).

    Args:
      a, b: recordings, or what ``load`` takes: lists of norms, paths of logs.
      names: what to call them.

    Returns:
      The comparison. Groups that only one of them has are listed as such.
    """
    a, b = load(a), load(b)
    norms = [
        {
            n: norm
            for r in (whole.history, whole)
            if r
            for n, norm in zip(r.steps.tolist(), r.norms, strict=True)
        }
        for whole in (a, b)
    ]
    steps = sorted(norms[0].keys() & norms[1].keys())
    x, y = (np.array([by_step[n] for n in steps], float) for by_step in norms)
    unlike = np.flatnonzero(~np.isclose(x, y, rtol=1e-5, atol=0.0, equal_nan=True))
    parts = _apart(x, y)
    return Comparison(
        a,
        b,
        names,
        len(steps),
        steps[unlike[0]] if unlike.size else None,
        None if parts is None else steps[parts],
    )


def _apart(x: np.ndarray, y: np.ndarray) -> int | None:
    """Find where the ratio of norms goes beyond the factor, and its median stays there."""
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0))
    if len(known) < LASTING:
        return None
    logs = np.lib.stride_tricks.sliding_window_view(np.log(y[known] / x[known]), LASTING)
    medians = np.median(logs, axis=1)
    start = int(np.argmax(np.abs(medians) > np.log(APART)))  # 0, too, where there is none
    beyond = logs[start] * np.sign(medians[start]) > np.log(APART)
    return int(known[start + np.argmax(beyond)]) if beyond.sum() > LASTING / 2 else None


def _column(r: Recording) -> dict[str, str | float]:
    """What is printed of one recording; numbers that have a ratio are floats."""
    norms = r.finite if r.finite.size else np.full(1, np.nan)
    return {
        "steps": f"{r.seen:,}",
        "clipped": report.percent(r.clipped / max(r.seen, 1)),
        "not finite": f"{r.nonfinite:,}",
        "skipped": f"{r.skipped:,}",
        "spikes": "" if r.spiked is None else f"{r.spiked:,}",
        "norms of steps": f"{r.steps[0]}–{r.steps[-1]}" if r.steps.size else "none",
        "median": float(np.median(norms)),
        "90th percentile": float(np.percentile(norms, 90)),
        "largest": float(norms.max()),
    }


def _pair(one: str | float, other: str | float) -> list[str]:
    """Write two values, and the ratio of numbers; nothing for one that there isn't."""
    if isinstance(one, str) or isinstance(other, str):
        return [str(one), str(other), ""]
    values = (one, other, other / one if one > 0 else np.nan)
    return ["" if np.isnan(value) else report.show(value) for value in values]
