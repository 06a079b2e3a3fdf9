"""A second analysis of half_by_depth, by other code: from its protocol and the stored results, not from the record.

It was written by somebody who hadn't read the first analysis. It takes its intervals from Student's t
by the textbook's formula.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from experiments.half_by_depth import analyse, run
from sccbook.records import half_by_depth as h
from sccbook.records import load

RESULTS = Path(__file__).parents[2] / "experiments/half_by_depth/results"
ARMS = ("P", "off")
DEPTHS = (2, 5, 10, 20)
FIELDS = {"late": "late", "area": "auc", "final": "final"}
NEIGHBOURS = (0.5, 1.0, 2.0)
SEEDS = {"confirmatory": range(3000, 3096, 16), "blind": range(5000, 5048, 16)}
TUNED_BY = {"confirmatory": "tuning", "blind": "blind_tuning"}


@cache
def read(stage: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What each unit found, by optimizer, arm, K, rate and first seed."""
    contents = [json.loads(path.read_text("utf-8")) for path in (RESULTS / stage).glob("*.json")]
    names = ("optimizer", "arm", "steps", "rate", "first")
    return {tuple(one["unit"][name] for name in names): one["found"] for one in contents}


def balls(found: dict[str, Any], field: str) -> np.ndarray:
    return 50.0 * (1.0 + np.array(found[field]))


def tuned(stage: str, optimizer: str, depth: int) -> tuple[list[float], np.ndarray]:
    """The rates tried, and what the tuning's seeds catch late: arm by rate by seed."""
    units = {
        key: one
        for key, one in read(TUNED_BY[stage]).items()
        if key[0] == optimizer and key[2] == depth
    }
    rates = sorted({key[3] for key in units})
    late = {key[1:4:2]: balls(one, "late") for key, one in units.items()}
    return rates, np.array([[late[arm, rate] for rate in rates] for arm in ARMS])


def best(stage: str, optimizer: str, arm: str, depth: int) -> float:
    rates, late = tuned(stage, optimizer, depth)
    return rates[int(np.argmax(late[ARMS.index(arm)].mean(axis=1)))]


def caught(
    stage: str, optimizer: str, arm: str, depth: int, measure: str, rates: Any
) -> np.ndarray:
    units = [
        [read(stage)[optimizer, arm, depth, rate, first] for first in SEEDS[stage]]
        for rate in rates
    ]
    return np.mean(
        [np.concatenate([balls(one, FIELDS[measure]) for one in row]) for row in units], axis=0
    )


def apart(
    optimizer: str, measure: str, depth: int, factors: Any = NEIGHBOURS, stage: str = "confirmatory"
) -> np.ndarray:
    """P minus off, for each seed."""
    p, off = (
        caught(
            stage,
            optimizer,
            arm,
            depth,
            measure,
            [f * best(stage, optimizer, arm, depth) for f in factors],
        )
        for arm in ARMS
    )
    return p - off


def slopes(differences: list[np.ndarray]) -> np.ndarray:
    return np.polyfit(np.log2(DEPTHS[: len(differences)]), np.array(differences), 1)[0]


def summary(x: np.ndarray, level: float = 0.95) -> list[float]:
    """Mean, both ends of the interval, two-sided p, and the seeds' standard deviation."""
    mean, deviation, n = np.mean(x), np.std(x, ddof=1), len(x)
    reach = stats.t.ppf(0.5 + level / 2, n - 1) * deviation / n**0.5
    p = 2 * stats.t.sf(abs(mean) / deviation * n**0.5, n - 1)
    return [mean, mean - reach, mean + reach, p, deviation]


def agree(first: Any, second: list[float]) -> None:
    np.testing.assert_allclose(first[:3], second[:3], atol=2e-3)  # the record has four digits
    np.testing.assert_allclose(first[3:], second[3:], rtol=2e-3, atol=1e-12)


@pytest.mark.parametrize("optimizer", h.OPTIMIZERS)
def test_both_analyses_find_the_same_slope_and_verdict(optimizer):
    mine = slopes([apart(optimizer, "late", k) for k in DEPTHS])
    theirs = h.slopes(h.apart(optimizer))
    narrow, wide = summary(mine, 0.975), summary(mine)
    agree(h.mean_of(theirs, 1 - h.ALPHA), narrow)
    assert len(mine) == 96
    verdict = "grows" if narrow[1] > 0 else "falls" if narrow[2] < 0 else "not shown"
    assert h.judge(h.mean_of(theirs, 1 - h.ALPHA)) == verdict
    assert h.too_small(theirs) == (wide[1] > -3 and wide[2] < 3)
    flips = np.random.default_rng(71).choice([-1.0, 1.0], size=(100_000, 96)) @ mine
    p = (1 + np.sum(np.abs(flips) >= abs(mine.sum()))) / 100_001
    said = next(line for line in analyse.secondary(optimizer) if "flips" in line)
    assert float(said.split()[-1]) == pytest.approx(p, rel=0.3, abs=2e-5)


