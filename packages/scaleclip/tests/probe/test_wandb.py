"""A recording's metrics go to Weights & Biases, offline."""

from __future__ import annotations

import pytest

from scaleclip import probe

wandb = pytest.importorskip(
    "wandb", reason="wandb is not installed here: make frameworks test-frameworks"
)


def test_metrics_are_logged_offline(tmp_path, monkeypatch):
    monkeypatch.setenv("WANDB_SILENT", "true")
    recording = probe.load([1.0, 2.0, 4.0], limit=2.0)
    with wandb.init(mode="offline", dir=tmp_path, project="probe") as run:
        run.log(recording.metrics())
        logged = {key: value for key, value in dict(run.summary).items() if not key.startswith("_")}
    assert logged == recording.metrics()
    assert logged["gradient/norm"] == 4
    assert list(tmp_path.rglob("*.wandb"))
