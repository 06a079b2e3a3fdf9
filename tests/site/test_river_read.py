"""The river in a browser, read: pointed at, walked by keyboard, listened to, narrow, printed, still."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gradlab.figure.widget import Figure
from gradlab.figures import ReportedTangent, UnrolledFlow
from tests.site.river_page import (
    LANDING,
    RIVER,
    lit_terms,
    ready,
    sentence,
    show_all,
)


def test_pointing_at_a_band_lights_its_loss_its_row_and_its_term(open_page: Any) -> None:
    page = open_page(LANDING, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    figure.get_by_text("The numbers as a table").click()
    figure.locator('.gl-live svg:visible .gl-spring[data-index="3"]').hover()
    assert figure.locator(".gl-live svg:visible .gl-band.gl-lit").get_attribute("data-index") == "3"
    assert lit_terms(figure) == [("loss", "3")]
    assert figure.locator(".gl-table td.gl-lit").count() == 6
    figure.locator('.gl-live svg:visible .gl-diamond[data-index="2"]').hover()
    assert lit_terms(figure) == [("application", "2")]


def test_pointing_at_a_term_or_a_row_lights_the_picture(open_page: Any) -> None:
    page = open_page(LANDING, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    band = figure.locator(".gl-live svg:visible .gl-band.gl-lit")
    figure.locator('.gl-term[data-part="loss"][data-index="4"]').hover()
    assert band.get_attribute("data-index") == "4"
    figure.locator('.gl-term[data-part="gate"]').first.hover()
    assert figure.locator(".gl-live svg:visible .gl-gate.gl-lit").count() == 5
    figure.get_by_text("The numbers as a table").click()
    figure.locator(".gl-table tbody tr").nth(1).locator("td").first.hover()
    assert band.get_attribute("data-index") == "2"


@pytest.mark.parametrize("figure", [UnrolledFlow, ReportedTangent])
def test_every_part_of_an_equation_is_a_part_of_the_picture(
    open_page: Any, page_of: Any, figure: type[Figure]
) -> None:
    shown = ready(open_page(page_of(figure()), viewport={"width": 900, "height": 900}))
    show_all(shown)
    parts = (
        """(all) => [...new Set(all.map((e) => `${e.dataset.part} ${e.dataset.index ?? ""}`))]"""
    )
    terms = shown.locator(".gl-equation [data-part]").evaluate_all(parts)
    drawn = shown.locator(".gl-live svg [data-part]").evaluate_all(parts)
    assert terms
    for term in terms:
        assert any(part.startswith(term.strip()) for part in drawn), term


def test_arrows_light_losses_and_applications_and_say_what_they_send(open_page: Any) -> None:
    page = open_page(LANDING, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    stage = figure.get_by_role("application", name="The river")
    status = figure.get_by_role("status")
    stage.press("ArrowRight")
    stage.press("ArrowRight")
    assert lit_terms(figure) == [("loss", "2")]
    assert status.inner_text() == "ℓ2 sends 1.50 to θ, over all applications."
    stage.press("ArrowDown")
    stage.press("ArrowLeft")
    assert lit_terms(figure) == [("application", "1")]
    assert status.inner_text() == "Through application 1, θ receives 1.97."
    stage.press("ArrowDown")
    assert status.inner_text() == "At h1 the gradient is multiplied by 0.5."
    stage.press("ArrowDown")
    assert status.inner_text() == "In all, θ receives 1.67; at s = 1 it is 3.50."
    page.keyboard.press("Tab")
    assert figure.locator(".gl-term.gl-lit").count() == 0


def test_the_keyboard_alone_reaches_and_sets_everything(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3)))
    figure = ready(page)
    names = []
    for _ in range(24):
        page.keyboard.press("Tab")
        names.append(
            page.evaluate(
                "(e => e.dataset.control || e.textContent.trim())(document.activeElement)"
            )
        )
        if names[-1] == "scale" and names.count("scale") == 1:
            page.keyboard.press("ArrowRight")
        if names[-1] == "More" and names.count("More") == 1:
            page.keyboard.press("Enter")
    controls = ["scale", "gain", "steps", "placement", "weights", "weighted", "clip", "limit"]
    assert [name for name in dict.fromkeys(names) if name in controls] == controls
    assert "The numbers as a table" in names
    assert "s = 0.51" in sentence(figure)


def test_sliders_and_the_change_are_announced(open_page: Any) -> None:
    page = open_page(LANDING)
    figure = ready(page)
    slider = figure.get_by_role("slider", name="s scale")
    assert slider.get_attribute("aria-valuetext") == "s = 0.5"
    status = figure.get_by_role("status")
    assert status.inner_text() == ""
    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "s = 0.49"
    assert status.inner_text() == ""
    page.wait_for_timeout(700)
    assert status.inner_text() == "s: 0.49. " + UnrolledFlow(scale=0.49).sentence
    group = figure.get_by_role("group", name="Where the gradient of each loss ends up")
    assert group.count() == 1
    assert figure.locator(".gl-live svg:visible").get_attribute("aria-hidden") == "true"


@pytest.mark.parametrize("figure", [UnrolledFlow, ReportedTangent])
@pytest.mark.parametrize("width", [320, 360, 500, 720, 1100])
def test_every_width_fits_and_every_word_is_13_pixels_or_more(
    open_page: Any, page_of: Any, figure: type[Figure], width: int
) -> None:
    address = page_of(figure())
    page = open_page(address, viewport={"width": width, "height": 800})
    shown = ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    layout = "wide" if width >= 688 else "narrow"
    assert shown.locator(".gl-live svg:visible").get_attribute("data-layout") == layout
    smallest = shown.evaluate(
        """(figure) => {
          const svg = [...figure.querySelectorAll(".gl-live svg")].find((s) => s.checkVisibility());
          const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          return Math.min(...[...svg.querySelectorAll("text")].map(
            (t) => parseFloat(getComputedStyle(t).fontSize) * zoom));
        }"""
    )
    assert smallest >= 13


@pytest.mark.parametrize("width", [288, 320, 700])
def test_no_words_of_the_picture_lie_over_others_or_outside(
    open_page: Any, page_of: Any, width: int
) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3)), viewport={"width": width, "height": 900})
    figure = ready(page)
    figure.locator(".gl-more summary").click()
    for steps in (1, 6, 12):
        figure.locator("[data-control=steps]").fill(str(steps))
        for scale in ("0", "0.25", "1"):
            figure.locator("[data-control=scale]").fill(scale)
            faults = figure.evaluate(
                """(figure) => {
                  const svg = [...figure.querySelectorAll(".gl-live svg")].find((s) => s.checkVisibility());
                  const frame = svg.getBoundingClientRect();
                  const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent.trim(), t.getBoundingClientRect()]);
                  const faults = boxes.filter(([, b]) => b.left < frame.left - 2 || b.right > frame.right + 2 || b.bottom > frame.bottom + 2)
                    .map(([text]) => `${text} is outside`);
                  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([two, b]) => {
                    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    if (x > 2 && y > 4) faults.push(`${one} lies over ${two}`);
                  }));
                  return faults;
                }"""
            )
            assert faults == [], f"K = {steps}, s = {scale}"


def test_without_scripts_three_still_rivers_stand_with_their_settings(
    open_page: Any, site: Path
) -> None:
    page = open_page(LANDING, java_script_enabled=False)
    river = page.locator(RIVER)
    assert not river.locator(".gl-root").is_visible()
    texts = river.locator(".gl-still .gl-sentence").all_inner_texts()
    assert texts == [UnrolledFlow(scale=scale).sentence for scale in (0.0, 0.5, 1.0)]
    for still in river.locator(".gl-still").all():
        assert still.locator("svg:visible").count() == 1
    assert river.locator(".gl-stills input").count() == 0


def test_print_shows_the_stills_and_no_sliders(open_page: Any) -> None:
    page = open_page(LANDING)
    ready(page)
    page.emulate_media(media="print")
    river = page.locator(RIVER)
    assert river.locator(".gl-still:visible").count() == 3
    assert river.locator("input:visible").count() == 0
