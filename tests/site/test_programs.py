"""The programs in the built pages are JAX's: read out of the page, run, and compared."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from gradlab.figure.widget import Figure
from tests.site.book import READ, descriptions

PAGES = [page for page in READ if descriptions(page)]


def anywhere(control: dict[str, Any], source: random.Random) -> Any:
    """A random value of a control, to the ends of what is allowed."""
    match control["kind"]:
        case "range" | "symlog":
            return source.uniform(*control["allowed"])
        case "log":
            return math.exp(source.uniform(*map(math.log, control["allowed"])))
        case "point":
            corners = zip(control["minimum"], control["maximum"], strict=True)
            return [source.uniform(*ends) for ends in corners]
        case "integer":
            return source.randint(*control["allowed"])
        case "choice":
            return source.choice(control["options"])[0]
    return source.random() < 0.5


def ends(control: dict[str, Any]) -> list[Any]:
    """The values at the ends of a control, or all of its choices."""
    match control["kind"]:
        case "choice":
            return [name for name, _ in control["options"]]
        case "toggle":
            return [False, True]
        case "point":
            return [list(control["minimum"]), list(control["maximum"])]
    return [*control["allowed"], control["minimum"], control["maximum"]]


def settings_of(figure: Figure, count: int) -> list[dict[str, Any]]:
    """Settings at random, and each control at each of its ends with the others as they start."""
    controls = {control.name: control.describe() for control in figure.spec.controls}
    source = random.Random(0)
    return [
        *({name: anywhere(c, source) for name, c in controls.items()} for _ in range(count)),
        *(figure.settings | {name: end} for name, c in controls.items() for end in ends(c)),
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", PAGES)
def test_the_programs_in_a_page_agree_with_jax(in_python: Any, run_in_node: Any, page: str) -> None:
    for description in descriptions(page):
        figure = in_python(page)[description["name"]]
        settings = settings_of(figure, 1000)
        calls = [
            [control.traced(setting[control.name]) for control in figure.spec.controls]
            for setting in settings
        ]
        results = run_in_node(description["program"], calls)
        expected = [figure.program(*call) for call in calls]
        for index, leaf in enumerate(description["outputs"]):
            value = rows([result[leaf["name"]] for result in expected])
            size = np.max(np.abs(value), axis=1, where=np.isfinite(value), initial=1.0)
            found = rows([result[index] for result in results])
            near = np.isclose(found, value, rtol=0, atol=1e-10 * size[:, None], equal_nan=True)
            apart = [setting for setting, row in zip(settings, near, strict=True) if not row.all()]
            assert not apart, f"{leaf['name']} at {apart[0]}, and at {len(apart) - 1} more"


def rows(arrays: list[Any]) -> np.ndarray:
    """An array for each setting, as rows."""
    return np.stack([np.asarray(array, dtype=float).ravel() for array in arrays])
