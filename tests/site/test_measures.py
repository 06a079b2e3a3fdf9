"""The frame of a figure: its order and measures, and that nothing changes its height under the hand."""

from __future__ import annotations

import time
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tests.site.book import READ, names
from tests.site.families import FAMILIES, open_in_family
from tests.site.figure_page import Shown
from tests.site.made_here import plane
from tests.tiers import some_now

WINDOWS = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 360, "height": 740}}
MOST = 700
"""Pixels from a figure's title to the end of its controls, in the wide window."""

TALLER = {
    "wide": {"ThreePlaces"},
    "narrow": {
        "ClipCorners",
        "JacobianProducts",
        "SameThree",
        "ThreePlaces",
        "UpdateWeights",
        "WhichOne",
    },
}
"""Figures that a hand takes in the picture itself: points, tokens, a line, boxes to press."""

GALLERY = "notebooks/18_your_own_function.html"

ORDER = ["title", "stage", "room", "side", "fold"]
"""What a figure has, from its title down: the room is its sentence's; beside it are the controls and its question."""

SEEN = """(figure) => {
  const live = figure.querySelector(".gl-live"), { top } = live.getBoundingClientRect();
  const box = (selector) => [...live.querySelectorAll(selector)].map((e) => e.getBoundingClientRect()).find((r) => r.height);
  const svg = [...live.querySelectorAll("svg.gl-picture")].find((e) => e.checkVisibility());
  const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const size = (e) => parseFloat(getComputedStyle(e).fontSize);
  const texts = [...svg.querySelectorAll("text")].map((e) => size(e) * zoom);
  const words = [...live.querySelectorAll("p:not(.gl-aloud), label, button, summary, select")].map(size);
  return {
    order: [...live.children].map((e) => e.className.match(/^gl-(\\w+)/)[1]).filter((name) => !/^(aloud|run)/.test(name)),
    end: box(".gl-controls").bottom - top,
    reach: box(".gl-run, .gl-controls .gl-row").bottom - svg.getBoundingClientRect().top,
    picture: svg.getBoundingClientRect().width,
    column: figure.getBoundingClientRect().width,
    smallest: Math.min(...texts, ...words),
    sizes: [...new Set(words)].sort(),
    table: Boolean(live.querySelector("table")),
  };
}"""

# sets every control to several values, and answers the question in several ways; returns the heights that were
# seen, by what was done, or what in a picture has no number for its place. What is let go is drawn at once, so
# that there is no frame to wait for.
WALK = r"""(figure) => {
  const live = figure.querySelector(".gl-live"), heights = {};
  const broken = / (d|r|[cr]?[xy][12]?|width|height|transform)="[^"]*(NaN|Infinity|undefined)/;
  const look = (when) => {
    heights[when] = live.innerHTML.match(broken)?.[0] ?? live.getBoundingClientRect().height;
  };
  const all = (selector) => [...live.querySelectorAll(selector)].filter((e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  const act = (name) => all(".gl-prediction button").find((e) => e.textContent.trim().startsWith(name)).click();
  const fire = (e, type) => e.dispatchEvent(new Event(type, { bubbles: true }));
  const slide = (e, t) => { e.value = Number(e.min) + t * (e.max - e.min); fire(e, "input"); fire(e, "change"); };
  const walk = (when) => {
    for (const e of all(".gl-controls input[type=range]"))
      for (const t of [0, 0.13, 0.37, 0.71, 1]) { slide(e, t); look(`${when}, ${e.id} at ${t}`); }
    for (const e of all(".gl-controls select"))
      for (const { value } of e.options) { e.value = value; fire(e, "change"); look(`${when}, ${e.id} at ${value}`); }
    for (const e of all(".gl-controls input[type=checkbox]"))
      for (let i = 0; i < 2; i++) { e.click(); look(`${when}, ${e.id} ${e.checked}`); }
    for (const e of all(".gl-controls button:not(.gl-copylink)")) { e.click(); look(`${when}, ${e.textContent}`); }
  };
  look("first");
  walk("first");
  if (!live.querySelector(".gl-prediction")) return heights;
  const open = () => live.querySelector(".gl-prediction").dataset.phase === "open" || act("Ask again");
  open();
  act("Tell me");
  look("skipped");
  for (const end of [0, 1]) {
    open();
    look(`asked ${end}`);
    const choices = all(".gl-options input");
    if (choices.length) choices.at(-end).click();
    else for (const e of live.querySelectorAll(".gl-prediction input")) slide(e, end);
    look(`guessed ${end}`);
    act("Check");
    look(`revealed ${end}`);
  }
  walk("at last");
  return heights;
}"""


