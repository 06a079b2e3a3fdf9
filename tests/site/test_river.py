"""The river in a browser: dragged, set from the keyboard, listened to, printed, and read by itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gradlab.explorables import ReportedTangent, UnrolledFlow
from gradlab.explorables.figure import Figure

LANDING = "book/index.html"
RIVER = "figure[data-figure=UnrolledFlow]"


def ready(page: Any) -> Any:
    figure = page.locator("figure.gl-figure.gl-ready").first
    figure.wait_for()
    return figure


def painted(figure: Any, selector: str, *attributes: str) -> list[list[str]]:
    """The attributes of what matches in the picture that is seen."""
    return figure.evaluate(
        """(figure, [selector, attributes]) => {
          const svg = [...figure.querySelectorAll(".gl-live svg")].find((s) => s.checkVisibility());
          return [...svg.querySelectorAll(selector)].map((e) => attributes.map((a) => e.getAttribute(a)));
        }""",
        [selector, list(attributes)],
    )


def lane(figure: Any) -> list[list[str]]:
    return painted(figure, ".gl-value", "x", "y", "width", "height")


def stream(figure: Any) -> list[list[str]]:
    return painted(figure, ".gl-band", "d")


def sentence(figure: Any) -> str:
    return str(figure.locator(".gl-live .gl-sentence").inner_text())


def lit_terms(figure: Any) -> list[tuple[str, str]]:
    """The parts of the equation that are lit."""
    found = figure.locator(".gl-term.gl-lit").evaluate_all(
        "(all) => all.map((e) => [e.dataset.part, e.dataset.index ?? ''])"
    )
    return [(part, index) for part, index in found]


def show_all(figure: Any) -> None:
    """Let the figure show what it would have predicted first."""
    figure.get_by_role("button", name="Skip, show me").click()


def handle(figure: Any, control: str) -> Any:
    return figure.locator(f".gl-live svg:visible [data-handle={control}]")


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_dragging_s_narrows_the_stream_and_leaves_the_values(
    open_page: Any, site: Path, drag: Any, scheme: str
) -> None:
    address = LANDING if scheme == "http" else (site / LANDING).as_uri()
    page = open_page(address, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    bars, bands = lane(figure), stream(figure)
    drag(page, handle(figure, "scale"), 0, -4.5)
    assert figure.locator("[data-control=scale]").input_value() == "0.25"
    assert "s = 0.25" in sentence(figure)
    assert sentence(figure) == UnrolledFlow(scale=0.25).sentence
    assert lane(figure) == bars
    assert stream(figure) != bands


def test_dragging_the_gain_moves_the_values_and_the_stream(
    open_page: Any, page_of: Any, drag: Any
) -> None:
    page = open_page(page_of(UnrolledFlow(stage=2)), viewport={"width": 900, "height": 900})
    figure = ready(page)
    bars, bands = lane(figure), stream(figure)
    drag(page, handle(figure, "gain"), 0, 4.5)
    gain = float(figure.locator("[data-control=gain]").input_value())
    assert gain == pytest.approx(1.5, abs=0.03)
    assert sentence(figure) == UnrolledFlow(gain=gain).sentence
    assert lane(figure) != bars
    assert stream(figure) != bands


def test_clipping_leaves_the_values_and_takes_the_closed_form_away(
    open_page: Any, page_of: Any
) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3, scale=1.0, limit=1.2)))
    figure = ready(page)
    bars = lane(figure)
    assert figure.locator(".gl-equation munderover").count() == 2
    figure.locator(".gl-more summary").click()
    figure.locator("[data-control=clip]").check()
    assert lane(figure) == bars
    assert sentence(figure) == UnrolledFlow(scale=1.0, limit=1.2, clip=True).sentence
    assert figure.locator(".gl-equation munderover").count() == 0


def test_every_placement_shows_what_python_says(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(UnrolledFlow(stage=3))))
    figure.locator(".gl-more summary").click()
    for placement in ("every_input", "before_heads", "off", "after_heads"):
        figure.locator("[data-control=placement]").select_option(placement)
        expected = UnrolledFlow(placement=placement)
        assert sentence(figure) == expected.sentence
        rows = figure.locator(".gl-table tbody tr")
        shown = [row.split("\t") for row in rows.evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent).join('\\t'))"
        )]  # fmt: skip
        assert shown == expected.table()[1:]


def test_nothing_is_rescaled_while_k_changes(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(UnrolledFlow()), viewport={"width": 900, "height": 900}))
    slider = figure.locator("[data-control=steps]")
    heights = set()
    for steps in (1, 6, 12):
        slider.fill(str(steps))
        (_, last), *_ = painted(figure, f'.gl-spring[data-index="{steps}"]', "data-index", "d")
        numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", last)]
        xs = numbers[::2]
        heights.add(round(max(xs) - min(xs), 1))
    assert len(heights) == 1


def test_what_is_too_wide_is_cut_and_says_by_how_much(open_page: Any, page_of: Any) -> None:
    address = page_of(UnrolledFlow(stage=2, scale=1.0, gain=2.0, steps=12))
    figure = ready(open_page(address, viewport={"width": 900, "height": 900}))
    texts = figure.locator(".gl-live svg:visible text").all_text_contents()
    assert "4,095 losses wide, cut at 12" in texts
    assert painted(figure, ".gl-limit", "d") == []


def test_presets_and_reset(open_page: Any) -> None:
    figure = ready(open_page(LANDING))
    figure.get_by_role("button", name="beyond: s = 1.5").click()
    assert "s = 1.5" in sentence(figure)
    assert figure.locator("[data-control=scale]").get_attribute("max") == "2"
    slider = figure.locator("[data-control=scale]")
    slider.fill("0.9")
    assert slider.get_attribute("max") == "2", "a slider does not change under the hand"
    figure.get_by_role("button", name="Reset").click()
    assert sentence(figure) == UnrolledFlow().sentence
    assert figure.locator("[data-control=scale]").get_attribute("max") == "1"


def test_the_state_before_the_drag_stays_as_an_outline(open_page: Any) -> None:
    page = open_page(LANDING, viewport={"width": 1280, "height": 900})
    figure = ready(page)
    assert painted(figure, "path.gl-ghost", "d") == []
    handle = figure.locator(".gl-live svg:visible [data-handle=scale] .gl-knob")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + 6, box["y"] + 12)
    assert len(painted(figure, "path.gl-ghost", "d")) == 1
    page.mouse.up()
    assert painted(figure, "path.gl-ghost", "d") == []


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


def test_dragging_the_tangent_tilts_it_and_leaves_curve_and_value(
    open_page: Any, drag: Any
) -> None:
    page = open_page(
        "notebooks/01_the_missing_function.html", viewport={"width": 1280, "height": 900}
    )
    figure = page.locator("figure[data-figure=ReportedTangent].gl-ready")
    figure.wait_for()
    show_all(figure)
    curve, point = painted(figure, ".gl-curve", "d"), painted(figure, ".gl-point", "cx", "cy")
    tangent = painted(figure, ".gl-reported", "d")
    drag(page, handle(figure, "scale"), 0, 60)
    scale = float(figure.locator("[data-control=scale]").input_value())
    assert scale < 0.4
    assert sentence(figure) == ReportedTangent(scale=scale).sentence
    assert painted(figure, ".gl-curve", "d") == curve
    assert painted(figure, ".gl-point", "cx", "cy") == point
    assert painted(figure, ".gl-reported", "d") != tangent


def test_a_broken_figure_is_reported_and_leaves_the_others_alive(
    open_page: Any, page_of: Any
) -> None:
    address = page_of(UnrolledFlow())
    file = Path(address.removeprefix("file://"))
    text = file.read_text(encoding="utf-8")
    fragment = text[text.index("<figure") : text.rindex("</figure>") + len("</figure>")]
    broken = fragment.replace("export function evaluate", "export function nothing")
    file.write_text(text.replace(fragment, broken + fragment), encoding="utf-8")
    page = open_page(address, strict=False)
    ready(page)
    assert page.locator("figure.gl-figure").count() == 2
    assert page.locator("figure.gl-ready").count() == 1
    assert any("is not a function" in error for error in page.errors)


def test_a_drag_is_a_frame(open_page: Any, page_of: Any) -> None:
    page = open_page(
        page_of(UnrolledFlow(stage=3, steps=12)), viewport={"width": 900, "height": 900}
    )
    figure = ready(page)
    times = figure.evaluate(
        """(figure) => {
          const slider = figure.querySelector("[data-control=scale]");
          return Array.from({ length: 60 }, (_, i) => {
            const start = performance.now();
            slider.value = String(i / 60);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            slider.dispatchEvent(new Event("change", { bubbles: true }));
            figure.getBoundingClientRect();
            return performance.now() - start;
          }).sort((a, b) => a - b);
        }"""
    )
    assert times[30] < 16.7, f"a change takes {times[30]:.1f} ms"
