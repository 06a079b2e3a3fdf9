"""Every page of the built book, in a browser: it stands alone, fits a telephone, and is for everyone.

Each page is visited once, from its file: in a wide light window, as it opens; a chapter with its marks
opened by keyboard, and on paper; and then in a narrow dark one, with its figures' questions skipped. From
a server pages are visited by ``test_hands``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image

from sccbook.notebook_form import CHECK, read, tags
from tests.site.book import LANDING, READ, ROOT, descriptions, names, rgb
from tests.site.figure_page import OPEN_FOLDS, WINDOWS
from tests.tiers import some_now
from tools.frame import is_framed
from tools.weights import FONT, files

PAGES = [*READ, "search.html"]
WINDOW = {"width": 1280, "height": 800}
LIGHT = {"viewport": WINDOW, "color_scheme": "light"}
DARK = {"viewport": WINDOWS["narrow"], "color_scheme": "dark"}
WIDTHS = (1280, 768, 360, 320)
COLOURS = ["color-contrast"]
"""What axe-core looks at in the light, too. Nearly all else is the same in every window and theme."""

TITLE_BY, PICTURE_BY = 320, 480
"""Pixels from the top of a chapter by which the first figure's title and its picture begin. Its first control,
or the handle of that in the picture, is in the window."""

SKIP_QUESTIONS = """for (const button of document.querySelectorAll(".gl-prediction button.gl-quiet")) button.click()"""
LANDMARKS = """() => ({
  title: document.title,
  language: document.documentElement.lang,
  mains: document.querySelectorAll("main").length,
  navigations: document.querySelectorAll("nav").length,
  headings: [...document.querySelectorAll("h1")].filter((e) => e.checkVisibility()).length,
  windows: document.querySelectorAll("meta[name=viewport]").length,
})"""
# the theme sets these a moment after the window has changed
TAB_STOPS = """![...document.querySelectorAll("pre, .cell_output")]
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


SEEN = """() => {
  const article = document.querySelector("article");
  const all = (selector, within = article) => [...within.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const own = (e) => [...e.querySelectorAll("aside.margin")].reduce((text, note) => text.replace(note.innerText, ""), e.innerText);
  const text = (found) => found.map((e) => own(e).trim());
  const top = (e) => e && e.getBoundingClientRect().top + scrollY;
  const figure = article.querySelector("figure.gl-figure .gl-live");
  const [picture] = all("svg", figure), main = figure.querySelector("[data-control]").dataset.control;
  const controls = all(`[data-control=${main}], svg [data-handle=${main}]`, figure);
  return {
    title: top(figure.querySelector(".gl-title")),
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
  };
}"""
"""What is seen of a page."""


def chapters() -> dict[str, int]:
    """The pages of the chapters in the frame, each with the number of its cells that only assert."""
    found = {}
    for page in READ:
        path = (ROOT / page).with_suffix(".ipynb")
        notebook = read(path.read_text(encoding="utf-8")) if path.is_file() else None
        if notebook is not None and is_framed(notebook):
            found[page] = sum(CHECK in tags(cell) for cell in notebook.cells)
    return found


CHAPTERS = chapters()


def framed(page: Any) -> SimpleNamespace:
    """What a visit tells of a chapter: as it opens, each mark opened by keyboard, and on paper."""
    seen = page.evaluate(SEEN)
    marks, proofs = page.locator("article details.check"), page.locator("div.cell.tag_check")
    within = proofs.evaluate_all(
        """(all) => all.map((e) => [e.checkVisibility(), !!e.parentElement.closest("details.check"),
             !!e.parentElement.closest("details.check")?.parentElement.closest("details.check")])"""
    )
    for mark in marks.all():
        mark.locator("summary").focus()
        page.keyboard.press("Enter")
    opened = page.evaluate(SEEN)
    told = SimpleNamespace(
        **seen,
        within=within,
        names=marks.locator("summary").evaluate_all("(all) => all.map((e) => e.ariaLabel)"),
        stand_in=marks.evaluate_all(
            "(all) => all.map((e) => e.querySelectorAll('div.cell').length)"
        ),
        shown=proofs.evaluate_all("(all) => all.filter((e) => e.checkVisibility()).length"),
        opened_code=opened["code"],
        opened_cut=opened["cut"],
    )
    page.emulate_media(media="print")
    told.printed = marks.evaluate_all("(all) => all.filter((e) => e.checkVisibility()).length")
    page.emulate_media(media="screen")
    return told