# by how many pixels a formula reaches beyond its equation, or one line's into the next line's
CUT = """(figure) => {
  const [equation] = figure.querySelectorAll(".gl-live .gl-equation");
  if (!equation) return 0;
  const { top, bottom } = equation.getBoundingClientRect();
  const formulas = [...equation.querySelectorAll("math")].map((e) => e.getBoundingClientRect()).filter((r) => r.height);
  const beyond = formulas.map((r) => Math.max(top - r.top, r.bottom - bottom));
  const into = formulas.flatMap((r) => formulas
    .filter((q) => q.top > r.top + r.height / 3 && q.left < r.right && r.left < q.right)
    .map((q) => r.bottom - q.top - 2)); // what it is padded by
  return Math.max(0, ...beyond, ...into);
}"""


# the words of a picture that reach beyond its edge, where a still picture cuts them off
OUTSIDE = """(figure) => [...figure.querySelectorAll(".gl-live svg")].filter((e) => e.checkVisibility()).flatMap((svg) => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter((e) => e.checkVisibility()).filter((e) => {
    const { left, right, top, bottom, width } = e.getBoundingClientRect();
    return width && (left < box.left - 2 || right > box.right + 2 || top < box.top - 2 || bottom > box.bottom + 2);
  }).map((e) => e.textContent);
})"""
# the code behind More that prints over what comes after it
SPILLED = """async (figure) => {
  figure.querySelector(".gl-live .gl-more").open = true;
  await new Promise((done) => setTimeout(done, 50));
  const all = [...figure.querySelectorAll(".gl-live .gl-code")];
  return [all.length > 0, all.filter((e) => e.scrollHeight > e.clientHeight && getComputedStyle(e).overflowY === "visible").length];
}"""
PAGES = [path for path in READ if names(path)]
CASES = [(path, window, family) for path in PAGES for window in WINDOWS for family in FAMILIES]
NOW = [
    ("notebooks/01_the_missing_function.html", "narrow", "DejaVu Sans"),
    ("notebooks/08_clipping.html", "wide", "Arimo"),
]


def all_shown(page: Any) -> list[Any]:
    """The figures of a page, each alive and laid out for its width."""
    figures = page.locator("figure.gl-figure").all()
    for figure in figures:
        figure.scroll_into_view_if_needed()
        figure.evaluate(
            """async (figure) => {
              while (!figure.matches(".gl-ready.gl-sized")) await new Promise((done) => setTimeout(done, 20));
            }"""
        )
    return figures


@pytest.mark.parametrize("case", some_now(CASES, *NOW), ids="-".join)
def test_a_figure_keeps_its_order_its_measures_and_its_height(
    open_page: Any, case: tuple[str, str, str]
) -> None:
    path, window, family = case
    page = open_in_family(open_page, path, family, viewport=WINDOWS[window])
    figures = all_shown(page)
    assert len(figures) == len(names(path))
    for name, root in zip(names(path), figures, strict=True):
        seen = root.evaluate(SEEN)
        rest = iter(ORDER)
        assert all(block in rest for block in seen["order"]), f"{name}: {seen['order']}"
        if name not in TALLER[window] and path != GALLERY:
            most, space = (seen["end"], MOST) if window == "wide" else (seen["reach"], 740)
            assert most <= space, f"{name}: {most:.0f} px"
        assert seen["smallest"] >= 12.95, name
        assert len(seen["sizes"]) <= 3, f"{name}: {seen['sizes']}"
        assert not seen["table"], "what is behind More is rendered when it is opened"
        heights = root.evaluate(WALK)
        first = heights["first"]
        changed = {
            when: seen
            for when, seen in heights.items()
            if isinstance(seen, str) or abs(seen - first) > 0.5
        }
        assert changed == {}, name
        assert root.evaluate(CUT) <= 0.5, name
        assert root.evaluate(OUTSIDE) == [], name
        assert len(heights) > 4
        if root.locator(".gl-live .gl-more").count():
            assert root.evaluate(SPILLED) == [True, 0], name


def test_a_large_figure_takes_the_margin_of_a_wide_screen(open_page: Any) -> None:
    page = open_page(
        "notebooks/01_the_missing_function.html", viewport={"width": 1920, "height": 1080}
    )
    for root in all_shown(page):
        if "full-width" not in root.get_attribute("class"):
            continue
        seen = root.evaluate(SEEN)
        assert seen["column"] > 950, "it takes the margin too"
        assert 688 <= seen["picture"] <= 960


GUESS = "(figure) => figure.querySelector('[data-control=guess]').dispatchEvent(new Event('input', { bubbles: true }))"
COMMITTED = """async (figure) => {
  const live = figure.querySelector(".gl-live"), seen = [], start = performance.now();
  live.querySelector(".gl-prediction button").click();
  do {
    await new Promise(requestAnimationFrame);
    seen.push({
      gliding: live.classList.contains("gl-gliding"),
      at: window.exploraxFigures.get(figure).settings.g[0],
      height: live.getBoundingClientRect().height,
      after: performance.now() - start,
    });
  } while (seen.at(-1).gliding);
  return seen;
}"""


