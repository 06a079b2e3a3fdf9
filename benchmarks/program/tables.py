"""The results of ``program.py`` as Markdown, and the targets that they are held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.report import Target, microseconds, span, table

HANDWRITTEN = 2.0
"""The module may take so many times what hand-written JavaScript takes."""
BYTES = 4000
"""A program must weigh less, compressed."""
SECONDS = 1.0
"""Tracing, lowering and printing must take less."""
FRAME = 16.7
"""Milliseconds of the main thread that a frame must stay under."""


def targets(results: dict[str, Any]) -> list[Target]:
    """Holds the results against what they should be; what was not measured is left out."""
    functions, figures = results["functions"], results["figures"]
    found = []
    by_hand = [f for f in functions if f["by_hand"]]
    if by_hand:
        slow = max(by_hand, key=lambda f: float(f["by_hand"]["median"]))
        found.append(
            Target(
                f"never slower than {HANDWRITTEN:g} times hand-written JavaScript",
                f"{slow['by_hand']['median']:.2f} times ({slow['words']})",
                slow["by_hand"]["median"] <= HANDWRITTEN,
            )
        )
    near = min(functions, key=lambda f: float(f["by_jax"]["median"]))
    found.append(
        Target(
            "faster than the jitted call through Python",
            f"{near['by_jax']['median']:.1f} times faster ({near['words']})",
            near["by_jax"]["median"] > 1,
        )
    )
    weighed = [(f["payload"]["gzip"], f["words"]) for f in functions]
    weighed += [(f["payload"]["gzip"], f["figure"]) for f in figures]
    size, what = max(weighed)
    found.append(
        Target(
            f"every program under {BYTES:,} bytes, compressed (gzip -9)",
            f"{size:,} bytes ({what})",
            size < BYTES,
        )
    )
    timed = [(f["compile"]["first"], f["words"]) for f in functions]
    timed += [(f["compile"]["first"], f["figure"]) for f in figures if f["compile"]]
    seconds, what = max(timed)
    found.append(
        Target(
            f"every compilation in Python under {SECONDS:g} s",
            f"{seconds:.2f} s ({what})",
            seconds < SECONDS,
        )
    )
    if results.get("frames"):
        late = max(results["frames"], key=lambda f: float(f["p95"]))
        found.append(
            Target(
                f"every figure's frame under {FRAME:g} ms of the main thread at the 95th "
                "percentile, with the CPU slowed 4 times",
                f"{late['p95']:.1f} ms ({late['figure']}, {late['hand']})",
                late["p95"] < FRAME,
            )
        )
    return found


def markdown(results: dict[str, Any]) -> str:
    """Everything that was measured, with how."""
    parts = [
        "# The compiler's programs, measured",
        "Made by `make bench-program`; the numbers are in `program.json`.",
        "## Targets",
        table(
            ("", "target", "worst found"),
            (("met" if t.met else "**missed**", t.claim, t.worst) for t in targets(results)),
        ),
        "## Twelve functions of the book",
        HOW_TIMES.format(**results["measured"]),
        _times(results["functions"]),
        *([BEYOND, _times(results["beyond"])] if results.get("beyond") else []),
        "## What programs weigh, and how long they take to make",
        HOW_SIZES.format(**results["measured"]),
        _programs(results["functions"], "function"),
        _programs(results["figures"], "figure of the built book"),
    ]
    if results.get("frames"):
        parts += ["## From the hand to the picture", HOW_FRAMES.format(**results["measured"])]
        parts.append(_frames(results["frames"], results["bare"]))
    if results.get("peers"):
        parts += ["## The same figures in JupyterLab", HOW_PEERS, _peers(results["peers"])]
    parts.append(WHERE.format(**results["machine"]))
    return "\n\n".join(parts) + "\n"


def _times(functions: Sequence[dict[str, Any]]) -> str:
    heads = (
        "function", "chapter", "module", "p95", "by hand", "module / by hand", "`jax.jit`", "p95",
        "`jax.jit` / module",
    )  # fmt: skip
    rows = []
    for f in functions:
        module, jitted, hand = f["module"], f["jitted"], f["handwritten"]
        rows.append(
            (
                f["words"],
                f["chapter"],
                microseconds(module["median"]),
                microseconds(module["p95"]),
                microseconds(hand["median"]) if hand else "–",
                span(f["by_hand"]) if f["by_hand"] else "–",
                microseconds(jitted["median"]),
                microseconds(jitted["p95"]),
                span(f["by_jax"]),
            )
        )
    return table(heads, rows, 2)


def _programs(programs: Sequence[dict[str, Any]], head: str) -> str:
    """What programs weigh and how long they take to make; ``head`` names them."""
    rows = (
        (
            p["words"] if "words" in p else f"{p['figure']} ({p['page']})",
            *_weights(p["payload"]),
            *(
                f"{p['compile'][when]:.2f} s" if p["compile"] else "–"
                for when in ("first", "again")
            ),
        )
        for p in programs
    )
    return table((head, "raw", "gzip", "brotli", "arrays", "compile", "again"), rows, 1)


def _weights(payload: dict[str, int]) -> tuple[str, ...]:
    sizes = tuple(f"{payload[kind]:,}" for kind in ("raw", "gzip", "brotli"))
    return (*sizes, f"{payload['arrays']:,}" if payload["arrays"] else "–")


def _frames(frames: Sequence[dict[str, Any]], bare: dict[str, Any]) -> str:
    """A row for each hand on a figure, under that of the bare page."""

    def row(what: str, hand: str, f: dict[str, Any]) -> tuple[str, ...]:
        times = (f[name] for name in ("median", "p95", "worst", "processor", "script", "rendering"))
        over = (f"{f[name] / bare[name]:.1f}" for name in ("median", "p95"))
        return (what, hand, f"{f['frames']:,}", *(f"{time:.1f} ms" for time in times), *over)

    rows = [
        row("none: a page with nothing but a slider", "slider", bare),
        *(row(f"{f['figure']} ({f['page']})", f["hand"], f) for f in frames),
    ]
    heads = (
        "figure", "hand on", "frames", "median", "p95", "p95, worst round", "p95, processor",
        "script", "rendering", "median / bare", "p95 / bare",
    )  # fmt: skip
    return table(heads, rows, 2)


def _peers(peers: Sequence[dict[str, Any]]) -> str:
    rows = (
        (
            p["figure"],
            p["control"],
            f"{p['ours']['median']:.1f} ms",
            f"{p['ours']['p95']:.1f} ms",
            f"{p['lab']['median']:.0f} ms",
            f"{p['lab']['p95']:.0f} ms",
            f"{p['ratio']['median']:.0f} ({p['ratio']['low']:.0f} to {p['ratio']['high']:.0f})",
        )
        for p in peers
    )
    heads = ("figure", "control", "the book, median", "p95", "interact, median", "p95", "ratio")
    return table(heads, rows, 2)


HOW_TIMES = """\
Each function in float64, three ways, by turns, in {rounds} rounds of {seconds:g} s each: the emitted
module in V8 (Node), the same function through `jax.jit` from Python with its arguments on the
device and `block_until_ready`, and for three of them hand-written JavaScript
(`benchmarks/handwritten/`). All are warm, take {calls} different arguments in turn, and were found
to agree before they were timed. A time is the median over rounds of a round's median, or of its
95th percentile. In Python a sample is one call; in Node it is as many as take 20 µs (one, if a call
takes longer), so that the p95 of the smallest is that of a mean. A ratio is that of the two medians
of one round: the median over rounds, with the lowest and the highest."""

BEYOND = """\
XLA computes several numbers at once, and V8 one after another. Where a call does enough for Python's
share of it not to matter, JAX is the faster. Held against no target:"""

HOW_SIZES = """\
Bytes are those of the module's text, as it is, by `gzip -9` and by brotli. Arrays that were
recorded, and so stand in the module as data, are not counted in them but beside them (by gzip).
Compilation is tracing, lowering and printing, of a function that JAX has not traced, in a process
where JAX has traced another; the first time, and the median of {compilations} more. (`–`: a chapter's own
function, which is compiled when the chapter runs.)"""

HOW_FRAMES = """\
Every figure of the built book in headless Chromium with its CPU slowed 4 times
(`Emulation.setCPUThrottlingRate`), from a DevTools trace, while a pointer drags each of its handles
and sliders there and back: {moves} moves in each of {rounds_of_frames} rounds, in a page that was just opened
(a guess is made first, then the answer is shown, and folds with more controls are open). A frame's time is
what the tasks of the page's main thread took between the dispatch of its first `pointermove` or
`input` event and the end of the commit that follows: the event's handlers, the program, the new
picture, style, layout, paint. It is not the time of the compositor or of the screen. Only frames
count in which a handler changed the picture. The p95 is that of a round's frames: the median
over rounds, with the worst beside it, and with what of it the thread had a processor for (less,
where other programs wanted one). Script and rendering are medians; the rest is the browser's own.
The first row is a page that has nothing but a slider and its value as text, dragged and measured
in the same way: what a frame costs on this machine before there is a figure."""

HOW_PEERS = """\
The same picture made with `ipywidgets.interact` and matplotlib's inline backend in a live
JupyterLab on this machine, from the same function under `jax.jit`, warm, and drawn with fewer
marks than ours; the same Chromium, slowed 4 times (the kernel and the server are not slowed). The
slider is moved by one step with an arrow key, and nothing else happens until the new picture is
there. Measured in the page, by the same script for both: from the event's time stamp to the end of
the first frame after the new picture is in the document and decoded. A frame lasts 16.7 ms, so ours
cannot be much shorter. The ratio is that of the medians of one round: the median over rounds, with
the lowest and the highest."""

WHERE = """\
{system}, {processor}, {cores} cores, {date}, commit {commit}; Python {python}, JAX {jax}, Node {node}
(V8 {v8}), {browser}. Load before the measurement: {load}."""
