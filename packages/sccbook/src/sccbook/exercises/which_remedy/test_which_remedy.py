"""A bank of answers to chapter 13's diagnosis, and what its records are."""

import numpy as np

from sccbook.exercises.which_remedy.exercise import CASES, FLAT, NAMES, SIZE, right

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


def renamed(**names):
    return lambda record: names.get(step_by_step(record), step_by_step(record))


def broken(record):
    return not np.isfinite(record["norm"]).all()


def known(values):
    return values[np.isfinite(values)]


WRONG = {
    "always_the_same": [lambda _, name=name: name for name in NAMES],
    "norms_alone": [
        lambda record: CLIP if record["norm"].max() > 10 * np.median(record["norm"]) else LOWER_RATE,
    ],
    "clip_against_nan": [
        lambda record: CLIP if broken(record) else step_by_step(record),
        renamed(forward=CLIP, backward=CLIP),
    ],
    "all_nan_alike": [
        lambda record: FORWARD if broken(record) else step_by_step(record),
        lambda record: LOWER_RATE if np.isnan(record["norm"][-1]) or broken(record) else step_by_step(record),
    ],
    "last_loss": [
        lambda record: (
            FORWARD if np.isnan(record["loss"][-1]) and step_by_step(record) != LOWER_RATE
            else step_by_step(record)
        )
    ],
    "growth_overlooked": [
        lambda record: (
            step_by_step(record) if not broken(record)
            else BACKWARD if np.isfinite(record["loss"][np.argmax(~np.isfinite(record["norm"]))])
            else FORWARD
        )
    ],
    "growth_is_clipped": [
        lambda record: (
            CLIP if step_by_step(record) == LOWER_RATE and broken(record) else step_by_step(record)
        )
    ],
    "level_is_spike": [
        lambda record: (
            CLIP if known(record["norm"]).max() > 10 * np.median(known(record["norm"]))
            else step_by_step(record)
        ),
        renamed(clip_update=CLIP),
    ],
    "thrown_is_grown": [
        lambda record: (
            CAP if known(record["weight"])[-1] > 5 * record["weight"][0] else step_by_step(record)
        ),
        renamed(clip=CAP),
    ],
    "update_overlooked": [renamed(clip_update=LOWER_RATE), renamed(clip_update=CAP)],
    "growth_of_weights_overlooked": [renamed(cap=LOWER_RATE)],
    "rate_is_clipped": [renamed(lower_rate=CLIP)],
    "not_a_name": [lambda _: "skip", renamed(cap="max_norm")],
    "structure_changed": [lambda record: [step_by_step(record)]],
    "returns_other": [lambda record: 0.5],
    "not_callable": ["clip"],
    "raises": [lambda loss, norm, update, weight: CLIP],
}  # fmt: skip


def by_scores(record):
    """What is not finite first, then whichever stands out the most."""
    norm, loss = record["norm"], record["loss"]
    if broken(record):
        at = np.flatnonzero(~np.isfinite(norm))[0]
        grew = np.polyfit(np.arange(at), np.log(norm[:at]), 1)[0] > 0.05
        return LOWER_RATE if grew else BACKWARD if np.isfinite(loss[at]) else FORWARD
    top = np.sort(norm)[::-1]
    if top[0] > 50 * top[1]:
        return CLIP
    late = record["update"][25:]
    if late.max() > 4 * np.median(late):
        return CLIP_UPDATE
    return LOWER_RATE if loss.std() > 0.1 else CAP


IN_PART = {
    "last_loss": [renamed(forward=BACKWARD, backward=FORWARD)],
}

RIGHT = {
    "step by step": step_by_step,
    "by scores": by_scores,
    "by the course's own": right,
}


def test_every_remedy_has_two_records_or_more_and_three_causes_end_in_nan():
    found = [right(*case.arguments) for case in CASES]
    assert all(found.count(name) >= 2 for name in NAMES)
    lost = {n for n, case in zip(found, CASES, strict=True) if broken(case.arguments[0])}
    assert lost == {LOWER_RATE, FORWARD, BACKWARD}


def test_a_nan_of_the_backward_pass_is_in_the_next_loss_and_one_of_the_forward_pass_in_its_own():
    for case in CASES:
        (record,) = case.arguments
        if (name := right(record)) in (FORWARD, BACKWARD):
            at = np.argmax(~np.isfinite(record["norm"]))
            assert np.isfinite(record["loss"][at]) == (name == BACKWARD)
            assert not np.isfinite(record["loss"][at + 1])
            assert known(record["norm"]).max() < 1


def test_a_record_has_the_same_steps_in_every_column():
    for case in CASES:
        (record,) = case.arguments
        assert {len(values) for values in record.values()} == {240}
    assert (SIZE, FLAT) == (4, 4)
