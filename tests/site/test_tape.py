"""The tape in a page: it is played with a slider, its input is dragged, and it asks first."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import Tape
from tests.site.figure_page import ready_figure, sentence

WINDOWS = {"wide": {"width": 900, "height": 1000}, "narrow": {"width": 320, "height": 1000}}

ready = partial(ready_figure, name="Tape")


def drawn(figure: Any, part: str) -> int:
    return int(figure.locator(f".gl-live svg:visible g[data-part={part}]").count())


def equation(figure: Any) -> str:
    return str(figure.locator(".gl-live .gl-equation").inner_text())


@pytest.mark.parametrize("window", WINDOWS)
def test_each_key_plays_one_move(open_page: Any, page_of: Any, window: str) -> None:
    figure = ready(open_page(page_of(Tape(played=1)), viewport=WINDOWS[window]))
    slider = figure.locator("input[data-control=played]").first
    slider.focus()
    for played in range(1, 8):
        assert sentence(figure) == Tape(played=played).sentence
        assert drawn(figure, "losses") == min(played, 3)
        assert drawn(figure, "cotangents") == max(played - 3, 0)
        assert drawn(figure, "received") == min(max(played - 3, 0), 3)
        assert ("handed to θ" in equation(figure)) == (played > 3)
        slider.press("ArrowRight")


@pytest.mark.parametrize("window", WINDOWS)
def test_the_input_is_dragged_and_everything_follows(
    open_page: Any, page_of: Any, drag: Any, window: str
) -> None:
    page = open_page(page_of(Tape()), viewport=WINDOWS[window])
    figure = ready(page)
    handle = figure.locator(".gl-live svg:visible [data-handle=x]").first
    drag(page, handle, -12, 12)
    x = float(figure.locator("input[data-control=x]").first.input_value())
    assert x < 0.5
    assert sentence(figure) == Tape(x=x).sentence
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_sum_is_asked_for_before_it_is_shown(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(Tape()), viewport=WINDOWS["wide"]), predict=True)
    assert drawn(figure, "received") == 3, "what each application hands over is no secret"
    assert "0.75" not in equation(figure)
    assert "shown when you have predicted" in sentence(figure)
    figure.get_by_label("0.25, their mean").check()
    figure.get_by_role("button", name="Commit").click()
    outcome = figure.locator(".gl-outcome").inner_text()
    assert outcome.startswith("You said “0.25, their mean”. It is “0.75, their sum”.")
    assert sentence(figure) == Tape().sentence
    assert "0.75" in equation(figure)


def test_a_stopped_use_hands_over_nothing(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(Tape(played=5)), viewport=WINDOWS["wide"]))
    figure.get_by_text("More", exact=True).click()
    figure.locator("[data-control=stopped]").first.select_option("2")
    assert "nothing, because θ is stopped in application 2" in equation(figure)
    assert sentence(figure) == Tape(played=5, stopped="2").sentence


def test_axe_finds_nothing_in_it(open_page: Any, page_of: Any, axe: Any) -> None:
    for scheme in ("light", "dark"):
        page = open_page(page_of(Tape()), viewport=WINDOWS["narrow"], color_scheme=scheme)
        ready(page)
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert axe(page, "figure") == []
