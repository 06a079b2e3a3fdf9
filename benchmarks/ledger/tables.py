"""The results of ``ledger.py`` as Markdown, and the targets that they are held against."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from benchmarks.report import Target, microseconds, span, table

FROM = 100
"""Exponents are fitted from so many steps on, where a step's fixed costs count little."""
TIME, MEMORY = 2.1, 1.1
"""The exponents may be so large; the claims are 2 and 1."""
CLOSE = 1e-4
"""Results may be so far apart, in units of the largest entry of the same loss."""
OTHERS = ("gradient", "passes", "copies")


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of a straight line through the logarithms, by least squares.

    Args:
      points: numbers above 0, K and what was measured there.

    Returns:
      The power of K with which it grows; None from fewer than two points.
    """
    if len(points) < 2:
        return None
    across = [math.log(k) for k, _ in points]
    up = [math.log(value) for _, value in points]
    middle, level = sum(across) / len(across), sum(up) / len(up)
    return sum((a - middle) * (b - level) for a, b in zip(across, up, strict=True)) / sum(
        (a - middle) ** 2 for a in across
    )


def grows(results: dict[str, Any], model: str, kind: str, program: str) -> float | None:
    """The exponent of a program's time or memory (``times``, ``temporary``) from ``FROM`` on."""
    rows = (row for row in results["rows"] if row["model"] == model and row["steps"] >= FROM)
    return exponent([(row["steps"], row[kind][program]) for row in rows if program in row[kind]])


def targets(results: dict[str, Any]) -> list[Target]:
    """Holds the results against what they should be; what was not measured is left out."""
    found = []
    for kind, words, most in (("times", "time", TIME), ("temporary", "memory", MEMORY)):
        each = {model: grows(results, model, kind, "ledger") for model in models(results)}
        known = {model: power for model, power in each.items() if power is not None}
        if known:
            worst = max(known, key=lambda model: known[model])
            found.append(
                Target(
                    f"the ledger's {words} grows at most as K^{most:g}, from K = {FROM} on",
                    f"K^{known[worst]:.2f} ({worst})",
                    known[worst] <= most,
                )
            )
    compared = [(far, row, name) for row in results["rows"] for name, far in row["apart"].items()]
    far, row, name = max(compared, key=lambda one: float(one[0]))
    where = f"{far:.1e} ({row['model']}, K = {row['steps']}, {name})"
    found.append(Target(f"the same entries as copies, to {CLOSE:.0e}", where, far <= CLOSE))
    long = [row for row in results["rows"] if row["steps"] >= FROM]
    if long:
        ratios = [(row["temporary"]["ledger"] / row["temporary"]["copies"], row) for row in long]
        ratio, row = max(ratios, key=lambda one: one[0])
        found.append(
            Target(
                f"less memory than one in 20 of what copies want, from K = {FROM} on",
                f"1 in {1 / ratio:.0f} ({row['model']}, K = {row['steps']})",
                ratio <= 1 / 20,
            )
        )
        slow = [
            (row["ratios"][name]["median"], name, row)
            for row in long
            for name in ("passes", "copies")
            if name in row["ratios"]
        ]
        times, name, row = min(slow, key=lambda one: float(one[0]))
        found.append(
            Target(
                f"less time than copies and than a pass for each loss, from K = {FROM} on",
                f"{name}: {times:.2f} times ({row['model']}, K = {row['steps']})",
                times > 1,
            )
        )
    return found


def models(results: dict[str, Any]) -> list[str]:
    """The models, in the order in which they were measured."""
    return list(dict.fromkeys(row["model"] for row in results["rows"]))


def markdown(results: dict[str, Any]) -> str:
    """Everything that was measured, with how."""
    verdicts = (("met" if t.met else "**missed**", t.claim, t.worst) for t in targets(results))
    measured = results["measured"]
    return (
        "\n\n".join(
            (
                "# The ledger, measured",
                "Made by `make bench-ledger`; the numbers are in `ledger.json`.",
                "## Targets",
                table(("", "target", "worst found"), verdicts),
                HOW,
                "## Time",
                HOW_TIME.format(**measured),
                _times(results["rows"], measured["memory"]),
                "## Memory",
                HOW_MEMORY.format(**measured),
                _memory(results["rows"]),
                "## How they grow",
                HOW_GROWTH.format(first=FROM),
                _growth(results),
                "## Agreement, and compiling",
                HOW_APART,
                _apart(results["rows"]),
                WHERE.format(**results["machine"], minutes=measured["minutes"]),
            )
        )
        + "\n"
    )


