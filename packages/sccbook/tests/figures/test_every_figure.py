"""Every figure of the book: its program, its words, and the places where it may be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sccbook import figures
from explorax.figure.template import fill
from explorax.figure.widget import Figure
from tests.figure_settings import anywhere, assert_page_agrees, ends

OF_DATA = ("ClipCorners", "MeasuredLedger", "RecordedNorms")
"""Figures of a record, a ledger or a recording, which have tests of their own."""

NAMES = [name for name in dir(figures) if name not in OF_DATA]


@pytest.fixture(scope="module", params=NAMES)
def figure(request: pytest.FixtureRequest) -> Figure:
    made: Figure = getattr(figures, request.param)()
    return made


@pytest.mark.exhaustive
def test_the_page_computes_what_jax_does(figure: Figure, run_in_node: Any) -> None:
    assert_page_agrees(figure, anywhere(figure, 40) + ends(figure), run_in_node)


@pytest.mark.slow
def test_it_has_words_and_finite_numbers_at_the_ends_of_its_controls(figure: Figure) -> None:
    before = figure.settings
    for settings in ends(figure):
        figure.set(**settings)
        assert "{" not in figure.sentence
    figure.set(**before)
    values = {**figure.settings, **figure.value, "n": "1", "m": "0", "value": 0.5}
    spec = figure.spec
    for template in (
        *spec.sentences,
        *spec.labels.values(),
        *(p.words for p in spec.parts.values()),
    ):
        assert "{" not in fill(template, values)


@pytest.mark.slow
def test_it_is_plain_data_and_names_its_import(figure: Figure) -> None:
    description = json.loads(json.dumps(figure.describe()))
    assert isinstance(figure, getattr(figures, description["name"]))
