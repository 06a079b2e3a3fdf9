"""Time the main thread while a slider moves on a slow phone, and see what shifts in a page."""

from __future__ import annotations

import json
import statistics
import time
from bisect import bisect
from typing import Any

from playwright.sync_api import Browser, ElementHandle, Page, Route

from benchmarks.report import Row

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SLOWER = 4
"""How many times slower the phone's processor is."""
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200e3, "uploadThroughput": 90e3}
"""Slow 4G, in milliseconds and bytes per second."""
ASLEEP = "figure.gl-figure:not(.gl-ready)"
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
OBSERVE = """
  window.shifts = [];
  const words = ({ node }) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const figure = element?.closest("figure")?.dataset.figure ?? "";
    return `${figure} ${element?.localName}.${element?.getAttribute("class")}`.trim();
  };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push([value, sources.slice(0, 3).map(words).join(", ")]);
  }).observe({ type: "layout-shift", buffered: true });
"""
SCROLL = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 100));
  }
}"""


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


def come_late(route: Route) -> None:
    """Let a script come after the page has been drawn, as it does now and then."""
    time.sleep(2)
    route.continue_()


def shifts(browser: Browser, url: str) -> Row:
    """Load a page over a slow network and scroll to its end; return how much shifted."""
    with browser.new_context(bypass_csp=True, **PHONE) as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Network.emulateNetworkConditions", NETWORK)
        page.add_init_script(OBSERVE)
        page.route("**/figure.js*", come_late)
        page.goto(url, wait_until="networkidle")
        page.wait_for_function(f"!document.querySelector('{ASLEEP}')")  # one comes after another
        page.wait_for_timeout(500)
        page.evaluate(SCROLL)
        found: list[tuple[float, str]] = page.evaluate("shifts")
    return {
        "layout shift": sum(value for value, _ in found),
        "what shifts": max(found, default=(0.0, ""))[1],
    }
