"""Test the trainings at several K: units, rates, records, and the analysis by other code than its own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from experiments import results
from experiments.half_by_depth import analyse, run, units
from experiments.half_by_depth.units import Unit
from sccbook.records import half_by_depth as h

FOUND = run.stored()


def seeds(some):
    return {seed for unit in some for seed in range(unit.first, unit.first + unit.seeds)}


def test_tuning_and_confirming_share_no_seed_with_each_other_or_with_what_was_seen():
    best = {(o, arm, k): 0.01 for o in h.OPTIMIZERS for arm in h.ARMS for k in h.LENGTHS}
    stages = [seeds(some) for some in (
        units.tuning(), units.counted("confirmatory", best),
        units.blind_tuning(), units.counted("blind", best),
    )]  # fmt: skip
    assert [len(stage) for stage in stages] == [16, 96, 16, 48]
    assert len(set.union(*stages)) == 16 + 96 + 16 + 48
    assert not set.union(*stages) & set(range(1016))


def test_a_best_rate_at_the_edge_asks_for_one_more_in_both_arms():
    def result(late):
        return {"found": {"late": [late - 0.1, late + 0.1]}}

    tried = [
        unit for rate in (0.01, 0.02, 0.04) for unit in units.tuned_at("tuning", "sgd", 5, rate)
    ]
    inside = {unit: result(0.1 - abs(unit.rate - 0.02)) for unit in tried}
    assert run.tuned(inside) == ({("sgd", arm, 5): 0.02 for arm in h.ARMS}, [])
    edge = {**inside, tried[-1]: result(0.3)}  # P alone
    best, beyond = run.tuned(edge)
    assert best["sgd", "P", 5] == 0.04
    assert beyond == units.tuned_at("tuning", "sgd", 5, 0.08)


def test_a_slope_is_in_points_per_doubling():
    seeds = np.array([[1.0], [2.0]]) * np.log2(h.LENGTHS) + 5.0
    np.testing.assert_allclose(h.slopes(seeds.T), [1.0, 2.0])
    fitted = [stats.linregress(np.log2(h.LENGTHS), y).slope for y in ([0, 3, 1, 7], [5, 1, 2, 2])]
    np.testing.assert_allclose(h.slopes(np.array([[0, 3, 1, 7], [5, 1, 2, 2]]).T), fitted)


@pytest.mark.parametrize(("shift", "said", "small"), [
    (0.0, "not shown", True), (1.0, "grows", True), (-1.0, "falls", True),
    (9.0, "grows", False), (-9.0, "falls", False),
])  # fmt: skip
def test_a_slope_is_judged_by_its_interval_and_by_two_one_sided_tests(shift, said, small):
    draws = np.random.default_rng(0).normal(size=96)
    values = draws - draws.mean() + shift
    assert h.judge(h.mean_of(values, 1 - h.ALPHA)) == said
    assert h.too_small(values) == small
    sides = [stats.ttest_1samp(values, end, alternative=way).pvalue
             for end, way in ((-h.MATTERS, "greater"), (h.MATTERS, "less"))]  # fmt: skip
    assert (max(sides) < h.ALPHA) == small


def test_a_second_stage_is_kept_if_the_longer_unroll_catches_more():
    def result(unit, gain):
        return {"found": {"late": [0.1 * (unit.arm == "P") + (unit.steps == 10) * gain]}}

    for gain, pays in ((0.05, True), (-0.05, False), (0.0, False)):
        found = {unit: result(unit, gain) for unit in units.blind_tuning()}
        assert run.depth_pays(found) == pays


def test_units_that_count_are_missing_once_all_rates_were_tried():
    def result(unit):  # the best rate lies inside, and depth pays
        return {"found": {"late": [unit.steps / 100 - abs(unit.rate - 0.008)]}}

    tried = {unit: result(unit) for unit in units.blind_tuning()}
    for some in ({}, dict(list(tried.items())[:3])):
        assert not any(unit.stage == "blind" for unit in run.missing(some))
    assert sum(unit.stage == "blind" for unit in run.missing(tried)) == 3 * 2 * 2 * 3


def test_what_is_stored_is_of_the_protocol_and_nothing_is_compared_before_all_is_there():
    complete = run.missing(FOUND) == []
    if not complete:
        with pytest.raises(SystemExit, match="units have no result yet, such as "):
            analyse.main()
    best = {
        stage: run.tuned({unit: FOUND[unit] for unit in FOUND if unit.stage == stage})
        for stage in ("tuning", "blind_tuning")
    }
    for unit, result in FOUND.items():
        if unit.stage == "confirmatory":
            assert best["tuning"][1] == []
            assert unit in set(units.counted("confirmatory", best["tuning"][0]))
        assert np.shape(result["found"]["late"]) == (unit.seeds,)
        assert bool(result["found"]["checkpoints"]) == unit.measured
    one_less = dict(list(FOUND.items())[1:])
    assert set(run.missing(one_less)) - set(run.missing(FOUND))


def test_a_unit_computed_again_is_compared_as_it_is_stored(monkeypatch, tmp_path, capsys):
    unit = units.tuned_at("tuning", "sgd", 2, 0.02)[0]

    def computed(again):
        def all_of(folder, wanted, work, workers):
            results.write(
                folder, unit.name, {"unit": unit._asdict(), "made": {}, "found": {"late": again}}
            )

        monkeypatch.setattr(run, "compute_missing", all_of)

    computed((0.5, 0.25))
    run.compute_missing(tmp_path, [unit], None, 1)
    run.repeat(tmp_path, unit.name)
    assert "every number is the same" in capsys.readouterr().out
    computed((0.5, 0.26))
    with pytest.raises(SystemExit, match="other numbers"):
        run.repeat(tmp_path, unit.name)


@pytest.mark.exhaustive
def test_a_unit_is_reproduced():
    from experiments.half_by_depth.compute import compute

    unit = Unit("tuning", "sgd", "P", 2, 0.08, units.TUNING_SEED)
    kept = FOUND[unit]["found"]
    found = compute(unit)  # to rounding, on another machine or with other versions
    np.testing.assert_allclose(
        np.mean(found["curve"], 0)[:2], np.mean(kept["curve"], 0)[:2], atol=0.1
    )
    assert np.mean(found["late"]) == pytest.approx(np.mean(kept["late"]), abs=0.25)
