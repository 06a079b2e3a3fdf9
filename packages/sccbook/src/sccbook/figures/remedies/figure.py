"""Recorded runs of every remedy, over the learning rate or over the lengths of their steps."""

import functools
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views.base import Span, View
from sccbook.figures._views import DIST
from sccbook.figures.train_it_here.figure import REMEDIES as WORDS
from sccbook.models import remedies
from sccbook.records import load

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
AT = RATES.index(0.1)
LEARNT, FALLEN = 90, (51, 86)
"""Percent named right, above which a run has learnt the task; and below which a line may count as fallen."""
STOPS = (("rate", "learning rate"), ("median", "median step"), ("longest", "longest step"))
SPAN = (3e-3, 10.0)
ROLES = ("ink", "own", "state", "cotangent", "parameter", "loss", "second")


@functools.cache
def data() -> dict[str, np.ndarray]:
    """Return what is drawn of the runs of plain SGD.

    Returns:
      ``runs`` ``[7, 5, 16]``, percent named right, by remedy, rate and seed, and their medians
      ``middle`` ``[7, 5]``; ``runs_at`` ``[3, 7, 5, 16]`` and ``middle_at`` ``[3, 7, 5]``, where
      they are over each of ``STOPS``, as hundredths of a decade; at the rate 0.1 the medians of the steps'
      lengths, ``steps`` ``[2, 7]``, and how many seeds learn, ``learnt`` ``[7]``.
    """
    record = load("remedies")
    every = [
        [
            record.cell(arm="grid", remedy=remedy, limit=limit, optimizer="sgd", rate=rate)
            for rate in RATES
        ]
        for remedy, limit in zip(remedies.REMEDIES, remedies.LIMITS, strict=True)
    ]
    right, median, longest = (
        np.array([[getattr(cell, name) for cell in row] for row in every])
        for name in ("right", "median_step", "longest_step")
    )
    at = np.stack(np.broadcast_arrays(np.array(RATES)[:, None], median, longest))

    def places(at: np.ndarray) -> np.ndarray:
        decades: np.ndarray = np.log10(np.clip(at, *SPAN))
        return np.round(100 * decades).astype(np.int32)

    return {
        "runs": np.round(100 * right).astype(np.int32),
        "runs_at": places(at),
        "middle": np.round(100 * np.median(right, axis=-1)).astype(np.int32),
        "middle_at": places(np.median(at, axis=-1)),
        "steps": np.vectorize(_short)(np.median(at, axis=-1)[1:, :, AT]),
        "learnt": np.sum(100 * right[:, AT] > LEARNT, axis=-1).astype(np.int32),
    }


def _short(number: float) -> float:
    return float(f"{number:.2g}")


def falling() -> list[int]:
    """Return which lines learn the task and fall, wherever in ``FALLEN`` that level is."""
    lines = enumerate(data()["middle"])
    return [n for n, line in lines if line.max() > LEARNT and line[-1] < FALLEN[0]]


def falls(level: Array) -> Array:
    """Return where these lines cross a level, ``[STOPS, lines]``, in decades."""
    of = falling()
    lines, at = data()["middle"][of].astype(float), data()["middle_at"][:, of] / 100
    after = np.arange(len(RATES) - 1) >= lines.argmax(axis=1)[:, None]
    above, below = lines[:, :-1], lines[:, 1:]
    crosses = after & (above >= level) & (level > below)
    share = (above - level) / np.where(above == below, 1.0, above - below)
    return jnp.sum(jnp.where(crosses, at[..., :-1] + share * np.diff(at), 0.0), axis=-1)


def compared(way: Array, level: Array) -> dict[str, Array]:
    """Every run, and the medians of every remedy, over one of ``STOPS``.

    Args:
      way: int ``[]``; its place in ``STOPS``.
      level: int ``[]``, in ``FALLEN``; the percentage below which a line has fallen.

    Returns:
      ``runs``, ``runs_at`` ``[560]`` and ``middle``, ``middle_at`` ``[35]``: percent named right, and
      where that is drawn, in decades; ``falls`` ``[3, 5]``, where the lines fall at each stop, in
      decades, and ``spreads`` ``[3]``, the last over the first; ``closest``, 0 if that is smaller over
      the median step than over the longest, and 1 otherwise; of each remedy ``learnt_...``, how many seeds of 16 learn at the rate 0.1, and
      ``learnt``, ``median``, ``longest`` ``[7]``, of the runs there.
    """
    found = {name: jnp.asarray(array) for name, array in data().items()}
    hundred, places = jnp.asarray(100.0), falls(level)
    spreads = 10.0 ** (jnp.max(places, axis=1) - jnp.min(places, axis=1))
    return {
        "runs": found["runs"].ravel(),
        "runs_at": found["runs_at"][way].ravel() / hundred,
        "middle": found["middle"].ravel(),
        "middle_at": found["middle_at"][way].ravel() / hundred,
        "falls": places,
        "spreads": spreads,
        "closest": jnp.argmin(spreads[1:]),
        "learnt": found["learnt"],
        **{f"learnt_{name}": found["learnt"][n] for n, name in enumerate(remedies.REMEDIES)},
        "median": found["steps"][0],
        "longest": found["steps"][1],
        "case": way,
    }


