"""Until a question is answered or skipped, nothing that a reader does to a figure tells its answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.site.book import READ, descriptions
from tests.site.figure_page import OPEN_FOLDS, WINDOWS
from tests.tiers import some_now

WALK = Path(__file__).with_name("walk.js").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?:\d+,)*\d+\.\d+")  # whole ones are everywhere
ASKING = [page for page in READ if any(d["prediction"] for d in descriptions(page))]
WALKS = [(page, far) for page in ASKING for far in (False, True)]
SOME = [page for page in ASKING if page[10:12] in ("01", "08", "13", "17")]
"""Pages with each way of guessing: an option, a number, a place, a sketch."""
# where the answer's numbers are no secret: those of each place on the board, h₃ = 0.75, a round 1
IN_WORDS = {
    "MeetingStreams": re.compile(r"\(1\.13, 0\.83\)|towards the heads"),
    "ThreePlaces": re.compile("MuZero"),
    "Tape": re.compile(r"\bsum\b"),
    "MeasuredLedger": re.compile("gradient through the dynamics"),
    "ClipCorners": re.compile(r"right: \d"),
    "TwoShards": re.compile(r"turned by \d|\(0\.39, 0\.33\)"),
    "LossScale": re.compile(r"\d+ (?:of 120 steps overflow|are skipped)"),
    "WhichOne": re.compile(r"\b9 of (the )?18\b"),
    "SameThree": re.compile(r"nothing goes back|It is 0"),
    "PolicyRun": re.compile(r"It passes 1\.2, and stays below 100"),
    "way_back": re.compile(r"receives \d"),
}


def numbers(*texts: str) -> set[float]:
    """Collect the numbers with decimals in texts."""
    return {float(found.replace(",", "")) for text in texts for found in NUMBER.findall(text)}


def answer(figure: Any) -> str:
    """Commit to any guess, and return what is told then."""
    guesses = figure.locator("[data-control=guess]")
    for guess in guesses.all():
        guess.check() if guess.get_attribute("type") == "radio" else guess.press("ArrowRight")
    figure.get_by_role("button", name="Commit", exact=True).click()
    outcome = figure.locator(".gl-outcome").inner_text().partition(". ")[2]  # without the guess
    return f"{outcome} {figure.locator('.gl-live .gl-sentence').inner_text()}"


@pytest.mark.parametrize("walk", some_now(WALKS, *((page, False) for page in SOME)), ids=str)
def test_nothing_that_can_be_set_gives_a_prediction_away(
    open_page: Any, walk: tuple[str, bool]
) -> None:
    page, far = walk
    opened = open_page(page, viewport=WINDOWS["wide"])
    for n, described in enumerate(descriptions(page)):
        if not (asked := described["prediction"]):
            continue
        figure = opened.locator("figure.gl-figure").nth(n)
        figure.scroll_into_view_if_needed()
        opened.wait_for_function(
            "(f) => f.classList.contains('gl-ready')", arg=figure.element_handle()
        )
        opened.evaluate(OPEN_FOLDS)
        figure.locator(".gl-code").last.wait_for()
        walked = figure.evaluate(WALK, asked | {"far": far})
        name, said = described["name"], dict(walked["said"])
        told = answer(figure)
        known = (asked["question"], str(asked["settings"]), str(described["settings"]))
        secret = numbers(told) - numbers(*walked["first"], *known)
        words = IN_WORDS.get(name)
        assert words or secret or asked["holds"], f"{name} tells nothing new in the end: {told}"
        leaks = {
            text: at
            for text, at in said.items()
            # what a control is set to at that moment may be the same number
            if (words.search(text) if words else numbers(text) & secret - numbers(at))
            or text == "NaN"
        }
        assert not leaks, f"{name}: told were {secret}"
        assert not walked["moved"], f"{name}: what is held has moved, or a preset is lit"


def test_every_figure_that_asks_is_walked() -> None:
    asking = [d for page in ASKING for d in descriptions(page) if d["prediction"]]
    assert len(asking) >= 15
    assert len({d["prediction"]["question"] for d in asking}) == len(asking), "no two ask the same"
