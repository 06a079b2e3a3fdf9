"""The report's tables and figures, of every arm on record: ``python -m experiments.half_by_depth.report``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.record import write_whole
from sccbook import style
from sccbook.records import half_by_depth as h
from sccbook.records import load

FOLDER = Path(__file__).parent
NAMES = {"sgd": "SGD with momentum and L2", "adam": "Adam"}
WORDS = {"late": "last fifth", "area": "whole training", "final": "final networks"}
COLORS = {"off": "C1", "P": "C0"}
TEXT = """# Every arm of `half_by_depth`

`python -m experiments.half_by_depth.report` writes this page and the figures of `report.md` from the record: all {cells} arms, whatever came
out. Numbers are balls caught of 100: means over the seeds, with standard errors. *Broken* counts seeds that end with parameters that
aren't finite. `protocol.md` says what the arms are; only those of the stage `confirmatory` were registered.
"""
HEAD = (
    "| stage | optimizer | arm | K | rate | seeds | last fifth | whole training | final networks | broken |",
    "|---" * 10 + "|",
)


def rows() -> Iterator[str]:
    """Yield a row of the table for each cell of the record."""
    cells = load("half_by_depth").cells()
    for cell in sorted(cells, key=lambda c: (c.stage, c.optimizer, c.steps, c.arm, c.rate)):
        seeds = f"{cell.first} to {cell.first + len(cell.late) - 1}"
        means = [h.mean_of(h.points(getattr(cell, measure))) for measure in WORDS]
        errors = [f"{m.mean:.1f} ± {m.deviation / np.sqrt(len(cell.late)):.1f}" for m in means]
        fields = cell.stage, cell.optimizer, cell.arm, cell.steps, f"{cell.rate:g}", seeds
        yield f"| {' | '.join(map(str, (*fields, *errors, cell.broken)))} |"


def differences(figure: Figure) -> None:
    """Draw P - off against K, with 95 % intervals, by each measure."""
    axes = figure.subplots(1, 2, sharey=True)
    for axis, (optimizer, name) in zip(axes, NAMES.items(), strict=True):
        axis.axhline(0, color=style.palette()["rule"])
        for n, (measure, words) in enumerate(WORDS.items()):
            found = [h.mean_of(seeds) for seeds in h.apart(optimizer, measure)]
            mean, low, high = np.transpose([(m.mean, m.low, m.high) for m in found])
            at = np.log2(h.LENGTHS) + 0.1 * (n - 1)
            axis.errorbar(
                at, mean, [mean - low, high - mean], fmt="osD"[n], color=f"C{n}", label=words
            )
        axis.set(title=name, xlabel="K", xticks=np.log2(h.LENGTHS), xticklabels=h.LENGTHS)
    axes[0].set_ylabel("P - off, balls of 100")
    axes[0].legend()


def curves(figure: Figure) -> None:
    """Draw what each arm catches in the course of the training, at its best rate, with standard errors."""
    axes = figure.subplots(2, len(h.LENGTHS), sharex=True, sharey=True)
    for line, (optimizer, name) in zip(axes, NAMES.items(), strict=True):
        for axis, steps in zip(line, h.LENGTHS, strict=True):
            for arm, color in COLORS.items():
                cell = best(optimizer, arm, steps)
                mean, error = h.points(cell.curve), 50 * np.asarray(cell.error)
                part = (np.arange(len(mean)) + 0.5) / len(mean)
                axis.plot(part, mean, color=color, label=arm)
                axis.fill_between(part, mean - error, mean + error, color=color, alpha=0.2, lw=0)
            axis.set_title(f"{name.split()[0]}, K = {steps}")
    axes[0, 0].legend()
    axes[0, 0].set_ylabel("balls caught of 100")
    axes[1, 0].set(ylabel="balls caught of 100", xlabel="part of the training")


def best(optimizer: str, arm: str, steps: int) -> Any:
    """Return an arm's cell at its best rate."""
    return h.by_rising_rate("confirmatory", optimizer, arm, steps)[h.FACTORS.index(1.0)]


def totals(figure: Figure) -> None:
    """Draw T(k) of agents trained at K = 20 at the end of their training, with quartiles, beside the bound."""
    axes = figure.subplots(1, 4, sharey=True)
    for axis, (optimizer, arm) in zip(axes, [(o, a) for o in NAMES for a in COLORS], strict=True):
        cell = load("half_by_depth_totals").cell(
            stage="confirmatory", optimizer=optimizer, arm=arm, steps=h.LENGTHS[-1], part=1.0
        )
        for name, color, words in (("whole", "C1", "s = 1"), ("half", "C0", "s = 1/2")):
            axis.plot(cell.lengths, getattr(cell, name), color=color, label=words)
            ends = getattr(cell, f"{name}_low"), getattr(cell, f"{name}_high")
            axis.fill_between(cell.lengths, *ends, color=color, alpha=0.2, lw=0)
        axis.plot(cell.lengths, cell.bound, "k--", label="bound")
        axis.set(title=f"{optimizer}, trained {arm}", xlabel="k")
    axes[0].set(ylabel="T(k) / T(1)", ylim=(0, axes[0].get_ylim()[1]))
    axes[0].legend()


def main() -> None:
    """Write the page and the figures: the same record gives the same bytes."""
    lines = list(rows())
    write_whole(FOLDER / "arms.md", "\n".join((TEXT.format(cells=len(lines)), *HEAD, *lines, "")))
    with mpl.rc_context():
        style.use()
        mpl.rcParams.update({"svg.hashsalt": "report", "svg.fonttype": "none", "font.size": 9})
        for draw, size in ((differences, (8, 3.2)), (curves, (9, 4.5)), (totals, (9, 3))):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            figure.savefig(FOLDER / f"{draw.__name__}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
