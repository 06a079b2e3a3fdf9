"""Chapter 05's listing in the built page: its line is dragged, sent from a menu, and asked about."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import UpdateWeights
from gradlab.unroll.muzero_slots import SLOTS
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/05_update_weights_line_by_line.html"
PICTURE = ".gl-live svg:visible "
BARS = PICTURE + ".gl-bars .gl-bar"
"""Bars, and not the key that names them."""

ready = partial(ready_figure, name="UpdateWeights")


def carry(page: Any, figure: Any, words: str) -> None:
    """Takes the line by its text and lays it on the place with these words."""
    place = figure.locator(PICTURE + ".gl-codeplace", has_text=words)
    moving = figure.locator(PICTURE + ".gl-moving")
    for end in (place, moving):  # on a telephone one may be below the window when the other is seen
        end.scroll_into_view_if_needed()
    line = moving.locator("rect").bounding_box()
    goal = place.locator("rect").bounding_box()
    page.mouse.move(line["x"] + 30, line["y"] + line["height"] / 2)
    page.mouse.down()
    page.mouse.move(line["x"] + 30, goal["y"] + goal["height"] / 2, steps=8)
    page.mouse.up()


@pytest.mark.parametrize("window", WINDOWS)
def test_the_line_goes_where_the_hand_lays_it(open_page: Any, window: str) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    for slot, words in (("after_loop", "after the loop"), ("every_input", "first in the loop")):
        carry(page, figure, words)
        assert figure.get_by_label("the line stands").input_value() == slot
        assert sentence(figure) == UpdateWeights(slot=slot).sentence
    page.wait_for_url("**UpdateWeights.slot=every_input*")
    assert asked(page)["slot"] == "every_input"


def test_every_place_can_be_chosen_from_the_menu(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    for slot, words in SLOTS:
        figure.get_by_label("the line stands").select_option(words)
        assert sentence(figure) == UpdateWeights(slot=slot).sentence


def test_a_prediction_is_made_and_the_paper_s_place_is_shown(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    assert figure.locator(BARS).count() == 0
    figure.get_by_label("before the heads", exact=True).check()
    figure.get_by_role("button", name="Commit").click()
    assert "after the heads" in figure.locator(".gl-outcome").inner_text()
    assert figure.locator(BARS).count() > 0
    assert sentence(figure) == UpdateWeights(slot="after_heads").sentence


def test_a_line_of_code_lights_its_network(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    figure.locator(PICTURE + ".gl-codeline", has_text="dynamics").hover()
    assert figure.locator(PICTURE + ".gl-bar.gl-lit[data-part=after]").count() == 1