@pytest.fixture(scope="module")
def visited(site: Path, new_page: Any, axe: Any) -> Callable[[str], SimpleNamespace]:
    """Visit a page, once: ``visited("book/index.html")`` is all that the visit tells."""

    @cache
    def visit(name: str) -> SimpleNamespace:
        page, root = new_page(**LIGHT), site.as_uri() + "/"
        page.goto(root + name)
        settle(page)
        loaded = {url.removeprefix(root) for url in page.sent if url.startswith(root)}
        told = framed(page) if name in CHAPTERS else SimpleNamespace()
        page.mouse.wheel(0, 20_000)
        page.evaluate(OPEN_FOLDS)
        told.name, told.landmarks = name, page.evaluate(LANDMARKS)
        told.axe = axe(page, rules=COLOURS)
        page.evaluate(SKIP_QUESTIONS)
        page.emulate_media(color_scheme="dark")
        told.too_wide, told.small, told.torn = {}, [], []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if (by := page.evaluate("document.documentElement.scrollWidth") - width) > 0:
                told.too_wide[width] = by
            told.small += page.evaluate(SMALL)
            told.torn += page.evaluate(TORN)
        page.wait_for_function(TAB_STOPS)
        told.axe += axe(page)
        told.complaints = page.complaints()
        told.loaded = {unquote(urlsplit(url).path) for url in loaded}
        page.leave()
        return told

    return visit


@pytest.fixture(params=PAGES)
def visit(request: pytest.FixtureRequest, visited: Any) -> Any:
    return visited(request.param)


@pytest.fixture(params=CHAPTERS)
def chapter(request: pytest.FixtureRequest, visited: Any) -> Any:
    return visited(request.param)


def test_it_asks_nobody_else_and_complains_of_nothing(visit: Any) -> None:
    assert visit.loaded
    assert visit.complaints == []


def test_it_has_a_title_a_language_and_landmarks(visit: Any) -> None:
    assert "Scale, Clip, Constrain" in visit.landmarks.pop("title")
    assert visit.landmarks.pop("navigations") >= 1
    assert visit.landmarks.pop("windows") >= 1
    assert visit.landmarks == {"language": "en-GB", "mains": 1, "headings": 1}


def test_nothing_is_wider_than_the_window(visit: Any) -> None:
    assert visit.too_wide == {}


def test_no_text_is_small(visit: Any) -> None:
    assert visit.small == []


def test_no_name_is_torn(visit: Any) -> None:
    assert visit.torn == []


def test_axe_finds_nothing(visit: Any) -> None:
    assert visit.axe == []


@pytest.mark.parametrize("name", some_now(PAGES, LANDING))
def test_axe_finds_nothing_in_a_wide_light_window(open_page: Any, axe: Any, name: str) -> None:
    page = open_page(name, **LIGHT)
    settle(page)
    page.evaluate(OPEN_FOLDS)
    assert axe(page) == []


def test_it_loads_what_its_weight_is_made_of(visit: Any, site: Path) -> None:
    loaded, made_of = {Path(file) for file in visit.loaded}, files(site, visit.name)
    assert loaded <= made_of
    later = {
        path for path in made_of if path.name.startswith("thumb-")
    }  # fetched when they come near
    # the font is fetched when a formula is seen: it may stand in a definition alone
    assert made_of - loaded <= {FONT, *later}


def test_a_figures_page_brings_its_views_and_other_pages_go_without(visit: Any) -> None:
    shown = {"figure.js", "figure.css"} if names(visit.name) else set()
    assert {Path(file).name for file in visit.loaded} & {"figure.js", "figure.css"} == shown
    views = {Path(file).stem for file in visit.loaded if "/views/" in file}
    assert {described["view"]["kind"] for described in descriptions(visit.name)} <= views
    assert bool(views) == bool(shown)
    loaded = {Path(file).name for file in visit.loaded}
    assert not loaded & {"fontawesome.js", "bootstrap.js", "require.min.js", "thebe-lib.js"}


def test_chapters_are_found() -> None:
    assert "notebooks/01_the_missing_function.html" in CHAPTERS
    assert all(CHAPTERS.values())


def test_the_first_figure_is_in_sight(chapter: Any) -> None:
    assert chapter.title <= TITLE_BY
    assert chapter.picture <= PICTURE_BY
    assert chapter.control <= WINDOW["height"]


def test_no_assertion_is_seen_and_each_stands_behind_one_mark(chapter: Any) -> None:
    assert not [code for code in chapter.code if "assert " in code]
    assert chapter.within == [[False, True, False]] * CHAPTERS[chapter.name]
    assert sum(chapter.stand_in) == CHAPTERS[chapter.name]
    assert all(chapter.stand_in)


