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
      parts: the first of these from which on they differ by more than a factor 2 lastingly: the first
        such step of the first 25 whose median ratio is beyond it. None if there is none.
    """

    a: Recording
    b: Recording
    names: tuple[str, str]
    common: int
    differs: int | None
    parts: int | None

    def __repr__(self) -> str:
        return "\n".join([*_whole(self), *_parting(self), "", *_groups(self)]).rstrip()


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
    spikes              0     0
    norms of steps   1–40  1–40
    median            1.5     3            2
    90th percentile     2     6            3
    largest             2     6            3
    Of 40 steps that both have kept, step 11 is the first that differs;
    from step 11 on by more than a factor 2 (the median of 25).

    Args:
      a, b: recordings, or what ``load`` takes: lists of norms, paths of logs.
      names: what to call them.

    Returns:
      The comparison. Groups that only one of them has are listed as such.
    """
    a, b = load(a), load(b)
    one, other = _known(a), _known(b)
    steps = np.array(sorted(one.keys() & other.keys()), np.int64)
    x, y = (np.array([norms[n] for n in steps.tolist()]) for norms in (one, other))
    unlike = steps[~np.isclose(x, y, rtol=1e-5, atol=0.0, equal_nan=True)]
    return Comparison(
        a, b, names, len(steps), int(unlike[0]) if unlike.size else None, _apart(steps, x, y)
    )


def _known(recording: Recording) -> dict[int, float]:
    """By step the norms of the whole run, and of its end."""
    whole = recording.history
    kept = dict(zip(whole.steps.tolist(), whole.norms.tolist(), strict=True)) if whole else {}
    return kept | dict(zip(recording.steps.tolist(), recording.norms.tolist(), strict=True))


def _apart(steps: np.ndarray, x: np.ndarray, y: np.ndarray) -> int | None:
    """Find where the ratio of the norms goes beyond the factor, and its median stays there."""
    known = np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0)
    if known.sum() < LASTING:
        return None
    logs = np.log(y[known] / x[known])
    medians = np.median(np.lib.stride_tricks.sliding_window_view(logs, LASTING), axis=1)
    beyond = np.flatnonzero(np.abs(medians) > np.log(APART))
    if not beyond.size:
        return None
    start = beyond[0]
    within = logs[start : start + LASTING] * np.sign(medians[start]) > np.log(APART)
    return int(steps[known][start + np.argmax(within)])


def _whole(found: Comparison) -> list[str]:
    both = (found.a, found.b)
    rows = [["", *found.names, f"{found.names[1]} / {found.names[0]}"]]
    counts = {
        "steps": [f"{r.seen:,}" for r in both],
        "clipped": [report.percent(r.clipped / r.seen) if r.seen else "" for r in both],
        "not finite": [f"{r.nonfinite:,}" for r in both],
        "skipped": [f"{r.skipped:,}" for r in both],
        "spikes": [f"{r.spiked:,}" for r in both],
        "norms of steps": [f"{r.steps[0]}–{r.steps[-1]}" if len(r.steps) else "none" for r in both],
    }
    rows += [[name, *values, ""] for name, values in counts.items()]
    if all(r.finite.size for r in both):
        for name, percentile in {"median": 50, "90th percentile": 90, "largest": 100}.items():
            one, other = (float(np.percentile(r.finite, percentile)) for r in both)
            rows.append([name, report.show(one), report.show(other), _ratio(one, other)])
    return aligned(rows)


def _parting(found: Comparison) -> list[str]:
    if not found.common:
        return ["No step was kept in both: where they part can't be said."]
    shared = report.count(found.common, "step")
    if found.differs is None:
        return [f"Of {shared} that both have kept, none differs."]
    if found.parts is None:
        later = f"at no step by more than a factor {APART:g} lastingly"
    else:
        later = f"from step {found.parts:,} on by more than a factor {APART:g}"
    return [
        f"Of {shared} that both have kept, step {found.differs:,} is the first that differs;",
        f"{later} (the median of {LASTING}).",
    ]


def _groups(found: Comparison) -> list[str]:
    both = (found.a, found.b)
    shares = [{g: report.part(r, norms) for g, norms in r.groups.items()} for r in both]
    shared = sorted(shares[0].keys() & shares[1].keys(), key=lambda g: -shares[0][g])
    rows = [["group", *(f"{kind}, {n}" for kind in ("median", "of norm²") for n in found.names)]]
    rows[0].insert(3, "ratio")
    measured = any(r.ratios for r in both)
    rows[0] += [f"update/weight, {n}" for n in found.names] if measured else []
    for g in shared[: report.AT_MOST]:
        one, other = (report.median(r.groups[g]) for r in both)
        row = [g, report.show(one), report.show(other), _ratio(one, other)]
        row += [report.percent(share[g]) for share in shares]
        if measured:
            row += [report.show(report.median(r.ratios[g])) if g in r.ratios else "" for r in both]
        rows.append(row)
    left = len(shared) - report.AT_MOST
    lines = aligned(rows) if shared else []
    lines += [f"and {report.count(left, 'group')} with less"] if left > 0 else []
    for name, own, others in zip(found.names, shares, shares[::-1], strict=True):
        alone = [g for g in own if g not in others]
        more = f" and {len(alone) - report.AT_MOST} more" if len(alone) > report.AT_MOST else ""
        lines += [f"in {name} alone: {', '.join(alone[: report.AT_MOST])}{more}"] if alone else []
    return lines


def _ratio(one: float, other: float) -> str:
    return report.show(other / one) if one > 0 else ""
