"""Drag the figures of the built book, and measure each frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import methodcaller
from pathlib import Path
from typing import Any

from benchmarks.program.browser import address, slow, slow_page, traced, wait_until
from benchmarks.program.sizes import Shown
from benchmarks.program.trace import MARK, Frame, frames, summary
from tools.browser import BrowserError

# Playwright's locators and its mouse put listeners into a page that take a good part of a frame,
# so the page is asked by script alone, and moved in by the protocol alone.
READY = """(place) => document.querySelectorAll("figure.gl-figure")[place].matches(".gl-ready")"""
WATCH = """([place, mark]) => {
  const figure = document.querySelectorAll("figure.gl-figure")[place];
  for (const fold of figure.querySelectorAll(".gl-more")) fold.open = true;
  // a slider says its value, a handle moves: enough to know that the picture is another
  new MutationObserver(() => performance.mark(mark))
    .observe(figure, { subtree: true, attributeFilter: ["aria-valuetext", "cx", "cy"] });
}"""
HANDS = """(place) => {
  const figure = document.querySelectorAll("figure.gl-figure")[place];
  const hands = new Map();
  const add = (name, element, axis) => {
    if (element.checkVisibility() && !hands.has(name)) hands.set(name, { element, axis });
  };
  for (const handle of figure.querySelectorAll(".gl-live svg [data-handle]")) {
    const along = ["both", "x", "y"].find((axis) => handle.classList.contains(`gl-along-${axis}`));
    add(`handle ${handle.dataset.handle}`, handle, along ?? "both");
  }
  for (const slider of figure.querySelectorAll(".gl-live input[type=range]")) {
    add(`slider ${slider.dataset.control}`, slider, "slider");
  }
  window.gradlabHands = Object.fromEntries(hands);
  return [...hands].map(([name, { axis }]) => ({ name, axis }));
}"""
REVEAL = """(place) => {
  const figure = document.querySelectorAll("figure.gl-figure")[place];
  figure.querySelector(".gl-prediction[data-phase=open] .gl-quiet")?.click();
}"""
PLACE = """(name) => {
  const { element } = window.gradlabHands[name];
  element.scrollIntoView({ block: "center" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const share = (element.value - element.min) / (element.max - element.min);
  return { x, y, width, height, share: Number.isFinite(share) ? share : 0 };
}"""
BARE = """<!doctype html><meta charset="utf-8"><title>A slider</title>
<figure class="gl-figure gl-ready"><div class="gl-live">
<input type="range" data-control="x" min="0" max="1000" value="0" style="width: 400px"> <span>0</span>
</div></figure>
<script>
const [slider] = document.getElementsByTagName("input"), [said] = document.getElementsByTagName("span");
slider.addEventListener("input", () => requestAnimationFrame(() => {
  said.textContent = slider.value;
  slider.setAttribute("aria-valuetext", slider.value);
}));
</script>"""
"""A page that does the least that a figure does: a slider, and its value beside it."""
REACH = (8.0, 60.0)
"""Pixels that a handle is dragged to each side: at first a little, then far."""


def drag(page: Any, session: Any, name: str, axis: str, moves: int) -> None:
    """Drags a handle to and fro, or a slider's thumb from end to end, and lets it go."""

    def pointer(kind: str, x: float, y: float, pressed: bool) -> None:
        button = "left" if pressed or kind == "mouseReleased" else "none"
        count = 0 if kind == "mouseMoved" else 1
        session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind, "x": x, "y": y, "button": button, "buttons": int(pressed),
                "clickCount": count,
            },
        )  # fmt: skip

    box = page.evaluate(PLACE, name)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if axis == "slider":
        thumb = min(16, box["height"])
        x = box["x"] + thumb / 2 + box["share"] * (box["width"] - thumb)
    pointer("mouseMoved", x, y, False)
    pointer("mousePressed", x, y, True)
    for move in range(1, moves + 1):
        turn = 4 * math.pi * move / moves
        if axis == "slider":
            along = 0.5 - 0.5 * math.cos(turn)
            pointer("mouseMoved", box["x"] + along * box["width"], y, True)
        else:
            reach = REACH[2 * move > moves]
            dx = reach * math.sin(turn) if axis != "y" else 0.0
            dy = reach * math.sin(turn if axis == "y" else 2 * turn) if axis != "x" else 0.0
            pointer("mouseMoved", x + dx, y + dy, True)
    pointer("mouseReleased", x, y, False)


def measure_frames(
    browser: Any,
    book: Path,
    figures: Sequence[Shown],
    rounds: int,
    moves: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Drags everything in every figure, in a fresh page each round, and ``BARE``'s slider.

    Args:
      browser: Playwright's.
      book: the built book.
      figures: those found in it.
      rounds: how many.
      moves: of the pointer, in each drag.
      say: told how far it is.

    Returns:
      ``frames``, an entry for each hand on each figure; and ``bare``, that of the bare page.
    """
    taken: dict[tuple[int, str], list[list[Frame]]] = {}
    bare: list[list[Frame]] = []
    for number in range(rounds):
        say(f"frames, round {number + 1} of {rounds}: nothing but a slider")
        [(_, least)] = _one(browser, methodcaller("set_content", BARE), 0, moves)
        bare.append(least)
        for place, shown in enumerate(figures):
            say(f"frames, round {number + 1} of {rounds}: {shown.name} in {shown.page}")
            visit = methodcaller("goto", address(book, shown.page))
            for name, found in _one(browser, visit, shown.place, moves):
                if not found:
                    raise BrowserError(
                        f"{shown.name} in {shown.page}: dragging the {name} changed nothing."
                    )
                taken.setdefault((place, name), []).append(found)
    hands = [
        {
            "figure": figures[place].name,
            "page": figures[place].page,
            "hand": name,
            **summary(each),
        }
        for (place, name), each in taken.items()
    ]
    return {"frames": hands, "bare": summary(bare)}


def _one(
    browser: Any, visit: Callable[[Any], Any], place: int, moves: int
) -> list[tuple[str, list[Frame]]]:
    """Drags first what makes a guess, while there is one to make, and then everything else."""
    found = []
    with slow_page(browser) as (page, session):
        visit(page)
        wait_until(page, READY, place)
        page.evaluate(WATCH, [place, MARK])
        slow(session)
        for guessing in (True, False):
            if not guessing:
                page.evaluate(REVEAL, place)
            for hand in page.evaluate(HANDS, place):
                if hand["name"].endswith(" guess") != guessing:
                    continue
                with traced(page, session) as trace:
                    drag(page, session, hand["name"], hand["axis"], moves)
                    page.wait_for_timeout(100)
                found.append((hand["name"], frames(trace)))
                page.wait_for_timeout(600)  # what it says aloud comes later: no frame of a drag
    return found
