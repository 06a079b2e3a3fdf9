"""Compare random JAX programs in Node and by JAX: in ``packages/explorax``, ``python -m tests.compiler.fuzz --help``."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

from tests.compiler.fuzzing.tally import PART, Tally, run_part


def main() -> int:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000, help="how many (100,000)")
    parser.add_argument("--seed", type=int, default=0, help=f"of the first {PART} programs (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-shrink", action="store_true", help="report failures as they came")
    asked = parser.parse_args()
    total = Tally()
    sizes = [min(PART, asked.programs - done) for done in range(0, asked.programs, PART)]
    seeds, shrink = range(asked.seed, asked.seed + len(sizes)), repeat(not asked.no_shrink)
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        for tally in pool.map(run_part, seeds, sizes, shrink):
            print(*tally.failures, sep="\n", end="", flush=True)
            total += tally
            print(f"\r{total.programs.total():7d} programs", end="", flush=True)
    print(f"\n{total}")
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
