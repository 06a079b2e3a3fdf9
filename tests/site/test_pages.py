"""Every page of the built book, in a browser: it stands alone, fits a telephone, and is for everyone.

Each page is opened once, from its file, and its tests go on from each other: in a wide light window, as it
opens; a chapter with its marks opened by keyboard, and on paper; then in a narrow dark one, with its figures'
questions skipped. From a server pages are visited by ``test_hands``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image

from sccbook.notebook_form import CHECK, read, tags
from tests.site.book import CHAPTERS, LANDING, READ, ROOT, descriptions, names, rgb
from tests.site.figure_page import OPEN_FOLDS, WINDOWS
from tests.tiers import some_now
from tools.weights import FONT, files

PAGES = [*CHAPTERS, *(name for name in READ if name not in CHAPTERS), "search.html"]
"""Chapters come first, so that their tests come with the others of the same page."""
WINDOW = {"width": 1280, "height": 800}
LIGHT = {"viewport": WINDOW, "color_scheme": "light"}
DARK = {"viewport": WINDOWS["narrow"], "color_scheme": "dark"}
WIDTHS = (1280, 768, 640, 320)
"""The last two are a window of 1,280 pixels at 200 and at 400 %."""
SOME = [LANDING, *(name for name in CHAPTERS if name[10:12] in ("01", "08"))]
"""Pages that stand for the others in what is the same machinery on each."""

TITLE_BY, PICTURE_BY = 320, 480
"""Pixels from the top of a chapter by which the first figure's title and its picture begin. Its first control,
or the handle of that in the picture, is in the window."""

ANSWER_ALL = "for (const button of document.querySelectorAll('.gl-prediction button:enabled')) button.click()"
# the theme sets these a moment after the window has changed
TAB_STOPS = """![...document.querySelectorAll("pre, .cell_output, .output")]
  .some((e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX !== "visible" && e.tabIndex < 0)"""
SMALL = """[...document.querySelectorAll("article :is(p, li, td, pre)")]
  .filter((e) => e.checkVisibility() && e.innerText.trim() && !e.closest(".gl-figure"))
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 11).map((e) => e.outerHTML)"""

TORN = """() => {
  const lines = (range) => new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size;
  const torn = (piece) => {
    const range = document.createRange(), line = piece.parentElement.closest("p, li, td, dd, dt, h1, h2, h3, summary");
    range.selectNodeContents(piece);
    const width = [...range.getClientRects()].reduce((sum, r) => sum + r.width, 0);
    return /^\\w+$/.test(piece.data) && lines(range) > 1 && width < line.clientWidth;
  };
  const pieces = [...document.querySelectorAll("article code .pre")].flatMap((e) => [...e.childNodes]);
  return pieces.filter((piece) => piece.nodeType === Node.TEXT_NODE && torn(piece)).map((piece) => piece.data);
}"""
"""Pieces of names that go on in the next line although there is room for them in one."""


def settle(page: Any) -> None:
    """Wait until a page has its fonts and its figures answer."""
    page.evaluate("document.fonts.ready")
    page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")


ROOMY = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("math { padding-block: 6px !important }");
  document.adoptedStyleSheets.push(sheet);
}"""
CONTROL = re.compile(
    r"""^\s*- '?(application|button|checkbox|combobox|link|radio|slider)\b(?: "((?:[^"\\]|\\.)*)")?""",
    re.MULTILINE,
)
FOCUS = """() => {
  const styles = "outlineStyle outlineWidth boxShadow borderColor backgroundColor color textDecorationLine stroke fill transform";
  const parts = (e) => [e, e.nextElementSibling ?? e, ...e.querySelectorAll(".gl-reach")].map(getComputedStyle);
  const look = (e) => parts(e).flatMap((part) => styles.split(" ").map((name) => part[name])).join();
  const unseen = [];
  let reached = 0;
  for (const e of document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")) {
    if (e.disabled || !e.checkVisibility({ visibilityProperty: true })) continue;
    document.activeElement.blur();
    const before = look(e);
    e.focus({ preventScroll: true });
    reached += document.activeElement === e;
    if (look(e) === before) unseen.push(e.outerHTML.slice(0, 200));
  }
  return [reached, unseen];
}"""
"""How many elements take the focus, and those that look the same with it, label and handle included."""
MOVES = """() => { // but what was before, which fades where it is
  const moves = ({ transitionDuration, animationName, scrollBehavior }) =>
    parseFloat(transitionDuration) > 0 || animationName !== "none" || scrollBehavior === "smooth";
  return [...document.querySelectorAll(":not(.gl-ghost)")].filter((e) => moves(getComputedStyle(e))).map((e) => e.outerHTML.slice(0, 200));
}"""
SEEN = """() => {
  const article = document.querySelector("article");
  const all = (selector, within = article) => [...within.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const own = (e) => [...e.querySelectorAll("aside.margin")].reduce((text, note) => text.replace(note.innerText, ""), e.innerText);
  const text = (found) => found.map((e) => own(e).trim());
  const top = (e) => e && e.getBoundingClientRect().top + scrollY;
  const figure = article.querySelector("figure.gl-figure .gl-live") ?? article.querySelector("table");
  const [picture] = all("svg, thead tr", figure), main = figure.querySelector("[data-control]")?.dataset.control;
  const controls = all(`[data-control=${main}], svg [data-handle=${main}], tbody a`, figure);
  return {
    title: top(figure.querySelector(".gl-title, th")),
    picture: top(picture),
    control: Math.min(...controls.map((e) => e.getBoundingClientRect().bottom + scrollY)),
    blocks: text(all("pre, section > p, div.claim > p, li, table").filter((e) => !e.closest("figure.gl-figure"))),
    code: text(all("pre")),
    cut: text(all("pre, div.output").filter((e) => e.scrollWidth > e.clientWidth)),
    folds: text(all("details > summary")),
    figures: all("figure.gl-figure").length,
    sources: [...article.querySelectorAll("div.cell:has(figure.gl-figure) div.cell_input")].length,
    opened: [...article.querySelectorAll("details[open]")].filter((e) => !e.closest("figure")).length,
    objectives: article.querySelectorAll("details.objectives li").length,
    boxed: Boolean(article.querySelector("h1 ~ blockquote")),
  };
}"""
"""What is seen of a page."""


