"""A bank of answers to chapter 13's diagnosis, and what its records are."""

import numpy as np

from sccbook.checking.comparisons import renamed
from sccbook.exercises.which_remedy.exercise import CASES, NAMES, STEPS, right

CLIP, CLIP_UPDATE, CAP, LOWER_RATE, FORWARD, BACKWARD = NAMES


def step_by_step(record):
    """The first step that is not finite, then neighbours, then ends."""
    loss, norm, update = (record[k] for k in ("loss", "norm", "update"))
    for n in range(len(norm)):
        if not np.isfinite(norm[n]):
            if norm[n - 1] > 1e4 * norm[0]:
                return LOWER_RATE
            return BACKWARD if np.isfinite(loss[n]) else FORWARD
    usual = np.median(np.lib.stride_tricks.sliding_window_view(norm, 9), axis=1)
    if np.max(norm[4:-4] / usual) > 30:
        return CLIP
    if np.max(update[30:]) > 4 * np.median(update[30:]):
        return CLIP_UPDATE
    return CAP if loss[-40:].mean() < 0.1 else LOWER_RATE


WRONG = {
    "always_the_same": [lambda _, name=name: name for name in NAMES],
    "norms_alone": [
        lambda record: (
            CLIP if record["norm"].max() > 10 * np.median(record["norm"]) else LOWER_RATE
        ),
    ],
    "clip_against_nan": [
        renamed(step_by_step, {"forward": CLIP, "backward": CLIP}),
    ],
    "last_loss": [
        lambda record: (
            FORWARD
            if np.isnan(record["loss"][-1]) and step_by_step(record) != LOWER_RATE
            else step_by_step(record)
        )
    ],
    "gradient_overlooked": [renamed(step_by_step, {"clip": CLIP_UPDATE})],
    "level_is_spike": [
        renamed(step_by_step, {"clip_update": CLIP}),
    ],
    "thrown_is_grown": [
        renamed(step_by_step, {"clip": CAP}),
    ],
    "update_overlooked": [
        renamed(step_by_step, {"clip_update": LOWER_RATE}),
        renamed(step_by_step, {"clip_update": CAP}),
    ],
    "growth_of_weights_overlooked": [renamed(step_by_step, {"cap": LOWER_RATE})],
    "rate_is_clipped": [renamed(step_by_step, {"lower_rate": CLIP})],
    "not_a_name": [lambda _: "skip", renamed(step_by_step, {"cap": "max_norm"})],
    "structure_changed": [lambda record: [step_by_step(record)]],
    "returns_other": [lambda record: 0.5],
    "not_callable": ["clip"],
    "raises": [lambda loss, norm, update, weight: CLIP],
}


IN_PART = {
    "last_loss": [renamed(step_by_step, {"forward": BACKWARD, "backward": FORWARD})],
}

RIGHT = {
    "step by step": step_by_step,
    "by the course's own": right,
}


def test_records_are_whole_and_three_causes_end_in_nan():
    assert {len(v) for case in CASES for v in case.arguments[0].values()} == {STEPS}
    ends = {right(record): record["norm"][-1] for (record,) in (case.arguments for case in CASES)}
    lost = {name for name, norm in ends.items() if not np.isfinite(norm)}
    assert lost == {LOWER_RATE, FORWARD, BACKWARD}


def test_a_backward_nan_reaches_the_next_loss_and_a_forward_nan_its_own():
    for case in CASES:
        (record,) = case.arguments
        if (name := right(record)) in (FORWARD, BACKWARD):
            at = np.argmax(~np.isfinite(record["norm"]))
            assert np.isfinite(record["loss"][at]) == (name == BACKWARD)
            assert not np.isfinite(record["loss"][at + 1])
            assert np.nanmax(record["norm"][:at]) < 1
