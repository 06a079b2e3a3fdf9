"""Figures for everyone: what axe-core finds in them, and what it cannot see."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.fixtures import take
from tests.site.book import LANDING, rgb
from tests.site.figure_page import Shown
from tests.site.made_here import plane, profile
from tests.tiers import some_now

FIGURES = {
    "UnrolledFlow": lambda: UnrolledFlow(stage=3),
    "ReportedTangent": ReportedTangent,
    "clipped": plane,
    "decayed": profile,
}
PLACE = "[...document.body.querySelectorAll('*')].indexOf(document.activeElement)"
STOPS = """() => {
  const all = [...document.body.querySelectorAll("*")];
  const stops = all.filter((e) => e.matches("a[href], button, input, select, summary, [tabindex='0']"));
  const first = (e) => e.type !== "radio" || e === document.querySelector(`[type=radio][name="${e.name}"]`);
  const reached = stops.filter((e) => !e.disabled && first(e) && e.checkVisibility({ visibilityProperty: true }));
  return reached.map((e) => all.indexOf(e));
}"""
"""Where Tab should go, by place in the page."""
LOOK = """() => {
  const styles = (all) => [...all].map((e) => getComputedStyle(e));
  const picture = document.querySelector(".gl-live svg"), [paper, ground] = styles([picture, document.body]);
  const icons = styles(document.querySelectorAll(".article-header-buttons i"));
  const colours = styles(picture.querySelectorAll("*")).map(({ fill, stroke }) => [fill, stroke]);
  return [paper.backgroundColor, ...colours, icons.every((icon) => icon.backgroundColor !== ground.backgroundColor)];
}"""
"""A picture's paper, the colours of what it draws, and whether the header's icons stand out."""
LOOKS = [(width, mode) for width in (900, 320) for mode in ("light", "dark")]


@pytest.fixture
def shown(open_page: Any, page_of: Any) -> Any:
    """Open a figure by its name, as a page of its own."""

    def show(name: str, **context: Any) -> Shown:
        context.setdefault("viewport", {"width": 900, "height": 1000})
        return Shown(open_page(page_of(FIGURES[name]()), **context), name)

    return show


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("look", some_now(LOOKS, (320, "dark")), ids=str)
def test_a_figure_is_for_everyone_before_and_after_an_answer_and_on_paper(
    shown: Any, axe: Any, name: str, look: tuple[int, str]
) -> None:
    width, mode = look
    figure = shown(name, color_scheme=mode, viewport={"width": width, "height": 900})
    page = figure.page
    page.emulate_media(media="print")
    figure.root.locator(".gl-still svg:visible").first.wait_for()  # drawn for the paper
    assert figure.root.locator(":is(input, button, select, summary):visible").count() == 0
    assert "Question." not in page.inner_text("body"), "on paper nothing can be answered"
    page.emulate_media(media="screen")
    figure.open_folds()
    assert_tabs_reach_everything_in_the_order_of_reading(page)
    assert axe(page) == []
    groups = page.locator("[role=group]")
    assert groups.and_(page.locator("[aria-label], [aria-labelledby]")).count() == groups.count()
    assert groups.count() > 2
    assert page.locator("input[type=range]:not([aria-valuetext])").count() == 0
    guess = figure.control("guess")
    guess.check() if guess.get_attribute("type") == "radio" else guess.press("ArrowRight")
    figure.button("Check").click()
    figure.button("Copy as Python").click()
    page.locator(".gl-copied").wait_for()
    page.get_by_role("application").press("ArrowRight")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def assert_tabs_reach_everything_in_the_order_of_reading(page: Any) -> None:
    """Press Tab until the focus leaves the page, and compare where it was: of radios, on one."""
    expected = page.evaluate(STOPS)
    assert len(expected) > 6
    reached = []
    for _ in expected:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(PLACE))
    assert reached == expected


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


def test_a_point_is_moved_by_sliders_arrows_and_hand_and_what_is_set_is_said_once(
    shown: Any,
) -> None:
    figure = shown("clipped")
    handle = figure.handle("g")
    figure.page.get_by_role("slider", name="g gradient, x").press("ArrowRight")
    figure.page.get_by_role("slider", name="g gradient, y").press("ArrowLeft")
    assert "g = (1.01, 1.49)" in figure.sentence
    assert handle.get_attribute("aria-label") == "g, (1.01, 1.49)"
    for key in ("ArrowLeft", "ArrowUp"):
        handle.press(key)
    assert handle.get_attribute("aria-label") == "g, (1.0, 1.5)"
    figure.says(re.compile(r"^g: \(1\.0, 1\.5\)\. With g = \(1\.0, 1\.5\)"))
    before = figure.said
    x, y = take(figure.page, handle.locator(".gl-knob"))
    figure.page.mouse.move(x - 50, y + 20, steps=5)
    assert figure.said == before, "nothing is said during a drag"
    figure.page.mouse.up()
    figure.says(re.compile(rf"^g: \(0\.4\d, 1\.2\d\)\. {re.escape(figure.sentence)}$"))


@pytest.mark.parametrize("name", FIGURES)
def test_a_button_that_is_pressed_keeps_the_focus(shown: Any, name: str) -> None:
    figure = shown(name)
    figure.open_folds()
    buttons = figure.root.locator("button:visible:enabled")
    assert buttons.count() > 3
    for i in range(buttons.count()):
        buttons.nth(i).press("Enter")
        figure.page.wait_for_timeout(50)
        focused = figure.page.evaluate("document.activeElement.outerHTML")
        assert "<button" in focused, f"{i}: {focused}"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_in_a_readers_own_colours_pictures_keep_theirs_and_icons_are_seen(
    open_page: Any, mode: str
) -> None:
    def look(colours: str) -> tuple[str, list[Any], bool]:
        page = open_page(LANDING, color_scheme=mode, forced_colors=colours, alone=True)
        Shown(page, "UnrolledFlow")
        paper, *drawn, icons = page.evaluate(LOOK)
        return paper, drawn, icons

    (_, drawn, _), (paper, kept, icons_are_seen) = look("none"), look("active")
    assert len(drawn) > 50
    assert kept == drawn
    assert paper == rgb(mode, "page")
    assert icons_are_seen
