"""Streams: each step reaches each logger once, and an alert is sent once; with the real loggers."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from scaleclip import probe
from scaleclip.probe import Recording

NORMS = np.exp(np.random.default_rng(0).normal(size=40))


def run_of(norms: np.ndarray, keep: int = 40, **other: Any) -> Recording:
    """Return what a recorder of so many steps has kept."""
    steps = np.arange(1, len(norms) + 1)[-keep:]
    norms = np.asarray(norms, float)[-keep:]
    return Recording(
        steps, norms, np.full(len(norms), 1.0), {"a (b)/w": norms}, seen=int(steps[-1]), **other
    )


def streamed(*sinks: Any, **options: Any) -> None:
    """Stream 40 steps, as a training does, that is resumed after 24 of them."""
    first = probe.Stream(*sinks, every=10, **options)
    for n in range(1, 25):
        first(lambda n=n: run_of(NORMS[:n]))
    first.flush(run_of(NORMS[:24]))
    again = probe.Stream(*sinks, every=10, **options)
    again.load_state_dict(first.state_dict())
    for n in range(25, 41):
        again(lambda n=n: run_of(NORMS[:n]))
    again.flush(run_of(NORMS))
    again.flush(run_of(NORMS))


def library(name: str) -> Any:
    """Import a logger, or skip the test."""
    return pytest.importorskip(name, reason=f"{name} isn't here: make frameworks test-frameworks")


def test_each_step_is_sent_once_with_what_was_measured_in_it():
    sent: list[tuple[int, float]] = []
    rows = []
    streamed(
        lambda row, step: sent.append((step, row["gradient/norm"])),
        lambda row, step: rows.append(row),
    )
    assert sent == [*zip(range(1, 41), NORMS.tolist(), strict=True)]
    counted = [n for n, row in enumerate(rows, 1) if "gradient/share_clipped" in row]
    assert counted == [10, 20, 24, 34, 40]


def test_an_optax_state_is_read():
    jnp, sent = library("jax.numpy"), []
    tx = probe.clip_by_global_norm(1.0)
    _, state = tx.update({"w": jnp.array([3.0, 4.0])}, tx.init({"w": jnp.ones(2)}))
    probe.Stream(lambda row, step: sent.append((step, row["gradient/norm"])), every=1)(state)
    assert sent == [(1, 5.0)]


def test_steps_that_were_lost_or_are_of_another_run_are_reported():
    stream = probe.Stream()
    with pytest.warns(UserWarning, match=r"Steps 1 to 30 weren't sent: the recorder keeps 10"):
        stream.flush(run_of(NORMS, keep=10))
    with pytest.warns(UserWarning, match="ends in step 5, but steps up to 40 were sent"):
        stream.flush(run_of(NORMS[:5]))
    with pytest.raises(TypeError, match=r"can't send to 3: expected a Weights & Biases run"):
        probe.Stream(3)
    with pytest.raises(ValueError, match="every must be"):
        probe.Stream(every=0)


def test_an_alert_tells_of_an_event_once_though_it_lasts_over_readings():
    norms = np.array([1.0] * 30 + [9.0] * 12 + [math.nan] * 5 + [9.0, 1.0, 9.0])
    spike = probe.Spike(1.0, 417, run_of(norms[:31]))
    told: list[str] = []
    rules = (probe.above_median(5), probe.not_finite(3), probe.clips_more_than(0.9, of=10))
    stream = probe.Stream(every=5, alerts=[probe.Alert(rule, told.append) for rule in rules])
    for n in range(1, len(norms) + 1):
        stream(run_of(norms[:n], spikes=(spike,) if n > 30 else ()))
    stream.flush(run_of(norms))
    assert told == [
        "Step 31: norm above 5 times the median before it. The norm is 9. Batch 417. "
        "a (b)/w rose most, in step 31.",
        "Step 40: more than 90 % of 10 steps are clipped. The norm is 9.",
        "Step 45: 3 steps in a row aren't finite. The norm is nan.",
        "Step 50: norm above 5 times the median before it. The norm is 9.",
    ]
    probe.Alert(probe.above_median(5), told.append).tell(run_of(norms[:31], 9, spikes=(spike,)), 30)
    assert told[-1] == told[0]  # though too few steps are kept to have a median
    with pytest.raises(TypeError, match=r"call it, as in probe.Alert\(probe.not_finite\(\)\)"):
        probe.Alert(probe.not_finite)
    with pytest.raises(ValueError, match=r"must return bool \[40\].*returned int64 \[\]"):
        probe.Stream(alerts=probe.Alert(lambda _: np.array(3))).flush(run_of(NORMS))


def test_weights_and_biases_gets_rows_though_its_own_count_is_ahead(tmp_path, monkeypatch):
    library(
        "wandb.sdk"
    )  # a run leaves a folder "wandb", which is imported where it isn't installed
    wandb = library("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    with wandb.init(mode="offline", dir=tmp_path, project="probe") as run:
        for _ in range(50):
            run.log({"loss": 1.0})
        streamed(run)
        logged = {key: value for key, value in dict(run.summary).items() if "gradient" in key}
    assert logged == run_of(NORMS).metrics() | {"gradient/step": 40}
    assert list(tmp_path.rglob("*.wandb"))


def test_trackio_gets_every_step_and_the_alert(tmp_path, monkeypatch):
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path))
    trackio = library("trackio")
    storage = import_module("trackio.sqlite_storage").SQLiteStorage
    trackio.init(project="probe", embed=False)
    streamed(trackio, alerts=probe.Alert(lambda r: r.norms == NORMS.max(), trackio, "highest"))
    trackio.finish()
    rows = storage.get_logs("probe", storage.get_runs("probe")[0])
    assert [(row["step"], row["gradient/norm"]) for row in rows] == [*enumerate(NORMS.tolist(), 1)]
    (alert,) = storage.get_alerts("probe")
    assert alert["text"].startswith(f"Step {NORMS.argmax() + 1}: highest.")


def test_mlflow_gets_every_step_under_names_that_it_takes(tmp_path, monkeypatch):
    mlflow = library("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        streamed(mlflow)
    for name in ("gradient/norm", "gradient/norm.a _b_.w"):
        history = mlflow.MlflowClient().get_metric_history(run.info.run_id, name)
        assert [(each.step, each.value) for each in history] == [*enumerate(NORMS.tolist(), 1)]
