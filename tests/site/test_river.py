"""The river: dragged, pointed at, walked by keyboard, listened to, narrow, without scripts, set from the text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import sccbook.figures
from explorax.figure.widget import Figure
from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.fixtures import drag, take
from tests.site.book import LANDING
from tests.site.families import FAMILIES, open_in_family
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

DRAWN = """(all) => all.map((e) => ["d", "x", "y", "width", "height", "cx", "cy"].map((name) => e.getAttribute(name)))"""


CHANGE = """(slider, value) => {
  slider.value = String(value);
  for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type, { bubbles: true }));
  slider.getBoundingClientRect();
}"""


@pytest.mark.parametrize(
    ("name", "down", "stays", "moves"),
    [
        ("UnrolledFlow", -3.9, ".gl-value", ".gl-band"),
        ("ReportedTangent", 75, ":is(.gl-curve, .gl-point)", ".gl-reported"),
    ],
)
def test_dragging_s_changes_the_gradient_and_leaves_the_values(
    open_page: Any, page_of: Any, name: str, down: float, stays: str, moves: str
) -> None:
    figure = Shown(open_page(page_of(getattr(sccbook.figures, name)())), name)
    before = [figure.drawn(part).evaluate_all(DRAWN) for part in (stays, moves)]
    drag(figure.page, figure.handle("scale"), 0, down)
    assert figure.settings["scale"] < 0.4
    after = [figure.drawn(part).evaluate_all(DRAWN) for part in (stays, moves)]
    assert after[0] == before[0] != []
    assert after[1] != before[1]


def test_a_broken_figure_is_reported_and_leaves_the_others_alive(
    open_page: Any, twice: Any
) -> None:
    address = twice(UnrolledFlow(), lambda f: f.replace("function evaluate", "function nothing"))
    page = open_page(address, strict=False)
    Shown(page, "UnrolledFlow")
    assert page.locator("figure.gl-figure").count() == 2
    assert page.locator("figure.gl-ready").count() == 1
    assert any("is not a function" in error for error in page.errors)


def test_a_change_takes_less_than_a_frame_of_processor_time(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3, steps=12)))
    slider = Shown(page, "UnrolledFlow").control("scale").element_handle()
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    clock = []
    for i in range(61):
        slider.evaluate(CHANGE, i / 61)
        found = tools.send("Performance.getMetrics")["metrics"]
        clock += [1000 * each["value"] for each in found if each["name"] == "ThreadTime"]
    times = sorted(after - before for before, after in pairwise(clock))
    assert times[56] < 16.7, f"1 change of 20 takes {times[56]:.1f} ms or more"


PARTS = """(all) => [...new Set(all.map((e) => `${e.dataset.part} ${e.dataset.index ?? ""}`))]"""
SMALLEST = """(svg) => {
  const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * zoom;
  return Math.min(...[...svg.querySelectorAll("text")].map(size));
}"""
OVERLAPS = """async (figure, layout) => {
  const live = window.exploraxFigures.get(figure), faults = [];
  for (const steps of [1, 6, 12]) for (const scale of [0, 0.25, 1]) {
    live.set({ ...live.settings, steps, scale });
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const found = (fault) => faults.push(`${fault}: K = ${steps}, s = ${scale}`);
    const svg = figure.querySelector(`.gl-live svg[data-layout=${layout}]`), frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent.trim(), t.getBoundingClientRect()]);
    boxes.forEach(([text, a], i) => {
      if (a.left < frame.left - 2 || a.right > frame.right + 2 || a.bottom > frame.bottom + 2) found(`${text} is outside`);
      for (const [other, b] of boxes.slice(i + 1)) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 2 && y > 4) found(`${text} lies over ${other}`);
      }
    });
  }
  return faults;
}"""


def test_pointing_lights_a_loss_and_its_row_and_an_application_and_its_term(show: Any) -> None:
    figure = show("UnrolledFlow")
    figure.open_folds()
    band, term = figure.drawn(".gl-band.gl-lit"), figure.root.locator(".gl-term")
    figure.drawn('.gl-head[data-index="3"] text').hover()
    assert band.get_attribute("data-index") == "3"
    assert figure.root.locator(".gl-table td.gl-lit").count() == 5
    figure.drawn('.gl-diamond[data-index="2"]').hover()
    lit = figure.root.locator(".gl-term.gl-lit")
    assert lit.evaluate("(e) => [e.dataset.part, e.dataset.index]") == ["application", "2"]
    term.and_(figure.root.locator('[data-part="application"][data-index="4"]')).hover()
    assert figure.drawn(".gl-diamond.gl-lit").get_attribute("data-index") == "4"
    term.and_(figure.root.locator('[data-part="gate"]')).first.hover()
    assert figure.drawn(".gl-gate.gl-lit").count() == 4
    figure.root.locator(".gl-table tbody tr").nth(1).locator("td").first.hover()
    assert band.get_attribute("data-index") == "2"


def test_a_loss_that_is_tapped_stays_lit(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()), viewport=WINDOWS["narrow"], has_touch=True)
    figure = Shown(page, "UnrolledFlow")
    figure.drawn('.gl-head[data-index="2"] text').tap()
    assert figure.drawn(".gl-sent").text_content().startswith("ℓ₂ adds 1.50 to the sum")


def test_a_finger_drags_a_handle_to_its_end(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()), viewport=WINDOWS["narrow"], has_touch=True)
    figure = Shown(page, "UnrolledFlow")
    knob = figure.drawn('[data-handle="scale"] .gl-knob').bounding_box()
    finger = page.context.new_cdp_session(page)
    places = [
        (knob["x"] + 20 + 8 * n, knob["y"] + 6) for n in range(11)
    ]  # beside the knob at first
    for kind, at in (
        ("touchStart", places[:1]),
        *(("touchMove", [p]) for p in places),
        ("touchEnd", []),
    ):
        points = [{"x": x, "y": y} for x, y in at]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert figure.settings["scale"] == 1


@pytest.mark.parametrize("figure", [UnrolledFlow, ReportedTangent])
def test_every_part_of_an_equation_is_a_part_of_the_picture(
    open_page: Any, page_of: Any, figure: type[Figure]
) -> None:
    shown = Shown(open_page(page_of(figure())), figure.__name__)
    shown.open_folds()
    terms = shown.root.locator(".gl-equation [data-part]").evaluate_all(PARTS)
    drawn = shown.drawn("[data-part]").evaluate_all(PARTS)
    assert terms
    assert [t for t in terms if not any(part.startswith(t.strip()) for part in drawn)] == []


def test_arrows_light_losses_and_applications_and_say_what_they_add(
    open_page: Any, page_of: Any
) -> None:
    figure = Shown(open_page(page_of(UnrolledFlow(scale=0.5))), "UnrolledFlow")
    stage = figure.root.get_by_role("application", name="The river")
    for keys, said in (
        (["ArrowRight", "ArrowRight"], "ℓ2 adds 1.50 to the sum."),
        (["ArrowDown", "ArrowLeft"], "At step 1 the width is 1.94."),
        (["ArrowDown"], "At h1 the gradient is multiplied by 0.5."),
        (["ArrowDown"], "Altogether, θ receives 1.61; at s = 1 it is 3.00."),
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
        assert figure.root.evaluate(OVERLAPS, layout) == [], width


def test_without_scripts_there_are_three_still_rivers_and_a_plain_number(open_page: Any) -> None:
    page = open_page(LANDING, java_script_enabled=False)
    river = page.locator("figure[data-figure=UnrolledFlow]").first
    assert not river.locator(".gl-root").is_visible()
    texts = river.locator(".gl-still .gl-sentence").all_inner_texts()
    assert texts == [UnrolledFlow(scale=scale).sentence for scale in (1.0, 0.5, 0.0)]
    for still in river.locator(".gl-still").all():
        assert still.locator("img:visible").count() == 1
        assert still.locator("img:visible").evaluate("(e) => e.decode().then(() => e.naturalWidth)")
    assert river.locator(".gl-stills input").count() == 0
    number = page.locator(".gl-scrub")
    assert (number.inner_text(), number.get_attribute("role")) == ("0.5", None)


def test_it_says_what_is_set_and_is_dragged_and_walked(show: Any) -> None:
    figure = show("UnrolledFlow")
    number = figure.page.get_by_role("slider", name="scale", exact=True)
    number.press("Home")
    number.press("PageUp")
    assert number.inner_text() == "0.2"
    x, y = take(figure.page, number)
    figure.page.mouse.move(x + 80, y)
    figure.page.mouse.up()
    assert (number.inner_text(), figure.settings["scale"]) == ("0.7", 0.7)
    figure.page.wait_for_url("**UnrolledFlow.scale=0.7*")
    number.press("ArrowLeft")
    assert number.get_attribute("aria-valuetext") == "s = 0.65"
    figure.control("scale").fill("0.25")
    assert number.inner_text() == "0.25"


def test_line_picture_and_slider_agree_from_the_first_moment(open_page: Any) -> None:
    page = open_page(LANDING)
    figure, number = Shown(page, "UnrolledFlow"), page.locator(".gl-scrub")
    assert figure.settings == UnrolledFlow(scale=0.5).settings
    assert (number.inner_text(), number.get_attribute("aria-valuenow")) == ("0.5", "0.5")
    assert figure.control("scale").input_value() == "0.5"
    assert figure.drawn(".gl-unscaled").count() == 1, "the river at s = 1, behind it"
    assert page.locator(".gl-prediction").count() == 0, "no question before the first drag"


def test_a_story_moves_its_river_step_by_step_whatever_the_reader_sets(open_page: Any) -> None:
    page = open_page(LANDING)
    page.wait_for_function("document.querySelector('.tag_story .gl-ready')")
    river = "exploraxFigures.get(document.querySelector('.tag_story figure')).settings"
    steps = page.locator(".story-step")
    for n, (scale, count) in enumerate(((1, 5), (1, 12), (0.5, 12))):
        steps.nth(n).evaluate("(step) => step.scrollIntoView({ block: 'center' })")
        page.wait_for_function(f"{river}.scale === {scale} && {river}.steps === {count}")
        assert page.locator(".tag_story .gl-stage").is_visible()
    assert page.url.endswith("html"), "nobody has set it"
    page.locator(".tag_story [data-control=scale]").press("Home")
    assert page.evaluate(f"{river}.scale") == 0
    steps.first.evaluate("(step) => step.scrollIntoView({ block: 'center' })")
    page.wait_for_function(f"{river}.scale === 1 && {river}.steps === 5")
    page.set_viewport_size({"width": 360, "height": 740})  # cards, with the river between them
    steps.nth(2).evaluate("(step) => scrollBy(0, step.getBoundingClientRect().bottom + 50)")
    page.wait_for_function(f"{river}.scale === 0.5 && {river}.steps === 12")
