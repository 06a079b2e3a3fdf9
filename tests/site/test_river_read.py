"""The river, read: pointed at, walked by keyboard, listened to, narrow, and without scripts."""

from __future__ import annotations

from typing import Any

import pytest

from explorax.figure.widget import Figure
from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.site.book import LANDING
from tests.site.families import FAMILIES, open_in_family
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

PARTS = """(all) => [...new Set(all.map((e) => `${e.dataset.part} ${e.dataset.index ?? ""}`))]"""
SMALLEST = """(svg) => {
  const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * zoom;
  return Math.min(...[...svg.querySelectorAll("text")].map(size));
}"""
OVERLAPS = """(svg) => {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent.trim(), t.getBoundingClientRect()]);
  const faults = boxes.filter(([, b]) => b.left < frame.left - 2 || b.right > frame.right + 2 || b.bottom > frame.bottom + 2)
    .map(([text]) => `${text} is outside`);
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (x > 2 && y > 4) faults.push(`${text} lies over ${other}`);
  }));
  return faults;
}"""


def test_pointing_lights_a_loss_and_its_row_and_an_application_and_its_term(show: Any) -> None:
    figure = show("UnrolledFlow")
    figure.open_folds()
    band, term = figure.drawn(".gl-band.gl-lit"), figure.root.locator(".gl-term")
    figure.drawn('.gl-head[data-index="3"] text').hover()
    assert band.get_attribute("data-index") == "3"
    assert figure.root.locator(".gl-table td.gl-lit").count() == 6
    figure.drawn('.gl-diamond[data-index="2"]').hover()
    lit = figure.root.locator(".gl-term.gl-lit")
    assert lit.evaluate("(e) => [e.dataset.part, e.dataset.index]") == ["application", "2"]
    term.and_(figure.root.locator('[data-part="application"][data-index="4"]')).hover()
    assert figure.drawn(".gl-diamond.gl-lit").get_attribute("data-index") == "4"
    term.and_(figure.root.locator('[data-part="gate"]')).first.hover()
    assert figure.drawn(".gl-gate.gl-lit").count() == 5
    figure.root.locator(".gl-table tbody tr").nth(1).locator("td").first.hover()
    assert band.get_attribute("data-index") == "2"


def test_a_loss_that_is_tapped_stays_lit(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()), viewport=WINDOWS["narrow"], has_touch=True)
    figure = Shown(page, "UnrolledFlow")
    figure.drawn('.gl-head[data-index="2"] text').tap()
    assert figure.drawn(".gl-sent").text_content().startswith("ℓ₂ sends 2.00 to θ")


@pytest.mark.parametrize("figure", [UnrolledFlow, ReportedTangent])
def test_every_part_of_an_equation_is_a_part_of_the_picture(
    open_page: Any, page_of: Any, figure: type[Figure]
) -> None:
    shown = Shown(open_page(page_of(figure())), figure.__name__)
    terms = shown.root.locator(".gl-equation [data-part]").evaluate_all(PARTS)
    drawn = shown.drawn("[data-part]").evaluate_all(PARTS)
    assert terms
    assert [t for t in terms if not any(part.startswith(t.strip()) for part in drawn)] == []


def test_arrows_light_losses_and_applications_and_say_what_they_send(
    open_page: Any, page_of: Any
) -> None:
    figure = Shown(open_page(page_of(UnrolledFlow(scale=0.5))), "UnrolledFlow")
    stage = figure.root.get_by_role("application", name="The river")
    for keys, said in (
        (["ArrowRight", "ArrowRight"], "ℓ2 sends 1.50 to θ, over all applications."),
        (["ArrowDown", "ArrowLeft"], "Through application 1, θ receives 1.97."),
        (["ArrowDown"], "At h1 the gradient is multiplied by 0.5."),
        (["ArrowDown"], "Altogether, θ receives 1.67; at s = 1 it is 3.50."),
    ):
        for key in keys:
            stage.press(key)
        assert figure.said == said
        assert figure.root.locator(".gl-lit").count() > 0
    figure.page.keyboard.press("Tab")
    assert figure.root.locator(".gl-lit").count() == 0


@pytest.mark.parametrize("family", some_now(FAMILIES, "DejaVu Sans"))
def test_words_of_the_picture_are_large_enough_and_never_overlap_or_lie_outside(
    open_page: Any, page_of: Any, family: str
) -> None:
    page = open_in_family(open_page, page_of(UnrolledFlow(stage=3)), family)
    figure = Shown(page, "UnrolledFlow")
    figure.open_folds()
    for width in (288, 320, 500, 700, 720, 1100):
        layout = "wide" if width >= 720 else "narrow"
        page.set_viewport_size({"width": width, "height": 900})
        picture = figure.root.locator(f".gl-live svg[data-layout={layout}]")
        picture.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert figure.root.locator(".gl-live svg:visible").count() == 1
        assert picture.evaluate(SMALLEST) >= 13 or width < 320, width
        for steps in (1, 6, 12):
            figure.control("steps").fill(str(steps))
            for scale in ("0", "0.25", "1"):
                figure.control("scale").fill(scale)
                assert picture.evaluate(OVERLAPS) == [], f"{width} px, K = {steps}, s = {scale}"


def test_without_scripts_there_are_three_still_rivers_and_a_plain_number(open_page: Any) -> None:
    page = open_page(LANDING, java_script_enabled=False)
    river = page.locator("figure[data-figure=UnrolledFlow]")
    assert not river.locator(".gl-root").is_visible()
    texts = river.locator(".gl-still .gl-sentence").all_inner_texts()
    assert texts == [UnrolledFlow(scale=scale).sentence for scale in (1.0, 0.5, 0.0)]
    for still in river.locator(".gl-still").all():
        assert still.locator("img:visible").count() == 1
        assert still.locator("img:visible").evaluate("(e) => e.decode().then(() => e.naturalWidth)")
    assert river.locator(".gl-stills input").count() == 0
    number = page.locator(".gl-scrub")
    assert (number.inner_text(), number.get_attribute("role")) == ("0.5", None)