def test_a_mark_opens_by_keyboard_says_what_it_opens_and_is_not_printed(chapter: Any) -> None:
    assert chapter.shown == CHAPTERS[chapter.name]
    assert sum("assert " in code for code in chapter.opened_code) == CHAPTERS[chapter.name]
    assert set(chapter.names) == {"checked: show the code that proves this"}
    assert chapter.printed == 0


def test_no_code_and_no_output_is_cut_off(chapter: Any) -> None:
    assert chapter.cut == []
    assert chapter.opened_cut == []


def test_objectives_and_folds_are_closed_and_say_what_they_hold(chapter: Any) -> None:
    first, *others = chapter.folds
    assert first.startswith("What you will learn, what you need · ")
    assert 2 <= chapter.objectives <= 4
    assert chapter.opened == 0
    assert any(fold.startswith("Set-up: ") for fold in others)
    assert not [fold for fold in others if "Show code" in fold]


def test_a_figure_shows_without_the_code_that_shows_it(chapter: Any) -> None:
    assert chapter.figures > 0
    # in the manual the code is the point, but for the figure at its top
    assert chapter.sources == 0 or chapter.name == "notebooks/17_your_own_function.html"


def test_without_scripts_all_that_is_read_is_there_and_a_mark_opens(
    chapter: Any, open_page: Any
) -> None:
    page = open_page(chapter.name, viewport=WINDOW, java_script_enabled=False)
    seen = page.evaluate(SEEN)
    assert seen["blocks"] == chapter.blocks
    assert seen["figures"] == chapter.figures
    mark = page.locator("article details.check").first
    mark.locator("summary").click()
    assert mark.locator("pre").first.is_visible()


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_front_door_opens(open_page: Any, site: Path, scheme: str) -> None:
    page = open_page("index.html" if scheme == "http" else (site / "index.html").as_uri())
    page.wait_for_url(f"**/{LANDING}")
    settle(page)
    assert page.locator("h1").first.inner_text().startswith("What does MuZero’s one half do?")


@pytest.mark.parametrize("scheme", some_now(["http", "file"], "file"))
def test_a_search_finds_a_page_and_logs_nothing(open_page: Any, site: Path, scheme: str) -> None:
    page = open_page(
        "search.html" if scheme == "http" else (site / "search.html").as_uri(), alone=True
    )
    page.locator("main form.bd-search input").fill("gradient")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/search\.html\?q=gradient"))
    page.locator("#search-results li a").first.click()
    page.wait_for_url(re.compile(r"(?<!search)\.html"))
    settle(page)
    assert "gradient" in page.locator("article").inner_text().lower()


def test_the_first_tab_offers_to_skip_to_the_text(open_page: Any) -> None:
    page = open_page(LANDING)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.keyboard.press("Enter")
    page.wait_for_url("**#main-content")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_page_is_light_or_dark_as_the_reader_prefers(
    open_page: Any, mode: str, scripts: bool
) -> None:
    page = open_page(LANDING, color_scheme=mode, java_script_enabled=scripts)
    read = "(body) => { const c = getComputedStyle(body); return [c.backgroundColor, c.color]; }"
    assert page.locator("body").evaluate(read) == [rgb(mode, "page"), rgb(mode, "ink")]


def test_the_reader_can_choose_light_or_dark(open_page: Any) -> None:
    page = open_page(LANDING, color_scheme="light", alone=True)  # the choice is kept
    seen = []
    for _ in range(3):
        page.locator(".article-header-buttons .theme-switch-button").click()
        seen.append(page.locator("html").get_attribute("data-theme"))
    assert seen == ["dark", "light", "light"]  # dark, then light, then as the reader prefers


def test_a_page_prints_dark_on_light_whatever_the_reader_prefers(open_page: Any) -> None:
    page = open_page(READ[1], color_scheme="dark")
    page.emulate_media(media="print")
    inks = page.locator("article p, article pre span").evaluate_all(
        """all => all.filter((e) => e.checkVisibility() && e.innerText.trim())
             .map((e) => getComputedStyle(e).color.match(/\\d+/g).map(Number))"""
    )
    assert max(max(ink) for ink in inks) < 200


def test_in_the_dark_the_paper_of_a_plot_is_the_page(open_page: Any) -> None:
    page = open_page("notebooks/01_the_missing_function.html", **DARK)
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
    page.add_style_tag(content="math { padding-block: 6px !important }")
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
