"""Every page of the built book: it stands alone, its links lead somewhere, and it fits a telephone."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from PIL import Image

from gradlab.notebook_form import read, tags
from tools.rules import faults

ROOT = Path(__file__).parents[2]
TOC = (ROOT / "_toc.yml").read_text(encoding="utf-8")
READ = [f"{name}.html" for name in re.findall(r"(?:root|file):\s*(\S+)", TOC)]
PAGES = [*READ, "search.html"]
CHAPTERS = [name for name in READ if name.startswith("notebooks/")]
LANDING = READ[0]
SCHEMES = ["http", "file"]
PALETTE = json.loads((ROOT / "gradlab/frontend/src/palette.json").read_text(encoding="utf-8"))

MOST_BYTES = 300_000
"""How heavy a page may be with all that it loads, compressed."""


def address(site: Path, server: str, scheme: str, page: str) -> str:
    return (site / page).as_uri() if scheme == "file" else urljoin(server, page)


def settle(page: Any) -> None:
    """Wait until the page has loaded what it wants, and has had time to complain."""
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)


# ---------------------------------------------------------------- in a browser


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_nobody_else_and_complains_of_nothing(
    open_page: Any, site: Path, server: str, scheme: str, name: str
) -> None:
    page = open_page(address(site, server, scheme, name))  # strict: it looks when the test ends
    settle(page)
    page.mouse.wheel(0, 20_000)
    settle(page)
    assert page.sent


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_front_door_opens(open_page: Any, site: Path, server: str, scheme: str) -> None:
    page = open_page(address(site, server, scheme, "index.html"))
    page.wait_for_url(f"**/{LANDING}")
    settle(page)
    assert page.locator("h1").first.inner_text().startswith("Scale, Clip, Constrain")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_title_a_language_and_landmarks(open_page: Any, name: str) -> None:
    page = open_page(name)
    title = page.title()
    assert "Scale, Clip, Constrain" in title
    assert page.locator("html").get_attribute("lang") == "en-GB"
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("navigation").count() >= 1
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.locator("meta[name=viewport]").count() >= 1
    settle(page)
    for role in ("button", "link", "searchbox", "slider"):
        controls = page.get_by_role(role)
        named = page.get_by_role(role, name=re.compile(r"\S"))
        assert named.count() == controls.count(), role


def test_the_first_tab_offers_to_skip_to_the_text(open_page: Any) -> None:
    page = open_page(LANDING)
    settle(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main-content")


@pytest.mark.parametrize("width", [320, 360, 768])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_window(open_page: Any, name: str, width: int) -> None:
    page = open_page(name, viewport={"width": width, "height": 640})
    settle(page)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.locator("article").evaluate_all(
        """all => all.flatMap((article) => [...article.querySelectorAll("p, li, td, pre")])
             .filter((e) => e.checkVisibility() && e.innerText.trim() && !e.closest(".gl-figure"))
             .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 11).map((e) => e.outerHTML)"""
    )
    assert not small


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_page_is_light_or_dark_as_the_reader_prefers(
    open_page: Any, mode: str, scripts: bool
) -> None:
    page = open_page(LANDING, color_scheme=mode, java_script_enabled=scripts)
    settle(page) if scripts else None
    paper, ink = (
        page.locator("body").evaluate(f"(body) => getComputedStyle(body).{name}")
        for name in ("backgroundColor", "color")
    )
    assert paper == rgb(PALETTE[mode]["page"])
    assert ink == rgb(PALETTE[mode]["ink"])


def test_a_page_prints_dark_on_light_whatever_the_reader_prefers(open_page: Any) -> None:
    page = open_page(READ[1], color_scheme="dark")
    settle(page)
    page.emulate_media(media="print")
    inks = page.locator("article p, article pre span").evaluate_all(
        """all => all.filter((e) => e.checkVisibility() && e.innerText.trim())
             .map((e) => getComputedStyle(e).color.match(/\\d+/g).map(Number))"""
    )
    assert max(max(ink) for ink in inks) < 200


def test_in_the_dark_the_paper_of_a_plot_is_the_page(open_page: Any) -> None:
    chapter = "notebooks/01_the_missing_function.html"
    page = open_page(chapter, color_scheme="dark", viewport={"width": 1280, "height": 1000})
    settle(page)
    plot = page.locator("div.cell_output img").first
    plot.scroll_into_view_if_needed()
    with Image.open(BytesIO(plot.screenshot())) as picture:
        corner = picture.convert("RGB").getpixel((3, 3))
    assert f"rgb{corner}" == rgb(PALETTE["dark"]["page"])


def rgb(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def test_the_reader_can_choose_light_or_dark(open_page: Any) -> None:
    page = open_page(LANDING, color_scheme="light")
    settle(page)
    seen = []
    for _ in range(3):
        page.locator(".article-header-buttons .theme-switch-button").click()
        seen.append(page.locator("html").get_attribute("data-theme"))
    assert seen == ["dark", "light", "light"]  # dark, then light, then as the reader prefers


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_search_finds_a_page_and_logs_nothing(
    open_page: Any, site: Path, server: str, scheme: str
) -> None:
    page = open_page(address(site, server, scheme, "search.html"))
    page.locator("main form.bd-search input").fill("gradient")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/search\.html\?q=gradient"))
    first = page.locator("#search-results li a").first
    first.wait_for()
    settle(page)
    first.click()
    settle(page)
    assert "gradient" in page.locator("article").inner_text().lower()


def test_a_formula_is_set_in_its_font_and_told_in_mathml(open_page: Any) -> None:
    page = open_page("book/notation.html")
    settle(page)
    assert page.evaluate("document.fonts.check('16px KaTeX_Main')")
    assert page.locator("article .katex").count() > 20
    assert page.locator("article .katex-mathml math").count() > 20
    assert page.locator(".katex-error").count() == 0
    assert "$" not in page.locator("article").inner_text()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(open_page: Any, site: Path, server: str, name: str) -> None:
    page = open_page(name)
    settle(page)
    files = {unquote(urlsplit(url).path) for url in page.sent if url.startswith(server)}
    sizes = {file: len(gzip.compress((site / file[1:]).read_bytes())) for file in files}
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:5]


@pytest.mark.parametrize("name", PAGES)
def test_figures_bring_their_files_and_other_pages_go_without(
    open_page: Any, site: Path, name: str
) -> None:
    page = open_page(name)
    settle(page)
    has = page.locator(".gl-figure").count() > 0
    loaded = {Path(urlsplit(url).path).name for url in page.sent}
    assert ({"figure.js", "figure.css"} <= loaded) == has
    assert ("figure.js" in loaded) == has
    assert not loaded & {"fontawesome.js", "bootstrap.js", "require.min.js", "thebe-lib.js"}


def test_the_landing_page_shows_the_river(open_page: Any) -> None:
    page = open_page(LANDING)
    assert page.locator("article .gl-figure").count() == 1
    assert "losses’ worth" in page.locator(".gl-figure").inner_text()


# ---------------------------------------------------------------- in the files


class Document(HTMLParser):
    """What a page refers to, what can be referred to in it, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        if tag in ("a", "area") and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") not in ("canonical", "license"):
            self.loaded.append(found.get("href", ""))
        for name in ("src", "poster", "data", "srcset", "action"):
            if name in found:
                self.loaded.append(found[name])
        if "style" in found:
            self.loaded += re.findall(r"url\(['\"]?([^'\")]+)", found["style"])


