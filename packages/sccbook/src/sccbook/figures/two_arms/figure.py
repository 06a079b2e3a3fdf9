"""Any two of the arms that were run: their curves, and by how much they differ, in both games."""

import functools
from itertools import combinations

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Preset, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Multiples, Panels, Profile, Series, Threshold
from sccbook.records import load, muzero_half
from sccbook.records.muzero_half import GAMES, RANDOM, TASKS

ARMS = (
    *("off", "P 1/2", "R 1/2", "Q 1/2", "P 0", "P 1/4", "P 3/4"),
    *("off, not normalised", "P 1/2, not normalised"),
    *("K = 1", "off, K = 2", "P 1/2, K = 2", "off, K = 10", "P 1/2, K = 10"),
)
"""As they are recorded; the first three are the protocol's question."""
FIRST = ("P 1/2", "off", *ARMS[2:])
"""The same, as the first of two is chosen."""
CONFIRMED = 3
POINTS = 25
PLACES = 100 * (np.arange(POINTS) + 0.5) / POINTS
APART = 3
"""At each third point of a curve stands its error, the other curve's at the next."""

CHOSEN = [f"{a}{end}" for a in ("one", "other") for end in ("", "_at", "_mid", "_low", "_high")]
EVERY = [f"arm_{n}" for n in range(len(ARMS))]
TRIED = [
    f"{a}_{n}" for a in ("rates", "tried", "tried_low", "tried_high") for n in range(CONFIRMED)
]


@functools.cache
def _data() -> dict[str, np.ndarray]:
    """Curves and errors ``[tasks, arms, points]``, in per cent caught; differences ``[tasks, arms, arms]``.

    A difference is above the diagonal, with its 95 % interval: the row's arm less the column's.
    """
    runs = [
        [
            next(c for c in load("muzero_half").cells(task=task, arm=arm) if c.stage != "tuning")
            for arm in ARMS
        ]
        for task in TASKS
    ]
    apart = np.zeros((3, len(TASKS), len(ARMS), len(ARMS)))
    for task, arms in enumerate(runs):
        for (i, one), (j, other) in combinations(enumerate(arms), 2):
            both = min(len(one.area), len(other.area))
            seeds = 50 * np.subtract(one.area[:both], other.area[:both])  # a return is 1 or -1
            apart[:, task, i, j] = seeds.mean(), *muzero_half.interval(seeds)
    curves, errors = (
        50 * np.array([[getattr(cell, name) for cell in arms] for arms in runs])
        for name in ("curve", "error")
    )
    return {
        "curves": np.round(50 + curves, 1),
        "errors": np.round(errors, 1),
        **dict(zip(("mean", "low", "high"), np.round(apart, 1), strict=True)),
    }


@functools.cache
def _tuning() -> dict[str, np.ndarray]:
    """Means and two standard errors by rate ``[tasks, arms, rates]``: an arm's last rate fills its row."""

    def tried(task: str, arm: str) -> np.ndarray:
        cells = load("muzero_half").cells(stage="tuning", task=task, arm=arm)
        areas = [(cell.rate, 50 * (1 + np.array(cell.area))) for cell in cells]
        return np.array(
            sorted((rate, x.mean(), 2 * x.std(ddof=1) / np.sqrt(len(x))) for rate, x in areas)
        )

    rows = [[tried(task, arm) for arm in ARMS[:CONFIRMED]] for task in TASKS]
    most = max(len(row) for arms in rows for row in arms)
    full = np.array(
        [[np.pad(row, ((0, most - len(row)), (0, 0)), "edge") for row in arms] for arms in rows]
    )
    beside = np.array([0.97, 1.0, 1.03])[:, None]  # or one interval would hide another
    rates, means, errors = np.moveaxis(full, -1, 0)
    return {
        "rates": np.round(rates * beside, 6),
        "tried": np.round(means, 1),
        "tried_low": np.round(means - errors, 1),
        "tried_high": np.round(means + errors, 1),
    }


def two_arms(first: Array, second: Array) -> dict[str, Array]:
    """Look up two arms, and how much more the first one catches than the second, in every task.

    Args:
      first, second: int ``[]``; places in ``FIRST`` and in ``ARMS``.

    Returns:
      All ``[tasks, ...]``. ``arm_0`` ... ``[25]``: every arm's curve, in per cent of the balls caught, at
      ``places``; ``one``, ``other``: the chosen ones; with ``_at``, ``_mid``, ``_low``, ``_high``, some
      of their points with two standard errors on either side; ``apart``, ``apart_low``, ``apart_high``: the
      mean paired difference over the training, in points of a hundred, over the seeds that both have, and
      its 95 % interval; ``rates_0`` ... ``tried_high_2`` ``[n]``: what the arms of the question caught at
      each rate that was tried, with two standard errors on either side; ``random``. And ``case`` ``[]``.
    """
    first = jnp.asarray([ARMS.index(arm) for arm in FIRST])[first]
    data = {name: jnp.asarray(array) for name, array in _data().items()}
    mean, low, high = (data[name] for name in ("mean", "low", "high"))
    found = {
        "places": jnp.broadcast_to(jnp.asarray(PLACES), (len(TASKS), POINTS)),
        "apart": mean[:, first, second] - mean[:, second, first],
        "apart_low": low[:, first, second] - high[:, second, first],
        "apart_high": high[:, first, second] - low[:, second, first],
        "random": jnp.asarray(RANDOM),
        **{name: data["curves"][:, n] for n, name in enumerate(EVERY)},
    }
    for name, arm, start in (("one", first, 0), ("other", second, 1)):
        curve, some = data["curves"][:, arm], slice(start, None, APART)
        error = 2 * data["errors"][:, arm, some]
        found |= {
            name: curve,
            f"{name}_at": found["places"][:, some],
            f"{name}_mid": curve[:, some],
            f"{name}_low": curve[:, some] - error,
            f"{name}_high": curve[:, some] + error,
        }
    for name, array in _tuning().items():
        found |= {f"{name}_{n}": jnp.asarray(array)[:, n] for n in range(CONFIRMED)}
    confirmed = (first < CONFIRMED) & (second < CONFIRMED)
    return {**found, "case": jnp.where(first == second, 2, confirmed)}


