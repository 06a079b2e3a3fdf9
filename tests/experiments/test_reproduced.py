"""Rows of the records are reproduced: those that settle, as a chaotic run ends elsewhere on another machine."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from experiments.hidden_lasso import run as lasso
from experiments.matched_clips import run as matched
from experiments.norm_logs import run as norm_logs
from experiments.policy_clips import run as policy_run
from experiments.remedies import run as remedies_run
from sccbook.models import policy
from sccbook.records import load

STEPS = {"right": (0, 0.02), "median_step": (0.02, 0), "longest_step": (0.02, 0)}


def remedy(remedy: str, limit: float, rate: float) -> Any:
    """What is recorded of a remedy with SGD, and what its first three seeds give."""
    kept = load("remedies").cell(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
    return kept, next(remedies_run.train(remedy, [("sgd", rate, limit)], seeds=range(3)))


def clip() -> Any:
    kept = load("matched_clips").cell(direction="global", target=0.06)
    return kept, matched.train("global", False, 0.06, kept.rate, seeds=range(2))


def surrogate() -> Any:
    kept = load("policy_clips").cell(surrogate="ppo", limit=0.0, optimizer="sgd", rate=3.0)
    return kept, policy_run.train("ppo", 0.0, "sgd", 3.0, policy.EPOCHS, seeds=range(2))


def column() -> Any:
    of = {"arm": "keras", "optimizer": "sgd", "rate": 1e-2, "epsilon": lasso.RAISED}
    return load("hidden_lasso").cell("trained", **of), lasso.train(*of.values(), seeds=[0])


@pytest.mark.parametrize(
    ("rows", "within"),
    [
        pytest.param(lambda: remedy("half", 0.5, 0.01), STEPS, marks=pytest.mark.exhaustive),
        pytest.param(lambda: remedy("clip", 0.1, 0.1), STEPS, marks=pytest.mark.slow),
        pytest.param(column, {"faded": (0, 1), "loss": (0.02, 0)}, marks=pytest.mark.slow),
        pytest.param(
            clip, {"right": (0, 0.02), "mean_step": (0.08, 0)}, marks=pytest.mark.exhaustive
        ),
        pytest.param(
            surrogate, {"reward": (0, 0.5), "largest": (0.05, 0)}, marks=pytest.mark.exhaustive
        ),
    ],
    ids=["half", "clip", "column", "matched", "surrogate"],
)
def test_a_row_is_reproduced(
    rows: Callable[[], Any], within: dict[str, tuple[float, float]]
) -> None:
    kept, found = rows()
    for name, (rtol, atol) in within.items():
        numbers = getattr(found, name)
        expected = getattr(kept, name)[: len(numbers)]
        np.testing.assert_allclose(numbers, expected, rtol, atol, err_msg=name)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "steps", "first", "rtol"),
    [("recurrent", 20, 8, 0.02), ("policy", 20, 8, 0.02), ("language", 30, 10, 0.05)],
)
def test_the_first_norms_of_a_run_are_reproduced(
    name: str, steps: int, first: int, rtol: float
) -> None:
    record = load("norm_logs")
    recorded_with, here = record["provenance"]["python"], platform.python_version()
    if name == "language" and here != recorded_with:
        pytest.skip(f"its text is the manual of Python {recorded_with}, and this is Python {here}")
    kept = record["logs"][name]["norms"]
    np.testing.assert_allclose(norm_logs.train(name, steps=steps)[0][:first], kept[:first], rtol)


@pytest.mark.exhaustive
@pytest.mark.parametrize("answer", ["nothing", "clip"])
def test_what_adam_learns_after_a_spike_is_reproduced(answer: str) -> None:
    kept = load("norm_logs")["spikes"]["Adam, beta2 = 0.999"][answer][:3]
    found = norm_logs.spiked("Adam, beta2 = 0.999", answer, seeds=3)
    np.testing.assert_allclose(found, kept, atol=0.05)
