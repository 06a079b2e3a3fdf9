"""Recordings: what another limit would have done, what they print, and the files they go to."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboardX import SummaryWriter

from scaleclip import probe
from scaleclip.probe import Recording
from scaleclip.probe.recording import Culprit


def recording(norms=(1.0, 2.0, 4.0, 1.0), limit=2.0, **other) -> Recording:
    norms = np.array(norms)
    return Recording(
        steps=np.arange(1, len(norms) + 1),
        norms=norms,
        limits=np.full(len(norms), limit),
        groups={"a": 0.6 * norms, "b": 0.8 * norms},
        seen=len(norms),
        clipped=int(np.sum(norms > limit)),
        **other,
    )


def test_a_replay_is_the_formula():
    found = recording()
    assert found.share_clipped() == 0.25
    assert found.length_kept() == 6 / 8
    assert found.share_clipped(1.5) == 0.5
    assert found.length_kept(1.5) == (1 + 1.5 + 1.5 + 1) / 8
    assert (found.share_clipped(math.inf), found.length_kept(math.inf)) == (0, 1)
    assert found.length_kept(0.0) == 0
    np.testing.assert_allclose(found.factors, [1, 1, 0.5, 1])
    np.testing.assert_allclose(found.after["b"], [0.8, 1.6, 1.6, 0.8])


def test_steps_that_are_not_finite_are_no_part_of_a_replay():
    found = recording((1.0, math.nan, math.inf, 4.0))
    assert found.share_clipped() == 0.5
    assert found.length_kept() == 3 / 5


def test_a_recording_prints_counts_norms_and_groups_largest_first():
    text = repr(recording(nonfinite=1))
    assert text.splitlines() == [
        "4 steps, 1 clipped, 1 not finite",
        "norm: median 1.5, 90th percentile 3.4, largest 4 in step 3",
        "limit 2: clips 25 % of these steps, keeps 75 % of their total length",
        "",
        "group  median  largest  of norm²",
        "b         1.2      3.2      64 %",
        "a         0.9      2.4      36 %",
    ]


def spike(tag: int | None = None) -> probe.Spike:
    """One group grows from step 29 on; in step 32 another is nearly all of the norm."""
    embed, head = np.ones(32), np.ones(32)
    embed[28:], head[20], head[31] = (4, 5, 6, 7), 9, 40
    groups = {"embed": 0.1 * embed, "head": head, "idle": np.zeros(32)}
    norms = np.sqrt(sum(values**2 for values in groups.values()))
    rates = {"embed": np.where(np.arange(32) % 31, math.nan, 0.5)}
    ones = {"embed": np.ones(32)}
    return probe.Spike(
        1.0,
        tag,
        Recording(np.arange(1, 33), norms, norms, groups, seen=32, updates=rates, weights=ones),
    )


def test_the_group_that_rose_first_is_found_though_another_is_most_of_the_spike():
    found = spike().first()
    assert (found.group, found.step, found.ratio) == ("embed", 29, 0.5)
    assert found.times == pytest.approx(7)
    assert found.share == pytest.approx(0.7**2 / (0.7**2 + 40**2))
    assert spike().first(times=7.5).group == "head"
    assert spike().first(times=50) is None
    calm, new = np.ones(32), np.zeros(32)  # a new head, or an expert that wasn't asked before
    calm[31], new[31] = 4, 1000
    window = Recording(np.arange(32), calm + new, calm, {"calm": calm, "new": new})
    assert probe.Spike(1.0, None, window).first()[:3] == ("new", 31, 1000)


def test_it_prints_failures_spikes_and_the_whole_run_and_json_holds_them(tmp_path):
    whole = Recording(np.arange(1, 100, 4), np.ones(25), np.ones(25))
    failed = {"nonfinite": 3, "skipped": 3, "streak": 2, "culprit": Culprit(12, ("a", "b"))}
    found = replace(recording(), seen=100, spiked=3, spikes=(spike(417),), history=whole, **failed)
    lines = [" ".join(line.split()) for line in repr(found).splitlines()]
    assert lines[:2] == [
        "100 steps, 1 clipped, 3 not finite, 3 skipped; the last 4 are kept",
        "first not finite in step 12: every group; longest run: 2 steps",
    ]
    assert "whole run (25 steps, 1 in 4): median 1, 90th percentile 1, largest 1 in step 1" in lines
    assert "32 40 40 417 embed 29 0.0306 % 0.5" in lines
    assert "and 2 earlier spikes" in lines
    again = probe.load(found.to_json(tmp_path / "r.json"))
    assert repr(again) == repr(found)
    assert again.spikes[0].first() == found.spikes[0].first()


NONE, ONE, TWO = np.zeros(0), np.ones(2), np.array([1.0, math.inf, 2.0])
PRINTED = {  # a recording, and texts that its print ends with
    "shares add up where a step isn't finite": (
        Recording(
            np.arange(3), TWO, np.full(3, 9.0), {"a": 0.6 * TWO, "b": np.array([0.8, 5.0, 1.6])}, seen=3
        ),
        ["64 %", "a 0.9 1.2 36 %"],
    ),
    "a group of the updates alone": (
        Recording(
            np.arange(2), ONE, ONE, {"a": ONE}, seen=2, updates={"b": ONE}, weights={"b": 4 * ONE}
        ),
        ["b 0.25"],
    ),
    "of many groups the largest": (
        Recording(
            np.arange(2), ONE, ONE, {f"g{n}": np.full(2, float(n)) for n in range(20)}, seen=2
        ),
        ["g8 8 8 6.4e+03 %", "and 7 groups with less", "and 1 group without a gradient"],
    ),
    "nothing": (Recording(NONE, NONE, NONE), ["Is the clip that records called in each step of the training?"]),
}  # fmt: skip


@pytest.mark.parametrize("what", PRINTED)
def test_it_prints(what):
    found, lines = PRINTED[what]
    printed = [" ".join(line.split()) for line in repr(found).splitlines()[-len(lines) :]]
    assert all(given.endswith(line) for given, line in zip(printed, lines, strict=True))


def test_suggestions_are_percentiles_replayed():
    norms = np.arange(1.0, 101.0)
    found = recording(norms, limit=math.inf).suggest()
    assert found.limits == {p: pytest.approx(np.percentile(norms, p)) for p in (90, 95, 99)}
    assert found.clipped == {90: 0.1, 95: 0.05, 99: 0.01}
    for p, limit in found.limits.items():
        assert found.kept[p] == pytest.approx(np.minimum(norms, limit).sum() / norms.sum())
    assert "90th" in repr(found)
    assert "With another limit the weights would have gone elsewhere" in repr(found)


def test_a_clip_of_every_step_is_called_a_learning_rate():
    assert "clips 100 % of the steps" in repr(recording(limit=0.5).suggest())
    assert "clips 100 %" not in repr(recording().suggest())


def halved_for(ratio: float, beta2: float) -> int:
    """Steps after a spike, of Adam's second moment by its recursion, with root(v) above 2."""
    v, steps = (1 - beta2) * ratio**2 + beta2, 0
    while v > 4:
        v, steps = beta2 * v + (1 - beta2), steps + 1
    return steps