@cache
def document(path: Path) -> Document:
    return Document(path.read_text(encoding="utf-8"))


def built(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_page_of_the_contents_is_built(site: Path) -> None:
    assert {site / name for name in [*PAGES, "index.html"]} <= set(built(site))


def test_every_internal_link_and_anchor_leads_somewhere(site: Path) -> None:
    broken = []
    for path in built(site):
        for link in document(path).links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir() or not target.is_file():
                broken.append(f"{path.relative_to(site)}: {link}")
                continue
            anchor = unquote(parts.fragment)
            if anchor and target.suffix == ".html" and anchor not in document(target).anchors:
                broken.append(f"{path.relative_to(site)}: {link}: no such anchor")
    assert not broken, "\n".join(broken)


def test_every_file_that_a_page_loads_is_beside_it(site: Path) -> None:
    missing = []
    for path in built(site):
        for link in document(path).loaded:
            parts = urlsplit(link)
            if parts.scheme == "data" or not link or link.startswith("#"):
                continue
            beside = not parts.scheme and not parts.netloc and not parts.path.startswith("/")
            if not beside or not (path.parent / unquote(parts.path)).resolve().is_file():
                missing.append(f"{path.relative_to(site)}: {link}")
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_notebook_that_a_page_offers_has_the_exercise_and_not_its_solution(
    site: Path, name: str
) -> None:
    path = site / name
    (link,) = (link for link in document(path).links if link.endswith(".ipynb"))
    text = (path.parent / unquote(link)).read_text(encoding="utf-8")
    assert not [str(fault) for fault in faults(text) if fault.grave]
    tagged = {tag for cell in read(text).cells for tag in tags(cell)}
    assert "solution" not in tagged
    assert {"exercise", "quiz"} <= tagged
    assert "def worked(" not in text
    assert "def worked(" in re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8"))


def test_no_stylesheet_or_script_of_ours_names_another_host(site: Path) -> None:
    for name in ("book.css", "palette.css", "figure.css", "katex/katex.min.css"):
        text = (site / "_static" / name).read_text(encoding="utf-8")
        assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", text), name


def test_the_site_carries_nothing_that_no_page_asks_for(site: Path) -> None:
    assert not list((site / "_static").rglob("*.map"))
    assert not list((site / "_static").rglob("fontawesome*"))
    assert not list((site / "_static").rglob("fa-*"))
