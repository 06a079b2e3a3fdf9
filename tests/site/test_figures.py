"""What is peculiar to one figure: tokens and lines that are carried, moves that are played, parts that light."""

from __future__ import annotations

from typing import Any

import pytest

from sccbook.figures import Tape, ThreePlaces, UpdateWeights
from sccbook.figures._training_step import PLACES
from tests.site.figure_page import Shown
from tests.tiers import some_now

WINDOWS = pytest.mark.parametrize("window", some_now(["wide", "narrow"], "wide"))


def carry(figure: Shown, thing: Any, place: Any, where: tuple[float, float]) -> None:
    """Take a thing by its middle, and lay it on a place, so many pixels from its corner."""
    for end in (place, thing):  # on a telephone one may be below the window when the other is seen
        end.scroll_into_view_if_needed()
    start, goal = thing.bounding_box(), place.bounding_box()
    mouse = figure.page.mouse
    mouse.move(start["x"] + min(30, start["width"] / 2), start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(goal["x"] + where[0], goal["y"] + where[1], steps=8)
    mouse.up()


def carry_token(figure: Shown, token: str, station: str) -> None:
    place = figure.drawn("rect.gl-field").nth(1 + PLACES.index(station))
    carry(figure, figure.drawn(f"{token} rect").first, place, (40, 40))


@WINDOWS
def test_a_token_goes_where_the_hand_lays_it(show: Any, window: str) -> None:
    figure = show("ThreePlaces", window)
    for station in ("h", "w", "cotangent"):
        carry_token(figure, ".gl-on", station)
        assert figure.control("station").input_value() == station
        assert figure.sentence == ThreePlaces(token="scale", station=station).sentence
    carry_token(figure, ".gl-token:not(.gl-on):not(.gl-away)", "gradient")
    assert figure.sentence == ThreePlaces(token="clip", station="gradient").sentence
    assert "0.69" in figure.root.locator(".gl-equation").inner_text()


@WINDOWS
def test_a_line_goes_where_the_hand_lays_it(show: Any, window: str) -> None:
    figure = show("UpdateWeights", window)
    for slot, words in (("after_loop", "after the loop"), ("every_input", "first in the loop")):
        place = figure.drawn(".gl-codeplace").filter(has_text=words).locator("rect")
        line = figure.drawn(".gl-moving rect")
        carry(figure, line, place, (30, place.bounding_box()["height"] / 2))
        assert figure.control("slot").input_value() == slot
        assert figure.sentence == UpdateWeights(slot=slot).sentence


@WINDOWS
def test_each_key_plays_one_move_of_the_tape(show: Any, window: str) -> None:
    figure = show("Tape", window)
    slider, equation = figure.control("played"), figure.root.locator(".gl-live .gl-equation")
    slider.press("Home")
    for played in range(1, 8):
        assert figure.sentence == Tape(played=played).sentence
        drawn = [
            figure.drawn(f"g[data-part={p}]").count() for p in ("losses", "cotangents", "received")
        ]
        back = max(played - 3, 0)  # at each state that has a loss, its own share is lit with it
        assert drawn == [min(played, 3) + min(back, 3), back, min(back, 3)]
        assert ("handed to θ" in equation.inner_text()) == (played > 3)
        slider.press("ArrowRight")


def test_what_is_recorded_is_said_so(show: Any) -> None:
    words = show("descent").drawn("text").all_text_contents()
    assert "Recorded: 97 × 97 losses" in " ".join(words)
