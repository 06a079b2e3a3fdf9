"""Predict, commit, reveal: in the book's figures, and in every way in which a guess is made."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.fixtures import drag
from tests.site.figure_page import Shown


def test_what_a_question_holds_waits_and_is_shown_where_the_answer_is_when_it_is_skipped(
    open_page: Any, page_of: Any
) -> None:
    page = open_page(
        f"{page_of(UnrolledFlow(stage=2))}?UnrolledFlow.steps=12&UnrolledFlow.gain=0.5"
    )
    figure = Shown(page, "UnrolledFlow", predict=True)
    half = figure.button("MuZero’s half: s = ½")
    assert (figure.settings["steps"], figure.settings["gain"]) == (6, 0.5)
    assert figure.control("steps").is_disabled()
    assert half.is_disabled()
    figure.root.get_by_text("What is dashed or faded waits for your prediction.").wait_for()
    figure.control("scale").fill("0.6")
    page.wait_for_url("**steps=12*", wait_until="commit")
    figure.button("Skip, show me").click()
    assert figure.sentence == UnrolledFlow(scale=0.5, steps=12).sentence, "as a guess would have"
    assert figure.said == figure.outcome
    for press, lit in ((half.click, "true"), (lambda: figure.control("gain").fill("1.5"), "false")):
        press()
        assert half.get_attribute("aria-pressed") == lit
    figure.button("Predict").click()
    assert figure.control("steps").is_disabled()
    assert figure.button("Commit").is_disabled()


def test_a_number_is_guessed_committed_to_and_shown_beside_the_truth(
    open_page: Any, page_of: Any
) -> None:
    figure = Shown(open_page(page_of(UnrolledFlow())), "UnrolledFlow", predict=True)
    guess, steps = figure.control("guess"), figure.control("steps")
    assert guess.get_attribute("aria-valuetext") == "not set"
    guess.fill("3.3")
    assert guess.get_attribute("aria-valuetext") == "3.3"
    assert figure.drawn(".gl-guess").count() == 1
    assert "K = 6" in figure.sentence
    figure.button("Commit").click()
    expected = UnrolledFlow(scale=0.5, steps=12)
    assert figure.sentence == expected.sentence
    truth = float(expected.value["total"])
    assert figure.outcome.startswith(f"Not quite: 3.3 is {3.3 - truth:.2g} too high. ")
    assert figure.said == figure.outcome
    for settings, guesses in (("12", 1), ("3", 0), ("12", 1)):
        steps.fill(settings)
        assert figure.drawn(".gl-guess").count() == guesses, "it was about one setting"
    figure.button("Predict again").click()
    assert guess.get_attribute("aria-valuetext") == "not set"
    assert figure.drawn(".gl-guess").count() == 0


@pytest.mark.parametrize("by", ["hand", "sliders"])
def test_a_place_is_guessed_and_shown_beside_the_truth(show: Any, by: str) -> None:
    figure = show("clip", predict=True)
    assert figure.part("clipped").count() == 0
    sliders = [figure.root.get_by_label(f"your guess, {axis}") for axis in "xy"]
    if by == "hand":
        drag(figure.page, figure.handle("guess"), 140, 50)
    else:
        for slider, value in zip(sliders, ("1.5", "0.5"), strict=True):
            slider.fill(value)
    guess = [slider.get_attribute("aria-valuetext") for slider in sliders]
    x, y = (float(number.replace("−", "-")) for number in guess)
    assert by == "hand" or (x, y) == (1.5, 0.5)
    figure.button("Commit").click()
    said = re.fullmatch(r"Not quite: (.*) is (.*) away\. It is \(0\.8, 0\.6\)\.", figure.outcome)
    assert said
    assert said[1].strip("()").split(", ") == guess
    assert float(said[2]) == pytest.approx(np.hypot(x - 0.8, y - 0.6), rel=0.03)
    assert figure.drawn(".gl-guess").count() >= 1
    assert figure.part("clipped").count() >= 1
    assert figure.handle("guess").count() == 0
    assert figure.sentence == "Clipped at 1, the gradient (2.0, 1.5) becomes (0.8, 0.6)."


def test_a_sketch_is_drawn_in_one_stroke_and_mended_by_sliders(show: Any) -> None:
    figure = show("way_back", predict=True)
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
    errors = [abs(float(guess) - 1) for guess in said(sliders)]  # a half of twice is one
    figure.button("Commit").click()
    assert figure.outcome.startswith(f"Your sketch is {np.mean(errors):.3g} off on average, and ")
    assert f" at most, at {1 + np.argmax(errors)}. " in figure.outcome
    assert figure.drawn(".gl-guess").count() >= 1
    assert figure.sentence == "With s = 0.5 and c = 4, state 1 receives 1."


def test_a_prediction_is_made_from_the_keyboard_alone(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(ReportedTangent()))
    figure = Shown(page, "ReportedTangent", predict=True)
    told, handle = "Only the slope is halved", figure.handle("scale")
    assert told not in figure.root.inner_text()
    assert handle.count() == 0
    for key in ("Tab", "ArrowDown", "ArrowDown", "ArrowUp", "Tab", "Enter"):
        page.keyboard.press(key)
    assert told in figure.outcome
    assert handle.count() == 1
    assert figure.sentence == ReportedTangent(scale=0.5).sentence
    assert page.evaluate("document.activeElement.textContent.trim()") == "Predict again"


def said(sliders: Any) -> list[str]:
    """What each of these sliders tells of its value."""
    found: list[str] = sliders.evaluate_all(
        "(all) => all.map((slider) => slider.getAttribute('aria-valuetext'))"
    )
    return found
