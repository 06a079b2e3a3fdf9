"""Chapter 10's figure in the built page: predict, drag the cap, repeat the constraint."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import CappedColumns
from tests.site.figure_page import WINDOWS, ready_figure, sentence

CHAPTER = "notebooks/10_constraining_weights.html"

ready = partial(ready_figure, name="CappedColumns")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_drag_of_the_ring_sets_the_cap_and_the_columns_follow(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    drag(page, figure.locator(".gl-live svg:visible [data-handle=cap]").first, -30, -25)
    page.wait_for_url("**CappedColumns.cap=*")
    cap = float(page.url.split("CappedColumns.cap=")[1].split("&")[0])
    assert cap < 1.9
    assert sentence(figure) == CappedColumns(cap=cap).sentence


def test_the_arrow_keys_repeat_the_constraint_fewer_times(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    slider = figure.get_by_label("applications")
    slider.focus()
    for _ in range(20):  # a decade, in steps of a twentieth
        slider.press("ArrowLeft")
    page.wait_for_url("**CappedColumns.times=*")
    times = float(page.url.split("CappedColumns.times=")[1].split("&")[0])
    assert times == pytest.approx(1e4, rel=0.01)
    assert sentence(figure) == CappedColumns(times=times).sentence
    assert "keeps 0.0990" in sentence(figure)


def test_a_prediction_is_made_and_answered_and_epsilon_can_be_taken_away(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    assert "0.09" not in sentence(figure)
    columns = figure.locator(".gl-live svg:visible .gl-vector[data-part=short_after]")
    assert columns.count() == 0
    figure.get_by_label("it stays 0.1").check()
    figure.get_by_role("button", name="Commit").click()
    outcome = figure.locator(".gl-outcome").inner_text()
    assert "You said “it stays 0.1”" in outcome
    assert "It is 0.0900" in outcome
    assert columns.count() == 4
    figure.get_by_role("button", name="100,000 times, ε = 0").click()
    assert sentence(figure) == CappedColumns(epsilon="zero").sentence
