"""A run in a browser: it starts, holds, goes on and ends; earlier runs stay; nobody is kept waiting."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from playwright.sync_api import expect

from explorax import Choice, Prediction, Range, explore
from explorax.views import Axis, History, Series
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

pytestmark = pytest.mark.slow

FRAMES = """(each) => {
  window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), each);
  window.cancelAnimationFrame = clearTimeout;
}"""  # frames of so many milliseconds, so that a hand is in time on any machine
SLOW, QUICK = 150, 1
STEPS = 3000  # in no fewer than sixty frames


def noisy_decay(carry, rate, fate):
    size, key = carry
    key, drawn = jax.random.split(key)
    after = jnp.where((fate == 1) & (size < 0.8), jnp.nan, size * (1 - rate / 1000))
    return (after, key), {"size": size * (1 + 0.1 * jax.random.normal(drawn))}


def figure(**options: Any) -> Any:
    return explore(
        noisy_decay,
        [
            Range("rate", "rate", "r", 0.5, 2.0, 1.0, 0.25),
            Choice("fate", "fate", options=(("lives", "lives"), ("dies", "dies"))),
        ],
        History([Series("size", "size", "loss")], Axis((0.0, 1.5)), smooth=20),
        run=STEPS,
        carry=(1.0, jax.random.key(0)),
        **options,
    )


@functools.cache
def in_python(fate: str = "lives", rate: float = 1.0) -> Any:
    """The results, and the sentence that states them, by JAX."""
    made = figure()
    made.set(fate=fate, rate=rate)
    return made.value, made.sentence


@pytest.fixture(scope="module")
def address(page_of: Any) -> str:
    return str(page_of(figure()))


def shown(open_page: Any, address: str, window: str = "wide", **options: Any) -> Shown:
    return Shown(open_page(address, viewport=WINDOWS[window], **options), "noisy_decay")


def steps(run: Shown) -> int:
    """How many steps the sentence says were taken."""
    found = re.match(r"After ([\d,]+)", run.sentence)
    return int(found[1].replace(",", "")) if found else 0


def ended(run: Shown) -> None:
    run.says(re.compile("^After 3,000 steps"))
    expect(run.button("Run")).to_be_visible()


def test_run_starts_pauses_continues_and_ends_as_in_jax(open_page: Any, address: str) -> None:
    run, (_, sentence) = shown(open_page, address), in_python()
    assert run.sentence == sentence
    run.page.evaluate(FRAMES, SLOW)
    run.button("Run").focus()
    run.page.keyboard.press("Enter")
    run.page.keyboard.press("Enter")  # it is the same button
    expect(run.button("Continue")).to_be_focused()
    held = steps(run)
    assert 0 <= held < STEPS
    assert run.said.startswith("Paused. ")
    run.page.wait_for_timeout(150)
    assert steps(run) == held
    run.page.evaluate(FRAMES, QUICK)
    run.page.keyboard.press("Space")
    ended(run)
    assert run.sentence == sentence
    assert run.drawn(".gl-earlier").count() == 0, "the same settings are the same run"


def test_a_change_ends_a_run_and_its_line_stays_until_a_reset(open_page: Any, address: str) -> None:
    run = shown(open_page, address)
    run.page.evaluate(FRAMES, SLOW)
    run.button("Run").click()
    run.page.wait_for_function(
        "document.querySelector('.gl-live .gl-sentence').innerText.startsWith('After')"
    )
    slider = run.control("rate")
    slider.press("ArrowRight")
    expect(run.root.locator(".gl-live .gl-sentence")).to_have_text(
        re.compile("^Press Run for 3,000 steps with r = 1.25")
    )
    expect(run.button("Run")).to_be_visible()
    assert run.drawn(".gl-earlier .gl-line").count() == 2, "its own, and the recorded one's"
    run.page.evaluate(FRAMES, QUICK)
    run.button("Run").click()
    ended(run)
    for _ in range(2):
        slider.press("ArrowRight")
    keys = run.root.locator(".gl-live .gl-runkey li")
    named = [key.strip() for key in keys.all_inner_texts()]
    assert named == ["r = 1.75", "r = 1.25", "r = 1", "r = 1, recorded"]
    height = run.root.bounding_box()["height"]
    run.button("Reset").click()
    assert (keys.all_inner_texts(), run.drawn(".gl-earlier").count()) == ([" r = 1, recorded"], 0)
    assert run.sentence == in_python()[1]
    assert run.root.bounding_box()["height"] == height


def test_a_run_waits_while_it_is_out_of_sight(open_page: Any, address: str) -> None:
    run = shown(open_page, address)
    run.page.evaluate("document.body.style.paddingBottom = '5000px'")
    run.page.evaluate(FRAMES, SLOW)
    run.button("Run").click()
    run.page.evaluate("scrollTo(0, 5000)")
    run.page.wait_for_timeout(500)
    held = steps(run)
    run.page.wait_for_timeout(500)
    assert steps(run) == held < STEPS
    run.page.evaluate(FRAMES, QUICK)
    run.page.evaluate("scrollTo(0, 0)")
    ended(run)


def test_run_in_the_page_stops_at_a_number_that_is_not_finite(open_page: Any, address: str) -> None:
    run, (_, sentence) = shown(open_page, address), in_python("dies")
    run.control("fate").select_option("dies")
    run.button("Run").click()
    run.says(sentence)
    assert "stops after 2" in sentence
    assert run.drawn(".gl-losttext").text_content() == "stopped"


def test_under_reduced_motion_it_runs_as_fast_as_it_can(open_page: Any, address: str) -> None:
    run = shown(open_page, address, reduced_motion="reduce")
    run.page.evaluate("""() => {
      window.seen = 0;
      new MutationObserver(() => { seen += 1; }).observe(document.querySelector(".gl-live .gl-sentence"), { characterData: true, subtree: true });
    }""")
    run.button("Run").click()
    ended(run)
    assert run.page.evaluate("seen") < 30, "in fewer frames than the sixty that one sees pass"


@pytest.mark.parametrize("scheme", some_now(["light", "dark"], "dark"))
def test_page_is_accessible_and_fits_320_pixels(
    open_page: Any, address: str, axe: Any, scheme: str
) -> None:
    run = shown(open_page, address, "narrow", color_scheme=scheme)
    for _ in range(2):
        run.control("rate").press("ArrowRight")
        run.button("Run").click()
        ended(run)
    assert axe(run.page) == []
    run.page.set_viewport_size({"width": 320, "height": 800})
    assert run.page.evaluate("document.documentElement.scrollWidth") == 320
    keys = run.root.locator(".gl-live .gl-runkey li").all()
    assert all(
        key.bounding_box()["y"] + 1 > run.root.locator(".gl-live .gl-runkey").bounding_box()["y"]
        for key in keys
    )


def test_a_question_is_answered_by_a_guess_and_a_run_or_by_a_run_alone(
    open_page: Any, page_of: Any
) -> None:
    asked = Prediction(
        "How large is it at 1.25?", "last_size", guess=Range("g", "guess", "", 0.0, 1.0),
        settings={"rate": 1.25}, reveal="It is {last_size:.3g} after {steps} steps.",
    )  # fmt: skip
    value, _ = in_python(rate=1.25)
    for by in ("guess", "trying"):
        question = replace(asked, question=f"{asked.question} ({by})")  # it would be remembered
        run = Shown(open_page(page_of(figure(prediction=question))), "noisy_decay")
        if by == "guess":
            run.root.locator("[data-control=guess]").press("ArrowRight")
            run.button("Check").click()
        else:
            run.control("rate").press("ArrowRight")
            run.button("Run").click()
        run.says(re.compile("After 3,000 steps|found out"))
        assert f"It is {value['last_size']:.3g}" in run.outcome
        assert ("found out" in run.outcome) == (by == "trying")


def test_without_scripts_and_on_paper_the_recorded_run_is_there(
    open_page: Any, address: str
) -> None:
    page = open_page(address, java_script_enabled=False)
    still = page.locator(".gl-still").first
    assert in_python()[1] in page.content()
    page.emulate_media(media="print")
    assert still.locator("svg:visible .gl-line").first.get_attribute("d").count("L") > 100
