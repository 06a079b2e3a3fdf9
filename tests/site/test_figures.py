"""Figures: what is carried and played by hand, how much a step of a drag changes, and that JAX agrees."""

from __future__ import annotations

from typing import Any

import pytest
from tests.figure_settings import anywhere, assert_page_agrees, ends

from sccbook.figures import Tape, ThreePlaces, UpdateWeights
from sccbook.figures._training_step import PLACES
from tests.site.book import READ, descriptions
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

BOTH = pytest.mark.parametrize("window", some_now(["wide", "narrow"], "wide"))


def carry(figure: Shown, thing: Any, place: Any, where: tuple[float, float]) -> None:
    """Take a thing by its middle, and lay it on a place, so many pixels from its corner."""
    for end in (place, thing):  # on a telephone one may be below the window when the other is seen
        end.scroll_into_view_if_needed()
    start, goal = thing.bounding_box(), place.bounding_box()
    mouse = figure.page.mouse
    mouse.move(start["x"] + min(30, start["width"] / 2), start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(goal["x"] + where[0], goal["y"] + where[1], steps=8)
    mouse.up()


def carry_token(figure: Shown, token: str, station: str) -> None:
    place = figure.drawn("rect.gl-field").nth(1 + PLACES.index(station))
    carry(figure, figure.drawn(f"{token} rect").first, place, (40, 40))


@BOTH
def test_a_token_goes_where_the_hand_lays_it(show: Any, window: str) -> None:
    figure = show("ThreePlaces", window)
    figure.control("token").select_option("scale")
    for station in ("w", "h", "cotangent"):
        carry_token(figure, ".gl-on", station)
        assert figure.control("station").input_value() == station
        assert figure.sentence == ThreePlaces(token="scale", station=station).sentence
    carry_token(figure, ".gl-token:not(.gl-on):not(.gl-away)", "gradient")
    assert figure.sentence == ThreePlaces(token="clip", station="gradient").sentence
    assert "× 0.69" in figure.drawn("text").all_text_contents()


@BOTH
def test_a_line_goes_where_the_hand_lays_it(show: Any, window: str) -> None:
    figure = show("UpdateWeights", window)
    for slot, words in (("every_input", "first in the loop"), ("after_heads", "after the heads")):
        place = figure.drawn(".gl-codeplace").filter(has_text=words).locator("rect")
        line = figure.drawn(".gl-moving rect")
        carry(figure, line, place, (30, place.bounding_box()["height"] / 2))
        assert figure.control("slot").input_value() == slot
        assert figure.sentence == UpdateWeights(slot=slot).sentence


@BOTH
def test_each_key_plays_one_move_of_the_tape(show: Any, window: str) -> None:
    figure = show("Tape", window)
    slider, equation = figure.control("played"), figure.root.locator(".gl-live .gl-equation")
    figure.open_folds()
    slider.press("Home")
    for played in range(1, 8):
        assert figure.sentence == Tape(played=played).sentence
        drawn = [
            figure.drawn(f"g[data-part={p}]").count() for p in ("losses", "cotangents", "received")
        ]
        back = max(played - 3, 0)  # at each state that has a loss, its own share is lit with it
        assert drawn == [min(played, 3) + min(back, 3), back, min(back, 3)]
        assert ("gives θ" in equation.inner_text()) == (played > 3)
        slider.press("ArrowRight")


def test_what_is_recorded_is_said_so(show: Any) -> None:
    words = show("descent").drawn("text").all_text_contents()
    assert "Recorded: 97 × 97 losses" in " ".join(words)


STEPS = 6
SHARE = 0.55
"""Of a figure's elements, as many changes at most in a step: it is not rendered anew."""

# Each slider that can be set finely, taken to its middle, and then a step further in each frame; counted
# from the second step on, for with the first what was before appears. At the end it is let go.
DRAG = """async (figure, steps) => {
  const sliders = [...figure.querySelectorAll(".gl-controls input[type=range]:enabled")];
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const found = [];
  for (const slider of sliders.filter((each) => each.checkVisibility())) {
    const to = async (value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await painted();
    };
    const [least, most] = [Number(slider.min), Number(slider.max)];
    const step = (most - least) / 100;
    if (Number(slider.step) > 2 * step) continue;
    const middle = least + (most - least) / 2;
    await to(middle);
    await to(middle + step);
    const changes = [];
    const watch = new MutationObserver((records) => {
      // words alone may follow later, where a frame takes long
      if (records.some(({ type }) => type === "attributes")) changes.push(records.length);
    });
    watch.observe(figure, { subtree: true, attributes: true, childList: true, characterData: true });
    for (let i = 2; i < steps; i++) await to(middle + i * step);
    watch.disconnect();
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    await painted();
    found.push([slider.dataset.control, Math.max(0, ...changes), changes.length]);
  }
  return [figure.querySelectorAll(".gl-live *").length, found];
}"""


FIGURES = [(page, described) for page in READ for described in descriptions(page)]
CASES = [(page, described["name"]) for page, described in FIGURES]
FIRSTS = {described["view"]["kind"]: (page, described["name"]) for page, described in FIGURES[::-1]}


@pytest.mark.parametrize("case", some_now(CASES, *FIRSTS.values()), ids="-".join)
def test_a_step_changes_less_than_half_of_a_figure_once_a_frame(
    open_page: Any, case: tuple[str, str]
) -> None:
    path, name = case
    figure = Shown(open_page(path, viewport=WINDOWS["wide"]), name)
    figure.root.scroll_into_view_if_needed()
    elements, drags = figure.root.evaluate(DRAG, STEPS)
    for control, most, frames in drags:
        assert frames <= STEPS - 2, f"{control}: it was changed more than once a frame"
        assert most < SHARE * elements, f"{control}: {most} changes, {elements} elements"


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [page for page in READ if descriptions(page)])
def test_the_programs_in_a_page_agree_with_jax(in_python: Any, run_in_node: Any, page: str) -> None:
    for description in descriptions(page):
        if "run" in description:  # explorax's tests/figure/test_runs.py
            continue
        figure = in_python(page, description["name"])
        names = [leaf.name for leaf in figure.program.outputs]
        assert names == [leaf["name"] for leaf in description["outputs"]]
        settings = [*anywhere(figure, 1000), *ends(figure)]
        assert_page_agrees(figure, settings, run_in_node, program=description["program"])