@dataclass(frozen=True)
class Collapse(View):
    """Medians of runs as lines, over an axis whose meaning can be chosen; below, where these lines fall.

    Attributes:
      x: the ends of the axis; what is beyond is drawn at its end.
      stops: what the axis can mean.
      falling: which lines fall.
      remedies: of each line the part, its name and its role.
    """

    x: Span
    falling: tuple[int, ...]
    stops: tuple[str, ...]
    remedies: tuple[tuple[str, str, str], ...]
    kind = "collapse"
    script = DIST / "collapse.js"
    style = DIST / "collapse.css"
    reads = ("runs", "runs_at", "middle", "middle_at", "falls", "spreads", "case", "level")


_PALE = "The pale two don’t count: the half’s median never exceeds 90 %, and normalising’s never falls this low."


class Remedies(Figure):
    """Recorded runs of every remedy, over the learning rate and over the lengths of their steps.

    Args:
      way: what the x-axis is: "rate", the learning rate, the default, or the "median" or "longest" step.
      level: the percentage below which a line has fallen, in [51, 86], default 60.
    """

    spec = FigureSpec(
        function=compared,
        controls=(
            Choice("way", "x-axis", options=STOPS),
            Integer("level", "fails below (%)", "", *FALLEN, 60),
        ),
        view=Collapse(
            x=SPAN,
            falling=tuple(falling()),
            stops=tuple(words for _, words in STOPS),
            remedies=tuple(
                (f"learnt_{name}", WORDS[name], role)
                for name, role in zip(remedies.REMEDIES, ROLES, strict=True)
            ),
        ),
        title="What tells you where runs fail?",
        look="Choose what the x-axis is. Drag the level below which a line has fallen.",
        sentences=(
            "Drawn over the learning rate, five lines fail at rates up to {spreads.0:.0f} times apart. "
            + _PALE,
            "Drawn over the median step of each run, the same five fail at lengths up to {spreads.1:.0f} times apart.",
            "Drawn over the longest step of each run, the same five fail at lengths up to {spreads.2:.0f} times apart. "
            "Of the three, the longest step tells best where these runs fail.",
        ),
        labels={
            "x": "learning rate (log scale)\nlength of the median step (log scale)\nlength of the longest step (log scale)",
            "y": "symbols identified (%), median of 16 runs",
            "dots": "dots: its runs",
            "bars": "bars: from first to last failure",
            "pale": "pale: not counted",
        },
        table=Table(
            columns=(
                ("of 16 runs learn", "learnt"),
                ("median step", "median"),
                ("longest step", "longest"),
            ),
            rows=tuple(WORDS[name] for name in remedies.REMEDIES),
            count=len(remedies.REMEDIES),
            caption="At the learning rate 0.1",
            general=True,
        ),
        stills=({}, {"way": "longest"}),
        parts={
            f"learnt_{name}": Part(
                f"learnt_{name}",
                f"“{WORDS[name]}”: at the rate 0.1, {{value}} of 16 runs learn.",
            )
            for name in remedies.REMEDIES
        },
        prediction=Prediction(
            "Over the learning rate the five lines fail up to 14 times apart. Do they fail closer together over "
            "the median step or over the longest step?",
            answer="closest",
            how="choice",
            options=("the median step", "the longest step"),
            settings={"way": "longest", "level": 60},
            conceals=("falls", "spreads"),
            reveal="Over the longest step: there all five fail within a factor of {spreads.2:.0f}. Over the median step that "
            "factor is {spreads.1:.0f}.",
        ),
        note=(
            "Recorded, not computed here: SGD, 400 steps, seeds 0 to 15, float64; a run has learnt the task if it "
            "names more than 90 % right over its last 50 minibatches. A step longer than 10 is drawn at the edge. Limits: half; "
            "0.1 at each state; 1 for the gradient; 1.4 for both caps; 0.3 for the one length. The protocol is in "
            "experiments/remedies."
        ),
    )
