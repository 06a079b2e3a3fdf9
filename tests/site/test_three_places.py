"""Chapter 02's board in the built page: a token is dragged, sent from a menu, and walked about."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import ThreePlaces
from gradlab.figures._training_step import PLACES, STATIONS
from tests.site.figure_page import asked, ready_figure, sentence

CHAPTER = "notebooks/02_three_places.html"
WINDOWS = {"wide": {"width": 1280, "height": 1200}, "narrow": {"width": 360, "height": 1200}}
PICTURE = ".gl-live svg:visible "

ready = partial(ready_figure, name="ThreePlaces")


def carry(page: Any, figure: Any, token: Any, station: str) -> None:
    """Takes a token by its middle and lays it on a place."""
    figure.locator(PICTURE).scroll_into_view_if_needed()
    taken = token.bounding_box()
    place = figure.locator(PICTURE + "rect.gl-field").nth(1 + PLACES.index(station)).bounding_box()
    page.mouse.move(taken["x"] + taken["width"] / 2, taken["y"] + taken["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] + 40, place["y"] + 40, steps=6)
    page.mouse.up()


@pytest.mark.parametrize("window", WINDOWS)
def test_the_token_goes_where_the_hand_lays_it(open_page: Any, window: str) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    for station in ("h", "w", "cotangent"):
        carry(page, figure, figure.locator(PICTURE + ".gl-on rect"), station)
        assert figure.get_by_label("put it on").input_value() == station
        assert sentence(figure) == ThreePlaces(token="scale", station=station).sentence


@pytest.mark.parametrize("window", WINDOWS)
def test_a_token_from_below_becomes_the_token(open_page: Any, window: str) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    below = figure.locator(PICTURE + ".gl-token:not(.gl-on):not(.gl-away) rect")
    carry(page, figure, below.nth(0), "gradient")
    page.wait_for_url("**ThreePlaces.token=clip*")
    assert asked(page).get("token") == "clip"
    assert sentence(figure) == ThreePlaces(token="clip", station="gradient").sentence
    assert "0.70" in figure.locator(".gl-equation").inner_text()


def test_the_menus_do_all_that_the_hand_does(open_page: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready(page)
    figure.get_by_label("token", exact=True).select_option("cap")
    for station, _ in STATIONS:
        figure.get_by_label("put it on").select_option(station)
        assert sentence(figure) == ThreePlaces(token="cap", station=station).sentence
    assert figure.locator(PICTURE + ".gl-changed").count() == 1  # at w, nothing but w


def test_the_arrows_walk_from_place_to_place(open_page: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready(page)
    figure.locator(".gl-stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert "State of example 1" in figure.locator(".gl-live [role=status]").inner_text()


def test_who_trusts_the_name_in_the_line_is_told_where_it_acts(open_page: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready(page, predict=True)
    figure.get_by_label("the state, h").check()
    figure.get_by_role("button", name="Commit").click()
    assert figure.locator(".gl-table th[scope=row]").all_text_contents()[2] == "1, without"
    assert "It is “the cotangent at h”" in figure.locator(".gl-outcome").inner_text()
    assert figure.get_by_label("put it on").input_value() == "cotangent"