def octets(count: float) -> str:
    """A number of bytes with two digits or more."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:,.{0 if count >= 10 * unit else 1}f} {name}"
    return f"{count:.0f} bytes"


def _times(rows: Sequence[dict[str, Any]], limit: float) -> str:
    def time(row: dict[str, Any], name: str) -> str:
        if name in row["times"]:
            once = " *" if name in row["once"] else ""
            return microseconds(1e3 * row["times"][name]) + once
        if name in row["temporary"]:
            return f"over {limit:g} GB"
        return ""

    def ratio(row: dict[str, Any], name: str) -> str:
        return span(row["ratios"][name]) if name in row["ratios"] else ""

    heads = (
        "model", "K", "rounds", "ledger", "gradient", "passes", "copies", "ledger / entry",
        "ledger / gradient", "passes / ledger", "copies / ledger",
    )  # fmt: skip
    return table(
        heads,
        (
            (
                row["model"],
                f"{row['steps']:,}",
                str(row["rounds"]),
                *(time(row, name) for name in ("ledger", *OTHERS)),
                microseconds(2e3 * row["times"]["ledger"] / (row["steps"] * (row["steps"] + 1))),
                span(_over(row["ratios"]["gradient"])),
                ratio(row, "passes"),
                ratio(row, "copies"),
            )
            for row in rows
        ),
        1,
    )


def _over(ratio: dict[str, float]) -> dict[str, float]:
    """The ratio the other way about."""
    return {
        "median": 1 / ratio["median"],
        "low": 1 / ratio["high"],
        "high": 1 / ratio["low"],
    }


def _memory(rows: Sequence[dict[str, Any]]) -> str:
    def memory(row: dict[str, Any], name: str) -> str:
        return octets(row["temporary"][name]) if name in row["temporary"] else ""

    return table(
        ("model", "parameters", "K", "ledger", *OTHERS, "the ledger itself"),
        (
            (
                row["model"],
                f"{row['parameters']:,}",
                f"{row['steps']:,}",
                *(memory(row, name) for name in ("ledger", *OTHERS)),
                octets(row["results"]["ledger"]),
            )
            for row in rows
        ),
        1,
    )


def _growth(results: dict[str, Any]) -> str:
    def power(value: float | None) -> str:
        return "" if value is None else f"K^{value:.2f}"

    return table(
        ("model", "of", "ledger", *OTHERS),
        (
            (
                model,
                words,
                *(power(grows(results, model, kind, name)) for name in ("ledger", *OTHERS)),
            )
            for model in models(results)
            for kind, words in (("times", "time"), ("temporary", "memory"))
        ),
        2,
    )


def _apart(rows: Sequence[dict[str, Any]]) -> str:
    def far(row: dict[str, Any], name: str) -> str:
        return f"{row['apart'][name]:.1e}" if name in row["apart"] else ""

    def seconds(row: dict[str, Any], name: str) -> str:
        return f"{row['compile'][name]:.1f} s" if name in row["compile"] else ""

    heads = (
        "model", "K", "apart: passes", "copies",
        *(f"compiling: {name}" if name == "ledger" else name for name in ("ledger", *OTHERS)),
    )  # fmt: skip
    return table(
        heads,
        (
            (
                row["model"],
                f"{row['steps']:,}",
                *(far(row, name) for name in ("passes", "copies")),
                *(seconds(row, name) for name in ("ledger", *OTHERS)),
            )
            for row in rows
        ),
        1,
    )


HOW = """\
K applications of a step are unrolled, each with a loss: a tanh RNN of 32 units that reads vectors of 8
and names one of 10 classes, an LSTM of 32 units, and MuZero's dynamics and heads on a batch of 16
(states of 16, hidden layers of 32); float32, s = 0.5 after the heads. *Ledger* is `gradlab`'s, with
all that it holds. *Gradient* is one `jax.grad` of the whole loss: the floor, which says nothing of the
entries. *Copies* is the definition: a copy of the parameters for each application, and one
`jax.jacrev` of the K losses with respect to the K copies. *Passes* has the same copies, and a backward
pass for each loss, one after another: what is left of the K x K gradients is a row of K."""

HOW_TIME = """\
Compiled programs, called from Python by turns, there and back, in {rounds} rounds at least and for
{seconds:g} s at least. A time is the median over rounds; a ratio is that of one round: the median
over rounds, with the lowest and the highest. *Ledger / entry* is the ledger's time over its
K (K + 1) / 2 entries. A program that would want more than {memory:g} GB is compiled, and not run;
one other than the ledger that takes more than {slow:g} s is called once (*)."""

HOW_MEMORY = """\
Of the compiled programs: what XLA sets aside beside arguments and results. The last column is the
ledger's results, three K x K matrices among them, 12 K^2 bytes."""

HOW_GROWTH = """\
Fitted to the medians from K = {first} on, by least squares in the logarithms. The ledger's memory
contains one group of the parameters' gradients, which does not grow with K. (A program with a time at
one K alone has no exponent.)"""

HOW_APART = """\
How far norms and inner products are from those of the ledger at most, in units of the largest of the
same loss; and the seconds from the function to the compiled program, tracing included, once."""

WHERE = """\
{system}, {processor}, {cores} cores, {date}, commit {commit}; Python {python}, JAX {jax} on the
CPU, NumPy {numpy}. It took {minutes} minutes. Load before the measurement: {load}; after it, and by it:
{load_after}."""
