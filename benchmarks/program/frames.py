"""Drag the figures of the built book in a browser, and read each frame's time off a trace."""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.program.book import Shown, figures_in
from benchmarks.program.trace import MARK, Frame, frames
from benchmarks.report import Row, say
from tools.browser import BrowserError

SLOWED = 4
"""Factor by which a reader's machine is slower: by it times are multiplied.

``Emulation.setCPUThrottlingRate`` would do it by waiting on the page's main thread, busily. That
counts as the thread's time, and so does, that many times over, whatever kept the thread waiting.
"""
CATEGORIES = ("devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing")

# Playwright's locators, its waiting and its mouse put listeners into a page that take a good part
# of a frame, so the page is asked by script alone, and moved in by the protocol alone.
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
  window.exploraxHands = () => { // asked for anew each time: a figure may make another handle
    const hands = {};
    const add = (name, element) => { if (element.checkVisibility()) hands[name] ??= element; };
    for (const handle of figure.querySelectorAll(".gl-live svg [data-handle]")) {
      add(`handle ${handle.dataset.handle}`, handle);
    }
    for (const slider of figure.querySelectorAll(".gl-live input[type=range]")) {
      add(`slider ${slider.dataset.control}`, slider);
    }
    return hands;
  };
  return Object.keys(window.exploraxHands());
}"""
REVEAL = """(place) => {
  const figure = document.querySelectorAll("figure.gl-figure")[place];
  figure.querySelector(".gl-prediction[data-phase=open] .gl-quiet")?.click();
}"""
PLACE = """(name) => {
  const element = window.exploraxHands()[name];
  element.scrollIntoView({ block: "center" });
  return element.getBoundingClientRect().toJSON();
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


def wait_until_ready(page: Any, place: int) -> None:
    """Wait until a figure's script runs.

    Raises:
      BrowserError: where it does not.
    """
    deadline = time.monotonic() + 30
    while not page.evaluate(READY, place):
        if time.monotonic() > deadline:
            raise BrowserError(f"{page.url}: figure {place} was not ready in 30 s.")
        page.wait_for_timeout(50)


def drag(page: Any, session: Any, name: str, moves: int) -> None:
    """Drag a handle to and fro, or a slider's thumb from end to end, and let it go."""

    def pointer(kind: str, x: float, y: float, **more: Any) -> None:
        session.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    box = page.evaluate(PLACE, name)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    pointer("mouseMoved", x, y)
    pointer("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    for move in range(1, moves + 1):
        turn = 4 * math.pi * move / moves
        across = down = REACH[2 * move > moves]
        if name.startswith("slider"):
            across, down = box["width"] / 2, 0.0
        place = x + across * math.sin(turn), y + down * math.sin(2 * turn)
        pointer("mouseMoved", *place, button="left", buttons=1)
    pointer("mouseReleased", x, y, button="left", clickCount=1)


def dragged(
    browser: Any, book: Path, shown: Shown | None, moves: int
) -> Iterator[tuple[str, list[Frame]]]:
    """Drag first what makes a guess, while there is one to make, and then everything else.

    Args:
      browser: Playwright's.
      book: that the figure is in.
      shown: the figure; None for ``BARE``'s slider.
      moves: of the pointer, in each drag.
    """
    place = shown.place if shown else 0
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    session = page.context.new_cdp_session(page)
    if shown:
        page.goto((book / shown.page).as_uri())
        wait_until_ready(page, place)
    else:
        page.set_content(BARE)
    page.evaluate(WATCH, [place, MARK])
    for guessing in (True, False):
        if not guessing:
            page.evaluate(REVEAL, place)
        for name in page.evaluate(HANDS, place):
            if name.endswith(" guess") == guessing:
                browser.start_tracing(page=page, categories=list(CATEGORIES))
                drag(page, session, name, moves)
                page.wait_for_timeout(100)
                yield name, frames(json.loads(browser.stop_tracing())["traceEvents"])
                page.wait_for_timeout(600)  # what it says aloud comes later: no frame of a drag
    page.close()


def measure_frames(
    browser: Any, book: Path, beside: Path | None, rounds: int, moves: int
) -> list[Row]:
    """Drag everything in every figure, in a fresh page each round, and ``BARE``'s slider.

    Args:
      browser: Playwright's.
      book: whose figures they are.
      beside: another build of it, whose figures are dragged in turn with these.
      rounds: how many.
      moves: of the pointer, in each drag.
    """
    others = {(shown.name, shown.page): shown for shown in figures_in(beside)} if beside else {}
    taken: dict[tuple[str, str, str], list[Frame]] = defaultdict(list)
    earlier: dict[tuple[str, str, str], list[Frame]] = defaultdict(list)
    for number in range(rounds):
        for shown in (None, *figures_in(book)):
            figure, page = (shown.name, shown.page) if shown else ("none: a slider alone", "none")
            say(f"frames, round {number + 1} of {rounds}: {figure} in {page}")
            for name, found in dragged(browser, book, shown, moves):
                taken[figure, page, name] += found
            if beside and (other := others.get((figure, page))):
                for name, found in dragged(browser, beside, other, moves):
                    earlier[figure, page, name] += found
    bare = np.median([frame.processor for frame in next(iter(taken.values()))])
    return [
        {
            "figure": figure, "page": page, "hand": hand, "frames": len(found),
            **_summary(found, float(bare)),
            **({f"{name} before": value for name, value in _summary(
                earlier[figure, page, hand], float(bare)).items() if name in TARGETS}
                if earlier else {}),
        }
        for (figure, page, hand), found in taken.items()
    ]  # fmt: skip


TARGETS = ("median, ms", "p95, ms")


def _summary(frames: list[Frame], bare: float) -> Row:
    """Milliseconds of a machine that is ``SLOWED`` times slower; None where nothing was drawn."""
    if not frames:
        return {}
    wall, processor, script, rendering = SLOWED * np.transpose(frames)
    return {
        "median, ms": float(np.median(processor)),
        "p95, ms": float(np.quantile(processor, 0.95)),
        "above bare, ms": float(np.median(processor)) - SLOWED * bare,
        "script, ms": float(np.median(script)),
        "rendering, ms": float(np.median(rendering)),
        "wall p95, ms": float(np.quantile(wall, 0.95)),
    }