@pytest.mark.parametrize(
    ("ratio", "beta2"), [(1000, 0.999), (100, 0.999), (1000, 0.95), (1000, 0.99)]
)
def test_how_long_adam_remembers_the_largest_norm(ratio, beta2):
    assert "would not halve" in repr(recording([1.0] * 20 + [10]).suggest())
    text = repr(recording([1.0] * 20 + [ratio]).suggest(beta2))
    said = next(int(w.replace(",", "")) for w in text.split("usual for ")[1].split())
    assert abs(said - halved_for(ratio, beta2)) <= 2
    assert f"beta2 = {beta2:g}" in text


def test_metrics_are_the_last_step():
    found = recording((1.0, 4.0)).metrics("g")
    assert found == {
        "g/norm": 4,
        "g/limit": 2,
        "g/factor": 0.5,
        "g/norm/a": 2.4,
        "g/norm/b": 3.2,
        "g/share_clipped": 0.5,
        "g/steps_not_finite": 0,
        "g/steps_skipped": 0,
    }
    none = Recording(NONE, NONE, NONE, spiked=3).metrics()
    assert set(none) == {*(f"gradient/{name[2:]}" for name in [*found][-3:]), "gradient/spikes"}


def test_a_tensorboard_log_has_every_step_and_is_read_again(tmp_path):
    with SummaryWriter(str(tmp_path)) as writer:
        probe.Stream(writer).flush(recording())
    log = EventAccumulator(str(tmp_path)).Reload()
    assert [(e.step, e.value) for e in log.Scalars("gradient/norm")] == [
        (1, 1),
        (2, 2),
        (3, 4),
        (4, 1),
    ]
    again = probe.load(tmp_path, name="gradient/norm")
    np.testing.assert_array_equal(again.norms, recording().norms)
    np.testing.assert_array_equal(again.steps, recording().steps)


