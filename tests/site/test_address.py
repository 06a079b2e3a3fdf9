"""The state of figures in the address, and what takes it elsewhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from sccbook.figures import UnrolledFlow
from tests.site.book import READ, descriptions, names
from tests.site.figure_page import Shown
from tests.tiers import some_now

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
CHAPTER = "notebooks/05_products_of_jacobians.html"


@pytest.mark.parametrize("scheme", some_now(["http", "file"], "file"))
def test_what_is_set_is_in_the_address_and_comes_back(
    open_page: Any, site: Path, scheme: str
) -> None:
    page = open_page(CHAPTER if scheme == "http" else (site / CHAPTER).as_uri())
    Shown(page, "UnrolledFlow").control("scale").fill("0.25")
    page.wait_for_url("**?UnrolledFlow.scale=0.25")
    Shown(page, "JacobianProducts").control("k").fill("7")
    page.wait_for_url("**?UnrolledFlow.scale=0.25&JacobianProducts.k=7")
    page.reload()
    assert Shown(page, "JacobianProducts").settings["k"] == 7
    river = Shown(page, "UnrolledFlow")
    assert "s = 0.25" in river.sentence
    river.button("Reset").click()
    page.wait_for_url("**?JacobianProducts.k=7")


def test_the_rosetta_shows_the_two_libraries_that_the_address_names(
    open_page: Any, site: Path
) -> None:
    page = open_page((site / "notebooks/16_rosetta.html").as_uri())
    rows = page.locator("table.rows:not(:has(th code)) tr:visible th")
    every, top = rows.count(), rows.first.inner_text()
    page.locator("select[name=from]").select_option("Flax")
    page.locator("select[name=to]").select_option("PyTorch")
    page.wait_for_url("**?from=Flax&to=PyTorch")
    page.reload()
    shown = {name.split(",")[0] for name in rows.all_inner_texts()}
    assert shown == {"Flax", "JAX", "PyTorch"}  # JAX where Flax has no row
    assert page.locator(".tabs > input:checked + label").all_inner_texts() == 2 * ["PyTorch"]
    first, last = (page.locator(f"select[name={end}]") for end in ("from", "to"))
    last.select_option("NumPy")
    first.select_option("PyTorch")
    named = rows.all_inner_texts()
    assert named[0].startswith("PyTorch")  # though NumPy's rows are first in the chapter
    assert named[-1].startswith("NumPy")
    last.select_option("any library")
    page.wait_for_url("**?from=PyTorch")
    assert rows.count() == page.locator("table.rows:not(:has(th code))").count()
    first.select_option("any library")
    assert rows.count() == every
    assert rows.first.inner_text() == top


def another(control: dict[str, Any]) -> Any:
    """A value that a control allows and doesn't start at."""
    low, high, initial = control.get("minimum"), control.get("maximum"), control["initial"]
    match control["kind"]:
        case "choice":
            return next(name for name, _ in control["options"] if name != initial)
        case "toggle":
            return not initial
        case "point":
            return [(3 * a + b) / 4 for a, b in zip(low, high, strict=True)]
        case "log":
            middle = (low * high) ** 0.5
        case kind:
            middle = (low + high) // 2 if kind == "integer" else low + (high - low) / 4
    return middle if middle != initial else low


@pytest.mark.parametrize("name", [name for name in READ if names(name)])
def test_a_link_shows_exactly_the_state_it_carries(open_page: Any, server: str, name: str) -> None:
    wanted, query, seen = [], [], Counter[str]()
    for described in descriptions(name):
        settings = {control["name"]: another(control) for control in described["controls"]}
        seen[described["name"]] += 1
        nth = seen[described["name"]]
        key = described["name"] + (f"-{nth}" if nth > 1 else "")
        wanted.append(settings)
        for control, value in settings.items():
            words = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words = words.lower() if isinstance(value, bool) else words
            query.append(f"{key}.{control}={words}")
    page = open_page(f"{name}?{'&'.join(query)}")
    present = """[...document.querySelectorAll('figure.gl-figure')].map((f) => exploraxFigures.get(f).settings)"""
    masked = (
        "document.querySelector('.gl-live').innerText.includes('This is what the question asks')"
    )

    def shown(when: str) -> None:
        page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")
        assert page.evaluate(present) == wanted, when
        assert page.url == address, when
        assert page.locator(".gl-complaint").count() == 0
        assert not page.evaluate(masked), when

    address = page.url
    shown("on load")
    page.reload()
    shown("on reload")
    page.goto(urljoin(server, "book/bibliography.html"))
    page.go_back()
    shown("on the way back")
    while (unanswered := page.get_by_role("button", name="Tell me")).count():
        unanswered.first.click()
    shown("after the answers")
    for button in page.get_by_role("button", name="Show it").all()[:1]:
        button.click()
        page.wait_for_function("!document.querySelector('.gl-gliding')")
        assert page.url == address, "a question doesn't rewrite the address"


