"""Figures and pages for everyone: what axe-core finds, and what it cannot see."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest

from gradlab.figure import Integer, LogRange, Point, Prediction, Range, SymlogRange, Toggle, explore
from gradlab.figures import ReportedTangent, UnrolledFlow
from tests.site.figure_page import OPEN_FOLDS, WINDOWS, ready_figure

TOC = (Path(__file__).parents[2] / "_toc.yml").read_text(encoding="utf-8")
PAGES = [*(f"{name}.html" for name in re.findall(r"(?:root|file):\s*(\S+)", TOC)), "search.html"]


def clipped(g, cap, on):
    norm = jnp.sqrt(jnp.sum(g * g))
    return {"clipped": jnp.where(on, jnp.minimum(1.0, cap / norm), 1.0) * g, "norm": norm}


def decayed(rate, shift, steps):
    n = jnp.arange(12.0)
    return {"decay": jnp.where(n < steps, jnp.exp(-rate * n) + shift, 0.0)}


def plane() -> Any:
    return explore(
        clipped,
        [
            Point("g", "gradient", "g", (-2, -2), (2, 2), (1.0, 1.5)),
            Range("cap", "cap", "c", 0.1, 2.0, 1.0),
            Toggle("on", "clip", default=True),
        ],
        prediction=Prediction(
            "Where does the gradient (1.5, 1.5) end, clipped at 1?",
            "clipped",
            how="place",
            settings={"g": [1.5, 1.5], "cap": 1.0},
            conceals=("clipped",),
            guess=Point("guess", "guess", "", (-2, -2), (2, 2), (0.0, 0.0)),
        ),
    )


def profile() -> Any:
    return explore(
        decayed,
        [
            LogRange("rate", "rate", "η", 1e-4, 1.0, 0.1, 0.1),
            SymlogRange("shift", "shift", "τ", -1.0, 1.0, 0.0, threshold=0.01),
            Integer("steps", "steps", "K", 1, 12, 12),
        ],
        prediction=Prediction(
            "Sketch the decay.", "decay", how="sketch", guess=Range("y", "y", "", 0.0, 1.0, 0.5)
        ),
    )


FIGURES = {
    "river": lambda: UnrolledFlow(stage=3),
    "tangent": ReportedTangent,
    "plane": plane,
    "profile": profile,
}


@pytest.fixture
def show(open_page: Any, page_of: Any) -> Any:
    """Open a figure by its name, as a page of its own."""

    def one(name: str, **context: Any) -> Any:
        context.setdefault("viewport", {"width": 900, "height": 1000})
        page = open_page(page_of(FIGURES[name]()), **context)
        page.locator("figure.gl-ready").wait_for()
        return page

    return one


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_a_page_as_it_opens(open_page: Any, axe: Any, name: str) -> None:
    page = open_page(name, color_scheme="light", viewport=WINDOWS["wide"])
    page.wait_for_timeout(400)
    page.evaluate(OPEN_FOLDS)
    page.wait_for_timeout(100)
    assert axe(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_a_narrow_dark_page_once_its_questions_are_skipped(
    open_page: Any, axe: Any, name: str
) -> None:
    page = open_page(name, color_scheme="dark", viewport=WINDOWS["narrow"])
    for figure in page.locator("figure[data-figure]").all():
        ready_figure(page, figure.get_attribute("data-figure"))
    page.wait_for_timeout(400)
    page.evaluate(OPEN_FOLDS)
    page.wait_for_timeout(100)
    assert axe(page) == []


@pytest.mark.parametrize("width", [320, 900])
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", FIGURES)
def test_axe_finds_nothing_in_a_figure_before_and_after_a_prediction(
    show: Any, axe: Any, name: str, mode: str, width: int
) -> None:
    page = show(name, color_scheme=mode, viewport={"width": width, "height": 900})
    page.evaluate(OPEN_FOLDS)
    page.locator(".gl-code").first.wait_for()
    assert axe(page) == []
    guess = page.locator("[data-control=guess]").first
    guess.check() if guess.get_attribute("type") == "radio" else guess.press("ArrowRight")
    page.get_by_role("button", name="Commit").click()
    page.get_by_role("button", name="Copy as Python").click()
    page.locator(".gl-copied").wait_for()
    page.get_by_role("application").press("ArrowRight")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", FIGURES)
def test_everything_that_takes_the_focus_has_a_name_and_what_is_hidden_takes_none(
    show: Any, name: str
) -> None:
    page = show(name)
    page.evaluate(OPEN_FOLDS)
    for role in ("slider", "button", "combobox", "checkbox", "radio", "application"):
        every = page.get_by_role(role)
        assert page.get_by_role(role, name=re.compile(r"\S")).count() == every.count(), role
    named = "[role=group]:is([aria-label], [aria-labelledby])"
    assert page.locator(named).count() == page.locator("[role=group]").count() > 2
    assert page.get_by_role("slider").count() + page.get_by_role("radio").count() > 2
    for slider in page.get_by_role("slider").all():
        assert slider.get_attribute("aria-valuetext")
    assert page.locator("[aria-hidden=true] :is([tabindex], button, input, a, select)").count() == 0


@pytest.mark.parametrize("name", FIGURES)
def test_the_order_of_tabs_is_the_order_of_reading(show: Any, name: str) -> None:
    page = show(name)
    tops = []
    for _ in range(40):
        page.keyboard.press("Tab")
        at = page.evaluate(
            """() => {
              const one = document.activeElement;
              if (one === document.body) return null;
              const all = [...document.querySelectorAll("*")];
              return all.indexOf(one);
            }"""
        )
        if at is None:
            break
        tops.append(at)
    assert tops == sorted(tops)
    assert len(tops) == len(set(tops)) > 5


def test_values_over_decades_are_said_in_words(show: Any) -> None:
    page = show("profile")
    rate = page.get_by_role("slider", name="η rate")
    assert rate.get_attribute("aria-valuetext") == "η = 0.1"
    rate.press("Home")
    assert rate.get_attribute("aria-valuetext") == "η = 0.0001"
    rate.press("End")
    assert rate.get_attribute("aria-valuetext") == "η = 1"
    shift = page.get_by_role("slider", name="τ shift")
    shift.press("ArrowRight")
    shift.press("ArrowLeft")
    assert shift.get_attribute("aria-valuetext") == "τ = 0"
    shift.press("Home")
    assert shift.get_attribute("aria-valuetext") == "τ = −1"


def test_a_point_is_moved_by_its_sliders_and_by_arrows_on_its_handle(show: Any) -> None:
    page = show("plane")
    page.get_by_role("button", name="Skip, show me").click()
    page.get_by_role("slider", name="x of g gradient").press("ArrowRight")
    page.get_by_role("slider", name="y of g gradient").press("ArrowLeft")
    assert "g = (1.01, 1.49)" in page.locator(".gl-live .gl-sentence").inner_text()
    handle = page.locator(".gl-live svg:visible [data-handle=g]")
    assert handle.get_attribute("aria-label") == "g, (1.01, 1.49)"
    for key in ("ArrowLeft", "ArrowUp"):
        handle.press(key)
    assert handle.get_attribute("aria-label") == "g, (1, 1.5)"
    assert "g = (1, 1.5)" in page.locator(".gl-live .gl-sentence").inner_text()
    page.wait_for_timeout(700)
    assert page.get_by_role("status").inner_text().startswith("g: (1, 1.5). With g = (1, 1.5)")


def test_after_a_drag_one_sentence_is_said_and_during_it_none(show: Any) -> None:
    page = show("plane")
    page.get_by_role("button", name="Skip, show me").click()
    status = page.get_by_role("status")
    page.wait_for_timeout(600)
    before = status.inner_text()
    box = page.locator(".gl-live svg:visible [data-handle=g] .gl-knob").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 50, y + 20, steps=5)
    assert status.inner_text() == before
    page.mouse.up()
    page.wait_for_timeout(700)
    said = status.inner_text()
    assert re.match(r"g: \(0\.4\d, 1\.2\d\)\. With g = ", said)
    assert said.endswith(page.locator(".gl-live .gl-sentence").inner_text())


def test_nothing_moves_by_itself_where_motion_is_not_wanted(show: Any) -> None:
    page = show("river", reduced_motion="reduce")
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


@pytest.mark.parametrize("name", FIGURES)
def test_paper_shows_the_figure_as_it_is_and_nothing_to_press(show: Any, name: str) -> None:
    page = show(name)
    page.emulate_media(media="print")
    assert page.locator(".gl-still:visible").count() >= 1
    assert page.locator(".gl-still svg:visible").count() >= 1
    assert page.locator("figure :is(input, button, select, summary):visible").count() == 0
    assert "shown when you have predicted" not in page.locator("figure").inner_text()
