"""The protocol's comparisons, from the record: ``python -m experiments.muzero_half.compare`` prints them.

It also writes ``arms.md`` and ``arms.svg``, with every arm on record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from experiments.muzero_half.arms import FOLDER, write
from sccbook.records import load
from sccbook.records.muzero_half import COMPARED, COMPARISONS, TASKS, interval

FLIPS = 100_000


class Difference(NamedTuple):
    """A paired difference of two arms.

    Attributes:
      mean: over the seeds.
      low, high: of its 95 % interval.
      low_corrected, high_corrected: of that corrected for ``COMPARISONS`` of them.
      p: that flips of signs give one as large; not corrected.
    """

    mean: float
    low: float
    high: float
    low_corrected: float
    high_corrected: float
    p: float


def difference(first: Any, second: Any) -> Difference:
    """Compare two arms, a number of each for each seed, in the same order."""
    apart = np.asarray(first) - np.asarray(second)
    flipped = stats.permutation_test(
        (apart,), np.mean, permutation_type="samples", n_resamples=FLIPS,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    corrected = interval(apart, 1 - 0.05 / COMPARISONS)
    return Difference(float(apart.mean()), *interval(apart), *corrected, float(flipped.pvalue))


def holm(p: Any) -> np.ndarray:
    """Correct p-values for their number, by Holm's step-down."""
    values = np.asarray(p, float)
    order = np.argsort(values)
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def main() -> None:
    """Print all comparisons of both measures; Holm's correction is over the six of a measure."""
    arms = {(cell.task, cell.arm): cell for cell in load("muzero_half").cells(stage="confirmatory")}
    for measure in ("area", "final"):
        pairs = [(task, one, other) for task in TASKS for one, other in COMPARED]
        found = [
            difference(*(getattr(arms[task, arm], measure) for arm in (one, other)))
            for task, one, other in pairs
        ]
        for pair, of, p in zip(pairs, found, holm([of.p for of in found]), strict=True):
            print(
                f"{measure:5}  {pair[0]:5}  {pair[1]} - {pair[2]:5}  {of.mean:6.3f}  95 % {of.low:6.3f} to "
                f"{of.high:6.3f}  corrected {of.low_corrected:6.3f} to {of.high_corrected:6.3f}  p {p:.3f}"
            )


if __name__ == "__main__":
    main()
    write(FOLDER)
