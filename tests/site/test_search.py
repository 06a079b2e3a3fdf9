"""The book's search: what people really ask leads to the page that answers it, from http and from a file."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.site.book import LANDING
from tests.site.figure_page import WINDOWS

ABOUT = {
    "tf.scale_gradient": "01",
    "max norm": "10",
    "AdamW": "11",
    "threshold": "13",
    "exploding": "05",
    "clipnorm": "08 16",
    "per-sample": "14 08",
    "NaN": "13 08 17",
    "stop gradient": "00 01",
    "how to scale a gradient norm in keras": "01 09",
    "what does scaling the gradient do, and why are they doing it there?": "01 06",
    "how to apply gradient clipping in tensorflow": "08 16",
    "gradient scaling for hidden state": "01 06",
    "what's the motivation for scaling the gradient?": "06 01",
    "clipnorm or global_clipnorm": "16 08",
    "MaxNorm constraint axis convolution": "10",
    "max norm vs weight decay": "10",
    "FSDP gradient norm clipping": "14",
    "does Muon need clip_grad?": "15",
    "ZClip adaptive gradient clipping": "13",
    "qk clip": "15",
    "PPO clip ratio": "15",
    "x.detach() vs stop_gradient": "00 01",
    "why do gradients explode in an RNN": "05 12",
    "global norm": "08 14 16",
    "clip_by_norm": "08 16",
    "states.register_hook(lambda grad: grad * 0.5)": "01 03 16",
    "add scaler.unscale_(optimizer) before clip_grad_norm_": "11",
    "does gradient accumulation work with clipping?": "14 11",
    "loss spike": "13",
    "why does MuZero multiply the gradient by 0.5 at each recurrent step": "06",
    "clip_grad_value_ vs clip_grad_norm_ which one should I use": "08",
    "keras difference between clipvalue and clipnorm": "08 16",
    "optax.chain clip_by_global_norm before or after adam": "11",
    "tf.clip_by_global_norm with GradientTape apply_gradients": "08 16",
    "gradient accumulation clip every micro batch or only before optimizer.step": "14",
    "is gradient clipping necessary with Adam since it normalizes the gradient anyway": "11",
    "max norm constraint with dropout what value": "10",
    "vanilla RNN exploding gradients backpropagation through time long sequences": "05",
    "DDP clip_grad_norm_ before or after all-reduce": "14",
    "scaleclip.ops.max_norm": "scaleclip",
}
"""Questions, most as people typed them in public, and the chapters that are about them: one of these comes first."""

AMONG_THREE = {
    "add scaler.unscale_(optimizer) before clip_grad_norm_": "14",
    "loss spike": "11",
    "grad_norm always above 1": "08",
}
"""Questions, and pages that answer them in part, of which one is among the first three."""

PAGES = """all => [...new Set(all.map((each) => each.pathname.match(/(\\d\\d|[a-z]+)[^/]*\\.html$/)[1]))]"""


@pytest.fixture(params=["http", "file"])
def root(request: pytest.FixtureRequest, site: Any) -> str:
    return request.getfixturevalue("server") if request.param == "http" else f"{site.as_uri()}/"


def test_questions_lead_to_the_pages_that_answer_them(open_page: Any) -> None:
    page = open_page("search.html?q=gradient")
    page.locator(".hits > a").first.wait_for()
    field, missed = page.locator("article form input"), {}
    for questions, places in ((ABOUT, 1), (AMONG_THREE, 3)):
        for question, answers in questions.items():
            field.fill(question)
            found = page.locator("article .hits > a").evaluate_all(PAGES)
            if not {*answers.split()} & {*found[:places]}:
                missed[question] = found[:4]
    assert missed == {}


def test_a_result_is_found_and_opened_by_keyboard_and_its_words_are_marked(
    open_page: Any, root: str, axe: Any
) -> None:
    page = open_page(f"{root}{LANDING}", viewport=WINDOWS["narrow"], color_scheme="dark")
    assert "search.js" not in " ".join(page.sent), "it's fetched when somebody searches"
    page.keyboard.press("/")
    page.keyboard.type("Max-Norm colunms axi")  # one word mistyped, and one begun
    field, hits = page.locator("dialog form input"), page.locator("dialog .hits > a")
    hits.first.wait_for()
    assert page.locator("dialog .hit-count").inner_text().endswith("; Enter lists more.")
    assert "maxnorm" in hits.first.locator("mark").all_inner_texts()[0].lower().replace("_", "")
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", None)):
        page.keyboard.press(key)
        chosen = hits.evaluate_all(
            "all => all.filter((each) => each.ariaSelected === 'true').map((each) => each.id)"
        )
        assert chosen == ([] if place is None else [hits.nth(place).get_attribute("id")])
        assert field.get_attribute("aria-activedescendant") == "".join(chosen)
    assert axe(page) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/10_constraining_weights.html#*")
    page.wait_for_function("CSS.highlights.get('found')?.size > 3")
    assert urlsplit(page.url).query == "", "the address can be shared"
    section = page.locator(f"section[id='{urlsplit(page.url).fragment}']")
    assert abs(section.bounding_box()["y"]) < 120
    page.keyboard.press("Escape")
    assert not page.evaluate("CSS.highlights.has('found')")
    page.keyboard.press("Control+k")
    assert page.locator("dialog form input").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog form input").is_visible()


def test_enter_lists_all_results_on_a_page_whose_address_keeps_the_question(
    open_page: Any, root: str
) -> None:
    page = open_page(f"{root}notebooks/08_clipping.html")
    page.locator(
        ".article-header-buttons .search-button__button, .bd-sidebar .search-button__button"
    ).first.click()
    page.keyboard.type("clip")
    page.locator("dialog .hits > a").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=clip*")
    hits = page.locator("article .hits > a")
    hits.first.wait_for()
    assert hits.count() > 8
    page.locator("article form input").fill("zzzzqqqq")
    assert page.locator("article .hit-count").inner_text() == "No sections found."
    assert not page.locator("article .hits").is_visible()


def test_without_scripts_the_page_of_the_search_says_what_else_helps(open_page: Any) -> None:
    page = open_page("search.html", java_script_enabled=False)
    assert "needs scripts" in page.locator("article noscript").inner_text()
    links = page.locator("article a").evaluate_all(
        "all => all.map((each) => each.getAttribute('href'))"
    )
    assert links == [LANDING, "book/glossary.html"]
