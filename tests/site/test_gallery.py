"""Chapter 16's figures in the built page: each answers the hand, and a prediction is made and shown."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from tests.site.figure_page import WINDOWS, ready_figure, sentence

CHAPTER = "notebooks/16_your_own_function.html"

# figure, the control whose handle is dragged, and by how much, in pixels
DRAGS = [
    ("through", "x", -40, 0),
    ("clip", "g", -30, 25),
    ("clip", "c", -12, -12),
    ("three_steps", "x", -9, 9),
    ("way_back", "c", 0, 30),
    ("descent", "start", -30, 20),
    ("max_norm", "cap", 12, -12),
    ("products", "a", 20, -25),
    ("clip_each", "g", -20, 20),
]

# figure, and settings that are not those at first, as the address has them
SETTINGS = {
    "through": {"x": -2.0, "s": -0.5},
    "clip": {"g": [-1.0, 2.0], "c": 0.5},
    "three_steps": {"x": -0.8, "backward": 2},
    "way_back": {"s": 0.8, "c": 2.5},
    "ledger": {"s": 0.9, "steps": 3},
    "descent": {"start": [6.0, -2.2], "c": 2.0},
    "max_norm": {"cap": 1.3},
    "products": {"a": [0.9, 0.2], "b": [-0.4, 0.9]},
    "ten_steps": {"rule": "Adam", "factor": 1e-8, "g": -3.0, "clip": True, "steps": 4},
    "clip_each": {"g": [0.5, -2.0], "c": 2.0},
}


@pytest.fixture
def named(figures_of: Any) -> dict[str, Any]:
    """The chapter's figures by name, as they are at first."""
    kinds = [type(figure) for figure in figures_of(CHAPTER)]
    return {kind.__name__: kind() for kind in kinds}  # new ones: the chapter links two of them


def table(figure: Any) -> list[list[str]]:
    rows: list[list[str]] = figure.locator(".gl-table tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    return rows


def drawing(figure: Any) -> str:
    return str(figure.locator(".gl-live svg:visible").first.inner_html())


def written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else json.dumps(value).strip('"')


def settings(page: Any, name: str, figure: Any) -> dict[str, Any]:
    """What the address says of a figure, as Python takes it."""
    kinds = {control.name: control.kind for control in figure.spec.controls}
    found = {}
    for key, said in parse_qsl(urlsplit(page.url).query):
        owner, control = key.split(".")
        if owner == name:
            numbers = [float(one) for one in said.split(",")]
            found[control] = numbers if kinds[control] == "point" else numbers[0]
    return found


@pytest.mark.parametrize("window", WINDOWS)
def test_an_address_shows_the_numbers_that_jax_gives(
    open_page: Any, named: dict[str, Any], window: str
) -> None:
    assert SETTINGS.keys() == named.keys()
    query = "&".join(
        f"{name}.{key}={written(value)}"
        for name, settings in SETTINGS.items()
        for key, value in settings.items()
    )
    page = open_page(f"{CHAPTER}?{query}", viewport=WINDOWS[window])
    for name, figure in named.items():
        shown = ready_figure(page, name)
        figure.set(**SETTINGS[name])
        assert sentence(shown) == figure.sentence
        assert [row[-1] for row in table(shown)][1:] == [row[-1] for row in figure.table()][1:]


@pytest.mark.parametrize("window", WINDOWS)
def test_a_drag_moves_the_control_and_the_picture_follows(
    open_page: Any, drag: Any, named: dict[str, Any], window: str
) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    for name, control, dx, dy in DRAGS:
        shown, figure = ready_figure(page, name), named[name]
        before = drawing(shown)
        drag(page, shown.locator(f".gl-live svg:visible [data-handle={control}]").first, dx, dy)
        page.wait_for_url(f"**{name}.{control}=*")
        moved = settings(page, name, figure)
        assert moved[control] != figure.settings[control], name
        figure.set(**moved)
        assert sentence(shown) == figure.sentence
        assert drawing(shown) != before, name


def test_a_place_is_guessed_by_hand_and_shown_beside_the_truth(open_page: Any, drag: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready_figure(page, "clip", predict=True)
    picture = ".gl-live svg:visible"
    assert "shown when you have predicted" in sentence(figure)
    assert figure.locator(f"{picture} :not(.gl-key)[data-part=clipped]").count() == 0
    drag(page, figure.locator(f"{picture} [data-handle=guess]"), 140, 50)
    x, y = (
        float(figure.get_by_label(f"your guess, {axis}").get_attribute("aria-valuetext"))
        for axis in "xy"
    )
    figure.get_by_role("button", name="Commit").click()
    away = np.hypot(x - 0.8, y - 0.6)
    outcome = figure.locator(".gl-outcome").inner_text()
    assert "It is (0.8, 0.6)" in outcome
    assert float(outcome.split(", ")[-1].removesuffix(" away.")) == pytest.approx(away, rel=0.01)
    assert figure.locator(f"{picture} .gl-guess").count() >= 1
    assert figure.locator(f"{picture} :not(.gl-key)[data-part=clipped]").count() >= 1
    assert sentence(figure) == "Clipped at 1, the gradient (2, 1.5) becomes (0.8, 0.6)."


def test_a_sketch_is_drawn_in_one_stroke_and_shown_beside_the_truth(open_page: Any) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS["wide"])
    figure = ready_figure(page, "way_back", predict=True)
    knobs = figure.locator(".gl-live svg:visible [data-handle=guess] .gl-knob")
    assert knobs.count() == 8
    knobs.first.scroll_into_view_if_needed()
    first, last = knobs.first.bounding_box(), knobs.last.bounding_box()
    page.mouse.move(first["x"] + 6, first["y"] + 6)
    page.mouse.down()
    page.mouse.move(first["x"] + 6, first["y"] - 80, steps=5)
    page.mouse.move(last["x"] + 6, first["y"] - 80, steps=40)
    page.mouse.up()
    said = figure.locator("[data-control=guess]").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-valuetext'))"
    )
    assert "not set" not in said
    figure.get_by_role("button", name="Commit").click()
    errors = [abs(float(one) - 1) for one in said]
    outcome = figure.locator(".gl-outcome").inner_text()
    off = float(outcome.removeprefix("Your sketch is ").split(" ")[0])
    assert off == pytest.approx(np.mean(errors), rel=0.01)
    assert figure.locator(".gl-live svg:visible .gl-guess").count() >= 1
    assert sentence(figure) == "With s = 0.5 and a clip at 4, the first state receives 1."


def test_the_folds_show_the_function_of_the_cell_and_what_the_page_runs(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready_figure(page, "ledger")
    figure.get_by_text("The JAX function").click()
    figure.get_by_text("What this page runs").click()
    texts = figure.locator(".gl-code").all_inner_texts()
    assert texts[0].startswith("def ledger(s, steps):")
    assert "export function evaluate(" in texts[1]


def test_what_is_recorded_is_said_so(open_page: Any) -> None:
    figure = ready_figure(open_page(CHAPTER), "descent")
    words = figure.locator(".gl-live svg:visible text").all_text_contents()
    assert "Recorded: 49 × 49 losses" in " ".join(words)
