"""Chapter 04's figure in the built page: predict, drag the columns, scale, look backward."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import JacobianProducts
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/04_products_of_jacobians.html"

ready = partial(ready_figure, name="JacobianProducts")


def point(said: str) -> tuple[float, ...]:
    return tuple(float(one) for one in said.split(","))


@pytest.mark.parametrize("window", WINDOWS)
def test_both_columns_can_be_dragged_and_the_sentence_follows(
    open_page: Any, drag: Any, window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    handle = ".gl-live svg:visible [data-handle={}]"
    drag(page, figure.locator(handle.format("a")).first, -20, -15)
    page.wait_for_url("**JacobianProducts.a=*")
    drag(page, figure.locator(handle.format("b")).first, 15, 20)
    page.wait_for_url("**JacobianProducts.b=*")
    found: dict[str, Any] = {n: point(said) for n, said in asked(page).items() if n in "ab"}
    assert found["a"][0] < 0.86
    assert found["b"][0] > -0.88
    assert sentence(figure) == JacobianProducts(**found).sentence


def test_the_arrow_keys_scale_until_nothing_grows(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    slider = figure.get_by_label("scale")
    slider.focus()
    for _ in range(28):
        slider.press("ArrowLeft")
    page.wait_for_url("**JacobianProducts.scale=0.72*")
    assert "no product stretches anything" in sentence(figure)
    assert sentence(figure) == JacobianProducts(scale=0.72).sentence


def test_backward_there_are_eight_other_ellipses_and_the_same_numbers(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    titles = figure.locator(".gl-live svg:visible text", has_text="×")
    before, picture = titles.all_text_contents(), figure.locator(".gl-live svg:visible").first
    drawn = picture.inner_html()
    figure.get_by_label("backward").check()
    page.wait_for_url("**JacobianProducts.back=true*")
    assert titles.all_text_contents() == before
    assert picture.inner_html() != drawn


def test_a_prediction_is_made_and_the_ellipses_are_shown(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    assert "2.05" not in figure.locator(".gl-live").inner_text()
    figure.get_by_label("no, every application shortens it").check()
    figure.get_by_role("button", name="Commit").click()
    outcome = figure.locator(".gl-outcome").inner_text()
    assert "You said “no, every application shortens it”" in outcome
    assert "Up to ×2.05, after 4 applications" in outcome


@pytest.mark.parametrize("preset", JacobianProducts.spec.presets, ids=lambda one: one.label)
def test_a_preset_says_what_python_says(open_page: Any, preset: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    figure.get_by_role("button", name=preset.label, exact=True).click()
    assert sentence(figure) == JacobianProducts(**preset.settings).sentence
