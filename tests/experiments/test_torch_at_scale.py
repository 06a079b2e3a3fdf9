"""Test that the parts of PyTorch's recorded clips fit together."""

from __future__ import annotations

import math

import pytest

from sccbook.records import load

RECORD = load("torch_at_scale")


def test_fsdp_clips_by_the_norm_of_all_parts_and_parts_norms_would_turn_the_step() -> None:
    own, limit = [process["own"] for process in RECORD["fsdp"]], RECORD["provenance"]["limit"]
    expected = math.hypot(*(min(limit, norm) for norm in own))
    for process in RECORD["fsdp"]:
        assert math.hypot(*own) == pytest.approx(process["returned"], rel=1e-12)
        assert process["returned"] == pytest.approx(RECORD["one_process"], rel=1e-12)
        right, wrong = process["by_one_norm"], process["by_own_norm"]
        assert right["turned"] < 1e-5 < 1 < wrong["turned"]
        assert (right["length"], wrong["length"]) == pytest.approx((1, expected), rel=1e-5)


def test_ddp_clips_the_mean_and_a_clip_before_it_turns_the_step() -> None:
    for process in RECORD["ddp"]:
        right, wrong = process["average_then_clip"], process["clip_then_average"]
        assert right["norm"] == pytest.approx(RECORD["one_process"], rel=1e-12)
        assert right["turned"] < 1e-5 < 30 < wrong["turned"]
        assert wrong["length"] < right["length"]
