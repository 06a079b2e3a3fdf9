"""Default view, words and table of a run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorax.controls.control import Control
from explorax.figure import defaults, domains
from explorax.figure.groups import Default, Picture, beside, groups
from explorax.figure.runs.run import RunProgram
from explorax.figure.shorthand import words
from explorax.figure.spec import Table
from explorax.views import History, Series

PROBES = 7
"""Runs by which axes are measured: the first setting's, and those at the ends of the controls."""
NOISY = 0.2
"""Share of steps at which a record turns, from which on its line is a mean."""
ROLES = ("loss", "state", "cotangent", "parameter", "own", "muted")


def sentences(program: RunProgram, controls: Sequence[Control], text: str) -> list[str]:
    """Write templates for a run's four cases: not begun, under way, at its end, and stopped.

    Args:
      program: the run's.
      controls: the figure's.
      text: what is said under way and at the end: ``"After {steps} steps: {last_loss:.3~g}."``; by
        default what is set, and the last number of each record.
    """
    given = defaults.settings(controls)
    after = f" with {given}" if given else ""
    numbers = ", ".join(
        f"{words(name)} = {{last_{name}:.3~g}}" for name in program.records[: defaults.SAID]
    )
    steps = f"{program.run.steps:,}"
    return [
        f"Press Run for {steps} steps{after}.",
        text or f"After {{steps}} of {steps} steps{after}: {numbers}.",
        text or f"After {{steps}} steps{after}: {numbers}.",
        f"The run stops after {{steps}} of {steps} steps{after}: what the next one records is no finite number.",
    ]


def table(records: Sequence[str]) -> Table:
    """List the records after 1, 2, 5, 10 steps and so on."""
    columns = [("step", "step_at"), *((words(name), f"{name}_at") for name in records)]
    return Table(columns, count="reached", general=True)


def view(program: RunProgram, controls: Sequence[Control]) -> Default:
    """Draw lines over the steps; records that can't be read on one axis get one each."""
    found = [program(*values) for values in itertools.islice(_settings(controls), PROBES)]
    sampled = {name: np.stack([each[name] for each in found]) for name in program.records}
    roles = dict(zip(sampled, itertools.cycle(ROLES), strict=False))
    pictures = []
    for names, labels, y in groups(sampled, domains.QUARTER):
        series = [
            Series(name, label, roles[name], "line")
            for name, label in zip(names, labels, strict=True)
        ]
        noisy = any(_turns(found[0][name]) > NOISY for name in names)
        smooth = max(1, program.run.steps // 50) if noisy else 1
        label = f"step; bold: mean of the last {smooth}" if noisy else "step"
        pictures.append(Picture(History(series, y, label, smooth), names))
    return beside(program.run, program, pictures)


def _turns(values: np.ndarray) -> float:
    """Return the share of steps at which values turn from rising to falling, or back."""
    signs = np.sign(np.diff(values[np.isfinite(values)]))
    return float(np.mean(signs[1:] != signs[:-1])) if signs.size > 1 else 0.0


def _settings(controls: Sequence[Control]) -> Iterator[tuple[Any, ...]]:
    """Yield the first setting, then each control at its ends with the others as they start."""
    first = [control.traced(control.initial) for control in controls]
    yield tuple(first)
    for i, control in enumerate(controls):
        for value in domains.spread(control, 2):
            yield (*first[:i], value, *first[i + 1 :])
