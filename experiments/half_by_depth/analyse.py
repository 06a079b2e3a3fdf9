"""What the protocol compares, from the record: ``python -m experiments.half_by_depth.analyse`` prints it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats

from experiments.half_by_depth import run
from experiments.half_by_depth.gather import gather
from sccbook.records import half_by_depth as h
from sccbook.records import load

FLIPS = 100_000
RESAMPLES = 10_000


def primary(optimizer: str) -> str:
    """Say the primary comparison of an optimizer, and what follows."""
    slopes = h.slopes(h.apart(optimizer))
    found = h.mean_of(slopes, 1 - h.ALPHA)
    small = "; too small to matter" if h.too_small(slopes) else ""
    return (
        f"{found.mean:.2f} points per doubling, 97.5 % {found.low:.2f} to {found.high:.2f}, p {found.p:.2g}, "
        f"deviation {found.deviation:.1f}, {len(slopes)} seeds: {h.judge(found)}{small}"
    )


def told(what: str, values: np.ndarray) -> str:
    """Say a mean with its 95 % interval."""
    found = h.mean_of(values)
    return f"{what:34} {found.mean:6.2f} ({found.low:6.2f} to {found.high:6.2f})"


def secondary(optimizer: str) -> Iterator[str]:
    """Yield the protocol's other comparisons, a line each, with 95 % intervals."""
    late = h.apart(optimizer)
    for measure in h.MEASURES:
        for steps, seeds in zip(h.LENGTHS, h.apart(optimizer, measure), strict=True):
            yield told(f"D({steps}), {measure}", seeds)
        yield told(f"slope, {measure}", h.slopes(h.apart(optimizer, measure)))
    yield told("slope at the best rate alone", h.slopes(h.apart(optimizer, factors=(1.0,))))
    yield told("slope over K = 2, 5, 10", h.slopes(late[:3], h.LENGTHS[:3]))
    flipped = stats.permutation_test(
        (h.slopes(late),), np.mean, permutation_type="samples", n_resamples=FLIPS,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    yield f"slope, p by flips of signs {flipped.pvalue:.2g}"
    same = h.apart_at_same_rates(optimizer)
    for steps, seeds in zip(h.LENGTHS, same, strict=True):
        yield told(f"D({steps}), at the same rates", seeds)
    yield told("slope at the same rates", h.slopes(same))
    yield f"deviation of the slope by the luck of choosing rates: {luck_of_choice(optimizer):.2f}"
    for steps in h.LENGTHS:
        off, p, low, high = width(optimizer, steps)
        yield f"usable rates at K = {steps}: off {off:.0f}, P {p:.0f}, P - off {low:.1f} to {high:.1f}"


def width(optimizer: str, steps: int) -> tuple[float, ...]:
    """Return how many rates are usable by off and by P, and the bootstrap's interval of P - off."""
    late = h.tried(optimizer, steps)
    seeds = late.shape[-1]
    draws = np.random.default_rng(0).integers(seeds, size=(RESAMPLES, seeds))
    more = [p - off for off, p in (h.widths(late[..., draw]) for draw in draws)]
    return *h.widths(late), *np.quantile(more, (0.025, 0.975)).tolist()


def luck_of_choice(optimizer: str) -> float:
    """Return how far the slope moves if the tuning's seeds are redrawn and rates are chosen anew.

    What a rate is worth is held fixed, at the mean of the tuning's seeds: only the choice varies.
    """
    random = np.random.default_rng(0)
    apart = []
    for steps in h.LENGTHS:
        late = h.tried(optimizer, steps)  # [arms, rates, seeds]
        worth = np.array([_with_neighbours(arm) for arm in late.mean(axis=-1)])
        draws = random.integers(late.shape[-1], size=(RESAMPLES, late.shape[-1]))
        chosen = late[..., draws].mean(axis=-1).argmax(axis=1)  # [arms, resamples]
        off, p = np.take_along_axis(worth, chosen, axis=1)
        apart.append(p - off)
    return float(h.slopes(apart).std())


def _with_neighbours(means: np.ndarray) -> np.ndarray:
    """Return the mean of each rate and its neighbours; at an edge there's only one neighbour."""
    sums = np.convolve(means, np.ones(3), "same")
    return sums / np.convolve(np.ones(len(means)), np.ones(3), "same")


def main() -> None:
    """Gather what is stored, and print every comparison of the protocol, and how many runs broke."""
    found = run.stored()
    if missing := run.missing(found):
        raise SystemExit(
            f"{len(missing)} units have no result yet, such as {missing[0].name}. What the protocol compares "
            "is computed when all are there: python -m experiments.half_by_depth.run"
        )
    gather(found)
    for optimizer in h.OPTIMIZERS:
        print(f"{optimizer}, slope of P - off: {primary(optimizer)}")
        for line in secondary(optimizer):
            print(f"  {line}")
    for measure in h.MEASURES if any(unit.stage == "blind" for unit in found) else ():
        for steps, seeds in zip(
            h.STAGES["blind"], h.apart("adam", measure, stage="blind"), strict=True
        ):
            print(f"blind {told(f'D({steps}), {measure}', seeds)}")
    cells = load("half_by_depth").cells()
    broken = [
        f"{c.stage} {c.optimizer} {c.arm} K={c.steps} {c.rate:g}: {c.broken}"
        for c in cells
        if c.broken
    ]
    print("runs whose numbers are not finite:", "; ".join(broken) or "none")


if __name__ == "__main__":
    main()
