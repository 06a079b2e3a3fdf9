"""What is recorded of PyTorch's clips: that the parts fit together, and what it was made with."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from sccbook.records import load

RECORD = load("torch_at_scale")
WORLD = RECORD["provenance"]["processes"]


def test_it_names_what_it_was_made_with() -> None:
    made = RECORD["provenance"]
    assert {"python", "torch", "backend", "limit", "growth_interval"} <= set(made)
    assert len(RECORD["fsdp"]) == len(RECORD["ddp"]) == WORLD


def test_squares_of_the_parts_add_up_to_the_square_of_the_norm_that_pytorch_returns() -> None:
    own = [process["own"] for process in RECORD["fsdp"]]
    for process in RECORD["fsdp"]:
        assert math.hypot(*own) == pytest.approx(process["returned"], rel=1e-12)
        assert process["returned"] == pytest.approx(RECORD["one_process"], rel=1e-12)
        assert process["by_one_norm"]["turned"] < 1e-5
        assert process["by_one_norm"]["length"] == pytest.approx(1, rel=1e-5)


def test_parts_clipped_by_their_own_norms_are_as_long_as_they_should_be() -> None:
    limit = RECORD["provenance"]["limit"]
    expected = math.hypot(*(min(limit, process["own"]) for process in RECORD["fsdp"]))
    for process in RECORD["fsdp"]:
        assert process["by_own_norm"]["length"] == pytest.approx(expected, rel=1e-6)
        assert process["by_own_norm"]["turned"] > 1


def test_ddp_clips_the_mean_and_a_clip_before_it_turns_the_step() -> None:
    for process in RECORD["ddp"]:
        right, wrong = process["average_then_clip"], process["clip_then_average"]
        assert right["norm"] == pytest.approx(RECORD["one_process"], rel=1e-12)
        assert right["turned"] < 1e-5
        assert wrong["turned"] > 30
        assert wrong["length"] < right["length"]


def test_the_loss_scale_is_halved_after_a_skip_and_doubled_after_ten_steps() -> None:
    interval = RECORD["provenance"]["growth_interval"]
    steps: list[Any] = RECORD["amp"]["steps"]
    good = 0
    for (power, norm, moved), (following, *_) in pairwise(steps):
        finite = isinstance(norm, float) and math.isfinite(norm)
        assert moved == finite
        good = good + 1 if finite else 0
        grows = good == interval
        assert following == (power + grows if finite else power - 1)
        good = 0 if grows else good


def test_a_clip_before_the_scale_is_taken_out_shortens_what_the_limit_should_leave_alone() -> None:
    orders = RECORD["amp"]["orders"]
    right, wrong = orders["unscale_then_clip"], orders["clip_then_unscale"]
    assert right["norm"] < RECORD["provenance"]["limit"]
    assert right["step"] == pytest.approx(right["norm"], rel=1e-5)
    assert wrong["norm"] == pytest.approx(2**16 * right["norm"], rel=1e-2)
    assert wrong["step"] == pytest.approx(2**-16, rel=1e-3)
