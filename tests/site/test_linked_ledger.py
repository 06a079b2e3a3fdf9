"""Chapter 06's figures in the built page: predict, drag, light a row everywhere, measure again."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import LinkedLedger
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/06_the_ledger_why_one_half.html"

ready = partial(ready_figure, name="LinkedLedger")
HANDLE = ".gl-live svg:visible [data-handle={}]"


@pytest.mark.parametrize("window", WINDOWS)
def test_the_number_of_steps_can_be_dragged_in_the_picture(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    drag(page, figure.locator(HANDLE.format("steps")).first, 6, 0)
    page.wait_for_url("**LinkedLedger.steps=*")
    steps = int(asked(page)["steps"])
    assert steps > 6
    assert sentence(figure) == LinkedLedger(steps=steps).sentence


def test_the_sliders_move_it_by_keyboard(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    figure.get_by_role("slider", name="scale").press("End")
    assert sentence(figure) == LinkedLedger(scale=1.0).sentence


def test_a_row_lights_in_triangle_and_river(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    picture = figure.locator(".gl-live svg:visible")
    picture.locator(".gl-heading[data-part=loss][data-index='3']").hover()
    picture.locator(".gl-band.gl-lit[data-part=loss][data-index='3']").wait_for()
    assert picture.locator(".gl-sum.gl-lit[data-part=loss]").count() == 1


def test_a_prediction_is_made_and_the_curve_is_shown(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    curve = figure.locator(".gl-live svg:visible [data-part=curve]")
    assert curve.count() == 0
    assert "1.67" not in sentence(figure)
    figure.get_by_label("1.8: a little below two").check()
    figure.get_by_role("button", name="Commit").click()
    assert "T(10) = 1.80. The bound is 2" in figure.locator(".gl-outcome").inner_text()
    assert curve.count() == 1


def test_a_measured_ledger_answers_too(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready_figure(page, "MeasuredLedger")
    assert sentence(figure).startswith("Recorded with s = 0.5 after heads")
    figure.get_by_role("slider", name="scale").press("End")
    assert sentence(figure).startswith("At s = 1 the norms of all entries add up to 5.19")
