"""The results of ``operators.py`` as Markdown, and the targets that they are held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.report import Target, microseconds, span, table

LARGE = 10**6
"""From so many parameters on a clip's time is that of the memory."""
RATIOS = {"large": 1.1, "small": 1.5}
"""A clip may take so many times what Optax takes."""
TEMPORARY = 0.01
"""A clip may want this share of the gradients' memory beside them, or a page."""
PAGE = 4096


def targets(results: dict[str, Any]) -> list[Target]:
    """Holds the results against what they should be; sizes not measured are left out."""
    found = []
    for size, words in (("large", f"from {power(LARGE)} on"), ("small", f"below {power(LARGE)}")):
        rows = [row for row in results["clip"] if (row["size"] >= LARGE) == (size == "large")]
        if rows:
            slow = max(rows, key=lambda row: float(row["ratios"][AGAINST]["median"]))
            ratio = slow["ratios"][AGAINST]["median"]
            where = f"{ratio:.2f} times ({power(slow['size'])}, {slow['run']}, {slow['regime']})"
            claim = f"clip_by_global_norm: at most {RATIOS[size]:g} times Optax, {words}"
            found.append(Target(claim, where, ratio <= RATIOS[size]))
    wanted = [row for row in results["memory"] if row["program"] == "gradlab"]
    peers = {
        (row["size"], row["donated"]): row["temporary"]
        for row in results["memory"]
        if row["program"] == "optax"
    }

    def beyond(row: dict[str, Any]) -> int:  # what XLA sets aside for Optax it would for any
        return int(row["temporary"] - peers.get((row["size"], row["donated"]), 0))

    worst = max(wanted, key=lambda row: beyond(row) / row["size"])
    allowed = max(TEMPORARY * 4 * worst["size"], PAGE)
    found.append(
        Target(
            "clip_by_global_norm: temporary memory beyond Optax's under "
            f"{TEMPORARY:.0%} of the gradients' (or a page), no array copied",
            f"{octets(beyond(worst))} beside {octets(4 * worst['size'])}, "
            f"{max(row['copies'] for row in wanted)} copies",
            beyond(worst) <= allowed and not any(row["copies"] for row in wanted),
        )
    )
    scaled = [row for row in results["scaling"] if row["operator"] == "gradlab"]
    changed = [row["function"] for row in scaled if not row["forward"]]
    found.append(
        Target(
            "scale_gradient: the function's program is the one without it",
            "changed: " + ", ".join(changed) if changed else "the same text, but for names",
            not changed,
        )
    )
    most = max(scaled, key=lambda row: int(row["multiplications"] - row["met"]))
    found.append(
        Target(
            "scale_gradient: the gradient's program has one multiplication more for each array, "
            "and goes to memory no more often",
            f"{most['multiplications']} for {most['met']} arrays, "
            f"{max(row['kernels'] for row in scaled)} kernels more",
            all(r["multiplications"] <= r["met"] and r["kernels"] <= 0 for r in scaled),
        )
    )
    return found


def markdown(results: dict[str, Any]) -> str:
    """Everything that was measured, with how."""
    rows = (("met" if t.met else "**missed**", t.claim, t.worst) for t in targets(results))
    return (
        "\n\n".join(
            (
                "# The operators, measured",
                "Made by `make bench-operators`; the numbers are in `operators.json`.",
                "## Targets",
                table(("", "target", "worst found"), rows),
                "## Clipping by the global norm",
                HOW_CLIP.format(**results["measured"]),
                _clip(results["clip"]),
                HOW_PRICE,
                _price(results["price"]),
                HOW_LIMITS,
                _kept(results["kept"]),
                "## What its programs want",
                HOW_MEMORY,
                _memory(results["memory"]),
                "## Scaling the gradient",
                HOW_SCALING,
                _scaling(results["scaling"]),
                HOW_BACKWARD,
                _timed(results["backward"], BACKWARD),
                "## Clipping at a tensor",
                HOW_TENSOR,
                _timed(results["tensor"], TENSOR),
                WHERE.format(**results["machine"]),
            )
        )
        + "\n"
    )


def power(size: int) -> str:
    """A number of parameters: ``1e6``, or as it is where it is no power of ten."""
    digits = len(str(size)) - 1
    return f"1e{digits}" if size == 10**digits else f"{size:,}"


