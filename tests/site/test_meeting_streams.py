"""Chapter 09's figure in the built page: predict, move the clip, drag its ring and the stream."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import MeetingStreams
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/09_clipping_inside_the_network.html"

ready = partial(ready_figure, name="MeetingStreams")


def numbers(page: Any) -> dict[str, float]:
    """What the address says of the two numbers."""
    found = asked(page)
    return {name: float(found[name]) for name in ("c", "later") if name in found}


@pytest.mark.parametrize("window", WINDOWS)
def test_the_ring_and_the_next_steps_arrow_can_be_dragged(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    handle = ".gl-live svg:visible [data-handle={}]"
    drag(page, figure.locator(handle.format("c")).first, 15, 15)
    page.wait_for_url("**MeetingStreams.c=*")
    assert numbers(page)["c"] < 1
    drag(page, figure.locator(handle.format("later")).first, 30, 10)
    page.wait_for_url("**MeetingStreams.later=*")
    assert numbers(page)["later"] > 1
    assert sentence(figure) == MeetingStreams(**numbers(page)).sentence


def test_the_clip_can_be_put_on_every_place(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    for where in ("sum", "value", "reward", "each", "next"):
        figure.get_by_label("the clip stands on").select_option(where)
        assert sentence(figure) == MeetingStreams(where=where).sentence


def test_a_prediction_is_made_and_both_arrows_are_shown(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    assert "(1.11, 0.85)" not in sentence(figure)
    arrows = {
        name: figure.locator(f".gl-live svg:visible .gl-vector[data-part={name}]")
        for name in ("handed", "hook")
    }
    assert [one.count() for one in arrows.values()] == [0, 0]
    figure.get_by_label("the same direction, another length").check()
    figure.get_by_role("button", name="Commit").click()
    assert "26 degrees apart" in figure.locator(".gl-outcome").inner_text()
    assert [one.count() for one in arrows.values()] == [1, 1]
