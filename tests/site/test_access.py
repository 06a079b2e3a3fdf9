"""Figures for everyone: what axe-core finds in them, and what it cannot see."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.site.figure_page import OPEN_FOLDS, Shown
from tests.site.made_here import plane, profile
from tests.tiers import some_now

FIGURES = {
    "UnrolledFlow": lambda: UnrolledFlow(stage=3),
    "ReportedTangent": ReportedTangent,
    "clipped": plane,
    "decayed": profile,
}
EVERY_FIGURE = pytest.mark.parametrize("name", FIGURES)
LOOKS = [(width, mode) for width in (900, 320) for mode in ("light", "dark")]


@pytest.fixture
def shown(open_page: Any, page_of: Any) -> Any:
    """Open a figure by its name, as a page of its own."""

    def show(name: str, *, predict: bool = True, **context: Any) -> Shown:
        context.setdefault("viewport", {"width": 900, "height": 1000})
        return Shown(open_page(page_of(FIGURES[name]()), **context), name, predict=predict)

    return show


@EVERY_FIGURE
@pytest.mark.parametrize("look", some_now(LOOKS, (320, "dark")), ids=str)
def test_axe_finds_nothing_in_a_figure_before_and_after_a_prediction(
    shown: Any, axe: Any, name: str, look: tuple[int, str]
) -> None:
    width, mode = look
    figure = shown(name, color_scheme=mode, viewport={"width": width, "height": 900})
    page = figure.page
    page.evaluate(OPEN_FOLDS)
    page.locator(".gl-code").first.wait_for()
    assert axe(page) == []
    guess = figure.control("guess")
    guess.check() if guess.get_attribute("type") == "radio" else guess.press("ArrowRight")
    figure.button("Commit").click()
    figure.button("Copy as Python").click()
    page.locator(".gl-copied").wait_for()
    page.get_by_role("application").press("ArrowRight")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@EVERY_FIGURE
def test_everything_that_takes_the_focus_has_a_name_and_what_is_hidden_takes_none(
    shown: Any, name: str
) -> None:
    page = shown(name).page
    page.evaluate(OPEN_FOLDS)
    for role in ("slider", "button", "combobox", "checkbox", "radio", "application"):
        every = page.get_by_role(role)
        assert page.get_by_role(role, name=re.compile(r"\S")).count() == every.count(), role
    named = "[role=group]:is([aria-label], [aria-labelledby])"
    assert page.locator(named).count() == page.locator("[role=group]").count() > 2
    assert page.locator("input:is([type=range], [type=radio])").count() > 2
    assert page.locator("input[type=range]:not([aria-valuetext])").count() == 0
    assert page.locator("[aria-hidden=true] :is([tabindex], button, input, a, select)").count() == 0


@EVERY_FIGURE
def test_the_order_of_tabs_is_the_order_of_reading(shown: Any, name: str) -> None:
    page = shown(name).page
    places: list[int] = []
    while len(places) < 40:
        page.keyboard.press("Tab")
        place = page.evaluate(
            "[...document.body.querySelectorAll('*')].indexOf(document.activeElement)"
        )
        if place < 0:
            break
        places.append(place)
    assert places == sorted(set(places))
    assert len(places) > 5


def test_values_over_decades_are_said_in_words(shown: Any) -> None:
    page = shown("decayed").page
    for name, keys, said in (
        ("η rate", [], "η = 0.1"),
        ("η rate", ["Home"], "η = 0.0001"),
        ("η rate", ["End"], "η = 1"),
        ("τ shift", ["ArrowRight", "ArrowLeft"], "τ = 0"),
        ("τ shift", ["Home"], "τ = −1"),
    ):
        slider = page.get_by_role("slider", name=name)
        for key in keys:
            slider.press(key)
        assert slider.get_attribute("aria-valuetext") == said


def test_a_point_is_moved_by_its_sliders_and_by_arrows_on_its_handle(shown: Any) -> None:
    figure = shown("clipped", predict=False)
    handle = figure.handle("g")
    figure.page.get_by_role("slider", name="g gradient, x").press("ArrowRight")
    figure.page.get_by_role("slider", name="g gradient, y").press("ArrowLeft")
    assert "g = (1.01, 1.49)" in figure.sentence
    assert handle.get_attribute("aria-label") == "g, (1.01, 1.49)"
    for key in ("ArrowLeft", "ArrowUp"):
        handle.press(key)
    assert handle.get_attribute("aria-label") == "g, (1.0, 1.5)"
    assert "g = (1.0, 1.5)" in figure.sentence
    figure.says(re.compile(r"^g: \(1\.0, 1\.5\)\. With g = \(1\.0, 1\.5\)"))


def test_after_a_drag_one_sentence_is_said_and_during_it_none(shown: Any, take: Any) -> None:
    figure = shown("clipped", predict=False)
    before = figure.said
    x, y = take(figure.page, figure.handle("g").locator(".gl-knob"))
    figure.page.mouse.move(x - 50, y + 20, steps=5)
    assert figure.said == before
    figure.page.mouse.up()
    figure.says(re.compile(rf"^g: \(0\.4\d, 1\.2\d\)\. {re.escape(figure.sentence)}$"))


def test_nothing_moves_by_itself_where_motion_is_not_wanted(shown: Any) -> None:
    page = shown("UnrolledFlow", reduced_motion="reduce").page
    # said once more, now that the page is there: once, on a busy machine, it had not heard it
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_function("matchMedia('(prefers-reduced-motion: reduce)').matches")
    moving = page.locator("figure *").evaluate_all(
        """(all) => all.filter((e) => {
          const { transitionDuration, animationName } = getComputedStyle(e);
          return transitionDuration.split(",").some((d) => parseFloat(d) > 0) || animationName !== "none";
        }).length"""
    )
    assert moving == 0


@EVERY_FIGURE
def test_paper_shows_the_figure_as_it_is_and_nothing_to_press(shown: Any, name: str) -> None:
    figure = shown(name)
    figure.page.emulate_media(media="print")
    figure.root.locator(".gl-still svg:visible").first.wait_for()  # drawn for the paper
    assert figure.root.locator(":is(input, button, select, summary):visible").count() == 0
    assert "shown when you have predicted" not in figure.root.inner_text()
