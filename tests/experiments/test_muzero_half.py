"""The trainings with and without the half: units, results that survive, rates, and what is recorded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from experiments.muzero_half import compare, gather, results, run, units
from sccbook.models.catch import bounds
from sccbook.records import load
from sccbook.records.muzero_half import TASKS

RATES = {(task, arm): 0.01 for task in units.TASKS for arm in units.CONFIRMATORY} | {
    ("catch", arm): 0.1 for arm in units.SGD
}

SCRIPT = """
import sys
import time
from pathlib import Path

import numpy as np
from experiments.muzero_half import run, units

FOLDER, WORK, SEEDS, ITERATIONS, COUNT = Path(sys.argv[1]), sys.argv[2], 2, 2, 4


def cheap(unit):
    time.sleep(0.5)
    drawn = np.random.default_rng(unit.first).normal(size=unit.seeds)
    return {"unit": unit._asdict(), "made": {"seconds": 1.0}, "found": {"auc": drawn.tolist()}}


if __name__ == "__main__":
    wanted = [
        units.Unit("quick", "catch", arm, 0.01, first, SEEDS, ITERATIONS)
        for arm in list(units.CONFIRMATORY)[:2]
        for first in (0, 2)
    ]
    run.run(FOLDER, wanted, cheap if WORK == "cheap" else run.compute_unit, workers=1)
"""


def begin(tmp_path, folder, work):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "PYTHONPATH": f"{root}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path / "xla"),
        "JAX_PLATFORMS": "cpu",
    }
    return subprocess.Popen(
        [sys.executable, str(script), str(folder), work], cwd=root, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def found(folder):
    return {
        path.name: json.loads(path.read_text())["found"] for path in sorted(folder.rglob("*.json"))
    }


def finish(process):
    out, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return out


@pytest.mark.exhaustive
@pytest.mark.parametrize("work", ["cheap", "trained"])
def test_a_run_that_is_killed_goes_on_to_what_an_uninterrupted_one_gives(tmp_path, work):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert "4 units, 0 of them stored" in finish(begin(tmp_path, whole, work))
    killed = begin(tmp_path, broken, work)
    while not found(broken):
        assert killed.poll() is None
        time.sleep(0.05)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert 1 <= len(found(broken)) < 4
    before = found(broken)
    kept = {path: path.stat().st_mtime_ns for path in broken.rglob("*.json")}
    said = finish(begin(tmp_path, broken, work))
    assert f"4 units, {len(before)} of them stored already" in said
    assert "min left" in said
    assert found(broken) == found(whole)  # every bit
    assert all(path.stat().st_mtime_ns == then for path, then in kept.items())


def test_a_result_is_read_as_it_was_written_and_none_is_none(tmp_path):
    content = {"unit": {"rate": 0.1}, "found": {"auc": [0.25, -1e-30]}}
    results.write(tmp_path, "quick/one", content)
    assert results.read(tmp_path, "quick/one") == content
    assert results.read(tmp_path, "quick/other") is None
    assert [path.name for path in tmp_path.rglob("*")] == ["quick", "one.json"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("0.25", "0.26"),
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[1]",
        lambda text: text.replace("sha256", "sha512"),
    ],
)
def test_a_corrupted_result_is_named(tmp_path, damage):
    path = results.write(tmp_path, "quick/one", {"unit": {}, "found": {"auc": [0.25]}})
    path.write_text(damage(path.read_text()))
    with pytest.raises(results.CorruptedResult, match=r"quick/one\.json isn't a result") as error:
        results.read(tmp_path, "quick/one")
    assert "Delete the file" in str(error.value)


def test_every_unit_has_a_file_and_a_training_of_its_own():
    every = [
        *units.tuning(), *units.confirmatory(RATES), *units.exploratory(RATES), *units.invisible(),
        *units.quick(),
    ]  # fmt: skip
    assert len({unit.name for unit in every}) == len(every)
    for unit in every:
        assert not set(unit.name) & set(" ,=")
        assert unit.settings.rules == units.TASKS[unit.task].rules


def test_tuning_and_confirming_share_no_seed_and_exploring_is_paired():
    def seeds(some):
        return {seed for unit in some for seed in range(unit.first, unit.first + unit.seeds)}

    confirmed = seeds(units.confirmatory(RATES))
    assert len(confirmed) == 64
    assert not confirmed & seeds(units.tuning())
    assert seeds(units.exploratory(RATES)) < confirmed


def area(mean):
    return {"found": {"auc": [mean - 0.1, mean + 0.1]}}


def test_the_best_rate_is_believed_only_between_two_that_are_worse():
    tried = {rate: units.tuned_at("catch", "off", rate) for rate in (0.004, 0.008, 0.016)}
    inside = dict(zip(tried.values(), map(area, (0.1, 0.3, 0.2)), strict=True))
    assert run.tuned(inside) == ({("catch", "off"): 0.008}, [])
    for means, beyond in (((0.3, 0.2, 0.1), 0.002), ((0.1, 0.2, 0.3), 0.032)):
        _, wanted = run.tuned(dict(zip(tried.values(), map(area, means), strict=True)))
        assert wanted == [units.tuned_at("catch", "off", beyond)]


DEVICES = """
import jax
import numpy as np

