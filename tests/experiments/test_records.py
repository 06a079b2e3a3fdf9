"""Every record has the arms of its protocol, each once, says what it was made with, and fits together."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.chaotic_unrolls import run as chaotic
from experiments.hidden_lasso import run as lasso
from experiments.matched_clips import run as matched
from experiments.norm_logs import run as norm_logs
from experiments.policy_clips import run as policy_run
from experiments.remedies import long_steps
from experiments.remedies import run as remedies_run
from sccbook.models import policy, remedies
from sccbook.records import load

USUAL = dict(zip(remedies.REMEDIES, remedies.LIMITS, strict=True))
GRID = {
    ("grid", remedy, limit, optimizer, rate)
    for remedy, limits in remedies_run.LIMITS.items()
    for limit in limits
    for optimizer in (remedies.OPTIMIZERS if limit == USUAL[remedy] else ("sgd",))
    for rate in remedies_run.RATES
}

ARMS: list[tuple[str, str, set[Any]]] = [
    (
        "chaotic_unrolls", "cells",
        {(*of, *arm, batch) for of in chaotic.RUNS for arm in chaotic.ARMS for batch in (chaotic.SMALL, chaotic.LARGE)},
    ),
    ("hidden_lasso", "dead", set(product(lasso.ARMS, ("float64", "float32"), lasso.LOOKED_FOR, lasso.NORMS))),
    ("hidden_lasso", "pushed", set(product(lasso.ARMS, lasso.PUSHES))),
    (
        "hidden_lasso", "trained",
        {
            (arm, optimizer, rate, epsilon)
            for optimizer, rate in product(("sgd", "adam"), lasso.RATES)
            for epsilon in (0.0, lasso.RAISED, lasso.EPSILON)
            for arm in (("prox", "keras", "loss") if epsilon else ("cap",))
        },
    ),
    (
        "matched_clips", "cells",
        {
            (direction, lengths, target)
            for direction, target in product(matched.DIRECTIONS, matched.TARGETS)
            for lengths in (("own",) if direction == "global" else ("own", "equal"))
        },
    ),
    (
        "policy_clips", "cells",
        {
            (surrogate, limit, optimizer, rate, policy.EPOCHS)
            for surrogate, limit in product(policy.SURROGATES, policy_run.LIMITS)
            for optimizer, rates in policy_run.RATES.items()
            for rate in rates
        }
        | {(surrogate, 0.0, "sgd", 10.0, 1) for surrogate in policy.SURROGATES},
    ),
]  # fmt: skip

MADE = {
    "chaotic_unrolls": {
        "pairs": [chaotic.PAIRS, chaotic.PAIRS_NETWORK], "batches": chaotic.BATCHES,
        "steps": chaotic.STEPS, "seeds": chaotic.SEEDS, "dtype": "float64",
    },
    "hidden_lasso": {
        "seeds": list(lasso.SEEDS), "times": list(lasso.TIMES), "steps": lasso.STEPS,
        "units": lasso.UNITS, "faded": lasso.FADED,
    },
    "long_steps": {"seeds": list(long_steps.SEEDS)},
    "matched_clips": {
        "seeds": list(matched.SEEDS), "steps": matched.STEPS, "last": matched.LAST, "dtype": "float64",
    },
    "norm_logs": {"steps": norm_logs.STEPS, "warm_up": norm_logs.WARM_UP, "dtype": "float32"},
    "policy_clips": {"seeds": list(policy_run.SEEDS), "batches": policy_run.BATCHES, "dtype": "float64"},
    "remedies": {
        "seeds": list(remedies_run.SEEDS), "steps": remedies_run.STEPS, "last": remedies_run.LAST,
        "dtype": "float64",
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "part", "arms"), ARMS)
def test_every_arm_is_recorded_once(name: str, part: str, arms: set[Any]) -> None:
    cells = load(name).cells(part)
    width = len(next(iter(arms)))
    assert {tuple(cell[:width]) for cell in cells} == arms
    assert len(cells) == len(arms)


@pytest.mark.parametrize("name", MADE)
def test_a_record_says_what_it_was_made_with(name: str) -> None:
    made = load(name)["provenance"]
    assert {"python", "jax", "commit"} <= set(made)
    assert made | MADE[name] == made


@pytest.mark.parametrize(
    ("name", "part", "field"),
    [
        ("hidden_lasso", "trained", "zero"), ("long_steps", "cells", "end"),
        ("matched_clips", "cells", "loss"), ("policy_clips", "cells", "reward"), ("remedies", "cells", "right"),
    ],
)  # fmt: skip
def test_a_cell_has_a_number_for_each_seed(name: str, part: str, field: str) -> None:
    assert {len(getattr(cell, field)) for cell in load(name).cells(part)} == {
        len(load(name)["provenance"]["seeds"])
    }


def test_remedies_has_the_grid_the_fine_rates_and_the_matches() -> None:
    cells = load("remedies").cells()
    assert len({cell[:5] for cell in cells}) == len(cells)
    changed = load("long_steps").cells()
    assert len({cell[:2] for cell in changed}) == len(changed) == 18
    assert {cell[:5] for cell in cells if cell.arm == "grid"} == GRID
    assert [cell.rate for cell in cells if cell.arm == "fine"] == list(remedies_run.FINE)
    assert len([cell for cell in cells if " of clip " in cell.arm]) == 2 * 5 * 3


def test_every_run_of_norms_and_every_answer_to_a_spike_is_recorded() -> None:
    logs, spikes = load("norm_logs")["logs"], load("norm_logs")["spikes"]
    assert list(logs) == [*norm_logs.RUNS, "language, clipped"]
    assert {len(log[name]) for log in logs.values() for name in ("norms", "logged")} == {1000}
    assert [list(by) for by in spikes.values()] == [list(norm_logs.ANSWERS)] * 4
    assert {len(right) for by in spikes.values() for right in by.values()} == {norm_logs.SEEDS}
    assert [logs[name]["limit"] for name in norm_logs.RUNS] == [[]] * 3
    expected = np.percentile(logs["language"]["norms"], 95)  # another run is clipped there
    assert logs["language, clipped"]["limit"] == [pytest.approx(expected, rel=5e-3)]


def test_mean_steps_match_and_equal_steps_are_exact():
    for cell in load("matched_clips").cells():
        apart = 0.045 if (cell.direction, cell.lengths) != ("plain", "own") else 0.05
        assert np.median(cell.mean_step) == pytest.approx(cell.target, rel=apart)
        if cell.lengths == "equal":
            np.testing.assert_allclose(cell.longest_step, cell.target, rtol=1e-3)
        if cell.direction in ("plain", "global"):
            assert max(cell.turn) < 1e-3


def test_a_polar_factor_has_singular_values_of_one():
    m = jnp.array(np.random.default_rng(0).normal(size=(4, 3)), jnp.float32)
    np.testing.assert_allclose(jnp.linalg.svd(matched.polar(m))[1], 1, rtol=1e-5)
    np.testing.assert_allclose(jnp.linalg.norm(matched.polar(m[:, 0])), 1, rtol=1e-5)


AT_SCALE = load("torch_at_scale")


def test_fsdp_clips_by_the_norm_of_all_parts_and_parts_norms_would_turn_the_step() -> None:
    own, limit = [process["own"] for process in AT_SCALE["fsdp"]], AT_SCALE["provenance"]["limit"]
    expected = math.hypot(*(min(limit, norm) for norm in own))
    for process in AT_SCALE["fsdp"]:
        assert math.hypot(*own) == pytest.approx(process["returned"], rel=1e-12)
        assert process["returned"] == pytest.approx(AT_SCALE["one_process"], rel=1e-12)
        right, wrong = process["by_one_norm"], process["by_own_norm"]
        assert right["turned"] < 1e-5 < 1 < wrong["turned"]
        assert (right["length"], wrong["length"]) == pytest.approx((1, expected), rel=1e-5)


def test_ddp_clips_the_mean_and_a_clip_before_it_turns_the_step() -> None:
    for process in AT_SCALE["ddp"]:
        right, wrong = process["average_then_clip"], process["clip_then_average"]
        assert right["norm"] == pytest.approx(AT_SCALE["one_process"], rel=1e-12)
        assert right["turned"] < 1e-5 < 30 < wrong["turned"]
        assert wrong["length"] < right["length"]
