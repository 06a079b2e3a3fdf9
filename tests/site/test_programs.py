"""The programs in the built pages are JAX's: read out of the page, run, and compared."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import gradlab.explorables
import numpy as np
import pytest

from gradlab.figure.widget import Figure

SHOWN = {  # the pages, and the figures on them
    "book/index.html": ["UnrolledFlow"],
    "notebooks/00_a_gradient_backward_by_hand.html": ["Tape"],
    "notebooks/01_the_missing_function.html": ["ReportedTangent", "UnrolledFlow"],
    "notebooks/02_three_places.html": ["ThreePlaces"],
    "notebooks/03_scaling.html": ["TwoPaths"],
    "notebooks/05_update_weights_line_by_line.html": ["UpdateWeights"],
    "notebooks/04_products_of_jacobians.html": ["JacobianProducts", "UnrolledFlow"],
    "notebooks/07_the_cliff.html": ["Cliff"],
    "notebooks/06_the_ledger_why_one_half.html": ["LinkedLedger", "MeasuredLedger"],
    "notebooks/09_clipping_inside_the_network.html": ["MeetingStreams"],
    "notebooks/08_clipping.html": ["ClippedCloud"],
    "notebooks/10_constraining_weights.html": ["CappedColumns"],
    "notebooks/11_what_the_optimizer_sees.html": ["OptimizerSees"],
    "notebooks/16_your_own_function.html": [
        "through",
        "clip",
        "three_steps",
        "way_back",
        "ledger",
        "descent",
        "max_norm",
        "products",
        "ten_steps",
        "clip_each",
    ],
}
PAGES = list(SHOWN)
DESCRIPTION = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)


def descriptions(site: Path, page: str) -> list[dict[str, Any]]:
    text = (site / page).read_text(encoding="utf-8")
    return [json.loads(data) for data in DESCRIPTION.findall(text)]


@pytest.fixture
def pairs(site: Path, figures_of: Any) -> Any:
    """The descriptions in a page, each with the figure in Python: ``pairs(page)``."""

    def of(page: str) -> list[tuple[dict[str, Any], Figure]]:
        found = descriptions(site, page)
        named = [getattr(gradlab.explorables, one["name"], None) for one in found]
        if None in named:  # made in the chapter
            return list(zip(found, figures_of(page), strict=True))
        figures = [kind(**one["settings"]) for kind, one in zip(named, found, strict=True)]
        return list(zip(found, figures, strict=True))

    return of


def anywhere(figure: Figure, source: random.Random) -> dict[str, Any]:
    """A random setting of every control, to the ends of what is allowed."""
    settings = {}
    for control in (control.describe() for control in figure.spec.controls):
        if control["kind"] in ("range", "symlog"):
            settings[control["name"]] = source.uniform(*control["allowed"])
        elif control["kind"] == "log":
            low, high = map(math.log, control["allowed"])
            settings[control["name"]] = math.exp(source.uniform(low, high))
        elif control["kind"] == "point":
            corners = zip(control["minimum"], control["maximum"], strict=True)
            settings[control["name"]] = [source.uniform(*ends) for ends in corners]
        elif control["kind"] == "integer":
            settings[control["name"]] = source.randint(*control["allowed"])
        elif control["kind"] == "choice":
            settings[control["name"]] = source.choice(control["options"])[0]
        else:
            settings[control["name"]] = source.random() < 0.5
    return settings


def ends(figure: Figure) -> list[dict[str, Any]]:
    """Every control at each of its ends (or at each of its choices), the others as they start."""
    found = []
    for control in (control.describe() for control in figure.spec.controls):
        if control["kind"] == "choice":
            values = [name for name, _ in control["options"]]
        elif control["kind"] == "toggle":
            values = [False, True]
        elif control["kind"] == "point":
            values = [list(control["minimum"]), list(control["maximum"])]
        else:
            values = [*control["allowed"], control["minimum"], control["maximum"]]
        found += [figure.settings | {control["name"]: value} for value in values]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_its_figures(site: Path, page: str) -> None:
    assert [description["name"] for description in descriptions(site, page)] == SHOWN[page]


@pytest.mark.parametrize("page", PAGES)
def test_the_program_in_the_page_agrees_with_jax(pairs: Any, page: str, run_in_node: Any) -> None:
    for description, figure in pairs(page):
        source = random.Random(0)
        settings = [anywhere(figure, source) for _ in range(1000)] + ends(figure)
        calls = [
            [control.traced(setting[control.name]) for control in figure.spec.controls]
            for setting in settings
        ]
        results = run_in_node(description["program"], calls)
        expected = [figure.program(*call) for call in calls]
        for index, leaf in enumerate(description["outputs"]):
            value = rows([one[leaf["name"]] for one in expected])
            size = np.max(np.abs(value), axis=1, where=np.isfinite(value), initial=1.0)
            found = rows([result[index] for result in results])
            near = np.isclose(found, value, rtol=0, atol=1e-10 * size[:, None], equal_nan=True)
            apart = [setting for setting, row in zip(settings, near, strict=True) if not row.all()]
            assert not apart, f"{leaf['name']} at {apart[0]}, and at {len(apart) - 1} more"


def rows(arrays: list[Any]) -> np.ndarray:
    """An array for each setting, as rows."""
    return np.stack([np.asarray(array, dtype=float).ravel() for array in arrays])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_python_says(site: Path, pairs: Any, page: str) -> None:
    text = (site / page).read_text(encoding="utf-8")
    for description, figure in pairs(page):
        figure.set(**description["settings"])
        assert f'<p class="gl-sentence">{figure.sentence}</p>' in text
