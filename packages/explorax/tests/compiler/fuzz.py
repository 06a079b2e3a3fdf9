"""Compare random JAX programs in Node and by JAX: ``make fuzz``, or with ``--help`` what else."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter

from tests.compiler.fuzzing.tally import Tally, run_parts


def main() -> int:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000, help="how many (100,000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first 250 programs (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-shrink", action="store_true", help="report failures as they came")
    asked = parser.parse_args()
    start = time.perf_counter()
    total = Tally()
    for tally in run_parts(asked.seed, asked.programs, asked.processes, not asked.no_shrink):
        for failure in tally.failures:
            print(f"\n{failure}\n", flush=True)
        total += tally
        counts = f"{total.programs:7d} programs, {len(total.failures)} failures"
        print(f"\r{counts}, {time.perf_counter() - start:.0f} s", end="", flush=True)
    print(f"\nprograms by feature: {listed(total.features)}")
    print(f"calls: {listed(total.verdicts)} ({100 * total.aside:.2f} % set aside)")
    print(f"not translated: {listed(total.unsupported)}")
    print(f"skipped: {listed(total.skipped)}")
    print(f"rules not used: {', '.join(total.missed()) or 'none'}")
    return 1 if total.failures else 0


def listed(counts: Counter[str]) -> str:
    """Print counts, the largest first."""
    return ", ".join(f"{name} {n}" for name, n in counts.most_common()) or "none"


if __name__ == "__main__":
    sys.exit(main())
