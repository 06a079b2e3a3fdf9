"""The report of ``grading.py``: what is claimed, and the tables."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.report import Target, span, table

PEER = "nbgrader autograde"
OURS = {1: "gradlab with one worker", 2: "gradlab with two workers"}
TIMES = 3.0
"""How many times nbgrader's throughput two workers should have."""


def per_minute(students: int, seconds: list[float]) -> float:
    """Submissions a minute, by the median over rounds."""
    return 60 * students / statistics.median(seconds)


def targets(results: dict[str, Any]) -> list[Target]:
    """What is claimed, and what was found."""
    ratio = results["ratios"][OURS[2]]
    scores = results["scores"]
    return [
        Target(
            f"two workers, each submission in a sandbox: at least {TIMES:g} times nbgrader's throughput",
            f"{ratio['median']:.2f} times",
            ratio["median"] >= TIMES,
        ),
        Target(
            "the same points for every function of every student",
            f"{scores['differ']} of {scores['compared']} differ",
            scores["differ"] == 0 and scores["compared"] > 0,
        ),
    ]


def markdown(results: dict[str, Any]) -> str:
    """The whole report."""
    where, how = results["machine"], results["measured"]
    claims = table(
        ("", "target", "found"),
        (("met" if one.met else "missed", one.claim, one.worst) for one in targets(results)),
    )
    rows = [
        (
            name,
            f"{statistics.median(seconds):.1f} s",
            f"{per_minute(how['students'], seconds):.1f}",
            span(results["ratios"][name]) if name in results["ratios"] else "1",
        )
        for name, seconds in results["seconds"].items()
    ]
    times = table(("", "the class", "submissions a minute", "times nbgrader"), rows, right=1)
    return f"""\
# The grader, measured

Made by `make bench-grading`; the numbers are in `grading.json`.

## Targets

{claims}

## Throughput

{how["students"]} submissions of the assignment {how["assignment"]}, half of them right, the others wrong in several
ways or untouched. A time is that of the whole command, its start and its reports included: the median
over {how["rounds"]} rounds, in which the commands took turns. A ratio is that of one round: the median, with the lowest
and the highest. `nbgrader autograde` runs a kernel for each submission, one after another, and isolates none;
`gradlab` runs each in a sandbox of its own.

{times}

## Where

{where["date"]}, commit {where["commit"]}; {where["system"]}, {where["processor"]}, {where["cores"]} cores, load
{where["load"]} before and {where["load_after"]} after; Python {where["python"]}, JAX {where["jax"]}, nbgrader
{where["nbgrader"]}, Dask {where["dask"]}.
"""
