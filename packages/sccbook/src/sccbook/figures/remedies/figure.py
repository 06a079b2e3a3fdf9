"""Recorded runs of every remedy, as their x-axis goes from the learning rate to the lengths of their steps."""

import functools
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views.base import Span, View
from sccbook.figures._views import DIST
from sccbook.figures.train_it_here.figure import REMEDIES as WORDS
from sccbook.models import remedies
from sccbook.records import load

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
AT = RATES.index(0.1)
LEARNT, FALLEN = 90, 60
"""Percent named right, above which a run has learnt the task; and below which a line has fallen."""
STOPS = ("learning rate", "median step", "longest step")
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


def falls() -> np.ndarray:
    """Return where lines that learn the task and forget it fall, ``[STOPS, lines]``, in hundredths of a decade."""
    middle, at = data()["middle"], data()["middle_at"]
    fall = [n for n, line in enumerate(middle) if line.max() > LEARNT and line[-1] < FALLEN]
    tops = middle.argmax(axis=1)
    return np.array(
        [
            [np.interp(-FALLEN, -middle[n, tops[n] :], each[n, tops[n] :]) for n in fall]
            for each in at
        ]
    )


def compared(way: Array) -> dict[str, Array]:
    """Every run, and the medians of every remedy, over one of ``STOPS`` or on the way between two.

    Args:
      way: float ``[]``; 0, 1 and 2 are the three stops.

    Returns:
      ``runs``, ``runs_at`` ``[560]`` and ``middle``, ``middle_at`` ``[35]``: percent named right, and
      where that is drawn; ``first`` and ``last``: between which places the lines fall, and ``apart``,
      their ratio; ``by_rate``, ``by_median`` and ``by_longest``: that ratio at each stop; ``agrees``:
      which of the two lengths has the smaller one; of each remedy ``learnt_...``, how many seeds of 16
      learn at the rate 0.1, and ``learnt``, ``median``, ``longest`` ``[7]``, of the runs there.
    """
    found = {name: jnp.asarray(array) for name, array in data().items()}
    shares = jnp.maximum(0.0, 1.0 - jnp.abs(way - jnp.arange(len(STOPS))))

    def on_the_way(at: Array) -> Array:
        return 10.0 ** (shares @ at.reshape(len(STOPS), -1) / 100)

    fallen = on_the_way(jnp.asarray(falls()))
    apart = 10.0 ** (np.ptp(falls(), axis=1) / 100)
    return {
        "runs": found["runs"].ravel(),
        "runs_at": on_the_way(found["runs_at"]),
        "middle": found["middle"].ravel(),
        "middle_at": on_the_way(found["middle_at"]),
        "first": jnp.min(fallen),
        "last": jnp.max(fallen),
        "apart": jnp.max(fallen) / jnp.min(fallen),
        "by_rate": jnp.asarray(apart[0]),
        "by_median": jnp.asarray(apart[1]),
        "by_longest": jnp.asarray(apart[2]),
        "agrees": jnp.asarray(int(np.argmin(apart[1:]))),
        "learnt": found["learnt"],
        **{f"learnt_{name}": found["learnt"][n] for n, name in enumerate(remedies.REMEDIES)},
        "median": found["steps"][0],
        "longest": found["steps"][1],
        "case": jnp.where(way == jnp.round(way), jnp.round(way), len(STOPS)).astype(int),
    }


@dataclass(frozen=True)
class Collapse(View):
    """Runs as dots and their medians as lines, over an axis whose meaning can be dragged.

    Attributes:
      x: the ends of the axis; what is beyond is drawn at its end.
      fallen: the height across which lines fall.
      stops: what the axis can mean.
      remedies: of each line the part, its name and its role.
    """

    x: Span
    fallen: float
    stops: tuple[str, ...]
    remedies: tuple[tuple[str, str, str], ...]
    kind = "collapse"
    script = DIST / "collapse.js"
    style = DIST / "collapse.css"
    reads = ("runs", "runs_at", "middle", "middle_at", "first", "last", "apart", "way")


class Remedies(Figure):
    """Recorded runs of every remedy, over the learning rate and over the lengths of their steps.

    Args:
      way: what the x-axis is: 0 the learning rate, the default, 1 the median step, 2 the longest one.
    """

    spec = FigureSpec(
        function=compared,
        controls=(Range("way", "rate → median step → longest step", "x", 0.0, 2.0, 0.0),),
        view=Collapse(
            x=SPAN,
            fallen=FALLEN,
            stops=STOPS,
            remedies=tuple(
                (f"learnt_{name}", WORDS[name], role)
                for name, role in zip(remedies.REMEDIES, ROLES, strict=True)
            ),
        ),
        title="Which runs learn?",
        look="Each dot is a run, each line goes through the medians of a remedy’s 16 runs at five learning rates.",
        sentences=(
            "At the same learning rate some remedies fail and others learn: the lines fall up to a factor of "
            "{by_rate:.0f} apart.",
            "Over the median step of each run, the lines still fall up to a factor of {by_median:.0f} apart.",
            "Over the longest step of each run, all lines fall within a factor of {by_longest:.0f}.",
            "On the way from one axis to the next.",
        ),
        labels={"y": "% named right", "apart": "they fall ×{apart:.0f} apart"},
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
        presets=(
            Preset("over the median step", {"way": 1.0}),
            Preset("over the longest step", {"way": 2.0}),
        ),
        stills=({}, {"way": 1.0}, {"way": 2.0}),
        parts={
            f"learnt_{name}": Part(
                f"learnt_{name}",
                f"“{WORDS[name]}”: at the rate 0.1, {{value}} of 16 runs learn.",
            )
            for name in remedies.REMEDIES
        },
        prediction=Prediction(
            "Plot the same runs over the length of their steps instead. Over which length do the lines fall "
            "closest together?",
            answer="agrees",
            how="choice",
            options=("the median step", "the longest step", "both alike"),
            settings={"way": 2.0},
            reveal="Over the longest step: there they fall within a factor of {by_longest:.0f}, over the median "
            "step within {by_median:.0f}.",
        ),
        note=(
            "Recorded, not computed here: SGD, 400 steps, seeds 0 to 15, float64; a run has learnt the task if it "
            "names more than 90 % right over its last 50 minibatches. A line falls where it crosses 60 %; the two that "
            "never learn the task, or never fall, don’t count. A step longer than 10 is drawn at the edge. Limits: half; "
            "0.1 at each state; 1 for the gradient; 1.4 for both caps; 0.3 for the one length. The protocol is in "
            "experiments/remedies."
        ),
    )