def octets(count: float) -> str:
    """A number of bytes with two digits or more."""
    for unit, name in ((1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return (
                f"{count / unit:,.0f} {name}"
                if count >= 10 * unit
                else f"{count / unit:.1f} {name}"
            )
    return f"{count:.0f} bytes"


AGAINST, OVER = "gradlab / optax", "gradlab / floor"
BACKWARD = ("gradlab / without", "optax / without", "gradlab / optax")
TENSOR = ("clip_gradient / without", "clip_gradient_norm / without")


def _clip(rows: Sequence[dict[str, Any]]) -> str:
    heads = (
        "parameters", "run", "norm", "gradlab", "Optax", "floor", "gradlab / Optax",
        "gradlab / floor", "floor, GB/s",
    )  # fmt: skip
    return table(
        heads,
        (
            (
                power(row["size"]),
                row["run"],
                row["regime"],
                *(microseconds(row["times"][name]) for name in ("gradlab", "optax", "floor")),
                *(span(row["ratios"][pair]) for pair in (AGAINST, OVER)),
                # read, read and written: three times four bytes
                f"{12e-3 * row['size'] / row['times']['floor']:.1f}",
            )
            for row in rows
        ),
        3,
    )


def _price(rows: Sequence[dict[str, Any]]) -> str:
    heads = ("parameters", "ordinary", "too large", "too small", "large / ordinary", "small / ordinary")  # fmt: skip
    return table(
        heads,
        (
            (
                power(row["size"]),
                *(microseconds(row["times"][name]) for name in ("ordinary", "large", "small")),
                *(span(row["ratios"][f"{name} / ordinary"]) for name in ("large", "small")),
            )
            for row in rows
        ),
        0,
    )


def _kept(rows: Sequence[dict[str, Any]]) -> str:
    heads = ("entries of about", "norm / limit before", "gradlab, after", "Optax, after")
    return table(
        heads,
        (
            (f"{row['entries']:.0e}", *(f"{row[n]:.4f}" for n in ("before", "gradlab", "optax")))
            for row in rows
        ),
        1,
    )


def _memory(rows: Sequence[dict[str, Any]]) -> str:
    return table(
        ("parameters", "program", "gradients", "temporary", "largest leaf", "copies", "kernels"),
        (
            (
                power(row["size"]),
                row["program"],
                "given up" if row["donated"] else "kept",
                octets(row["temporary"]),
                octets(row["largest"]),
                str(row["copies"]),
                str(row["kernels"]),
            )
            for row in rows
        ),
        3,
    )


def _scaling(rows: Sequence[dict[str, Any]]) -> str:
    heads = ("function", "operator", "arrays", "function's program", "gradient's: multiplications", "kernels")  # fmt: skip
    return table(
        heads,
        (
            (
                row["function"],
                row["operator"],
                str(row["met"]),
                "the same" if row["forward"] else "another",
                f"{row['multiplications']:+d}",
                f"{row['kernels']:+d}",
            )
            for row in rows
        ),
        2,
    )


def _timed(rows: Sequence[dict[str, Any]], pairs: Sequence[str]) -> str:
    return table(
        ("parameters", "without", *pairs),
        (
            (
                power(row["size"]),
                microseconds(row["times"]["without"]),
                *(span(row["ratios"][pair]) for pair in pairs),
            )
            for row in rows
        ),
        0,
    )


HOW_CLIP = """\
A pytree of float32 leaves (four matrices, three of them of one shape, and five vectors), in two ways.
*Called*: one step through `jax.jit` from Python, whose result is new memory. *In a program*: many
steps in one compiled loop, in place (the gradients are donated), so that neither Python nor the
dispatch counts; the time is that of one step. The norm is above the limit (*clipped*: the limit falls
a little from step to step, so that there is always something to clip) or below (*kept*). The floor is
a program that reads all leaves for one sum and then reads them again and writes them, multiplied. A
clip does no less, but for one that keeps all, in place, which has nothing to write. The GB/s are of
these three passes. In each of {rounds} rounds the programs are called one after another, there and back,
for {seconds:g} s each, and twice at least. A time is the median over rounds of the round's median; a
ratio is that of the two medians of one round: the median over rounds, with the lowest and the
highest."""

HOW_PRICE = """\
Where squares overflow or underflow, gradlab reads the memory again to scale it. What that costs, in
a program, with the entries multiplied by 1e25 and by 1e-25:"""

HOW_LIMITS = """\
And what it is for: the norm of what comes back, in units of the limit, measured in float64."""

HOW_MEMORY = """\
Of the optimised programs: the memory that XLA sets aside beside the gradients and the result, whether
the caller keeps the gradients or gives them up (`donate_argnums`); how many arrays are copied; how many
instructions of the program's entry do work (a conditional is one of them)."""

HOW_SCALING = """\
The optimised programs with the operator and without it. Without their names, is the function's the
same text? How many multiplications of arrays, and how many kernels, does the gradient's have more? The
sum of cubes has its operator at each of its leaves, the dynamics (a state that five steps of one
network take forward) at each of its states."""

HOW_BACKWARD = """\
And the time of a step down the gradient of the sum of cubes, in a program, by turns as above:"""

HOW_TENSOR = """\
The same step, with clips of the cotangent at each leaf. (Optax has none of these.) For its norm a
cotangent has to be written down, read, and read again, where the step without it, which is one
kernel for each leaf, keeps it in registers."""

WHERE = """\
{system}, {processor}, {cores} cores, {date}, commit {commit}; Python {python}, JAX {jax} on the
CPU, Optax {optax}, NumPy {numpy}. Load before the measurement: {load}."""
