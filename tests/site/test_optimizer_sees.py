"""Chapter 11's figure in the built page: predict, drag the factor, move epsilon."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gradlab.figures import OptimizerSees
from tests.site.figure_page import WINDOWS, asked, ready_figure, sentence

CHAPTER = "notebooks/11_what_the_optimizer_sees.html"

ready = partial(ready_figure, name="OptimizerSees")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_drag_of_the_line_sets_the_factor(open_page: Any, drag: Any, window: str) -> None:
    page = open_page(CHAPTER, viewport=WINDOWS[window])
    figure = ready(page)
    drag(page, figure.locator(".gl-live svg:visible [data-handle=factor]").first, -60, 10)
    page.wait_for_url("**OptimizerSees.factor=*")
    factor = float(asked(page)["factor"])
    assert factor < 3e-4
    assert sentence(figure) == OptimizerSees(factor=factor).sentence


def test_the_arrow_keys_move_factor_and_epsilon(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    slider = figure.get_by_role("slider", name="factor of the loss")
    slider.focus()
    for _ in range(20):  # a decade, in steps of a twentieth
        slider.press("ArrowLeft")
    page.wait_for_url("**OptimizerSees.factor=*")
    factor = float(asked(page)["factor"])
    assert factor == pytest.approx(1e-4, rel=0.01)
    slider = figure.get_by_role("slider", name="epsilon")
    slider.focus()
    for _ in range(20):  # two decades, in steps of a tenth
        slider.press("ArrowRight")
    page.wait_for_url("**OptimizerSees.epsilon=*")
    epsilon = float(asked(page)["epsilon"])
    assert epsilon == pytest.approx(1e-6, rel=0.01)
    assert sentence(figure) == OptimizerSees(factor=factor, epsilon=epsilon).sentence
    assert "49 % of what it is" in sentence(figure)


def test_a_prediction_is_made_and_answered(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page, predict=True)
    line = figure.locator(".gl-live svg:visible [data-part=adam] .gl-line")
    assert line.count() == 0
    assert "Adam by" not in sentence(figure)
    figure.get_by_label("what it was", exact=True).check()
    figure.get_by_role("button", name="Commit").click()
    outcome = figure.locator(".gl-outcome").inner_text()
    assert "You said “what it was”" in outcome
    assert "about half of what it was" in outcome
    assert "0.00485" in outcome
    assert line.count() == 1
    assert sentence(figure) == OptimizerSees(factor=1e-6).sentence


def test_a_preset_moves_epsilon_into_the_way(open_page: Any) -> None:
    page = open_page(CHAPTER)
    figure = ready(page)
    figure.get_by_role("button", name="κ = 10⁻³, ε = 10⁻³").click()
    assert sentence(figure) == OptimizerSees(factor=1e-3, epsilon=1e-3).sentence
