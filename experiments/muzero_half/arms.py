"""Every arm on record, whatever came out, in a table and a figure: ``arms.md`` and ``arms.svg``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.muzero_half.units import ARMS
from experiments.record import write_whole
from sccbook import style
from sccbook.records import load
from sccbook.records.muzero_half import GAMES, TASKS, interval

FOLDER = Path(__file__).parent
MEASURES = {"area": "area", "late": "last fifth", "final": "final"}
STAGES = ("confirmatory", "exploratory", "tuning")
TEXT = """# Every arm of `muzero_half`

`python -m experiments.muzero_half.compare` writes this page and its figure from the record `muzero_half`: all {arms} arms,
whatever came out. Numbers are balls caught of 100, means over the seeds: over the whole training (*area*), over its last fifth,
and by the last networks in one game from each start (*final*). `protocol.md` says what the arms are.

*- off* is the mean paired difference from `off` at the same setting (K, optimizer, normalisation), over the seeds that both
have, with its 95 % interval (bootstrap). Tuning runs are compared at the same rate. The others run at the rate tuned for them or,
exploratory ones under Adam, at that of the arm they vary: nothing was tuned at another K than 5. At K = 1 no scale acts on anything, so
there is no pair.

**What was registered.** `protocol.md`, committed before the runs (a commit is no public registry), names six comparisons of
confirmatory arms: P - off, R - off and P - R in both games, by area (primary) and by final (secondary), with intervals corrected for
six. The same command prints these.

**What wasn't.** The last fifth, a measure added after the runs. Any difference in an exploratory row: the protocol plans these arms, and no
comparison. Tuning runs: they choose the rates. The intervals below aren't corrected: of {differences} differences, about {chance}
would exclude 0 by chance alone if no arm differed from `off`.

![Balls caught of 100 by every confirmatory and exploratory arm, in both games and three measures](arms.svg)

Means over the seeds with 95 % intervals, `off` hollow. Confirmatory arms have 64 seeds, exploratory ones the first 16 of these.
"""

HEAD = (
    "| stage | arm | rate | seeds | area | last fifth | final | area - off | last fifth - off | final - off |",
    "|---" * 10 + "|",
)


def write(folder: Path) -> None:
    """Write the page and its figure: the same record gives the same bytes."""
    cells = arms()
    pairs = [off_beside(cell, cells) for cell in cells]
    rows = [row(cell, off) for cell, off in zip(cells, pairs, strict=True)]
    different = len(MEASURES) * sum(off is not None for off in pairs)
    text = TEXT.format(arms=len(cells), differences=different, chance=round(different / 20))
    for game, task in zip(GAMES, TASKS, strict=True):
        own = [line for cell, line in zip(cells, rows, strict=True) if cell.task == task]
        text += "\n".join((f"\n## {game} (`{task}`)\n", *HEAD, *own, ""))
    write_whole(folder / "arms.md", text)
    draw(folder / "arms.svg", [cell for cell in cells if cell.stage != "tuning"])


def arms() -> list[Any]:
    """Return the record's cells by game, by stage, and in the protocol's order of arms."""
    order = {"task": TASKS, "stage": STAGES, "arm": tuple(ARMS)}
    cells = load("muzero_half").cells()
    cells.sort(key=lambda cell: (*(order[f].index(getattr(cell, f)) for f in order), cell.rate))
    return cells


def off_beside(cell: Any, cells: Sequence[Any]) -> Any | None:
    """Return ``off`` at the same setting as an arm, or None where there is none."""
    arm, _, setting = cell.arm.partition(", ")
    if arm in ("off", "K = 1"):
        return None
    stage = "confirmatory" if cell.stage == "exploratory" and not setting else cell.stage
    wanted = stage, cell.task, f"off, {setting}" if setting else "off", cell.first
    found = (c for c in cells if (c.stage, c.task, c.arm, c.first) == wanted)
    return next((c for c in found if stage != "tuning" or c.rate == cell.rate), None)


def caught(cell: Any, measure: str) -> np.ndarray:
    """Return balls caught of 100, by seed: a return is +1 for a ball caught, and -1 for one missed."""
    return 50 * (1 + np.asarray(getattr(cell, measure)))


def summary(values: np.ndarray) -> tuple[float, ...]:
    """Return a mean and its interval's ends, rounded alike on every processor."""
    return tuple(round(round(x, 6), 1) for x in (float(values.mean()), *interval(values)))


def row(cell: Any, off: Any | None) -> str:
    """Write one arm's row of the table."""
    seeds = f"{cell.first} to {cell.first + len(cell.area) - 1}"
    means = [f"{summary(caught(cell, measure))[0]:.1f}" for measure in MEASURES]
    fields = cell.stage, cell.arm, f"{cell.rate:g}", seeds, *means, *apart(cell, off)
    return f"| {' | '.join(fields)} |"


def apart(cell: Any, off: Any | None) -> list[str]:
    """Write an arm's paired differences from ``off``."""
    if off is None:
        return ["-" for _ in MEASURES]
    pairs = min(len(cell.area), len(off.area))
    found = (summary(caught(cell, m)[:pairs] - caught(off, m)[:pairs]) for m in MEASURES)
    return [f"{mean:+z.1f} ({low:+z.1f} to {high:+z.1f})" for mean, low, high in found]


def draw(path: Path, cells: Sequence[Any]) -> None:
    """Draw each arm's mean with its interval: a row a game, a column a measure."""
    with mpl.rc_context():
        style.use()
        mpl.rcParams.update({"svg.hashsalt": "arms", "svg.fonttype": "none", "font.size": 9})
        by_task = [[cell for cell in cells if cell.task == task] for task in TASKS]
        sizes = [*map(len, by_task)]
        figure = Figure(figsize=(9.5, 7.5))
        axes = figure.subplots(2, 3, sharex=True, sharey="row", height_ratios=sizes)
        figure.subplots_adjust(left=0.17, right=0.98, top=0.95, bottom=0.07, hspace=0.15)
        for own, line, game in zip(by_task, axes, GAMES, strict=True):
            at = range(len(own))
            line[0].set_yticks(at, [cell.arm for cell in own])
            line[0].set_ylim(len(own) - 0.5, -0.5)
            fill = ["white" if cell.arm.startswith("off") else "C0" for cell in own]
            for panel, (measure, words) in zip(line, MEASURES.items(), strict=True):
                mean, low, high = np.transpose([summary(caught(c, measure)) for c in own])
                panel.hlines(at, low, high, "C0", zorder=2)
                panel.scatter(mean, at, 22, fill, edgecolors="C0", zorder=3)
                panel.set(title=f"{game}: {words}", xlim=(35, 102))
                panel.tick_params(left=False)
                panel.grid(axis="x", color=style.palette()["rule"])
        for panel in axes[-1]:
            panel.set_xlabel("balls caught of 100")
        figure.savefig(path, metadata={"Date": None})