of_chapters = pytest.mark.parametrize("name", CHAPTERS, indirect=True, scope="module")


@pytest.fixture(scope="module", params=PAGES)
def name(request: pytest.FixtureRequest) -> str:
    """A page's name."""
    return str(request.param)


@pytest.fixture(scope="module")
def page(name: str, site: Path, new_page: Any) -> Iterator[Any]:
    """A page, opened from its file."""
    page = new_page(**LIGHT)
    page.goto(f"{site.as_uri()}/{name}")
    settle(page)
    yield page
    page.leave()


@pytest.fixture(scope="module")
def seen(page: Any) -> SimpleNamespace:
    """What is seen of a chapter as it opens."""
    return SimpleNamespace(**page.evaluate(SEEN))


def test_it_loads_what_its_weight_is_made_of(page: Any, name: str, site: Path) -> None:
    loaded = {Path(unquote(urlsplit(url).path)) for url in page.sent}
    loaded = {path.relative_to(site) for path in loaded if path.is_relative_to(site)}
    if name == "search.html":  # its field has the focus, and so it searches
        loaded = {path for path in loaded if not path.name.startswith("search")} | {Path(name)}
    made_of = files(site, name)
    assert loaded <= made_of
    assert made_of - loaded <= {FONT}, (
        "it's fetched when a formula is seen, perhaps in a definition"
    )
    scripts = {path.name for path in loaded if path.suffix == ".js"}
    assert ("figure.js" in scripts) == bool(names(name))
    assert sum(path.suffix == ".css" for path in loaded) == 1
    views = {path.stem for path in loaded if path.parent.name == "views"}
    assert {described["view"]["kind"] for described in descriptions(name)} <= views
    assert bool(views) == bool(names(name))
    assert ("scrubber.js" in scripts) == (page.locator(".gl-scrub").count() > 0)
    assert not scripts & {"fontawesome.js", "bootstrap.js", "require.min.js", "thebe-lib.js"}


@of_chapters
def test_the_first_figure_is_in_sight_without_the_code_that_shows_it(seen: Any, name: str) -> None:
    assert seen.title <= TITLE_BY + 100 * seen.boxed  # below an answer in a box
    assert seen.picture <= PICTURE_BY + 20 * seen.boxed
    assert seen.control <= WINDOW["height"]
    # in the manual the code is the point, but for the figure at its top
    assert seen.sources == 0 or name == "notebooks/18_your_own_function.html"


