"""A question beside a figure: answered in every way in which a guess is made, skipped, found out, and remembered."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from sccbook.figures import UnrolledFlow
from tests.fixtures import drag
from tests.site.book import READ, descriptions
from tests.site.figure_page import OPEN_FOLDS, Shown

CHAPTER = "notebooks/01_the_missing_function.html"


def river(open_page: Any, page_of: Any) -> Shown:
    return Shown(open_page(page_of(UnrolledFlow())), "UnrolledFlow")


def test_no_figure_of_the_book_is_asked_about_the_settings_it_shows_first() -> None:
    asking = [
        (described, described["prediction"])
        for page in READ
        for described in descriptions(page)
        if described["prediction"]
    ]
    assert len(asking) >= 15
    assert len({asked["question"] for _, asked in asking}) == len(asking), "no two ask the same"
    for described, asked in asking:
        assert any(described["settings"][n] != v for n, v in asked["settings"].items()), described[
            "name"
        ]


def test_a_number_is_guessed_and_shown_beside_the_truth(open_page: Any, page_of: Any) -> None:
    figure = river(open_page, page_of)
    guess, steps = figure.control("guess"), figure.control("steps")
    assert guess.get_attribute("aria-valuetext") == "not set"
    guess.fill("3.3")
    assert guess.get_attribute("aria-valuetext") == "3.3"
    assert figure.drawn(".gl-guess").count() == 1
    assert "K = 5" in figure.sentence
    figure.button("Check").click()
    expected = UnrolledFlow(steps=12)
    assert figure.sentence == expected.sentence
    truth = float(expected.value["total"])
    assert figure.outcome.startswith(f"Not quite: 3.3 is too high by {3.3 - truth:.3g}. ")
    assert figure.said == figure.outcome
    for settings, guesses in (("12", 1), ("3", 0), ("12", 1)):
        steps.fill(settings)
        assert figure.drawn(".gl-guess").count() == guesses, "it was about one setting"
    figure.button("Ask again").click()
    assert guess.get_attribute("aria-valuetext") == "not set"
    assert figure.settings["steps"] == 5, "away from the answer"


def test_everything_works_beside_a_question_and_who_comes_to_the_answer_has_found_it(
    open_page: Any, page_of: Any
) -> None:
    figure = river(open_page, page_of)
    assert figure.root.locator(":is(button, input):disabled").count() == 1, "Check, with no guess"
    figure.control("steps").fill("11")
    assert "Question" in figure.root.inner_text()
    assert figure.root.locator(".gl-outcome").count() == 0
    figure.control("steps").fill("12")
    assert figure.outcome.startswith("You found out by trying. θ receives 1.83")
    assert figure.sentence == UnrolledFlow(steps=12).sentence


def test_a_mask_hides_the_answer_while_the_hand_drags_past_it(open_page: Any, page_of: Any) -> None:
    figure = river(open_page, page_of)
    send = "(f, event) => window.exploraxFigures.get(f).send(event)"
    figure.root.evaluate(send, {"type": "move", "changes": {"steps": 12}})
    figure.root.evaluate(send, {"type": "frame"})
    assert figure.sentence.startswith("This is what the question asks.")
    assert "NaN" not in figure.root.inner_text()
    figure.root.evaluate(send, {"type": "settle"})
    assert figure.sentence == UnrolledFlow(steps=12).sentence


SPEAK_OF_NAN = {"WhichOne", "ClipCorners"}
PLACED = r' (d|r|[cr]?[xy][12]?|width|height|transform)="[^"]*NaN'
"""A place or a size that is NaN."""

# what the picture, the sentence and the table of a figure show while a hand drags past what is asked
PAST = """async ([figure, changes]) => {
  const live = window.exploraxFigures.get(figure);
  live.send({ type: "move", changes });
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const shown = figure.querySelector(".gl-live").cloneNode(true);
  live.send({ type: "settle", rests: true });
  for (const code of shown.querySelectorAll(".gl-code")) code.remove(); // programs may speak of NaN
  return shown.outerHTML;
}"""


@pytest.mark.parametrize(
    "name", [name for name in READ if any(d["prediction"] for d in descriptions(name))]
)
def test_no_figure_draws_what_a_mask_hides_as_a_number(open_page: Any, name: str) -> None:
    page = open_page(name)
    page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")
    page.evaluate(OPEN_FOLDS)
    for n, described in enumerate(descriptions(name)):
        if described["prediction"] and "run" not in described:
            figure = page.locator("figure.gl-figure").nth(n).element_handle()
            shown = page.evaluate(PAST, [figure, described["prediction"]["settings"]])
            hidden = PLACED if described["name"] in SPEAK_OF_NAN else "NaN"
            assert not re.search(hidden, shown), described["name"]


def test_answers_are_remembered_and_one_switch_shows_or_forgets_them_all(open_page: Any) -> None:
    page = open_page(CHAPTER)
    outcomes = page.locator(".gl-outcome")

    def first() -> Any:
        page.wait_for_function("!document.querySelector('figure.gl-figure:not(.gl-ready)')")
        return page.locator(".gl-prediction").first

    asked = first().count() and page.locator(".gl-prediction").count()
    assert asked
    first().get_by_role("button", name="Tell me").click()
    told = outcomes.first.inner_text()
    focused = "document.activeElement.textContent.trim()"
    assert page.evaluate(focused) == "Ask again", "the focus stays where the reader was"
    page.reload()
    first()
    assert outcomes.all_inner_texts() == [told]
    page.goto(page.url.replace("01_the_missing_function", "02_three_places"))
    page.go_back()
    first()
    assert outcomes.all_inner_texts() == [told]
    menu = page.locator(".answers")
    menu.locator("summary").click()
    menu.get_by_text("One answer is remembered").wait_for()
    menu.get_by_label("Show all answers").check()
    assert outcomes.count() == asked
    page.reload()
    first()
    assert outcomes.count() == asked
    menu.locator("summary").click()
    menu.get_by_label("Show all answers").uncheck()
    assert outcomes.all_inner_texts() == [told], "what was answered stays"
    menu.get_by_role("button", name="Forget my answers").click()
    assert outcomes.count() == 0
    page.reload()
    first()
    assert outcomes.count() == 0


@pytest.mark.parametrize("by", ["hand", "sliders"])
def test_a_place_is_guessed_and_shown_beside_the_truth(show: Any, by: str) -> None:
    figure = show("clip")
    sliders = [figure.root.get_by_label(f"your guess, {axis}") for axis in "xy"]
    if by == "hand":
        drag(figure.page, figure.handle("guess"), 40, 50)
    else:
        for slider, value in zip(sliders, ("1.5", "0.5"), strict=True):
            slider.fill(value)
    guess = [slider.get_attribute("aria-valuetext") for slider in sliders]
    x, y = (float(number.replace("−", "-")) for number in guess)
    assert by == "hand" or (x, y) == (1.5, 0.5)
    figure.button("Check").click()
    said = re.fullmatch(
        r"(?:Not quite|Close): (.*) is (.*) away\. It’s \((.*?), (.*?)\), .*", figure.outcome
    )
    assert said
    assert said[1].strip("()").split(", ") == guess
    away = np.hypot(x - float(said[3]), y - float(said[4]))
    assert float(said[2]) == pytest.approx(away, rel=0.03)
    assert figure.drawn(".gl-guess").count() >= 1
    assert figure.handle("guess").count() == 0


def test_a_sketch_is_drawn_in_one_stroke_and_corrected_by_sliders(show: Any) -> None:
    figure = show("way_back")
    mouse, knobs = figure.page.mouse, figure.drawn("[data-handle=guess] .gl-knob")
    assert knobs.count() == 8
    knobs.first.scroll_into_view_if_needed()
    first, last = knobs.first.bounding_box(), knobs.last.bounding_box()
    mouse.move(first["x"] + 6, first["y"] - 80)  # anywhere in the plot
    mouse.down()
    assert said(figure.root.locator("[data-control=guess]")).count("not set") == 7
    mouse.move(last["x"] + 6, first["y"] - 80, steps=40)
    mouse.up()
    sliders = figure.root.locator("[data-control=guess]")
    assert "not set" not in said(sliders)
    figure.root.get_by_text("Draw on the picture").click()
    sliders.first.fill("0.5")
    figure.button("Check").click()
    assert figure.outcome.startswith("Your sketch is ")
    assert figure.drawn(".gl-guess").count() >= 1


def test_a_question_is_answered_from_the_keyboard_alone(open_page: Any, page_of: Any) -> None:
    figure = river(open_page, page_of)
    figure.control("guess").focus()
    for key in ("ArrowRight", "Tab", "Enter"):
        figure.page.keyboard.press(key)
    assert "θ receives 1.83" in figure.outcome
    assert figure.sentence == UnrolledFlow(steps=12).sentence
    assert figure.page.evaluate("document.activeElement.textContent.trim()") == "Shown"


def said(sliders: Any) -> list[str]:
    """What each of these sliders tells of its value."""
    found: list[str] = sliders.evaluate_all(
        "(all) => all.map((slider) => slider.getAttribute('aria-valuetext'))"
    )
    return found
