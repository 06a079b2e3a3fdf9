"""Say when a rule holds of a training's norms: once for each event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from scaleclip.probe._sizes import BEFORE, LEAST
from scaleclip.probe.recording import Recording
from scaleclip.probe.scalars import rows_after

Rule = Callable[[Recording], np.ndarray]
"""Tell, for a recording of n kept steps, in which of them it holds: bool ``[n]``."""


@dataclass
class Alert:
    """A rule, and whom to tell when it begins to hold. A ``Stream`` checks it against new steps.

    >>> from scaleclip import probe
    >>> alert = probe.Alert(lambda recording: recording.norms > 3, to=print, name="norm above 3")
    >>> stream = probe.Stream(alerts=[alert])
    >>> stream.flush(probe.load([1.0, 4.0, 5.0, 1.0]))
    Step 2: norm above 3. The norm is 4.

    An event begins in a step in which the rule holds and before which it didn't. It is reported
    once, however long it lasts. Events found by one flush are reported together.

    Args:
      rule: a function of the ``Recording``, with all steps that it keeps, that returns in which of
        its ``n`` steps it holds, as bool ``[n]``; or ``above_median``, ``not_finite``,
        ``clips_more_than``.
      to: a function of the text, such as ``print`` or ``logging.warning``; or what has
        ``alert(title=, text=)``: a Weights & Biases run, or trackio.
      name: what the text calls the rule; by default the function's name.
    """

    rule: Rule
    to: Any = print
    name: str = ""
    holds: bool = False
    """Whether the rule held in the last step that was checked: the same event goes on."""

    def __post_init__(self) -> None:
        makers: Any = (above_median, not_finite, clips_more_than)
        if self.rule in makers:
            name = self.rule.__name__
            raise TypeError(f"{name} makes a rule: call it, as in probe.Alert(probe.{name}()).")

    def tell(self, recording: Recording, after: int) -> None:
        """Tell of events that began after a step.

        Args:
          recording: as read now.
          after: the last step that was checked before.

        Raises:
          ValueError: if the rule doesn't return a bool for each step.
        """
        recording = rows_after(
            recording, after, getattr(self.rule, "looks_back", len(recording.steps))
        )
        held = np.asarray(self.rule(recording))
        if held.shape != recording.steps.shape or held.dtype != bool:
            raise ValueError(
                f"The rule of an alert must return bool [{len(recording.steps)}], one for each step "
                f"that is kept, but it returned {held.dtype} {list(held.shape)}."
            )
        new = recording.steps > after
        begun = new & held & ~np.append(self.holds, np.where(new, held, self.holds)[:-1])
        self.holds = bool(held[-1])
        if begun.any():
            text = self._text(recording, np.flatnonzero(begun))
            self.to.alert("Gradient norms", text) if hasattr(self.to, "alert") else self.to(text)

    def _text(self, recording: Recording, rows: np.ndarray) -> str:
        step, name = recording.steps[rows[0]], self.name or getattr(self.rule, "__name__", "alert")
        text = f"Step {step}: {name}. The norm is {recording.norms[rows[0]]:.3g}."
        for spike in recording.spikes:
            if spike.step == step:
                text += "" if spike.tag is None else f" Batch {spike.tag}."
                first = spike.first()
                verb = "rose most" if first and first.step == step else "moved first"
                text += f" {first.group} {verb}, in step {first.step}." if first else ""
        again = f" It began {len(rows) - 1} times more, last in step {recording.steps[rows[-1]]}."
        return text + (again if len(rows) > 1 else "")


def above_median(times: float = 5.0) -> Rule:
    """Make a rule: the norm is above a multiple of the median of up to 100 steps before it.

    >>> from scaleclip import probe
    >>> probe.above_median(5)(probe.load([1.0] * 25 + [5.5])).nonzero()[0].tolist()
    [25]

    At least 25 of them must be finite, so that the first steps of a training raise no alarm. A step
    that isn't finite goes on as the one before. Where the recorder keeps too few, its own spikes count
    that are as high.

    Args:
      times: the multiple, above 0.
    """

    def rule(recording: Recording) -> np.ndarray:
        known = np.where(np.isfinite(recording.norms), recording.norms, np.nan)
        padded = np.append(np.full(BEFORE, np.nan), known)
        before = np.lib.stride_tricks.sliding_window_view(padded, BEFORE)[:-1]
        few = np.sum(~np.isnan(before), axis=1, keepdims=True) < LEAST
        held = known > times * np.nanmedian(np.where(few, np.inf, before), axis=1)
        high = [spike.step for spike in recording.spikes if spike.norm > times * spike.median]
        held |= np.isin(recording.steps, high)
        return held[np.maximum.accumulate(np.where(np.isnan(known), 0, np.arange(len(known))))]

    return _named(rule, f"norm above {times:g} times the median before it", BEFORE)


def not_finite(in_a_row: int = 3) -> Rule:
    """Make a rule: the norm was inf or NaN in so many steps in a row.

    Under ``nonfinite="zero"`` it never is: there ask ``recording.culprit`` and ``nonfinite``.

    >>> from scaleclip import probe
    >>> probe.not_finite(2)(probe.load([1.0, float("nan"), float("inf")])).tolist()
    [False, False, True]

    Args:
      in_a_row: how many, at least 1.
    """
    return _named(
        lambda recording: _last(~np.isfinite(recording.norms), in_a_row) == in_a_row,
        f"{in_a_row} steps in a row aren't finite",
        in_a_row,
    )


def clips_more_than(share: float = 0.9, of: int = 100) -> Rule:
    """Make a rule: more than a share of the last steps were clipped.

    >>> from scaleclip import probe
    >>> probe.clips_more_than(0.5, of=2)(probe.load([1.0, 3.0, 3.0], limit=2.0)).tolist()
    [False, False, True]

    Args:
      share: in [0, 1).
      of: how many steps, at least 1; the recorder must keep as many.
    """
    return _named(
        lambda recording: _last(recording.norms > recording.limits, of) > share * of,
        f"more than {100 * share:.3g} % of {of} steps are clipped",
        of,
    )


def _last(held: np.ndarray, steps: int) -> np.ndarray:
    """Count in how many of so many steps, up to each one, something held."""
    return np.convolve(held, np.ones(steps))[: len(held)]


def _named(rule: Rule, name: str, looks_back: int) -> Rule:
    """Give a rule its name, and how many steps before a new one it needs."""
    rule.__dict__["looks_back"] = looks_back
    rule.__name__ = name
    return rule
