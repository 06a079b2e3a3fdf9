"""Names with blocks of code become tabs, for the hand, the keys, and paper, or a table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tiers import some_now

pytestmark = pytest.mark.slow

NAMES = ["JAX", "PyTorch", "Keras & co"]


def test_each_name_becomes_a_tab_with_its_block(book: Any) -> None:
    (tabs,) = book.page("01_clipping.html").select(".tabs")
    assert tabs["aria-label"] == "JAX, PyTorch, Keras & co"
    assert [label.get_text() for label in tabs.select("label")] == NAMES
    assert [label["for"] for label in tabs.select("label")] == [
        tab["id"] for tab in tabs.select("input")
    ]
    assert [tab.has_attr("checked") for tab in tabs.select("input")] == [True, False, False]
    assert [panel.pre.get_text().strip() for panel in tabs.select(".panel")] == [
        "jax.lax.stop_gradient(x)", "x.detach()", "keras.ops.stop_gradient(x)"
    ]  # fmt: skip


def test_rows_are_a_table_of_names_and_code_with_remarks_below(book: Any) -> None:
    (table,) = book.page("01_clipping.html").select("table.rows")
    rows = [
        (row.th.get_text().strip(), row.td.pre.get_text().strip()) for row in table.select("tr")
    ]
    assert rows == [
        ("NumPy, by hand", "np.clip(g, -1, 1)"),
        ("tf.gone was here. Now:", "tf.clip(g)"),
    ]
    assert table.select("th code")
    assert table.find_next("li").get_text().strip() == "Sonnet has none."


def test_malformed_tabs_and_rows_are_reported_and_nothing_else_is(book: Any) -> None:
    assert len(book.warnings) == 5
    for line, kind in zip(book.warnings, [*["tabs"] * 4, "rows"], strict=True):
        assert "wrong.ipynb" in line
        assert f"a cell of {kind} holds names, each followed by a fenced block" in line


@pytest.mark.parametrize("scripts", some_now([True, False], False))
@pytest.mark.parametrize("width", some_now([1280, 320], 320))
def test_tabs_answer_clicks_and_arrows(open_made_up: Any, scripts: bool, width: int) -> None:
    page = open_made_up(
        "01_clipping.html", java_script_enabled=scripts, viewport={"width": width, "height": 800}
    )

    def shown() -> list[str]:
        return [text.strip() for text in page.locator(".panel:visible pre").all_inner_texts()]

    assert shown() == ["jax.lax.stop_gradient(x)"]
    page.get_by_text("PyTorch", exact=True).click()
    assert shown() == ["x.detach()"]
    page.keyboard.press("ArrowRight")
    assert shown() == ["keras.ops.stop_gradient(x)"]
    ring = page.locator(".tabs > input:checked + label").evaluate(
        "(e) => getComputedStyle(e).outlineStyle"
    )
    assert ring == "solid"
    page.keyboard.press("ArrowRight")
    assert shown() == ["jax.lax.stop_gradient(x)"]


def test_the_next_tabs_open_at_the_name_that_was_chosen(open_made_up: Any) -> None:
    page = open_made_up("plain.html", alone=True)
    assert page.locator(".panel:visible").inner_text().strip() == "torch"
    page.get_by_text("JAX", exact=True).click()
    page.goto(page.url.replace("plain", "01_clipping"))
    page.get_by_text("PyTorch", exact=True).click()
    page.goto(page.url.replace("01_clipping", "plain"))
    assert page.locator(".panel:visible").inner_text().strip() == "torch"
    page.get_by_text("JAX", exact=True).click()
    page.reload()
    assert page.locator(".panel:visible").inner_text().strip() == "jax"


def test_a_printed_page_shows_every_block_below_its_name(open_made_up: Any) -> None:
    page = open_made_up("01_clipping.html")
    page.emulate_media(media="print")
    tops = page.locator(".tabs > :is(label, .panel)").evaluate_all(
        "(all) => all.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().top)"
    )
    assert len(tops) == 2 * len(NAMES)
    assert tops == sorted(tops)
    assert len({*tops}) == len(tops)


@pytest.mark.parametrize("scheme", some_now(["light", "dark"], "dark"))
def test_axe_finds_nothing_in_margins_terms_and_tabs(
    open_made_up: Any, axe: Any, scheme: str
) -> None:
    page = open_made_up("01_clipping.html", color_scheme=scheme)
    page.locator(".term > a").first.focus()
    assert axe(page) == []
