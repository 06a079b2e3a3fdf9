"""Test the trainings with and without the half: units, stored results, rates, and the records."""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiments import results
from experiments.muzero_half import arms, compare, gather, run, units
from sccbook.records import load

RATES = {(task, arm): 0.01 for task in units.TASKS for arm in units.CONFIRMATORY} | {
    ("catch", arm): 0.1 for arm in units.SGD
}


def test_a_result_is_read_as_it_was_written_and_refused_once_changed(tmp_path):
    content = {"unit": {"rate": 0.1}, "found": {"auc": [0.25, -1e-30]}}
    path = results.write(tmp_path, "quick/one", content)
    assert results.read(tmp_path, "quick/one") == content
    assert results.read(tmp_path, "quick/other") is None
    assert [path.name for path in tmp_path.rglob("*")] == ["quick", "one.json"]
    path.write_text(path.read_text().replace("0.25", "0.26"))
    with pytest.raises(ValueError, match=r"quick/one\.json isn't as it was written"):
        results.read(tmp_path, "quick/one")


def test_tuning_and_confirming_share_no_seed_and_exploring_is_paired():
    def seeds(some):
        return {seed for unit in some for seed in range(unit.first, unit.first + unit.seeds)}

    confirmed = seeds(units.confirmatory(RATES))
    assert len(confirmed) == 64
    assert not confirmed & seeds(units.tuning())
    assert seeds(units.exploratory(RATES)) < confirmed


def area(mean):
    return {"found": {"auc": [mean - 0.1, mean + 0.1]}}


def test_a_best_rate_at_the_edge_asks_for_one_more_rate():
    tried = {rate: units.tuned_at("catch", "off", rate) for rate in (0.004, 0.008, 0.016)}
    inside = dict(zip(tried.values(), map(area, (0.1, 0.3, 0.2)), strict=True))
    assert run.tuned(inside) == ({("catch", "off"): 0.008}, [])
    for means, beyond in (((0.3, 0.2, 0.1), 0.002), ((0.1, 0.2, 0.3), 0.032)):
        _, wanted = run.tuned(dict(zip(tried.values(), map(area, means), strict=True)))
        assert wanted == [units.tuned_at("catch", "off", beyond)]


def test_holms_correction_steps_down():
    holm = compare.holm
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.6]), [1.0, 1.0])


def test_every_unit_of_the_protocol_is_stored_and_the_records_are_what_they_give(monkeypatch):
    found = {unit: results.read(run.FOLDER, unit.name) for unit in units.tuning()}
    rates, beyond = run.tuned(found)
    while beyond:
        found |= {unit: results.read(run.FOLDER, unit.name) for unit in beyond}
        rates, beyond = run.tuned(found)
    wanted = [*units.confirmatory(rates), *units.exploratory(rates), *units.invisible()]
    found |= {unit: results.read(run.FOLDER, unit.name) for unit in wanted}
    assert len(found) == len(list(run.FOLDER.rglob("*.json"))) == 101  # a file each
    assert len([unit for unit in found if unit.stage == "tuning"]) == 40
    for unit, result in found.items():
        assert result["unit"] == unit._asdict()
        assert unit.settings.rules == units.TASKS[unit.task].rules
        assert np.shape(result["found"]["auc"])[-1] == unit.seeds
        assert result["made"]["seconds"] > 0
    written = {}
    monkeypatch.setattr(gather, "store", lambda path, text: written.update({path.name: text}))
    gather.gather(found)
    for name in ("muzero_half", "muzero_half_accounts", "muzero_half_pairs"):
        again, kept = json.loads(written[f"{name}.json"]), load(name)
        assert again["provenance"] == kept["provenance"]
        assert sorted(map(str, again["cells"])) == sorted(map(str, kept["cells"]))


def test_interval_and_sign_flip_test_agree_on_whether_0_is_excluded():
    draws = np.random.default_rng(0).normal(size=64)
    for shift, excludes in ((0.0, False), (1.0, True)):
        found = compare.difference(draws - draws.mean() + shift, np.zeros(64))
        assert found.mean == pytest.approx(shift)
        assert (found.low_corrected > 0) == excludes == (found.p < 0.01)
        assert found.low_corrected < found.low < found.mean < found.high < found.high_corrected


@pytest.mark.exhaustive
def test_a_unit_is_reproduced():
    from experiments.muzero_half.compute import compute

    (unit,) = [unit for unit in units.invisible() if unit.arm == "SGD, without loss 0"]
    kept = results.read(run.FOLDER, unit.name)["found"]
    found = compute(unit)  # to rounding, on another machine or with other versions
    np.testing.assert_allclose(found["apart"][0], kept["apart"][0], atol=0.02)


def test_the_page_of_arms_has_every_arm_on_record_and_is_what_the_command_writes(tmp_path):
    arms.write(tmp_path)
    for name in ("arms.md", "arms.svg"):
        assert (tmp_path / name).read_bytes() == (arms.FOLDER / name).read_bytes(), name
    page = (tmp_path / "arms.md").read_text()
    games = dict(zip(units.TASKS, page.split("\n## ")[1:], strict=True))
    cells = load("muzero_half").cells()
    for c in cells:
        assert games[c.task].count(f"\n| {c.stage} | {c.arm} | {c.rate:g} | {c.first} to ") == 1
    assert page.count(" to 1015 |") + page.count("| 100 to ") == len(cells)


def test_an_arm_is_compared_with_off_at_its_own_setting():
    cells = load("muzero_half").cells()
    beside = {(c.stage, c.task, c.arm, c.rate): arms.off_beside(c, cells) for c in cells}
    assert beside["exploratory", "long", "P 1/2, K = 10", 0.016].arm == "off, K = 10"
    assert beside["exploratory", "catch", "R 1/2, SGD", 0.04].arm == "off, SGD"
    assert beside["exploratory", "catch", "Q 1/2", 0.008].stage == "confirmatory"
    assert beside["tuning", "long", "R 1/2", 0.008].rate == 0.008
    assert beside["tuning", "long", "R 1/2", 0.002] is None
    assert beside["exploratory", "long", "K = 1", 0.016] is None