def test_going_back_leaves_the_page_and_not_a_setting(open_page: Any) -> None:
    page = open_page("book/bibliography.html")
    page.goto(page.url.replace("book/bibliography", "book/index"))
    for value in ("0.1", "0.2"):
        Shown(page, "UnrolledFlow").control("scale").fill(value)
        page.wait_for_url(f"**?UnrolledFlow.scale={value}")
    page.go_back()
    assert "bibliography" in page.url


def test_what_the_address_may_not_say_is_left_out_and_said(open_page: Any, page_of: Any) -> None:
    bad = "UnrolledFlow.scale=7&UnrolledFlow.z=1"
    good = "UnrolledFlow.gain=0.5&other=kept"
    page = open_page(f"{page_of(UnrolledFlow(stage=3, ask=None))}?{bad}&{good}")
    figure = Shown(page, "UnrolledFlow")
    assert figure.sentence == UnrolledFlow(gain=0.5).sentence
    complaint = figure.root.locator(".gl-complaint:visible")
    for said in ("scale = 7; scale takes a number from 0 to 2. It is left out.", "UnrolledFlow.z"):
        assert said in figure.said
        assert said in complaint.inner_text(), "it is shown, too"
    figure.button("Close").click()
    assert complaint.count() == 0
    figure.control("scale").fill("0.6")
    page.wait_for_url("**?other=kept&UnrolledFlow.scale=0.6&UnrolledFlow.gain=0.5")


def test_a_link_and_the_python_that_sets_it_like_this_are_copied(open_page: Any) -> None:
    page = open_page(CHAPTER, **CLIPBOARD)
    figure = Shown(page, "UnrolledFlow")
    figure.control("scale").fill("0.25")
    figure.button("Copy link").click()
    figure.button("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert urlsplit(link).query == "UnrolledFlow.scale=0.25"
    assert urlsplit(link).fragment == figure.root.get_attribute("id")
    page.wait_for_timeout(700)  # a change is said 500 ms after it, and this one is not:
    assert figure.said == f"Copied: {link}", "nothing is said over it"
    assert page.url == link.partition("#")[0], "the address was written before"
    other = Shown(open_page(link, **CLIPBOARD), "UnrolledFlow")
    assert "s = 0.25" in other.sentence
    assert other.root.evaluate(
        "(e) => { const { top, bottom } = e.getBoundingClientRect(); return bottom > 0 && top < innerHeight; }"
    ), "the page opens at the figure that the link sets"
    other.open_folds()
    other.button("Copy as Python").click()
    other.root.get_by_text("Copied:", exact=True).wait_for()
    said = other.page.evaluate("navigator.clipboard.readText()")
    assert said == "UnrolledFlow(stage=2, ask='gain', scale=0.25, gain=1.5, steps=5)"
    assert eval(said, {"UnrolledFlow": UnrolledFlow}).settings["scale"] == 0.25


def test_where_nothing_may_be_copied_the_text_is_shown_and_names_the_stage(
    open_page: Any, page_of: Any
) -> None:
    figure = Shown(open_page(page_of(UnrolledFlow(stage=3, clip=True))), "UnrolledFlow")
    figure.page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    figure.open_folds()
    figure.button("Copy as Python").click()
    figure.root.get_by_text("Copy this:", exact=True).wait_for()
    said = figure.root.locator(".gl-copied code").inner_text()
    assert said == "UnrolledFlow(stage=3, scale=0.5, gain=1.0, clip=True)"
    assert eval(said, {"UnrolledFlow": UnrolledFlow}).settings["clip"] is True