def test_only_later_steps_are_written_and_updates_only_where_they_were_measured(tmp_path):
    some = {"a": np.array([math.nan, 1.0, 3.0, math.nan])}
    found = recording(updates=some, weights={"a": 0 * some["a"] + 2})
    assert found.metrics()["gradient/update_to_weight/a"] == 1.5
    with SummaryWriter(str(tmp_path)) as writer:
        found.write(writer, after=1)
    log = EventAccumulator(str(tmp_path)).Reload()
    assert [e.step for e in log.Scalars("gradient/norm/a")] == [2, 3, 4]
    assert [e.step for e in log.Scalars("gradient/update_to_weight/a")] == [2, 3]


def test_json_holds_everything(tmp_path):
    found = recording(
        (1.0, math.inf, math.nan),
        nonfinite=2,
        updates={"a": np.ones(3)},
        weights={"a": np.full(3, 2.0)},
    )
    again = probe.load(found.to_json(tmp_path / "r.json"))
    assert repr(again) == repr(found)
    np.testing.assert_array_equal(again.norms, found.norms)
    np.testing.assert_array_equal(again.ratios["a"], 0.5)
    assert (again.seen, again.clipped, again.nonfinite) == (3, 1, 2)


def test_csv_has_a_row_for_each_step_and_its_norms_are_read_again(tmp_path):
    file = recording().to_csv(tmp_path / "r.csv")
    assert file.read_text().splitlines()[:2] == [
        "step,norm,limit,factor,norm/a,norm/b",
        "1,1.0,2.0,1.0,0.6,0.8",
    ]
    np.testing.assert_array_equal(probe.load(file).norms, recording().norms)


def test_a_list_of_norms_is_a_recording_without_a_limit():
    found = probe.load([1, 2, 3])
    assert found.limits.tolist() == [math.inf] * 3
    assert "no limit" in repr(found)
    assert probe.load([1, 2, 3], limit=1.5).share_clipped() == 2 / 3
    assert probe.load(found) is found


def test_a_column_is_asked_for_where_several_may_be_meant(tmp_path):
    file = tmp_path / "two.csv"
    file.write_text("a_norm,b_norm,loss\n1,2,3\n4,5,6\n")
    with pytest.raises(
        ValueError, match=r"has 2 columns with 'norm'.*'a_norm', 'b_norm', 'loss'.*name="
    ):
        probe.load(file)
    assert probe.load(file, name="b_norm").norms.tolist() == [2, 5]
    with pytest.raises(ValueError, match="has no 'c'"):
        probe.load(file, name="c")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda _: probe.load(np.ones((2, 2))), ValueError, r"one list of numbers.*shape \(2, 2\)"),
        (lambda _: probe.load([1.0, -1.0]), ValueError, "negative"),
        (lambda at: probe.load(at / "x.json"), ValueError, r"has no norms: expected a file by Recording\.to_json"),
        (lambda at: probe.load(at / "none.csv"), FileNotFoundError, "expected a CSV, a JSON or a TensorBoard log"),
        (lambda _: recording((math.nan,)).suggest(), ValueError, "No norm of this recording is finite"),
        (lambda _: recording().suggest(beta2=1), ValueError, r"beta2 must be from 0 to below 1, such as 0\.999, but 1"),
    ],
)  # fmt: skip
def test_what_holds_no_norms_or_no_beta2_is_refused(call, error, message, tmp_path):
    (tmp_path / "x.json").write_text("[[1]]")
    with pytest.raises(error, match=message):
        call(tmp_path)