@of_chapters
def test_objectives_and_folds_are_closed_and_say_what_they_hold(seen: Any) -> None:
    first, *others = seen.folds
    assert first.startswith("What you will learn, what you need · ")
    assert 2 <= seen.objectives <= 4
    assert seen.opened == 0
    assert any(fold.startswith("Set-up: ") for fold in others)
    assert not [fold for fold in others if "Show code" in fold]


@of_chapters
def test_each_assertion_is_behind_one_mark_that_opens_by_keyboard_and_is_not_printed(
    name: str, page: Any, seen: Any
) -> None:
    notebook = read((ROOT / name).with_suffix(".ipynb").read_text(encoding="utf-8"))
    checks = sum(CHECK in tags(cell) for cell in notebook.cells)
    assert not [code for code in seen.code if "assert " in code]
    marks, proofs = page.locator("article details.check"), page.locator("div.cell.tag_check")
    assert checks == proofs.count() == marks.locator("div.cell").count() > 0
    assert page.locator("details.check details.check").count() == 0
    assert proofs.locator("visible=true").count() == 0
    assert marks.filter(has=page.locator("div.cell")).count() == marks.count()
    names = marks.locator("summary").evaluate_all("(all) => all.map((mark) => mark.ariaLabel)")
    assert {*names} == {"checked: show the code that proves this"}
    marks.locator("summary").first.press("Enter")
    assert proofs.locator("visible=true").count() > 0
    marks.locator("summary").evaluate_all("(all) => all.slice(1).forEach((mark) => mark.click())")
    opened = page.evaluate(SEEN)
    assert sum("assert " in code for code in opened["code"]) == checks
    assert proofs.locator("visible=true").count() == checks
    assert seen.cut == opened["cut"] == [], "no code and no output is cut off"
    page.emulate_media(media="print")
    assert marks.locator("visible=true").count() == 0
    page.emulate_media(media="screen")


@pytest.mark.parametrize("name", some_now(CHAPTERS, *SOME), indirect=True, scope="module")
def test_without_scripts_all_that_is_read_is_there_and_a_mark_opens(
    name: str, seen: Any, open_page: Any
) -> None:
    page = open_page(name, viewport=WINDOW, java_script_enabled=False)
    without = page.evaluate(SEEN)
    assert without["blocks"] == seen.blocks
    assert without["figures"] == seen.figures >= ("16_rosetta" not in name)
    mark = page.locator("article details.check").first
    mark.locator("summary").click()
    assert mark.locator("pre").first.is_visible()


def test_each_control_of_a_figure_has_a_name_of_its_own(page: Any) -> None:
    page.evaluate(OPEN_FOLDS)
    for figure in page.locator("figure.gl-figure").all():
        found = Counter(CONTROL.findall(figure.aria_snapshot()))
        assert sum(found.values()) >= 3  # a picture and two controls, or more
        assert [each for each in found if found[each] > 1 or not each[1]] == []


def test_the_focus_is_seen_wherever_it_goes_and_nothing_moves_by_itself(page: Any) -> None:
    page.evaluate(OPEN_FOLDS)
    page.keyboard.press("Tab")  # what a script focuses is shown as if it were done by keyboard
    reached, unseen = page.evaluate(FOCUS)
    assert reached > 15
    assert unseen == []
    assert page.evaluate(MOVES) == []


def test_axe_finds_nothing(page: Any, axe: Any) -> None:
    page.mouse.wheel(0, 20_000)
    page.evaluate(OPEN_FOLDS)
    page.evaluate(ANSWER_ALL)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 320, "height": 800})
    page.wait_for_function(TAB_STOPS)
    assert axe(page) == []  # a title, landmarks and one heading of the page among all else
    assert page.locator("html").get_attribute("lang") == "en-GB"


def test_nothing_is_too_wide_small_or_torn_and_nobody_else_is_asked(page: Any) -> None:
    page.evaluate(OPEN_FOLDS)
    page.evaluate(ANSWER_ALL)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == [], width
        assert page.evaluate(TORN) == [], width
    assert page.complaints() == [], "of all that was done here"


@pytest.mark.parametrize("wide", some_now(PAGES, *SOME))
def test_axe_finds_nothing_in_a_wide_light_window(open_page: Any, axe: Any, wide: str) -> None:
    page = open_page(wide, **LIGHT)
    settle(page)
    page.evaluate(OPEN_FOLDS)
    assert axe(page) == []


