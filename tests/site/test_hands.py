"""Every figure of the book answers the hand, the keys and its menus, and says what JAX says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import sccbook.figures
from explorax.figure.widget import Figure
from tests.fixtures import drag
from tests.site.book import HTML, READ, descriptions, names
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

SHOWN = [  # a run answers a button: tests/figure/test_runs_live.py; a small figure says nothing
    (page, described["name"])
    for page in READ
    for described in descriptions(page)
    if "run" not in described and not described["width"]
]
ROWS = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"


def every_figure(*windows: str) -> pytest.MarkDecorator:
    """Run a test for every figure in windows of these widths; the book's own in the wide one each time."""
    cases = [(window, *shown) for window in windows for shown in SHOWN]
    now = [case for case in cases if case[0] == "wide" and hasattr(sccbook.figures, case[2])]
    return pytest.mark.parametrize(
        "pair", some_now(cases, *now), ids="-".join, indirect=True, scope="module"
    )


@pytest.fixture(scope="module")
def pair(
    request: pytest.FixtureRequest, new_page: Any, server: str, in_python: Any
) -> Iterator[tuple[Shown, Figure]]:
    """A figure in a page, and the same in Python."""
    window, name, kind = request.param
    page = new_page(viewport=WINDOWS[window])
    page.goto(server + name)
    shown = Shown(page, kind)
    shown.open_folds()
    yield shown, in_python(name, kind)
    page.leave()


def assert_agrees(shown: Shown, python: Figure, where: str) -> None:
    """Assert that the page says what Python says, and has complained of nothing."""
    python.set(**shown.settings)
    assert same(shown.sentence, python.sentence), f"{where}: {shown.sentence} | {python.sentence}"
    rows = shown.root.locator(".gl-table tbody tr").evaluate_all(ROWS)
    expected = [row[-len(read) :] for read, row in zip(rows, python.table()[1:], strict=True)]
    differ = [
        (read, row)
        for read, row in zip(rows, expected, strict=True)  # some have no headings
        if not all(map(same, read, row))
    ]
    assert differ == [], where
    assert shown.page.complaints() == []


def same(read: str, expected: str) -> bool:
    """Compare texts; a number may be one off in its last digit, where processors round a tie differently.

    With a fused multiply-add 0.2 + 37 / 40 is 1.125 or the float before it: 1.13 or 1.12.
    """
    parts = [re.split(r"(\d+\.?\d*)", text.replace(",", "")) for text in (read, expected)]
    if len(parts[0]) != len(parts[1]):
        return False
    for n, (one, other) in enumerate(zip(*parts, strict=True)):
        unit = min(Decimal(1).scaleb(-len(text.partition(".")[2])) for text in (one, other))
        if one != other and (n % 2 == 0 or abs(Decimal(one) - Decimal(other)) > unit):
            return False
    return True


def test_only_the_last_digit_of_a_number_may_differ() -> None:
    assert same("x is −1.13 of 5", "x is −1.12 of 5")
    assert same("0.3", "0.299")
    assert not same("1.14", "1.12")
    assert not same("−1.13", "1.13")
    assert not same("no 1.13", "to 1.13")


def knob(figure: Shown, control: str) -> tuple[float, float]:
    """The place of a handle, in its picture."""
    read = "(e) => ['cx', 'cy'].map((name) => Number(e.getAttribute(name)))"
    x, y = figure.handle(control).locator(".gl-knob").evaluate(read)
    return x, y


@every_figure("wide")
def test_a_page_has_the_program_and_the_words_of_python(pair: Any, request: Any) -> None:
    _, page, name = request.node.callspec.params["pair"]
    described, figure = descriptions(page)[names(page).index(name)], pair[1]
    figure.set(**described["settings"])
    assert figure.describe()["program"] == described["program"]
    text = (HTML / page).read_text(encoding="utf-8")
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in text


@every_figure("wide", "narrow")
def test_each_handle_goes_with_the_hand(pair: Any) -> None:
    figure, python = pair
    knobs = figure.drawn("[data-handle]:has(.gl-knob)")
    places = {control.name for control in python.spec.controls if control.kind == "choice"}
    numbers = {control.name for control in python.spec.controls if control.kind != "point"}
    for control in (
        set(knobs.evaluate_all("(all) => all.map((e) => e.dataset.handle)")) - places - {"guess"}
    ):
        figure.button("Reset").click()
        before, picture = figure.settings[control], figure.drawn("g").first.inner_html()
        for dx, dy in (
            (14, -14),
            (-14, 14),
            (-40, 40),
            (40, -40),
        ):  # at an end there is one way to go
            x, y = knob(figure, control)
            drag(figure.page, figure.handle(control), dx, dy)
            if figure.settings[control] != before:
                break
        assert figure.settings[control] != before, control
        assert figure.drawn("g").first.inner_html() != picture, control
        to_x, to_y = knob(figure, control)
        along = str(figure.handle(control).get_attribute("class"))
        across, down = "gl-along-y" not in along, "gl-along-x" not in along
        goes = across * (to_x - x) * dx + down * (to_y - y) * dy > 0
        assert goes or (control in numbers and across and down), control  # a distance, either way
        assert_agrees(figure, python, control)


@every_figure("wide")
def test_each_slider_option_box_and_preset_sets_what_it_says(pair: Any) -> None:
    figure, python = pair
    figure.button("Reset").click()
    for slider in figure.root.locator("input[type=range]:not([data-control=guess])").all():
        before = figure.settings
        slider.press("ArrowRight")
        if figure.settings == before:  # at its end
            slider.press("ArrowLeft")
        assert figure.settings != before
        assert_agrees(figure, python, str(slider))
    for menu in figure.root.locator("select").all():
        for option in menu.locator("option").all():
            menu.select_option(option.evaluate("(e) => e.value"))
            assert_agrees(figure, python, str(option))
    for box in figure.root.locator("input[type=checkbox]").all():
        for _ in range(2):
            box.click()
            assert_agrees(figure, python, str(box))
    for preset in python.spec.presets:
        figure.button(preset.label).click()
        assert_agrees(figure, python, preset.label)
        settings = python.settings
        python.set(**preset.settings)
        assert python.settings == settings