_APART = (
    "Over the whole training “{{first}}” less “{{second}}” is {{apart.0:.1f}} balls of 100 in Catch (95\N{NO-BREAK SPACE}% "
    "interval {{apart_low.0:.1f}} to {{apart_high.0:.1f}}) and {{apart.1:.1f}} in long Catch ({{apart_low.1:.1f}} to "
    "{{apart_high.1:.1f}}), over {}"
)


def _spec() -> FigureSpec:
    tuning = _tuning()
    ends = tuning["tried_low"].min(), tuning["tried_high"].max()
    return FigureSpec(
        function=two_arms,
        controls=(
            Choice("first", "arm", options=tuple((arm, arm) for arm in FIRST)),
            Choice("second", "beside", options=tuple((arm, arm) for arm in ARMS)),
        ),
        view=Panels(
            (
                (
                    "",
                    Multiples(
                        Profile(
                            (
                                *(
                                    Series(
                                        name,
                                        "" if n else "another arm",
                                        "muted",
                                        "line",
                                        behind=True,
                                    )
                                    for n, name in enumerate(EVERY)
                                ),
                                Series("other", "{second}", "ink", "line"),
                                Series(
                                    "other_mid",
                                    "",
                                    "ink",
                                    "points",
                                    "other_low",
                                    "other_high",
                                    "other_at",
                                ),
                                Series("one", "{first}", "state", "line"),
                                Series(
                                    "one_mid",
                                    "",
                                    "state",
                                    "points",
                                    "one_low",
                                    "one_high",
                                    "one_at",
                                ),
                            ),
                            y=Axis((0.0, 100.0), label="caught, %"),
                            x=Axis((-4.0, 104.0), label="% of the games"),
                            at="places",
                            thresholds=(Threshold("random"),),
                            plot=150,
                        ),
                        ("places", "random", *CHOSEN, *EVERY),
                        GAMES,
                        across=2,
                    ),
                ),
                (
                    "",
                    Multiples(
                        Profile(
                            tuple(
                                Series(
                                    f"tried_{n}",
                                    ARMS[n],
                                    role,
                                    "line",
                                    f"tried_low_{n}",
                                    f"tried_high_{n}",
                                    f"rates_{n}",
                                )
                                for n, role in enumerate(("ink", "state", "second"))
                            ),
                            y=Axis(
                                (10 * np.floor(ends[0] / 10), 10 * np.ceil(ends[1] / 10)),
                                label="caught, %",
                            ),
                            x=Axis(
                                (tuning["rates"].min() / 1.15, tuning["rates"].max() * 1.15),
                                "log",
                                label="learning rate",
                            ),
                            at="rates_0",
                            plot=90,
                        ),
                        TRIED,
                        GAMES,
                        across=2,
                    ),
                ),
            )
        ),
        title="Two arms, side by side",
        look="Point at a thin line to see which arm it is. Whiskers are two standard errors on either side; the line "
        "at the foot is random play. The difference is a mean over the whole training, so it hides curves that cross. Below: "
        "what the rates that were tried caught, on other seeds.",
        sentences=(
            _APART.format(
                "16 paired seeds: exploratory, and not corrected for how many are compared."
            ),
            _APART.format("64 paired seeds, not corrected for how many are compared."),
            "“{first}” is beside itself: choose another arm.",
        ),
        table=Table(
            columns=(
                ("“{first}” less “{second}”", "apart"),
                ("from", "apart_low"),
                ("to", "apart_high"),
            ),
            rows=GAMES,
            count=len(GAMES),
            general=True,
        ),
        presets=(
            Preset("P", {"first": "P 1/2", "second": "off"}),
            Preset("K = 10", {"first": "P 1/2, K = 10", "second": "off, K = 10"}),
            Preset(
                "not normalised",
                {"first": "P 1/2, not normalised", "second": "off, not normalised"},
            ),
        ),
        stills=({},),
        parts={
            **{name: Part(name, arm) for name, arm in zip(EVERY, ARMS, strict=True)},
            "one": Part("one", "{first}"),
            "other": Part("other", "{second}"),
            **{f"tried_{n}": Part(f"tried_{n}", ARMS[n]) for n in range(CONFIRMED)},
        },
        note=(
            "Above, balls caught in training: means over 64 seeds of off, P 1/2 and R 1/2, and over 16 of the others. "
            "Catch is trained for 8,000 games, long Catch for 12,800. s is in the name, and stands after the heads in P, "
            "before them in R, at every input in Q; K is 5 if nothing else is said. Each arm has the rate that was tuned "
            "for off, P 1/2 or R 1/2, whichever it varies. Two arms are compared over the seeds that both have, by the "
            "paired bootstrap. Below, the 16 seeds by which the rates were chosen, and which are in no comparison above. "
            "The arms with SGD were run on Catch alone; chapter 07 lists them."
        ),
    )


class TwoArms(Figure):
    """Two of the arms that were run, beside each other.

    Args:
      first, second: arms, as ``muzero_half`` records them, default ``"P 1/2"`` and ``"off"``.
    """

    spec = _spec()
