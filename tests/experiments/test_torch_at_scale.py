"""Test that the parts of PyTorch's recorded clips fit together."""

from __future__ import annotations

import math

import pytest

from sccbook.records import load

RECORD = load("torch_at_scale")
WORLD = RECORD["provenance"]["processes"]


def test_pytorch_returns_the_norm_of_all_parts() -> None:
    own = [process["own"] for process in RECORD["fsdp"]]
    for process in RECORD["fsdp"]:
        assert math.hypot(*own) == pytest.approx(process["returned"], rel=1e-12)
        assert process["returned"] == pytest.approx(RECORD["one_process"], rel=1e-12)
        assert process["by_one_norm"]["turned"] < 1e-5
        assert process["by_one_norm"]["length"] == pytest.approx(1, rel=1e-5)


def test_parts_clipped_by_their_own_norms_turn_the_step() -> None:
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
