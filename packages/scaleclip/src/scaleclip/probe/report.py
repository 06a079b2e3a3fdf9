"""Print a recording as a table, and suggest limits, with what speaks against them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scaleclip.text_table import aligned

Recording = Any
"""A ``scaleclip.probe.Recording``, whose module imports this one."""

AT_MOST = 12
"""Groups that are printed; of more, those with the largest part of the gradient."""
PERCENTILES = (90, 95, 99)
SPIKES = 5
"""Spikes that are printed: the last ones."""
RAISED = 3.0
"""From this multiple of its own median on, a group has moved."""
MOVED = (
    f"Moved first: of the groups above {RAISED:g} times their own median in the spike,\n"
    "the one that rose first; of several, the one that rose most. That is when, not why."
)
NEARLY_ALWAYS = 0.9
"""From this share of clipped steps on, a clip is the length of the step."""


def table(recording: Recording) -> str:
    """Print the counts, the norms, and a row for each group."""
    kept, norms = len(recording.steps), recording.finite
    if not (recording.seen or recording.unseen):
        return "No step was recorded. Is the clip that records called in each step of the training?"
    lines = [
        f"{count(recording.seen, 'step')}, {recording.clipped} clipped, "
        f"{recording.nonfinite} not finite"
        + (f", {recording.skipped} skipped" if recording.skipped else "")
        + (f"; the last {kept} are kept" if kept < recording.seen else "")
    ]
    if recording.culprit:
        groups = ", ".join(recording.culprit.groups) or "no group that was recorded"
        if len(recording.culprit.groups) == len(recording.groups) > 1:
            groups = "every group"
        lines.append(
            f"first not finite in step {recording.culprit.step:,}: {groups}; "
            f"longest run: {count(recording.streak, 'step')}"
        )
    if recording.unseen is None:
        lines.append(
            "a wrapper around the recorder may have left steps out, and doesn't count them (such as Optax's "
            "MultiSteps with should_skip_update_fn, or Keras' LossScaleOptimizer)"
        )
    elif recording.unseen:
        left = count(recording.unseen, "more step")
        lines.append(f"{left}, not finite, left out by a wrapper before the recorder saw them")
    if norms.size:
        lines += [f"norm: {_spread(recording)}", _limit(recording)]
    lines += _history(recording)
    if recording.groups:
        lines += ["", *_groups(recording)]
    if recording.spikes:
        lines += ["", *_spikes(recording)]
    return "\n".join(lines)


def _limit(recording: Recording) -> str:
    low, high = float(recording.limits.min()), float(recording.limits.max())
    if low == math.inf:
        return "no limit: recorded, not clipped"
    named = f"limit {show(low)}" + ("" if low == high else f" to {show(high)}")
    clipped, kept = recording.share_clipped(), recording.length_kept()
    return f"{named}: clips {percent(clipped)} of these steps, keeps {percent(kept)} of their total length"


def _spread(recording: Recording) -> str:
    norms = recording.finite
    worst = np.argmax(np.where(np.isfinite(recording.norms), recording.norms, -1))
    return (
        f"median {show(np.median(norms))}, 90th percentile {show(np.percentile(norms, 90))}, "
        f"largest {show(norms.max())} in step {recording.steps[worst]}"
    )


def _history(recording: Recording) -> list[str]:
    """A line on the whole run, where the steps that were kept are only its end."""
    whole = recording.history
    if whole is None or not whole.finite.size or len(recording.steps) == recording.seen:
        return []
    stride = int(np.diff(whole.steps[:2]).sum()) or 1
    every = f", 1 in {stride}" if stride > 1 else ""
    return [f"whole run ({count(len(whole.steps), 'step')}{every}): {_spread(whole)}"]


def _spikes(recording: Recording) -> list[str]:
    """A row for each of the last spikes: how high, in which batch, and what moved first."""
    heading = ["spike in step", "norm", "/ median", "batch", "moved first", "in step", "of norm²"]
    rows = [[*heading, "update/weight"]]
    for spike in recording.spikes[-SPIKES:]:
        batch = "" if spike.tag is None else str(spike.tag)
        row = [str(spike.step), show(spike.norm), show(spike.norm / spike.median), batch]
        found = spike.first()
        if found:
            ratio = "" if math.isnan(found.ratio) else show(found.ratio)
            row += [found.group, str(found.step), percent(found.share), ratio]
        rows.append(row + [""] * (len(rows[0]) - len(row)))
    filled = [n for n in range(len(rows[0])) if any(row[n] for row in rows[1:])]
    hidden = recording.spiked - len(rows) + 1
    return [
        *aligned([[row[n] for n in filled] for row in rows]),
        *([f"and {count(hidden, 'earlier spike')}"] if hidden > 0 else []),
        *([MOVED] if rows[0].index("moved first") in filled else []),
    ]


def _groups(recording: Recording) -> list[str]:
    """A row for each group; its part of the squared norm says which one a clip answers."""
    parts = {
        name: part(recording, norms)
        for name, norms in recording.groups.items()
        if norms.any() or np.nansum(recording.updates.get(name, 0))
    }
    idle = len(recording.groups) - len(parts)  # frozen, such as what LoRA adapts
    alone = dict.fromkeys(name for name in recording.ratios if name not in recording.groups)
    order = [*sorted(parts, key=lambda name: -parts[name]), *alone]
    heading = ["group", "median", "largest", "of norm²"]
    others = [
        (heading_of, by)
        for heading_of, by in (
            ("update/weight", recording.ratios),
            ("taken back", recording.beyond),
        )
        if by
    ]
    rows = [heading + [named for named, _ in others]]
    for name in order[:AT_MOST]:
        row = [name, "", "", ""]  # of the updates' groups alone: the clip is of other leaves
        if name in parts:
            norms = recording.groups[name]
            largest = np.max(norms, initial=0.0, where=np.isfinite(norms))
            row = [name, show(median(norms)), show(largest), percent(parts[name])]
        # grouped otherwise, a group may be in one record alone
        rows.append(row + [show(median(by[name])) if name in by else "" for _, by in others])
    left = len(order) - AT_MOST
    return [
        *aligned(rows),
        *([f"and {count(left, 'group')} with less"] if left > 0 else []),
        *([f"and {count(idle, 'group')} without a gradient"] if idle else []),
    ]


def part(recording: Recording, norms: np.ndarray) -> float:
    """The group's part of the squared norm, averaged over the steps whose whole norm is finite.

    Not over those where the quotient is: the group that overflowed would be left out of a step that
    counts as 0 for the others, and the parts wouldn't add up to 1.
    """
    known = np.isfinite(recording.norms) & (recording.norms > 0)
    return float(np.mean((norms[known] / recording.norms[known]) ** 2)) if known.any() else 0.0


@dataclass(frozen=True)
class Suggestions:
    """Limits that would have clipped some of the recorded steps, and cautions. It prints itself.

    Attributes:
      limits: by percentile, the norm at it.
      clipped, kept: the share of the steps that it clips, and of all length that it leaves.
      cautions: what the replay cannot know, in sentences.
    """

    limits: dict[int, float]
    clipped: dict[int, float]
    kept: dict[int, float]
    cautions: tuple[str, ...]

    def __repr__(self) -> str:
        rows = [["percentile", "limit", "clipped", "length kept"]]
        for p, limit in self.limits.items():
            rows.append([f"{p}th", show(limit), percent(self.clipped[p]), percent(self.kept[p])])
        return "\n".join([*aligned(rows), "", *(f"- {caution}" for caution in self.cautions)])


def suggest(recording: Recording, beta2: float) -> Suggestions:
    """Replay percentiles of the norms as limits; ``Recording.suggest`` says the rest."""
    norms = recording.finite
    if not norms.size:
        raise ValueError(
            "No norm of this recording is finite, so no limit can be tried on it. "
            f"{count(recording.nonfinite, 'step')} had inf or NaN in a gradient."
        )
    if not 0 <= beta2 < 1:
        raise ValueError(
            f"beta2 must be from 0 to below 1, such as 0.999, but {beta2!r} was given."
        )
    limits = {p: float(np.percentile(norms, p)) for p in PERCENTILES}
    return Suggestions(
        limits,
        {p: recording.share_clipped(c) for p, c in limits.items()},
        {p: recording.length_kept(c) for p, c in limits.items()},
        tuple(_cautions(recording, norms, beta2)),
    )


def _cautions(recording: Recording, norms: np.ndarray, beta2: float) -> list[str]:
    said = [
        "These norms are those of the run that was recorded. With another limit the weights would "
        "have gone elsewhere, and so would the norms."
    ]
    share = recording.share_clipped()
    if share > NEARLY_ALWAYS:
        said.append(
            f"The limit in force clips {percent(share)} of the steps. Under SGD that is a normalised "
            "gradient with steps of rate times limit: a change of the limit is one of the learning rate."
        )
    else:
        said.append(
            "Under SGD a clip that acts on nearly every step is a learning rate: steps of rate times limit."
        )
    said.append(
        "Before Adam a factor that all steps share cancels, so a clip of every step changes little. "
        + _spike(norms, beta2)
    )
    if recording.nonfinite:
        said.append(
            f"{count(recording.nonfinite, 'step')} had inf or NaN: no limit helps there. Skip those steps."
        )
    return said


def _spike(norms: np.ndarray, beta2: float) -> str:
    """How long the largest norm would hold Adam's updates below half of what they were."""
    median, largest = float(np.median(norms)), float(np.max(norms))
    if not median > 0:
        return "What it changes there is a spike."
    ratio = largest / median
    after = (1 - beta2) * ratio**2  # of the second moment, against 1 for the others
    steps = math.log(3 / after) / math.log(beta2) if beta2 > 0 and after > 3 else 0.0
    held = (
        f"would hold Adam's updates below half of the usual for {count(math.ceil(steps), 'step')}"
        if steps > 0
        else "would not halve Adam's updates after it"
    )
    return (
        f"A spike is another matter: one like the largest norm here, {ratio:.3g} times the median, among "
        f"gradients of the median length, {held} at beta2 = {beta2:g}."
    )


def median(values: np.ndarray) -> float:
    """Return the median of those that are finite; NaN if none is."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else math.nan


def count(number: int, what: str) -> str:
    """Write a number and what is counted: "1 step", "2 steps"."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def percent(share: float) -> str:
    """Write a share as a percentage of three digits."""
    return f"{100 * share:.3g} %"


def show(value: float) -> str:
    """Write a number with three digits."""
    return f"{value:.3g}"
