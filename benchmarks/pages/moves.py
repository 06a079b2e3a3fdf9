"""Time the main thread while a slider moves on a slow phone."""

from __future__ import annotations

import json
import statistics
from bisect import bisect
from typing import Any

from playwright.sync_api import Browser, ElementHandle, Page

from benchmarks.report import Row

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SLOWER = 4
"""How many times slower the phone's processor is."""
MOVES, MARK = 60, "audit: move"
BARE = (
    """<p><input type="range" oninput="nextElementSibling.value = value"> <output></output></p>"""
)
"""A page with a slider and its value."""
MOVE = """async (root, [mark, moves]) => {
  const find = () => root.querySelector("input[type=range]:enabled:not([data-control=guess])");
  const skip = [...root.querySelectorAll("button")].find((b) => b.textContent.startsWith("Skip"));
  if (!find()) skip?.click();
  await new Promise((done) => setTimeout(done, 1000));
  const slider = find();
  if (!slider) return false;
  const [min, max, step] = [slider.min || 0, slider.max || 100, slider.step || 1].map(Number);
  const places = Math.max(1, Math.min(moves, Math.floor((max - min) / step + 1e-9)));
  for (let i = 0; i <= moves; i++) {
    await new Promise(requestAnimationFrame);
    performance.mark(mark);
    const place = (i + 1) % (2 * places);
    slider.value = min + ((max - min) * Math.min(place, 2 * places - place)) / places;
    if (i < moves) slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return true;
}"""
"""Move the first slider that can be moved to and fro, once in each frame."""
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
KINDS = {
    **dict.fromkeys(("EventDispatch", "FireAnimationFrame", "FunctionCall", "TimerFire"), "script"),
    **dict.fromkeys(("MajorGC", "MinorGC", "RunMicrotasks"), "script"),
    **dict.fromkeys(("Layout", "UpdateLayoutTree"), "style and layout"),
    **dict.fromkeys(("Commit", "Layerize", "Paint", "PrePaint"), "paint"),
}
"""What Chromium's tasks are part of."""


def costs(trace: bytes) -> dict[str, list[float]]:
    """Return the main thread's milliseconds for each move, by kind, from a trace of all moves."""
    events = json.loads(trace)["traceEvents"]
    marks = sorted((e["ts"], e["pid"], e["tid"]) for e in events if e["name"] == MARK)
    times = [time for time, *_ in marks]
    tasks = [e for e in events if (e["pid"], e["tid"]) == marks[0][1:] and "tdur" in e]
    found = {kind: [0.0] * (MOVES + 1) for kind in (*KINDS.values(), "other")}
    around: list[tuple[float, str, int]] = []
    for task in sorted(tasks, key=lambda e: (e["ts"], -e["dur"])):
        while around and around[-1][0] <= task["ts"]:
            around.pop()
        # -1 before the first mark: with what follows the last one, it's dropped
        move = bisect(times, task["ts"]) - 1
        kind = KINDS.get(task["name"], around[-1][1] if around else "other")
        found[kind][move] += task["tdur"] / 1000
        if around:
            found[around[-1][1]][around[-1][2]] -= task["tdur"] / 1000
        around.append((task["ts"] + task["dur"], kind, move))
    return {kind: each[:MOVES] for kind, each in found.items()}


def moved(browser: Browser, page: Page, root: ElementHandle) -> Row:
    """Move the slider of a figure on a slow processor; return a move's costs, if there is one."""
    root.scroll_into_view_if_needed()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    browser.start_tracing(page=page, categories=TRACED)
    has_slider = root.evaluate(MOVE, [MARK, MOVES])
    trace = browser.stop_tracing()
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    if not has_slider:
        return {}
    kinds = costs(trace)
    sums = [sum(each) for each in zip(*kinds.values(), strict=True)]
    return {
        "mean, ms": statistics.mean(sums),
        "95th percentile, ms": statistics.quantiles(sums, n=20)[-1],
        **{f"{kind}, ms": statistics.mean(each) for kind, each in kinds.items()},
    }
