"""Measure what the book costs a reader on a slow phone, and fail above the limits: `make audit`.

`NAME=01` measures some pages only, `ARGS='--only moves'` a part, and `ARGS='--site DIR DIR'`
several builds in turn. The results are in `_build/audit/results.md`, with `ARGS=--write` in
`results.md` beside this file. It takes 15 minutes for the landing page and all chapters.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.pages.lighthouse import INSTALLED, LEAST, Compressing, install, scores
from benchmarks.pages.moves import BARE, MOVES, PHONE, SLOWER, moved
from benchmarks.report import Row, circumstances, table, write
from tools.browser import chromium
from tools.serve import served
from tools.weights import BUILT, FIRST, pages, weights

MOST = {"mean, ms": 16.7, "95th percentile, ms": 25, "kB": FIRST / 1000}
PARTS = ("moves", "lighthouse")
LOADS = f"""\
kB are what a first visit to a page fetches, compressed: at most {FIRST / 1000:g}. The scores are
Lighthouse's for a phone, from a server that compresses: at least {LEAST["performance"]} for
performance, and 100 for the others. Of a page below a score, the median of three counts."""
MOVED = f"""\
On a phone of 360 by 740 pixels with a processor {SLOWER} times slower than this one, the first slider
of each figure is moved {MOVES} times, once in each frame. A time is
the processor's for all tasks of the page's main thread: at most {MOST["mean, ms"]} ms on average
and {MOST["95th percentile, ms"]} ms at the 95th percentile. Of a figure above, the best of five
counts: other load on the machine only adds to a time. The control is a page with nothing but a
slider and its value, measured just before. A figure without numbers has no slider."""


def faults(row: Row) -> list[Row]:
    """Return what is beyond a limit in a row."""
    above = [(name, "at most", most) for name, most in MOST.items() if row.get(name, 0) > most]
    below = [(name, "at least", low) for name, low in LEAST.items() if row.get(name, low) < low]
    where = " ".join(str(row[key]) for key in ("site", "page", "figure") if key in row)
    return [
        {"where": where, "what": name, "given": row[name], "expected": f"{bound} {limit:g}"}
        for name, bound, limit in (*above, *below)
    ]


def retried(measure: Callable[[], Row], key: str, times: int, rank: int) -> Row:
    """Measure what is beyond a limit some times in all; return the row of this rank by a column."""
    row = measure()
    if not faults(row):
        return row
    rows = [row, *(measure() for _ in range(times - 1))]
    return sorted(rows, key=lambda each: float(each[key]))[rank]


def moves(browser: Browser, url: str) -> Iterator[Row]:
    """Measure each figure of a page, after a bare page."""
    with browser.new_context(bypass_csp=True, **PHONE) as context:
        bare, page = context.new_page(), context.new_page()
        bare.set_content(BARE)
        page.goto(url)
        for figure in page.query_selector_all("figure.gl-figure"):
            bare.bring_to_front()
            control = moved(browser, bare, bare.query_selector_all("p")[0])["mean, ms"]
            page.bring_to_front()
            figure.scroll_into_view_if_needed()
            page.wait_for_function("(figure) => figure.matches('.gl-ready')", arg=figure)
            row = retried(partial(moved, browser, page, figure), "mean, ms", 5, 0)
            yield {"figure": figure.get_attribute("data-figure"), **row, "control, ms": control}


def main() -> None:
    """Measure everything, write the results, and exit with 1 if something is beyond its limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of pages' names")
    parser.add_argument("--site", nargs="+", type=Path, default=[BUILT], help="built books")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    asked = options.names or ("book/index", "notebooks/")
    names = [page for page in pages() if any(part in page for part in asked)]
    for site in options.site:
        if not names or not all((site / name).is_file() for name in names):
            parser.error(
                f"{site} lacks pages named {' or '.join(asked)}; build it first: make book"
            )
    where = circumstances(("book", "notebooks", "packages"), ("playwright",))
    if "lighthouse" in options.only:
        install()
    loads: list[Row] = []
    made: list[Row] = []
    with chromium() as browser, ExitStack() as stack:
        where += f" Chromium {browser.version}."
        addresses = {site: stack.enter_context(served(site, Compressing)) for site in options.site}
        for name in names:
            for site, address in addresses.items():
                print(f"{name}, {site}", file=sys.stderr, flush=True)
                url, about = f"{address}/{name}", {"page": name.removesuffix(".html")}
                if len(addresses) > 1:
                    about["site"] = str(site)
                load: Row = {"kB": weights(site, [name])[name][0] / 1000}
                if "lighthouse" in options.only:
                    load |= retried(partial(scores, url), "performance", 3, 1)
                if "moves" in options.only:
                    made += [{**about, **row} for row in moves(browser, url)]
                loads.append({**about, **load})
    sections = {LOADS: loads} | ({MOVED: made} if made else {})
    INSTALLED.mkdir(parents=True, exist_ok=True)
    folder = Path(__file__).parent if options.write else INSTALLED
    write(folder / "results.md", "The pages, measured", where, sections)
    if beyond := [fault for row in (*loads, *made) for fault in faults(row)]:
        sys.exit(f"error: {len(beyond)} measurements are beyond their limits:\n\n{table(beyond)}")


if __name__ == "__main__":
    main()
