"""The state of figures in the address, and what takes it elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jax.numpy as jnp
import pytest

from gradlab.figure import Point, Range, explore
from gradlab.figures import ReportedTangent, UnrolledFlow

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
CHAPTER = "notebooks/01_the_missing_function.html"
SPOKEN = 700  # ms: a change is said aloud 500 ms after it


def ready(page: Any, name: str) -> Any:
    figure = page.locator(f"figure[data-figure={name}].gl-ready").first
    figure.wait_for()
    return figure


def sentence(figure: Any) -> str:
    return str(figure.locator(".gl-live .gl-sentence").inner_text())


def query(page: Any) -> str:
    return urlsplit(page.url).query


def turned(g, angle):
    c, s = jnp.cos(angle), jnp.sin(angle)
    return {"turned": jnp.stack([c * g[0] - s * g[1], s * g[0] + c * g[1]])}


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_what_is_set_is_in_the_address_and_comes_back(
    open_page: Any, site: Path, scheme: str
) -> None:
    page = open_page(CHAPTER if scheme == "http" else (site / CHAPTER).as_uri())
    river = ready(page, "UnrolledFlow")
    tangent = ready(page, "ReportedTangent")
    assert query(page) == ""
    river.locator("[data-control=scale]").fill("0.25")
    page.wait_for_url("**?UnrolledFlow.scale=0.25")
    tangent.locator("[data-control=x]").fill("-1")
    page.wait_for_url("**?UnrolledFlow.scale=0.25&ReportedTangent.x=-1")
    page.reload()
    assert "s = 0.25" in sentence(ready(page, "UnrolledFlow"))
    assert "x = −1" in sentence(ready(page, "ReportedTangent"))
    ready(page, "UnrolledFlow").get_by_role("button", name="Reset").click()
    page.wait_for_url("**?ReportedTangent.x=-1")


def test_going_back_leaves_the_page_and_not_a_setting(open_page: Any) -> None:
    page = open_page("book/notation.html")
    page.goto(page.url.replace("book/notation", "notebooks/01_the_missing_function"))
    for value in ("0.1", "0.2", "0.3"):
        ready(page, "UnrolledFlow").locator("[data-control=scale]").fill(value)
        page.wait_for_url(f"**?UnrolledFlow.scale={value}")
    page.go_back()
    assert "notation" in page.url


def test_what_the_address_may_not_say_is_left_out_and_said(open_page: Any, page_of: Any) -> None:
    bad = "UnrolledFlow.scale=7&UnrolledFlow.steps=2.5&UnrolledFlow.placement=here&UnrolledFlow.z=1"
    good = "UnrolledFlow.gain=0.5&other=kept"
    page = open_page(f"{page_of(UnrolledFlow(stage=3))}?{bad}&{good}")
    figure = ready(page, "UnrolledFlow")
    assert sentence(figure) == UnrolledFlow(gain=0.5).sentence
    said = figure.get_by_role("status").inner_text()
    assert "scale = 7; scale takes a number from 0 to 2. It is left out." in said
    assert "steps = 2.5; unroll steps takes an integer from 1 to 12." in said
    assert "placement = here; where the scale stands takes one of after_heads, every_input" in said
    assert "sets UnrolledFlow.z, which this figure has not" in said
    figure.locator("[data-control=scale]").fill("1")
    page.wait_for_url("**&UnrolledFlow.scale=1&UnrolledFlow.gain=0.5")
    assert query(page) == "other=kept&UnrolledFlow.scale=1&UnrolledFlow.gain=0.5"


def test_points_and_choices_and_toggles_come_back_too(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3)))
    figure = ready(page, "UnrolledFlow")
    figure.locator(".gl-more summary").click()
    figure.locator("[data-control=placement]").select_option("off")
    figure.locator("[data-control=clip]").check()
    page.wait_for_url("**?UnrolledFlow.placement=off&UnrolledFlow.clip=true")
    page.reload()
    assert (
        sentence(ready(page, "UnrolledFlow")) == UnrolledFlow(placement="off", clip=True).sentence
    )

    controls = [Point("g", "gradient", "g", (-2, -2), (2, 2), (1.0, 1.0)), Range("angle", "angle")]
    page = open_page(page_of(explore(turned, controls)))
    figure = ready(page, "turned")
    figure.get_by_role("slider", name="x of g gradient").fill("-0.5")
    page.wait_for_url("**?turned.g=-0.5,1")
    page.reload()
    assert "g = (−0.5, 1)" in sentence(ready(page, "turned"))


def test_a_figure_shown_twice_has_two_places_in_the_address(
    open_page: Any, page_of: Any, tmp_path: Path
) -> None:
    file = Path(page_of(UnrolledFlow()).removeprefix("file://"))
    text = file.read_text(encoding="utf-8")
    fragment = text[text.index("<figure") : text.rindex("</figure>") + len("</figure>")]
    file.write_text(text.replace(fragment, fragment * 2), encoding="utf-8")
    page = open_page(file.as_uri() + "?UnrolledFlow-2.scale=1&UnrolledFlow.steps=3")
    page.wait_for_function("document.querySelectorAll('.gl-ready').length === 2")
    first, second = page.locator("figure.gl-ready").all()
    assert sentence(first) == UnrolledFlow(steps=3).sentence
    assert sentence(second) == UnrolledFlow(scale=1.0).sentence


def test_a_link_and_the_python_that_sets_it_like_this_are_copied(open_page: Any) -> None:
    page = open_page(CHAPTER, **CLIPBOARD)
    figure = ready(page, "ReportedTangent")
    figure.locator("[data-control=scale]").fill("0.25")
    figure.get_by_role("button", name="Copy link").click()
    figure.locator(".gl-copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert urlsplit(link).query == "ReportedTangent.scale=0.25"
    page.wait_for_timeout(SPOKEN)
    assert figure.get_by_role("status").inner_text() == f"Copied: {link}", "nothing is said over it"
    assert page.url == link, "the address was written before"
    other = open_page(link)
    assert "s = 0.25" in sentence(ready(other, "ReportedTangent"))
    assert ready(other, "ReportedTangent").evaluate(
        "(e) => { const { top, bottom } = e.getBoundingClientRect(); return bottom > 0 && top < innerHeight; }"
    ), "the page opens at the figure that the link sets"
    figure.get_by_role("button", name="Copy as Python").click()
    figure.get_by_text("ReportedTangent(scale=0.25, x=0.2)", exact=True).wait_for()
    said = page.evaluate("navigator.clipboard.readText()")
    assert eval(said, {"ReportedTangent": ReportedTangent}).settings == {"scale": 0.25, "x": 0.2}


def test_python_names_the_stage_and_what_is_behind_more(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow(stage=3, clip=True)), **CLIPBOARD)
    figure = ready(page, "UnrolledFlow")
    figure.get_by_role("button", name="Copy as Python").click()
    figure.locator(".gl-copied").wait_for()
    said = figure.locator(".gl-copied code").inner_text()
    assert said == "UnrolledFlow(stage=3, scale=0.5, gain=1.0, clip=True)"
    assert eval(said, {"UnrolledFlow": UnrolledFlow}).settings["clip"] is True


def test_where_nothing_may_be_copied_the_text_is_shown(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()))
    figure = ready(page, "UnrolledFlow")
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    figure.get_by_role("button", name="Copy as Python").click()
    figure.get_by_text("Copy this:", exact=True).wait_for()
    assert figure.locator(".gl-copied code").inner_text() == "UnrolledFlow(scale=0.5, steps=6)"