@pytest.mark.parametrize(("optimizer", "measure"), list(product(h.OPTIMIZERS, FIELDS)))
def test_both_analyses_find_the_same_differences(optimizer, measure):
    mine = [apart(optimizer, measure, k) for k in DEPTHS]
    for first, second in zip(h.apart(optimizer, measure), mine, strict=True):
        agree(h.mean_of(first), summary(second))
    agree(h.mean_of(h.slopes(h.apart(optimizer, measure))), summary(slopes(mine)))
    at_best = [apart(optimizer, measure, k, (1.0,)) for k in DEPTHS]
    theirs = h.apart(optimizer, measure, factors=(1.0,))
    agree(h.mean_of(h.slopes(theirs)), summary(slopes(at_best)))


@pytest.mark.parametrize("optimizer", h.OPTIMIZERS)
def test_both_analyses_find_the_same_at_the_rates_that_both_arms_ran(optimizer):
    mine: list[np.ndarray] = []
    for depth, theirs in zip(DEPTHS, h.apart_at_same_rates(optimizer), strict=True):
        p, off = (
            {f * best("confirmatory", optimizer, arm, depth) for f in NEIGHBOURS} for arm in ARMS
        )
        both = sorted(p & off)
        assert both
        first, second = (
            caught("confirmatory", optimizer, arm, depth, "late", both) for arm in ARMS
        )
        mine.append(first - second)
        agree(h.mean_of(theirs), summary(mine[-1]))
    theirs = h.slopes(h.apart_at_same_rates(optimizer))
    agree(h.mean_of(theirs), summary(slopes(mine)))


def test_the_luck_of_choosing_rates_moves_the_slope_as_the_protocol_says():
    found = [round(analyse.luck_of_choice(optimizer), 1) for optimizer in ("sgd", "adam")]
    assert found == [1.3, 1.0]


@pytest.mark.parametrize(("optimizer", "depth"), list(product(h.OPTIMIZERS, DEPTHS)))
def test_both_analyses_count_the_same_usable_rates(optimizer, depth):
    _, late = tuned("confirmatory", optimizer, depth)
    means = late.mean(axis=-1)
    p, off = np.sum(means >= means.max() - 10, axis=1)
    assert h.widths(h.tried(optimizer, depth)) == (off, p)


@pytest.mark.parametrize("measure", FIELDS)
def test_both_analyses_find_the_same_in_the_game_that_needs_depth(measure):
    for depth, theirs in zip((2, 10), h.apart("adam", measure, stage="blind"), strict=True):
        agree(h.mean_of(theirs), summary(apart("adam", measure, depth, stage="blind")))


@pytest.mark.parametrize(("optimizer", "arm", "depth"), list(product(h.OPTIMIZERS, ARMS, DEPTHS)))
def test_both_analyses_find_the_same_totals_and_share_within_the_bound(optimizer, arm, depth):
    rate = best("confirmatory", optimizer, arm, depth)
    units = [
        read("confirmatory")[optimizer, arm, depth, rate, first] for first in SEEDS["confirmatory"]
    ]
    totals, own, lags = (
        np.concatenate([one[name] for one in units], axis=1) for name in ("totals", "own", "by_lag")
    )
    entries = np.einsum("msl,l->ms", lags, depth - np.arange(depth))  # K - i are i steps back
    ratio = totals[..., -1] / totals[..., 0]  # by measurement, seed and scale: 1 and 1/2
    bound = own @ (2 - 2.0 ** -np.arange(depth)) / depth
    for at, part in enumerate((0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)):
        (cell,) = (
            c for c in load("half_by_depth_totals").cells(
                stage="confirmatory", optimizer=optimizer, arm=arm, steps=depth
            ) if abs(c.part - part) < 0.004
        )  # fmt: skip
        medians = np.nanmedian(ratio[at], axis=0)
        np.testing.assert_allclose([cell.whole[-1], cell.half[-1]], medians, rtol=2e-3)
        last, left = own[at, :, -1] / own[at, :, 0], totals[at, :, 0, -1] * depth / entries[at]
        medians = [np.nanmedian(last), np.nanmedian(left)]
        np.testing.assert_allclose([cell.own[-1], cell.left], medians, rtol=2e-3)
        within = np.mean(totals[at, :, 1, -1] <= bound[at] * (1 + 1e-5))
        assert cell.kept[-1] == pytest.approx(within, abs=1e-3)


def test_the_record_is_what_is_gathered_from_every_stored_unit():
    found = run.stored()
    assert run.missing(found) == []
    cells = load("half_by_depth").cells()
    assert sum(len(cell.late) for cell in cells) == 16 * len(found)
