"""Figures at any settings: as they start, at the ends of their controls, anywhere between."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from explorax.controls.control import Control
from explorax.figure.runs import RunProgram
from explorax.figure.widget import Figure


def ends(figure: Figure) -> list[dict[str, Any]]:
    """Every control at each of its ends, or of its choices, the others as they are."""
    return [
        figure.settings | {control.name: value}
        for control in figure.spec.controls
        for value in _ends(control.describe())
    ]


def _ends(control: dict[str, Any]) -> list[Any]:
    match control["kind"]:
        case "choice":
            return [name for name, _ in control["options"]]
        case "toggle":
            return [False, True]
        case "point":
            return [list(control["minimum"]), list(control["maximum"])]
    return sorted({*control["allowed"], control["minimum"], control["maximum"]})


def anywhere(figure: Figure, count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Random settings of all controls, to the ends of what is allowed."""
    source = random.Random(seed)
    controls = figure.spec.controls
    return [{control.name: _drawn(control, source) for control in controls} for _ in range(count)]


def _drawn(control: Control, source: random.Random) -> Any:
    described = control.describe()
    match control.kind:
        case "choice":
            return source.choice(described["options"])[0]
        case "toggle":
            return source.random() < 0.5
        case "point":
            corners = zip(described["minimum"], described["maximum"], strict=True)
            return [source.uniform(*corner) for corner in corners]
        case "integer":
            return source.randint(*described["allowed"])
        case "log":
            return math.exp(source.uniform(*map(math.log, described["allowed"])))
    return source.uniform(*described["allowed"])


def assert_page_agrees(
    figure: Figure,
    settings: Sequence[dict[str, Any]],
    run_in_node: Any,
    *,
    program: str = "",
    slack: float = 1e-10,
) -> None:
    """The program, in Node, gives what JAX gives, to ``slack`` of each result's size or of 1.

    Of a run that is its first carry, and its first step.
    """
    calls = [traced(figure, setting) for setting in settings]
    made: Any = figure.program
    if isinstance(made, RunProgram):
        assert_calls_agree(made.start, calls, run_in_node, at=settings, slack=slack)
        calls = [[made.start(*call), *call] for call in calls]
        made = made.step
    assert_calls_agree(made, calls, run_in_node, at=settings, program=program, slack=slack)


def traced(figure: Figure, settings: dict[str, Any]) -> list[Any]:
    """What the figure's program takes at these settings, its other controls as they start."""
    return [c.traced(settings.get(c.name, c.initial)) for c in figure.spec.controls]


def ended(figure: Figure, **settings: Any) -> dict[str, Any]:
    """Train a figure to the end of its run, by JAX, and return the results."""
    found: dict[str, Any] = figure.program(*traced(figure, settings))
    return found


def assert_steps_agree(
    figure: Figure, runs: Sequence[dict[str, Any]], run_in_node: Any, *, steps: int, every: int
) -> None:
    """The page takes the same step as JAX does, from some of the carries on the way."""
    program: Any = figure.program
    calls = []
    for settings in runs:
        values = traced(figure, settings)
        carry = program.start(*values)
        for n in range(steps):
            if n % every == 0:
                calls.append([carry, *values])
            carry = program.step(carry, *values)["carry"]
    assert_calls_agree(program.step, calls, run_in_node)


def assert_calls_agree(
    made: Any,
    calls: Sequence[Sequence[Any]],
    run_in_node: Any,
    *,
    at: Sequence[Any] = (),
    program: str = "",
    slack: float = 1e-10,
) -> None:
    """The same of calls of one program: of a run, that is its ``start`` or its ``step``.

    Where it fails, the message says ``at`` which settings; the call itself where they are not given.
    """
    results = run_in_node(program or made.javascript, [jax.tree.leaves(call) for call in calls])
    for setting, call, found in zip(at or calls, calls, results, strict=True):
        expected_leaves = jax.tree.leaves(made(*call))
        for leaf, numbers, expected in zip(made.outputs, found, expected_leaves, strict=True):
            value = np.ravel(np.asarray(expected, dtype=float))
            size = np.max(np.abs(value), where=np.isfinite(value), initial=1.0)
            np.testing.assert_allclose(
                numbers, value, rtol=0, atol=slack * size, err_msg=f"{leaf.name} at {setting}"
            )