def test_an_answer_is_shown_where_it_was_asked(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(plane()), reduced_motion="no-preference", viewport=WINDOWS["wide"])
    figure = Shown(page, "clipped")
    figure.root.evaluate(GUESS)
    seen = figure.root.evaluate(COMMITTED)
    places = [each["at"] for each in seen]
    assert places == sorted(places)
    assert set(places) - {1.0, 1.5}, "it is seen on the way"
    assert places[-1] == 1.5
    assert seen[-1]["after"] >= 600
    assert len({each["height"] for each in seen}) == 1


def test_a_legend_that_is_pointed_at_is_marked_and_not_underlined(show: Any) -> None:
    figure = show("MeetingStreams")
    key = figure.drawn(".gl-key").first
    key.hover()
    words = key.locator("text").first
    words.and_(figure.page.locator(".gl-lit text")).wait_for()
    assert words.evaluate("(e) => getComputedStyle(e).textDecorationLine") == "none"
    lit, page = (
        words.evaluate(f"(e) => getComputedStyle({of}).{what}")
        for of, what in (("e", "stroke"), ("document.body", "backgroundColor"))
    )
    assert lit != page


def test_an_equation_that_goes_on_beyond_its_edge_shows_it(open_page: Any) -> None:
    page = open_page("notebooks/01_the_missing_function.html", viewport=WINDOWS["narrow"])
    figure = Shown(page, "UnrolledFlow")
    figure.open_folds()
    equation = figure.root.locator(".gl-live .gl-equation")

    def shaded() -> list[bool]:
        with Image.open(BytesIO(equation.screenshot())) as picture:
            edges = [picture.convert("RGB").getpixel((x, 1)) for x in (0, picture.width - 1)]
        return [edge != (255, 255, 255) for edge in edges]

    seen = [shaded()]
    for place in (60, 10_000):
        equation.evaluate("(e, place) => { e.scrollLeft = place; }", place)
        seen.append(shaded())
    assert seen == [[False, True], [True, True], [True, False]]


# what a finger would have to hit that is lower than 44 px, within what it belongs to
SMALL = """() => {
  const targets = [...document.querySelectorAll(".gl-live :is(input, select, button, summary), .gl-scrub")];
  const box = (e) => (e.type === "radio" || e.type === "checkbox" ? e.closest("label, .gl-row") : e).getBoundingClientRect();
  return targets.filter((e) => e.checkVisibility({ visibilityProperty: true }) && box(e).height < 43.5)
    .map((e) => [e.closest("figure")?.dataset.figure, e.outerHTML.slice(0, 90), box(e).height]);
}"""
SHIFTS = """if (window.shifted === undefined) {
  window.shifted = 0;
  new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
}).observe({ type: "layout-shift", buffered: true });
}"""
"""Once a page, however many tests have asked for it."""
SCROLL = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 50));
  }
}"""


def come_late(route: Any) -> None:
    """Let a script come after the page has been drawn, as it does now and then."""
    time.sleep(1)
    route.continue_()


@pytest.mark.parametrize("path", some_now(PAGES, "book/index.html", NOW[0][0]))
def test_on_a_phone_nothing_jumps_as_a_page_opens_and_a_finger_hits_what_it_means(
    open_page: Any, path: str
) -> None:
    page = open_page("book/bibliography.html", viewport=WINDOWS["narrow"])
    page.add_init_script(SHIFTS)
    page.route("**/figure.js*", come_late)
    page.goto(page.url.replace("book/bibliography.html", path))
    page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")
    page.wait_for_timeout(300)
    page.evaluate(SCROLL)
    page.unroute_all()
    assert page.evaluate("window.shifted") < 0.02
    assert page.evaluate(SMALL) == []


def test_a_small_figure_is_picture_and_sliders_alone(open_page: Any) -> None:
    page = open_page("notebooks/01_the_missing_function.html", viewport=WINDOWS["wide"])
    small = page.locator("figure.gl-half.gl-sized").first
    small.scroll_into_view_if_needed()
    assert small.locator(".gl-stage svg:visible").count() == 1
    assert small.locator(".gl-row").count() == 2
    assert small.locator(".gl-title, .gl-sentence, .gl-prediction, summary, button").count() == 0
    assert small.locator(".gl-live").get_attribute("aria-label")
    figure, text = small.bounding_box(), page.locator("article").bounding_box()
    assert figure["width"] < text["width"] / 2
    page.set_viewport_size({"width": 360, "height": 740})
    assert small.bounding_box()["width"] > 300
