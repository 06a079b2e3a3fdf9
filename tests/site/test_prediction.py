"""Predict, commit, reveal: in the book's figures, and in every way in which a guess is made."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import pytest

from gradlab.figure import Point, Prediction, Range, explore
from gradlab.figures import ReportedTangent, UnrolledFlow

WIDE = {"viewport": {"width": 900, "height": 1000}}


def ready(page: Any) -> Any:
    figure = page.locator("figure.gl-ready").first
    figure.wait_for()
    return figure


def sentence(figure: Any) -> str:
    return str(figure.locator(".gl-live .gl-sentence").inner_text())


def button(figure: Any, name: str) -> Any:
    return figure.get_by_role("button", name=name)


def painted(figure: Any, selector: str) -> int:
    return int(figure.locator(f".gl-live svg:visible {selector}").count())


def test_a_number_is_guessed_committed_to_and_shown_beside_the_truth(
    open_page: Any, page_of: Any
) -> None:
    page = open_page(page_of(UnrolledFlow()), **WIDE)
    figure = ready(page)
    assert button(figure, "Commit").is_disabled()
    guess = figure.locator("[data-control=guess]")
    assert guess.get_attribute("aria-valuetext") == "not set"
    guess.fill("3.3")
    assert guess.get_attribute("aria-valuetext") == "3.3"
    assert painted(figure, ".gl-guess") == 1
    assert "K = 6" in sentence(figure)
    button(figure, "Commit").click()
    expected = UnrolledFlow(steps=12)
    assert sentence(figure) == expected.sentence
    truth = float(expected.value["total"])
    outcome = figure.locator(".gl-outcome").inner_text()
    assert outcome == (
        f"You said 3.3. It is {truth:.2f} losses’ worth: you were {3.3 - truth:.2f} losses’ worth "
        "too high. Below 2, as for every K."
    )
    assert figure.get_by_role("status").inner_text() == outcome
    assert painted(figure, ".gl-guess") == 1
    figure.locator("[data-control=steps]").fill("3")
    assert painted(figure, ".gl-guess") == 0, "the guess was about another setting"
    figure.locator("[data-control=steps]").fill("12")
    assert painted(figure, ".gl-guess") == 1
    button(figure, "Predict again").click()
    assert figure.locator("[data-control=guess]").get_attribute("aria-valuetext") == "not set"
    assert painted(figure, ".gl-guess") == 0


@pytest.mark.parametrize(
    ("chosen", "outcome"),
    [
        ("the slope", "You said “the slope”, and so it is. The value stays 1.29"),
        ("neither", "You said “neither”. It is “the slope”. The value stays 1.29"),
    ],
)
def test_a_choice_conceals_what_it_asks_for_until_it_is_made(
    open_page: Any, page_of: Any, chosen: str, outcome: str
) -> None:
    figure = ready(open_page(page_of(ReportedTangent(scale=1.0)), **WIDE))
    reported = f"{ReportedTangent(scale=1.0).value['reported']:.2f}"
    assert painted(figure, ".gl-reported") == painted(figure, ".gl-slope") == 0
    assert painted(figure, "[data-handle=scale]") == 0
    assert "shown when you have predicted" in sentence(figure)
    assert figure.locator(".gl-equation [data-part=reported]").text_content() == "?"
    cells = figure.locator(".gl-table td").all_text_contents()
    assert cells[-1] == "?"
    assert reported in cells[:-1], "the curve's own slope is no secret"
    figure.get_by_label(chosen, exact=True).check()
    button(figure, "Commit").click()
    assert figure.locator(".gl-outcome").inner_text().startswith(outcome)
    assert sentence(figure) == ReportedTangent(scale=0.5).sentence
    assert painted(figure, ".gl-reported") == 1
    assert figure.locator(".gl-table td").last.text_content() == "0.71"


def test_a_prediction_can_be_skipped_and_made_after_all(open_page: Any, page_of: Any) -> None:
    figure = ready(open_page(page_of(ReportedTangent()), **WIDE))
    button(figure, "Skip, show me").click()
    assert sentence(figure) == ReportedTangent().sentence
    assert figure.get_by_role("status").inner_text() == ReportedTangent().sentence
    assert painted(figure, ".gl-reported") == 1
    button(figure, "Make a prediction").click()
    assert painted(figure, ".gl-reported") == 0
    assert button(figure, "Commit").is_disabled()


def test_a_prediction_is_made_from_the_keyboard_alone(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(ReportedTangent()), **WIDE)
    figure = ready(page)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert figure.locator(".gl-outcome").count() == 1
    assert page.evaluate("document.activeElement.textContent.trim()") == "Predict again"


def kept(g, cap):
    return {"clipped": jnp.minimum(1.0, cap / jnp.sqrt(jnp.sum(g * g))) * g}


def test_a_place_is_set_in_the_picture_and_its_distance_is_told(
    open_page: Any, page_of: Any, drag: Any
) -> None:
    figure = explore(
        kept,
        [Point("g", "gradient", "g", (-2, -2), (2, 2), (1.0, 0.5)), Range("cap", "cap", "c", 0.1, 2.0, 1.0)],
        prediction=Prediction(
            "Where does (2, 0) end?",
            "clipped",
            how="place",
            settings={"g": [2.0, 0.0], "cap": 1.0},
            conceals=("clipped",),
            guess=Point("guess", "guess", "", (-2, -2), (2, 2), (0.0, 0.0)),
        ),
    )  # fmt: skip
    page = open_page(page_of(figure), **WIDE)
    shown = ready(page)
    assert painted(shown, "[data-part=clipped]") == 0
    drag(page, shown.locator(".gl-live svg:visible [data-handle=guess]"), 30, -20)
    for axis in ("x", "y"):
        assert (
            shown.get_by_label(f"your guess, {axis}").get_attribute("aria-valuetext") != "not set"
        )
    shown.get_by_label("your guess, x").fill("1")
    shown.get_by_label("your guess, y").fill("1")
    button(shown, "Commit").click()
    assert shown.locator(".gl-outcome").inner_text() == "You said (1, 1). It is (1, 0), 1 away."
    assert painted(shown, "[data-part=clipped]") >= 1
    assert painted(shown, ".gl-guess") == 1
    assert painted(shown, "[data-handle=guess]") == 0


def test_a_sketch_is_drawn_over_the_picture_in_one_stroke(open_page: Any, page_of: Any) -> None:
    def decay(rate):
        return {"decay": jnp.exp(-rate * jnp.arange(6.0))}

    figure = explore(
        decay,
        {"rate": (0.0, 1.0)},
        prediction=Prediction(
            "Sketch it.", "decay", how="sketch", conceals=("decay",), settings={"rate": 1.0},
            guess=Range("y", "y", "", 0.0, 1.0, 0.5),
        ),
    )  # fmt: skip
    page = open_page(page_of(figure), **WIDE)
    shown = ready(page)
    handles = shown.locator(".gl-live svg:visible [data-handle=guess] .gl-knob")
    assert handles.count() == 6
    first, last = handles.first.bounding_box(), handles.last.bounding_box()
    page.mouse.move(first["x"] + 6, first["y"] + 6)
    page.mouse.down()
    page.mouse.move(last["x"] + 6, first["y"] - 60, steps=30)
    page.mouse.up()
    shown.get_by_text("Draw on the picture").click()
    sliders = shown.locator("[data-control=guess]")
    said = [one.get_attribute("aria-valuetext") for one in sliders.all()]
    assert "not set" not in said
    assert float(said[-1]) > float(said[1])
    for one in sliders.all():
        one.fill("0.5")
    button(shown, "Commit").click()
    truth = figure.__class__(rate=1.0).value["decay"]
    errors = [abs(0.5 - float(x)) for x in truth]
    outcome = shown.locator(".gl-outcome").inner_text()
    assert f"{sum(errors) / 6:.3f} off on average" in outcome
    assert "0.5 at most, at 1" in outcome
    assert painted(shown, ".gl-guess") == 1
