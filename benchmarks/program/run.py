"""Measure the compiler's programs: their speed, their weight, and the frames of the figures.

Twelve functions of the book run as emitted modules, under ``jax.jit`` and, three of them, as
hand-written JavaScript; every figure of the built book is dragged in Chromium with a slowed CPU;
and two of them are compared with the same figure made with ipywidgets and matplotlib in a live
JupyterLab. Printed is Markdown, which is also written to ``benchmarks/program.md``, with the
numbers in ``benchmarks/program.json``. The exit status is 1 where a target is missed.

Run it with ``make bench-program``; ``make bench-program ARGS='--quick'`` does less of everything.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gradlab.explorables
import jax

from benchmarks.program.browser import browser
from benchmarks.program.cases import BEYOND, CASES, Case
from benchmarks.program.frames import measure_frames
from benchmarks.program.lab import measure_peers
from benchmarks.program.sizes import Shown, compiled, figures_in, payloads
from benchmarks.program.tables import markdown, targets
from benchmarks.program.times import CALLS, Rounds, Times, run
from benchmarks.report import asked, finish, machine, say, spread
from gradlab.node import find_node
from gradlab.program import Program, compile
from tools.browser import BrowserError
from tools.lab import LabError

HERE = Path(__file__).parent
BOOK = HERE.parent / "_build" / "html"


def over_rounds(times: Sequence[Times]) -> dict[str, float] | None:
    """The medians over rounds of the rounds' medians and 95th percentiles."""
    if not times:
        return None
    return {
        "median": statistics.median(t.median for t in times),
        "p95": statistics.median(t.p95 for t in times),
        "batch": times[0].batch,
        "calls": sum(t.calls for t in times),
    }


def measure_functions(cases: Sequence[Case], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Compile, weigh and time the functions."""
    say("compiling the functions")
    compile(lambda x: 2.0 * x, 1.0)  # so that what is timed finds JAX awake
    programs: list[tuple[Case, Program]] = []
    times = []
    for case in cases:
        program, first, again = compiled(case.function, case.calls(1)[0], options.compilations)
        programs.append((case, program))
        times.append({"first": first, "again": again})
    weights = payloads([(program.javascript, case.recorded) for case, program in programs])
    rounds = run(programs, options.rounds, options.seconds, say)
    return [
        row(result, asdict(weight), time)
        for result, weight, time in zip(rounds, weights, times, strict=True)
    ]


def row(result: Rounds, payload: dict[str, int], compile_time: dict[str, float]) -> dict[str, Any]:
    """One function's results as plain data."""
    by_hand, by_jax = result.ratios()
    return {
        "name": result.case.name,
        "words": result.case.words,
        "chapter": result.case.chapter,
        "module": over_rounds(result.module),
        "jitted": over_rounds(result.jitted),
        "handwritten": over_rounds(result.handwritten),
        "by_hand": spread(by_hand),
        "by_jax": spread(by_jax),
        "differs": result.differs,
        "payload": payload,
        "compile": compile_time,
    }


def measure_figures(figures: Sequence[Shown], compilations: int) -> list[dict[str, Any]]:
    """Weigh the programs in the pages; compile again those of the book's own figures."""
    weights = payloads([(shown.description["program"], True) for shown in figures])
    found = []
    for shown, weight in zip(figures, weights, strict=True):
        figure = getattr(gradlab.explorables, shown.name, None)
        spec = getattr(figure, "spec", None)
        time = None
        if spec is not None:
            arguments = [control.traced(control.initial) for control in spec.controls]
            _, first, again = compiled(spec.function, arguments, compilations)
            time = {"first": first, "again": again}
        found.append(
            {
                "figure": shown.name,
                "page": shown.page,
                "controls": [*shown.description["sight"], *shown.description["more"]],
                "payload": asdict(weight),
                "compile": time,
            }
        )
    return found


def measure_in_browser(
    results: dict[str, Any], figures: Sequence[Shown], options: argparse.Namespace
) -> None:
    """Drag the figures, and move them beside those of JupyterLab."""
    with browser() as running:
        results["machine"]["browser"] = f"Chromium {running.version}"
        if not options.skip_frames:
            rounds, moves = options.frame_rounds, options.moves
            results |= measure_frames(running, BOOK, figures, rounds, moves, say)
        if not options.skip_lab:
            results["peers"] = measure_peers(running, BOOK, figures, options.lab_rounds, say)


def where() -> dict[str, Any]:
    """What the times depend on."""
    node, v8 = asked(find_node(), "-p", "`${process.version} ${process.versions.v8}`").split()
    return machine() | {
        "jax": jax.__version__,
        "node": node.removeprefix("v"),
        "v8": v8,
        "browser": "no browser",
    }


def parsed() -> argparse.Namespace:
    """The command's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="of timing the functions")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="time these functions alone, write nothing"
    )
    parser.add_argument("--frame-rounds", type=int, default=5, help="of dragging each figure")
    parser.add_argument("--lab-rounds", type=int, default=5, help="of moving sliders in JupyterLab")
    parser.add_argument("--quick", action="store_true", help="few rounds, and nothing is written")
    parser.add_argument("--skip-frames", action="store_true", help="drag nothing, write nothing")
    parser.add_argument(
        "--skip-lab", action="store_true", help="start no JupyterLab, write nothing"
    )
    parser.add_argument("--no-write", action="store_true", help="print the tables, write no files")
    options = parser.parse_args()
    options.seconds, options.compilations = 0.1, 5
    options.moves = 120
    if options.quick:
        options.rounds, options.seconds, options.compilations = 3, 0.05, 1
        options.frame_rounds, options.lab_rounds, options.moves = 2, 2, 40
    options.write = not (
        options.no_write or options.quick or options.only or options.skip_frames or options.skip_lab
    )
    return options


def main() -> int:
    """Run the command."""
    options = parsed()
    if not (BOOK / "index.html").is_file():
        print(f"error: there is no built book in {BOOK}: run 'make book' first", file=sys.stderr)
        return 2
    settings: Any = jax.config
    settings.update("jax_enable_x64", True)
    cases = [case for case in CASES if not options.only or case.name in options.only]
    place = where()
    figures = figures_in(BOOK)
    measured = measure_functions([*cases, *([] if options.only else BEYOND)], options)
    results: dict[str, Any] = {
        "machine": place,
        "measured": {
            "rounds": options.rounds,
            "seconds": options.seconds,
            "calls": CALLS,
            "compilations": options.compilations,
            "moves": options.moves,
            "rounds_of_frames": options.frame_rounds,
        },
        "functions": measured[: len(cases)],
        "beyond": measured[len(cases) :],
        "figures": measure_figures(figures, options.compilations),
    }
    failed = None
    if not options.skip_frames or not options.skip_lab:
        try:
            measure_in_browser(results, figures, options)
        except (
            BrowserError,
            LabError,
        ) as error:  # what was measured before is printed all the same
            failed = error
    folder = HERE if options.write and not failed else None
    code = finish("program", results, markdown(results), targets(results), folder)
    if failed:
        print(f"error: {failed}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
