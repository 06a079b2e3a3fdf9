"""Predict, commit, reveal: in the book's figures, and in every way in which a guess is made."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import sccbook.figures
from explorax.figure.widget import Figure
from sccbook.figures import ReportedTangent, UnrolledFlow
from tests.site.figure_page import Shown

# figure, the option that is chosen, what is not drawn before, and what is told after
CHOICES = [
    ("JacobianProducts", "no", "", "Not quite. It can, at first: after 5 applications"),
    ("LinkedLedger", "1.8", "[data-handle=scale]", "Yes. T(10) is 1.80: no row"),
    ("OptimizerSees", "it stays as it was", "[data-part=adam] .gl-line", "Not quite. About half is left"),
    ("ReportedTangent", "the slope", "", "Yes. Only the slope is halved"),
    ("ReportedTangent", "neither", "[data-handle=scale]", "Not quite. Only the slope is halved"),
    ("Tape", "0.25, their mean", "", "Not quite. It is their sum, 0.75"),
    ("ThreePlaces", "the state, h", "", "Not quite. The line halves the cotangent"),
    ("TwoPaths", "it turns", "[data-handle=scale]", "Yes. The sum turns by 21°"),
    ("UpdateWeights", "after the heads", "[data-handle=slot]", "Not quite. It is “before the heads”"),
]  # fmt: skip
ORDINARY = ("LinkedLedger", "ReportedTangent", "ThreePlaces")
EACH_CHOICE = [
    case if case[0] in ORDINARY else pytest.param(*case, marks=pytest.mark.exhaustive)
    for case in CHOICES
]


@pytest.mark.parametrize(("name", "choice", "hidden", "told"), EACH_CHOICE)
def test_a_choice_conceals_what_it_asks_for_until_it_is_made(
    show: Any, name: str, choice: str, hidden: str, told: str
) -> None:
    figure = show(name, predict=True)
    expected = answered(name).sentence
    drawn = figure.drawn(f":not(.gl-key){hidden}")
    words = "\n".join(figure.root.locator(".gl-live > :not(.gl-prediction)").all_inner_texts())
    assert figure.button("Commit").is_disabled()
    assert not hidden or drawn.count() == 0
    assert told not in words
    assert expected not in words
    figure.commit(choice)
    assert figure.outcome.startswith(told)
    assert drawn.count() > 0
    assert figure.sentence == expected


def test_what_a_question_holds_waits_and_is_shown_where_the_answer_is_when_it_is_skipped(
    open_page: Any, page_of: Any
) -> None:
    page = open_page(
        f"{page_of(UnrolledFlow(stage=2))}?UnrolledFlow.steps=12&UnrolledFlow.gain=0.5"
    )
    figure = Shown(page, "UnrolledFlow", predict=True)
    assert (figure.settings["steps"], figure.settings["gain"]) == (6, 0.5)
    assert figure.control("steps").is_disabled()
    assert figure.root.get_by_text(
        "What is dashed or faded waits for your prediction."
    ).is_visible()
    assert figure.root.locator(".gl-buttons button[aria-pressed]:enabled").count() == 0
    figure.control("scale").fill("0.6")
    page.wait_for_url("**steps=12*", wait_until="commit")
    figure.button("Skip, show me").click()
    assert figure.sentence == UnrolledFlow(scale=0.5, steps=12).sentence, "as a guess would have"
    figure.button("MuZero’s half: s = ½").click()
    assert figure.button("MuZero’s half: s = ½").get_attribute("aria-pressed") == "true"
    figure.control("gain").fill("1.5")
    assert figure.button("MuZero’s half: s = ½").get_attribute("aria-pressed") == "false"


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
    assert (
        figure.outcome
        == figure.said
        == (
            f"Not quite: 3.3 is {3.3 - truth:.2g} too high. θ receives {truth:.2f} losses’ worth. "
            "However many steps there are, it stays below 2."
        )
    )
    for settings, guesses in (("12", 1), ("3", 0), ("12", 1)):
        steps.fill(settings)
        assert figure.drawn(".gl-guess").count() == guesses, "it was about one setting"
    figure.button("Predict again").click()
    assert guess.get_attribute("aria-valuetext") == "not set"
    assert figure.drawn(".gl-guess").count() == 0


def test_a_place_is_guessed_by_hand_and_shown_beside_the_truth(show: Any, drag: Any) -> None:
    figure = show("clip", predict=True)
    assert figure.part("clipped").count() == 0
    drag(figure.page, figure.handle("guess"), 140, 50)
    sliders = [figure.root.get_by_label(f"your guess, {axis}") for axis in "xy"]
    guess = [slider.get_attribute("aria-valuetext") for slider in sliders]
    x, y = (float(number.replace("−", "-")) for number in guess)
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


def test_a_prediction_can_be_skipped_and_made_after_all(show: Any) -> None:
    figure = show("ClippedCloud", predict=True)
    assert figure.part("mean").count() == 0
    figure.button("Skip, show me").click()
    assert figure.sentence == answered("ClippedCloud").sentence
    assert figure.outcome.startswith("The mean goes to (0.08, 0.43): it turns by ")
    assert figure.said == figure.outcome
    assert figure.part("mean").count() >= 1
    figure.button("Predict").click()
    assert figure.part("mean").count() == 0
    assert figure.button("Commit").is_disabled()


def test_a_prediction_is_made_from_the_keyboard_alone(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(ReportedTangent()))
    figure = Shown(page, "ReportedTangent", predict=True)
    for key in ("Tab", "ArrowDown", "ArrowDown", "ArrowUp", "Tab", "Enter"):
        page.keyboard.press(key)
    assert figure.outcome
    assert page.evaluate("document.activeElement.textContent.trim()") == "Predict again"


def answered(name: str) -> Figure:
    """Make a figure of the book as its prediction sets it."""
    kind = getattr(sccbook.figures, name)
    found: Figure = kind(**kind().spec.prediction.settings)
    return found


def said(sliders: Any) -> list[str]:
    """What each of these sliders tells of its value."""
    found: list[str] = sliders.evaluate_all(
        "(all) => all.map((slider) => slider.getAttribute('aria-valuetext'))"
    )
    return found
