"""Default view, words and table of a run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorax.controls.control import Control
from explorax.figure import defaults, domains
from explorax.figure.groups import PANELS, groups
from explorax.figure.runs.run import Run, RunProgram
from explorax.figure.shorthand import words
from explorax.figure.spec import Table
from explorax.views import History, Panels, Series, View

PROBES = 7
"""Runs by which axes are measured: the first setting's, and those at the ends of the controls."""
NOISY = 0.2
"""Share of steps at which a record turns, from which on its line is a mean."""
ROLES = ("loss", "state", "cotangent", "parameter", "own", "muted")


def sentences(run: Run, controls: Sequence[Control], text: str) -> list[str]:
    """Write templates for a run's four cases: not begun, under way, at its end, and stopped.

    Args:
      run: the run.
      controls: the figure's.
      text: what is said under way and at the end: ``"After {steps} steps: {last_loss:.3~g}."``
    """
    given = defaults.settings(controls)
    after = f" with {given}" if given else ""
    stopped = "what the next one records is no finite number"
    return [
        f"Press Run for {run.steps:,} steps{after}.",
        text,
        text,
        f"The run stops after {{steps}} of {run.steps:,} steps{after}: {stopped}.",
    ]


def plain_sentences(program: RunProgram, controls: Sequence[Control]) -> list[str]:
    """Write the same, with what is set and the last number of each record."""
    numbers = ", ".join(
        f"{words(name)} = {{last_{name}:.3~g}}" for name in program.records[: defaults.SAID]
    )
    given = defaults.settings(controls)
    said = f"{f' with {given}' if given else ''}: {numbers}."
    ready, _, _, stopped = sentences(program.run, controls, "")
    under_way = f"After {{steps}} of {program.run.steps:,} steps{said}"
    return [ready, under_way, f"After {{steps}} steps{said}", stopped]


def table(records: Sequence[str]) -> Table:
    """List the records after 1, 2, 5, 10 steps and so on."""
    columns = [("step", "step_at"), *((words(name), f"{name}_at") for name in records)]
    return Table(columns, count="reached", general=True)


def view(program: RunProgram, controls: Sequence[Control]) -> View:
    """Draw lines over the steps; records that can't be read on one axis get one each."""
    found = [program(*values) for values in itertools.islice(_settings(controls), PROBES)]
    sampled = {name: np.stack([each[name] for each in found]) for name in program.records}
    roles = dict(zip(sampled, itertools.cycle(ROLES), strict=False))
    pictures: list[History] = []
    for names, labels, y in groups(sampled, domains.QUARTER)[:PANELS]:
        series = [
            Series(name, label, roles[name], "line")
            for name, label in zip(names, labels, strict=True)
        ]
        noisy = any(_turns(found[0][name]) > NOISY for name in names)
        smooth = max(1, program.run.steps // 50) if noisy else 1
        label = f"step; bold: mean of the last {smooth}" if noisy else "step"
        pictures.append(History(series, y, label, smooth))
    if len(pictures) == 1:
        return pictures[0]
    titled = [(one.y.label, replace(one, y=replace(one.y, label=""))) for one in pictures]
    return Panels(titled, wide="beside")


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