from experiments.muzero_half.compute import over_devices

assert len(jax.devices()) == 4
double = lambda seed, rate: {"x": jax.random.normal(jax.random.key(seed), (3,)) * rate}
for seeds, used in ((8, 4), (6, 3), (5, 1)):
    given = np.arange(seeds), np.linspace(0, 1, seeds, dtype=np.float32)
    found = over_devices(double, seeds)(*given)["x"]
    assert len(found.sharding.device_set) == used
    np.testing.assert_allclose(found, jax.vmap(double)(*given)["x"], rtol=1e-5)
print("shared")
"""


@pytest.mark.exhaustive
def test_seeds_are_shared_among_as_many_devices_as_divide_them():
    flags = "--xla_force_host_platform_device_count=4"
    done = subprocess.run(
        [sys.executable, "-c", DEVICES], cwd=Path(__file__).parents[2], text=True,
        capture_output=True, check=False, env=os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    assert done.stdout == "shared\n", done.stderr


def test_holm_steps_down_and_keeps_the_order():
    holm = compare.holm
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.6]), [1.0, 1.0])


def test_every_unit_of_the_protocol_is_stored_and_whole():
    tried = sorted((results.FOLDER / "tuning").glob("*.json"))
    found = {unit: results.read(results.FOLDER, unit.name) for unit in units.tuning()}
    rates, beyond = run.tuned(found)
    while beyond:
        found |= {unit: results.read(results.FOLDER, unit.name) for unit in beyond}
        rates, beyond = run.tuned(found)
    wanted = [*units.confirmatory(rates), *units.exploratory(rates), *units.invisible()]
    found |= {unit: results.read(results.FOLDER, unit.name) for unit in wanted}
    assert None not in found.values()
    assert len(found) == len(list(results.FOLDER.rglob("*.json"))) == 101
    assert len([unit for unit in found if unit.stage == "tuning"]) == len(tried) == 40
    for unit, result in found.items():
        assert result["unit"] == unit._asdict()
        assert np.shape(result["found"]["auc"])[-1] == unit.seeds
        assert result["made"]["seconds"] > 0


def test_the_records_are_what_the_results_give(monkeypatch):
    every = [results.read(results.FOLDER, f"{path.parent.name}/{path.stem}")
             for path in results.FOLDER.rglob("*.json")]  # fmt: skip
    written = {}
    monkeypatch.setattr(gather, "store", lambda path, text: written.update({path.name: text}))
    gather.gather({units.Unit(**result["unit"]): result for result in every})
    for name in ("muzero_half", "muzero_half_accounts", "muzero_half_pairs"):
        again, kept = json.loads(written[f"{name}.json"]), load(name)
        assert again["provenance"] == kept["provenance"]
        assert sorted(map(str, again["cells"])) == sorted(map(str, kept["cells"]))


def test_the_best_arm_ends_nearer_to_the_best_play_than_to_random_play():
    for task in TASKS:
        random, best = bounds(units.TASKS[task].rules)
        finals = [
            np.mean(cell.final)
            for cell in load("muzero_half").cells(stage="confirmatory", task=task)
        ]
        assert best - max(finals) < 0.5 * (max(finals) - random)


def test_an_interval_that_excludes_0_is_one_that_flips_of_signs_exclude():
    draws = np.random.default_rng(0).normal(size=64)
    for shift, excludes in ((0.0, False), (1.0, True)):
        found = compare.difference(draws - draws.mean() + shift, np.zeros(64))
        assert found.mean == pytest.approx(shift)
        assert (found.low_corrected > 0) == excludes == (found.p < 0.01)
        assert found.low_corrected < found.low < found.mean < found.high < found.high_corrected


@pytest.mark.exhaustive
def test_a_unit_is_computed_again_as_it_is_recorded():
    from experiments.muzero_half.compute import compute

    (unit,) = [unit for unit in units.invisible() if unit.arm == "SGD, without loss 0"]
    kept = results.read(results.FOLDER, unit.name)["found"]
    found = compute(unit)  # to rounding, on another machine or with other versions
    np.testing.assert_allclose(found["apart"][0], kept["apart"][0], atol=0.02)