@pytest.mark.parametrize("scheme", some_now(["http", "file"], "file"))
def test_the_front_door_opens(open_page: Any, site: Path, server: str, scheme: str) -> None:
    root = server if scheme == "http" else f"{site.as_uri()}/"
    page = open_page(f"{root}index.html", alone=True)
    page.wait_for_url(f"**/{LANDING}")
    settle(page)
    assert page.locator("h1").first.inner_text().startswith("What does MuZero’s one half do?")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_page_is_light_or_dark_as_the_reader_prefers(
    open_page: Any, mode: str, scripts: bool
) -> None:
    page = open_page(LANDING, color_scheme=mode, java_script_enabled=scripts)
    read = "(body) => { const c = getComputedStyle(body); return [c.backgroundColor, c.color]; }"
    assert page.locator("body").evaluate(read) == [rgb(mode, "page"), rgb(mode, "ink")]


def test_the_first_tab_skips_to_the_text_and_the_reader_can_choose_light_or_dark(
    open_page: Any,
) -> None:
    page = open_page(LANDING, color_scheme="light", alone=True)  # the choice is kept
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.keyboard.press("Enter")
    page.wait_for_url("**#main-content")
    seen = []
    for _ in range(3):
        page.locator(".article-header-buttons .theme-switch-button").click()
        seen.append(page.locator("html").get_attribute("data-theme"))
    assert seen == ["dark", "light", "light"]  # dark, then light, then as the reader prefers


def test_a_question_mark_opens_the_keys_of_a_figure_and_escape_goes_back_to_it(
    open_page: Any,
) -> None:
    page = open_page(LANDING)
    settle(page)
    slider = page.locator("figure.gl-ready input[type=range]").first
    slider.press("?")
    keys = page.locator(".answers dl")
    keys.wait_for()
    assert {"Tab", "← → ↑ ↓", "Esc"} <= {*keys.locator("dt").all_inner_texts()}
    page.keyboard.press("Escape")
    keys.wait_for(state="hidden")
    assert slider.evaluate("(e) => e === document.activeElement")
    field = page.locator("input[type=search]").first
    page.keyboard.press("Control+K")
    field.press("?")
    assert field.input_value() == "?"
    assert keys.is_hidden()


def test_folded_code_is_not_laid_out_to_be_measured_and_unfolded_is_reached_by_keyboard(
    open_page: Any,
) -> None:
    page = open_page(
        "notebooks/11_what_the_optimizer_sees.html", viewport={"width": 700, "height": 740}
    )
    page.wait_for_selector("article pre[tabindex]")
    assert page.locator("details:not([open]) pre").count() > 20
    assert page.locator("details:not([open]) pre[tabindex]").count() == 0
    page.evaluate(OPEN_FOLDS)
    page.wait_for_function(TAB_STOPS, timeout=250)  # sooner than the theme


def test_in_the_dark_the_paper_of_a_plot_is_the_page(open_page: Any) -> None:
    page = open_page("notebooks/04_the_gradient_of_no_loss.html", **DARK)
    plot = page.locator("div.cell_output img").first
    with Image.open(BytesIO(plot.screenshot())) as picture:
        assert f"rgb{picture.convert('RGB').getpixel((3, 3))}" == rgb("dark", "page")


def test_a_letter_that_stands_alone_in_the_prose_keeps_its_head(open_page: Any) -> None:
    page = open_page("notebooks/00_a_gradient_backward_by_hand.html")
    settle(page)
    letter = page.locator("article p math").filter(has_text=re.compile("^θ$")).first

    def inked() -> tuple[int, int]:
        box = letter.bounding_box()
        clip = {"x": box["x"] - 1, "y": box["y"] - 8, "width": box["width"] + 2, "height": 30}
        with Image.open(BytesIO(page.screenshot(clip=clip))) as picture:
            left, top, right, bottom = (
                picture.convert("L").point(lambda x: 255 * (x < 200)).getbbox()
            )
        return right - left, bottom - top

    letter.scroll_into_view_if_needed()
    seen = inked()
    page.evaluate(ROOMY)
    assert seen == inked()


def test_a_formula_is_mathml_in_the_books_font(open_page: Any) -> None:
    page = open_page("book/notation.html")
    settle(page)
    assert page.evaluate("document.fonts.check('16px \"Book Maths\"')")
    fonts = page.locator("article math").evaluate_all(
        "all => all.map((e) => getComputedStyle(e).fontFamily.split(',')[0])"
    )
    assert len(fonts) > 20
    assert set(fonts) == {'"Book Maths"'}
    assert "$" not in page.locator("article").inner_text()
