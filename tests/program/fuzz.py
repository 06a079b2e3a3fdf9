"""Compares random JAX programs in Node and by JAX: ``make fuzz``, or with ``--help`` what else."""

from __future__ import annotations

import argparse
import os
import sys
import time

from tests.program.fuzzing.tally import Tally, missed, run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000, help="how many (100,000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first 250 programs (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-shrink", action="store_true", help="report failures as they came")
    asked = parser.parse_args()
    start = time.perf_counter()
    shown = 0

    def progress(tally: Tally) -> None:
        nonlocal shown
        for failure in tally.failures[shown:]:
            print(f"\n{failure}\n", flush=True)
        shown = len(tally.failures)
        print(
            f"\r{tally.programs:7d} programs, {len(tally.failures)} failures, "
            f"{time.perf_counter() - start:.0f} s",
            end="",
            flush=True,
        )

    tally = run(asked.seed, asked.programs, asked.processes, not asked.no_shrink, progress)
    report(tally, time.perf_counter() - start)
    return 1 if tally.failures else 0


def report(tally: Tally, seconds: float) -> None:
    """Prints the counts."""

    def listed(counts: dict[str, int]) -> str:
        return ", ".join(f"{name} {n}" for name, n in sorted(counts.items(), key=lambda x: -x[1]))

    print(f"\nprograms by feature: {listed(tally.features)}")
    print(f"calls: {listed(tally.verdicts)} ({100 * tally.aside:.2f} % set aside)")
    print(f"not translated: {listed(tally.unsupported) or 'none'}")
    print(f"skipped: {listed(tally.skipped) or 'none'}")
    print(f"rules not used: {', '.join(missed(tally)) or 'none'}")
    each = 1000 * tally.seconds / max(tally.programs, 1)
    print(
        f"{tally.programs} programs, {len(tally.failures)} failures, {seconds:.0f} s, "
        f"{each:.1f} ms of Python each"
    )


if __name__ == "__main__":
    sys.exit(main())
